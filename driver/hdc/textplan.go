package hdc

import (
	"fmt"
	"image"
	"strings"

	"github.com/handset-go/handset/driver"
)

// The ways to put in text.
const (
	byText   = "uitest uiInput text"      // at the cursor, from API 18 on
	byPoint  = "uitest uiInput inputText" // taps the field first
	byUinput = "uinput -K -t"             // at the cursor, ASCII by keys, from API 12 on
	byKey    = "uitest uiInput keyEvent"
)

// step is one command that types.
type step struct {
	how   string
	line  string
	paste bool // goes by the clipboard
}

func hasPaste(steps []step) bool {
	for _, s := range steps {
		if s.paste {
			return true
		}
	}
	return false
}

// plan makes the steps that type a text on this phone.
func (d *Driver) plan(f *driver.Node, text string) ([]step, error) {
	if d.hasText() || d.uinputTypes() && printable(strings.ReplaceAll(text, "\n", "")) {
		return d.planLines(text), nil
	}
	if f == nil {
		return nil, fmt.Errorf("%w: this HarmonyOS types by tapping the field, and the tree shows none: API 18 (5.1) and newer need no field", driver.ErrNoTextInput)
	}
	at, ok := d.inputPoint(f)
	if !ok {
		return nil, fmt.Errorf("%w: the field with the focus is not on the screen", driver.ErrNoTextInput)
	}
	// One command, whatever is in the text: a second one would tap the field again, and may put the cursor elsewhere.
	if len(text) > pasteChunk {
		return nil, fmt.Errorf("%w: this HarmonyOS takes %d bytes at a time", driver.ErrNoTextInput, pasteChunk)
	}
	line := fmt.Sprintf("%s %d %d %s", byPoint, at.X, at.Y, quote(text))
	return []step{{how: byPoint, line: line, paste: !d.keyable(text) || len(text) > keyChunk}}, nil
}

// inputPoint returns the middle of the field, in the points that uitest takes.
func (d *Driver) inputPoint(f *driver.Node) (at image.Point, ok bool) {
	frame, input := d.screen.last()
	p := f.Center()
	if !p.In(image.Rectangle{Max: frame}) {
		return image.Point{}, false
	}
	return image.Pt(edge(scale(p.X, frame.X, input.X)), edge(scale(p.Y, frame.Y, input.Y))), true
}

// hasText says that uiInput text is there.
func (d *Driver) hasText() bool {
	return !d.lacks.text.Load() && (d.info.api == 0 || d.info.api >= apiText)
}

// uinputTypes says that uinput types ASCII.
func (d *Driver) uinputTypes() bool {
	return !d.lacks.uinput.Load() && (d.info.api == 0 || d.info.api >= apiUinputText)
}

// keyable says that uitest types a text by keys: letters and digits, and from API 20 on every printable of ASCII.
// Anything else it pastes.
func (d *Driver) keyable(text string) bool {
	if d.info.api >= apiSymbols {
		return printable(text)
	}
	for _, c := range text {
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

// printable says that every character has a key: printable ASCII.
func printable(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// planLines plans a text that goes to the cursor: its lines, with Enter between them.
func (d *Driver) planLines(text string) []step {
	var steps []step
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			steps = append(steps, step{how: byKey, line: pressing(codeEnter).line})
		}
		steps = append(steps, d.planLine(line)...)
	}
	return steps
}

func (d *Driver) planLine(line string) []step {
	how, size := byText, pasteChunk
	switch {
	case d.hasText() && d.keyable(line):
		size = keyChunk
	case d.uinputTypes() && printable(line):
		how, size = byUinput, keyChunk
	}
	var steps []step
	for _, chunk := range chunks(line, size) {
		steps = append(steps, step{how: how, line: how + " " + quote(chunk), paste: size == pasteChunk})
	}
	return steps
}

// chunks splits a text into pieces of at most n bytes, between characters.
func chunks(text string, n int) []string {
	var all []string
	for len(text) > n {
		cut := n
		for text[cut]&0xc0 == 0x80 {
			cut--
		}
		all = append(all, text[:cut])
		text = text[cut:]
	}
	if text == "" {
		return all
	}
	return append(all, text)
}
