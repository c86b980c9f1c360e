package sim

import (
	"image"
	"strings"
	"unicode/utf8"

	"github.com/handset-go/handset/driver"
)

// field is an edit field for a value.
func (b *builder) field(w *Widget, at place, r image.Rectangle) *view {
	p := b.p
	key := p.expand(w.Key, at)
	value := p.values[key]
	scale := p.fontScale(16)
	v := &view{
		class: "EditText", id: w.ID, text: value, hint: b.say(w.Hint, at), desc: b.say(w.Desc, at), box: r, look: lookField,
		ink:   ink{scale: scale, fore: b.th.text, back: b.th.field, radius: p.dp(12), cursor: -1},
		flags: driver.Clickable | driver.LongClickable | driver.Focusable | driver.Editable,
	}
	if w.Secret {
		v.flags |= driver.Password
		v.text = strings.Repeat("•", utf8.RuneCountInString(value))
	}
	if w.Many {
		v.flags |= driver.Multiline
	}
	shown := v.text
	if shown == "" {
		shown, v.ink.fore = v.hint, b.th.faint
	}
	if b.page.focus == key {
		v.flags |= driver.Focused
		v.ink.cursor = p.cursorIn(value)
	}
	b.breakField(v, w, shown)
	v.tap = func() { p.focusOn(b.page, key, utf8.RuneCountInString(p.values[key])) }
	v.hold = v.tap
	return v
}

// breakField breaks the shown text to the width; a single line shows its end, as fields do while one types.
func (b *builder) breakField(v *view, w *Widget, shown string) {
	room := (v.box.Dx() - 2*b.p.dp(14)) / v.ink.scale
	if w.Many {
		v.ink.lines = wrap(shown, room)
		return
	}
	one := strings.ReplaceAll(shown, "\n", " ")
	rs := []rune(one)
	for width := textWidth(one); len(rs) > 0 && width > room; {
		width -= runeWidth(rs[0])
		rs = rs[1:]
		v.ink.cursor = max(v.ink.cursor-1, min(v.ink.cursor, 0))
	}
	v.ink.lines = []string{string(rs)}
}

// focusOn gives a field the focus, with the cursor at a place in runes, and brings the keyboard up.
func (p *Phone) focusOn(pg *page, key string, cursor int) {
	pg.focus, p.cursor = key, cursor
	p.keyboard = keyboard{}
	p.changed()
	p.reveal()
}

// cursorIn returns the cursor, kept within the text.
func (p *Phone) cursorIn(text string) int {
	p.cursor = min(max(p.cursor, 0), utf8.RuneCountInString(text))
	return p.cursor
}

// reveal scrolls the page until the focused field can be seen above the keyboard.
func (p *Phone) reveal() {
	if p.asleep || p.locked || p.focusedWidget() == nil {
		return
	}
	pg := p.front().page()
	for _, win := range p.laidOut().windows {
		if win.kind != driver.WindowApp {
			continue
		}
		body := find(win.root, func(v *view) bool { return v.page == pg })
		f := find(win.root, func(v *view) bool { return v.flags&driver.Focused != 0 })
		if body == nil || f == nil || !within(body, f) {
			return
		}
		if low := f.box.Max.Y - body.box.Max.Y; low > 0 {
			pg.scroll += min(low, f.box.Min.Y-body.box.Min.Y)
			p.changed()
		}
	}
}

func find(v *view, ok func(*view) bool) *view {
	if ok(v) {
		return v
	}
	for _, k := range v.kids {
		if f := find(k, ok); f != nil {
			return f
		}
	}
	return nil
}

func within(v, inner *view) bool {
	return find(v, func(k *view) bool { return k == inner }) != nil
}

// focusedWidget returns the widget of the focused field, or nil.
func (p *Phone) focusedWidget() *Widget {
	pg := p.front().page()
	if pg.focus == "" {
		return nil
	}
	for _, ws := range [][]Widget{pg.screen.Top, pg.screen.Body, pg.screen.Bottom} {
		for i := range ws {
			if ws[i].Kind == KindField && p.expand(ws[i].Key, nowhere) == pg.focus {
				return &ws[i]
			}
		}
	}
	return nil
}

// Field says what the focused field is and holds.
type Field struct {
	ID     string // as Widget.ID
	Text   string
	Cursor int // in runes
	Many   bool
	Secret bool
	Action string // of Enter: "send", "search", "done", "go", "next"; "" for a field of several lines
}

// Focused returns the field that takes text now, and false where none does.
func (p *Phone) Focused() (Field, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.inputWidget()
	if w == nil {
		return Field{}, false
	}
	text := p.values[p.front().page().focus]
	f := Field{ID: w.ID, Text: text, Cursor: p.cursorIn(text), Many: w.Many, Secret: w.Secret}
	if !w.Many {
		f.Action = or(w.Action, "done")
	}
	return f, true
}

// inputWidget is the focused field, if nothing stands between it and the keyboard.
func (p *Phone) inputWidget() *Widget {
	if p.asleep || p.locked || p.shade || p.front().dialog != nil {
		return nil
	}
	return p.focusedWidget()
}
