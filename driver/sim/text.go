package sim

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/handset-go/handset/driver"
)

// InsertText puts text at the cursor of the focused field, as an input method commits it, and says whether
// a field took it. A field of one line takes a newline as a space.
func (p *Phone) InsertText(text string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.locked && p.asking && !p.asleep {
		p.enterPIN(text)
		return true
	}
	w := p.inputWidget()
	if w == nil {
		return false
	}
	p.lastTap = tapMemory{}
	if !p.used(FaultFrozen) {
		p.insert(w, p.lose(text))
	}
	return true
}

func (p *Phone) insert(w *Widget, text string) {
	if !w.Many {
		text = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(text)
	}
	p.clock += textTime * time.Duration(utf8.RuneCountInString(text))
	old := []rune(p.values[p.front().page().focus])
	cur := p.cursorIn(string(old))
	added := []rune(text)
	p.cursor = cur + len(added)
	p.store(w, string(slices.Concat(old[:cur], added, old[cur:])))
	p.emit("text", p.fieldData(w, text))
}

// fieldData is what an event says of a field; what is typed into a secret one is not told.
func (p *Phone) fieldData(w *Widget, text string) map[string]any {
	if w.Secret {
		text = strings.Repeat("•", utf8.RuneCountInString(text))
	}
	return map[string]any{"app": p.front().app.Name.En, "field": w.ID, "text": text}
}

// store sets the text of the focused field.
func (p *Phone) store(_ *Widget, text string) {
	p.set(p.front().page().focus, text)
	p.reveal()
}

// ClearText empties the focused field, and says whether there is one.
func (p *Phone) ClearText() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.inputWidget()
	if w == nil {
		return false
	}
	if p.used(FaultFrozen) {
		return true
	}
	p.emit("clear", map[string]any{"app": p.front().app.Name.En, "field": w.ID})
	p.cursor = 0
	p.store(w, "")
	return true
}

// EditorAction does what Enter does in the focused field, whatever it is called, and says whether there is
// one. A field of several lines has none.
func (p *Phone) EditorAction() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.inputWidget()
	if w == nil || w.Many {
		return false
	}
	p.act(w)
	p.changed()
	return true
}

// act is the editor action of a field.
func (p *Phone) act(w *Widget) {
	t := p.front()
	p.emit("editor_action", map[string]any{"app": t.app.Name.En, "field": w.ID, "action": or(w.Action, "done")})
	switch or(w.Action, "done") {
	case "send": // the keyboard stays for the next message
	case "next":
		p.nextField()
	default:
		p.keyboard.hidden = true
	}
	p.perform(w.Do, t.app, nowhere)
}

// edit is an editing key in the focused field.
func (p *Phone) edit(k driver.Key) {
	w := p.inputWidget()
	text := []rune(p.values[p.front().page().focus])
	cur := p.cursorIn(string(text))
	switch k {
	case driver.KeyDelete:
		if cur > 0 {
			n := clusterBack(text[:cur])
			p.cursor = cur - n
			p.store(w, string(slices.Concat(text[:cur-n], text[cur:])))
		}
	case driver.KeyForward:
		if cur < len(text) {
			p.store(w, string(slices.Delete(text, cur, cur+1)))
		}
	case driver.KeyEnter:
		if !w.Many {
			p.act(w)
			return
		}
		p.insert(w, "\n")
	case driver.KeySpace:
		p.insert(w, " ")
	case driver.KeyPaste:
		p.insert(w, p.clipboard)
	case driver.KeyEscape:
		p.keyboard.hidden = true
	case driver.KeyTab:
		p.nextField()
	default:
		p.moveCursor(k, text, cur)
	}
}

// clusterBack returns how many runes one press of Delete takes: a variation selector, a joiner or a
// skin tone goes with the sign before it.
func clusterBack(text []rune) int {
	n := 1
	for n < len(text) && (joins(text[len(text)-n]) || text[len(text)-n-1] == '\u200d') {
		n++
	}
	return n
}

func joins(r rune) bool {
	return r == '\u200d' || r >= '\ufe00' && r <= '\ufe0f' || r >= 0x1f3fb && r <= 0x1f3ff || r == '\u20e3'
}

func (p *Phone) moveCursor(k driver.Key, text []rune, cur int) {
	switch k {
	case driver.KeyLeft:
		p.cursor = cur - 1
	case driver.KeyRight:
		p.cursor = cur + 1
	case driver.KeyMoveHome, driver.KeyUp:
		p.cursor = lineStart(text, cur)
		if k == driver.KeyUp && p.cursor > 0 {
			p.cursor = lineStart(text, p.cursor-1)
		}
	case driver.KeyMoveEnd:
		p.cursor = lineEnd(text, cur)
	case driver.KeyDown:
		p.cursor = lineEnd(text, min(lineEnd(text, cur)+1, len(text)))
	}
	p.cursorIn(string(text))
	p.changed()
}

func lineStart(text []rune, cur int) int {
	for cur > 0 && text[cur-1] != '\n' {
		cur--
	}
	return cur
}

func lineEnd(text []rune, cur int) int {
	for cur < len(text) && text[cur] != '\n' {
		cur++
	}
	return cur
}

// nextField moves the focus to the field after the focused one.
func (p *Phone) nextField() {
	pg := p.front().page()
	var keys []string
	for _, w := range slices.Concat(pg.screen.Top, pg.screen.Body, pg.screen.Bottom) {
		if w.Kind == KindField && p.holds(w.If, nowhere) {
			keys = append(keys, p.expand(w.Key, nowhere))
		}
	}
	if i := slices.Index(keys, pg.focus); i >= 0 {
		next := keys[(i+1)%len(keys)]
		p.focusOn(pg, next, utf8.RuneCountInString(p.values[next]))
	}
}
