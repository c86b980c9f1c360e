package wda

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/handset-go/handset/driver"
)

// keys types a list of strings into whatever has the focus.
func (c *call) keys() (any, error) {
	typed, err := c.typed("value")
	if err != nil {
		return nil, err
	}
	if !c.d.version.atLeast(typesAnywhere) && !c.d.phone.KeyboardShown() {
		return nil, fail(errElementState, "The on-screen keyboard must be present to send keys")
	}
	return nil, c.typeText(typed)
}

// typed joins the list under a name of the body. Anything else has no such method.
func (c *call) typed(name string) (string, error) {
	v, ok := c.body[name]
	if !ok {
		return "", nil
	}
	list, ok := v.([]any)
	if !ok {
		return "", unrecognized(className(v), "componentsJoinedByString:")
	}
	var b strings.Builder
	for _, e := range list {
		switch e := e.(type) {
		case string:
			b.WriteString(e)
		case float64:
			b.WriteString(strconv.FormatFloat(e, 'f', -1, 64))
		}
	}
	return b.String(), nil
}

// frequency is how many keys WebDriverAgent types in a time unit that nobody has documented.
func (c *call) frequency() float64 {
	n, _ := number(c.body["frequency"])
	if n <= 0 {
		n = c.setNumber("maxTypingFrequency")
	}
	return max(n, 1)
}

func (c *call) typeText(s string) error {
	if c.d.faults.On(FaultKeysFail) {
		return keysFailed()
	}
	stop := c.d.faults.Number(FaultKeysPartial)
	if stop == 0 && !c.d.realtime {
		c.d.typeRuns(s)
		return nil
	}
	per := time.Duration(float64(10*time.Second) / c.frequency())
	for i, r := range []rune(s) {
		if stop > 0 && i == stop {
			return keysFailed()
		}
		if err := c.takes(per); err != nil {
			return err
		}
		c.d.typeRune(string(r))
	}
	return nil
}

func keysFailed() error {
	return fail(errElementState, "Error Domain=XCTDaemonErrorDomain Code=14 \"Timed out while synthesizing event.\" "+
		"UserInfo={NSLocalizedDescription=Timed out while synthesizing event.}")
}

// runeKeys are the characters that press a key, those of WebDriver among them.
var runeKeys = map[rune]driver.Key{
	'\n': driver.KeyEnter, '\r': driver.KeyEnter, '\t': driver.KeyTab, '\b': driver.KeyDelete, '\u007f': driver.KeyDelete,
	'\ue003': driver.KeyDelete, '\ue004': driver.KeyTab, '\ue006': driver.KeyEnter, '\ue007': driver.KeyEnter, '\ue00c': driver.KeyEscape,
	'\ue00d': driver.KeySpace, '\ue010': driver.KeyMoveEnd, '\ue011': driver.KeyMoveHome, '\ue012': driver.KeyLeft, '\ue013': driver.KeyUp,
	'\ue014': driver.KeyRight, '\ue015': driver.KeyDown, '\ue017': driver.KeyForward,
}

func isKey(r rune) bool {
	_, ok := runeKeys[r]
	return ok || r >= '\ue000' && r <= '\ue0ff'
}

// typeRune types one character or presses the key that it stands for. Without a focus nothing happens.
func (d *Device) typeRune(s string) {
	r, n := utf8.DecodeRuneInString(s)
	if n == len(s) && isKey(r) {
		if k, ok := runeKeys[r]; ok {
			if _, focused := d.phone.Focused(); focused {
				d.phone.Key(k)
			}
		}
		return
	}
	d.phone.InsertText(s)
}

// typeRuns types the text between two keys at once.
func (d *Device) typeRuns(s string) {
	for s != "" {
		i := strings.IndexFunc(s, isKey)
		if i < 0 {
			d.phone.InsertText(s)
			return
		}
		if i > 0 {
			d.phone.InsertText(s[:i])
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		d.typeRune(s[i : i+n])
		s = s[i+n:]
	}
}

// elementValue types into an element: it is tapped first unless it has the focus.
func (c *call) elementValue() (any, error) {
	e, err := c.element(c.params["uuid"])
	if err != nil {
		return nil, err
	}
	typed := ""
	switch v := c.body["value"].(type) {
	case nil:
		typed = text(c.body["text"])
	case string:
		typed = v
	default:
		if typed, err = c.typed("value"); err != nil {
			return nil, err
		}
	}
	if _, hasText := c.body["text"]; c.body["value"] == nil && !hasText {
		return nil, fail(errArgument, "Neither 'value' nor 'text' parameter is provided")
	}
	if e.Type == "Slider" {
		return nil, c.slide(e, typed)
	}
	if err := c.focus(e); err != nil {
		return nil, err
	}
	return nil, c.typeText(typed)
}

// slide moves a slider to a part of its way, "0" to "1".
func (c *call) slide(e *element, typed string) error {
	part, _ := number(typed)
	if part < 0 || part > 1 {
		return fail(errArgument, "Value of slider should be in 0..1 range")
	}
	at := e.Box.Min
	at.X += int(part * float64(e.Box.Dx()-1))
	at.Y = (e.Box.Min.Y + e.Box.Max.Y) / 2
	return c.play(rest(at, 0, tapTime))
}

// focus taps an element unless it has the focus.
func (c *call) focus(e *element) error {
	if e.Focused {
		return nil
	}
	if _, err := c.finite(e); err != nil {
		return err
	}
	return c.play(rest(e.Box.Min.Add(e.Box.Max).Div(2), 0, tapTime))
}

func (c *call) elementClear() (any, error) {
	e, err := c.element(c.params["uuid"])
	if err != nil {
		return nil, err
	}
	if err := c.focus(e); err != nil {
		return nil, err
	}
	if e, err = c.element(c.params["uuid"]); err != nil {
		return nil, err
	}
	if !e.Focused || !c.d.phone.ClearText() {
		return nil, fail(errElementState, "The element '%s' does not have the keyboard focus and cannot be cleared", e.describe())
	}
	return nil, nil
}

// keyboardInput types keys that are strings, or objects with a key and its modifiers.
func (c *call) keyboardInput() (any, error) {
	list, ok := c.body["keys"].([]any)
	if !ok || len(list) == 0 {
		return nil, fail(errArgument, "The 'keys' argument must be an array with at least one item")
	}
	if id := c.params["uuid"]; id != "0" {
		e, err := c.element(id)
		if err != nil {
			return nil, err
		}
		if err := c.focus(e); err != nil {
			return nil, err
		}
	}
	for _, v := range list {
		s, ok := v.(string)
		if m, isMap := v.(map[string]any); isMap {
			s, ok = m["key"].(string)
		}
		if !ok {
			return nil, fail(errArgument, "Items of the 'keys' array must be strings or dictionaries with a 'key'")
		}
		c.d.typeRune(s)
	}
	return nil, nil
}
