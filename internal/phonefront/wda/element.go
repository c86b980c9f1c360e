package wda

import (
	"encoding/binary"
	"fmt"
	"image"
	"iter"
	"strconv"
	"strings"
)

// elementKey is what W3C WebDriver calls the id of an element.
const elementKey = "element-6066-11e4-a52e-4f735466cecf"

// element is one node of the tree as XCTest shows it.
type element struct {
	Type        string // without XCUIElementType
	RawID       string // accessibilityIdentifier
	Label       string
	Value       *string // nil for none
	Placeholder *string
	Enabled     bool
	Visible     bool
	Accessible  bool
	Focused     bool
	Selected    bool
	Frame       image.Rectangle // in points
	Box         image.Rectangle // in pixels
	Min, Max    *string         // of a slider
	Children    []*element
	Bundle      string // of an application
	PID         int
}

// name is the identifier, else the label: one cannot tell which.
func (e *element) name() string {
	if e.RawID != "" {
		return e.RawID
	}
	return e.Label
}

func (e *element) class() string { return "XCUIElementType" + e.Type }

func (e *element) value() string {
	if e.Value == nil {
		return ""
	}
	return *e.Value
}

// traits are the accessibility traits, as the newer sources name them.
func (e *element) traits() string {
	var t []string
	switch e.Type {
	case "Button", "StaticText", "Image", "SearchField", "Link":
		t = append(t, e.Type)
	case "Icon":
		t = append(t, "Button")
	case "Switch":
		t = append(t, "Button", "ToggleButton")
	case "Slider":
		t = append(t, "Adjustable")
	case "Key":
		t = append(t, "KeyboardKey")
	}
	if e.Selected {
		t = append(t, "Selected")
	}
	if !e.Enabled {
		t = append(t, "NotEnabled")
	}
	return strings.Join(t, ", ")
}

// all yields the element and everything below it, parents before children.
func (e *element) all() iter.Seq[*element] {
	return func(yield func(*element) bool) { e.walk(yield) }
}

func (e *element) walk(yield func(*element) bool) bool {
	if !yield(e) {
		return false
	}
	for _, k := range e.Children {
		if !k.walk(yield) {
			return false
		}
	}
	return true
}

// describe is how messages call an element.
func (e *element) describe() string { return fmt.Sprintf("%q %s", e.name(), e.Type) }

// elementRef is how an element is found again.
type elementRef struct {
	typ, name string
	nth       int // among those of the same type and name
	pid       int
}

// elementCache is what the ids of a session mean.
type elementCache struct {
	refs  map[string]elementRef
	ids   map[elementRef]string
	count uint64
}

// maxCached is how many elements a session remembers; the oldest are forgotten first.
const maxCached = 1024

// remember returns the id of an element of a tree.
func (k *elementCache) remember(root, e *element) string {
	ref := elementRef{typ: e.Type, name: e.name(), pid: root.PID}
	for x := range root.all() {
		if x == e {
			break
		}
		if x.Type == ref.typ && x.name() == ref.name {
			ref.nth++
		}
	}
	if id, ok := k.ids[ref]; ok {
		return id
	}
	if k.refs == nil || len(k.refs) >= maxCached {
		k.refs, k.ids = map[string]elementRef{}, map[elementRef]string{}
	}
	k.count++
	id := elementID(k.count+9, root.PID)
	k.refs[id], k.ids[ref] = ref, id
	return id
}

// elementID writes the numbers of an element and its process the way XCTest does.
func elementID(n uint64, pid int) string {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:8], n)
	binary.LittleEndian.PutUint64(b[8:], uint64(max(pid, 0)))
	return fmt.Sprintf("%X-%X-%X-%X-%X", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// element returns the element that an id means, as it is now.
func (c *call) element(id string) (*element, error) {
	ref, ok := c.settings().elements.refs[id]
	if !ok {
		return nil, stale(id)
	}
	root, err := c.tree()
	if err != nil {
		return nil, err
	}
	if root.PID == ref.pid {
		n := 0
		for e := range root.all() {
			if e.Type != ref.typ || e.name() != ref.name {
				continue
			}
			if n == ref.nth {
				return e, nil
			}
			n++
		}
	}
	return nil, stale(id)
}

func stale(id string) error {
	return fail(errStale, "The element identified by \"%s\" is either not present or it has expired from the internal cache. Try to find it again", id)
}

// reference is an element on the wire.
func (c *call) reference(root, e *element) map[string]any {
	id := c.settings().elements.remember(root, e)
	out := map[string]any{elementKey: id, "ELEMENT": id}
	if truth(c.set("shouldUseCompactResponses")) {
		return out
	}
	for name := range strings.SplitSeq(text(c.set("elementResponseAttributes")), ",") {
		switch name = strings.TrimSpace(name); name {
		case "type", "name":
			out[name] = e.class()
		case "label":
			out[name] = e.Label
		case "text":
			out[name] = e.text()
		case "rect":
			out[name] = rectValue(e.Frame)
		case "enabled":
			out[name] = e.Enabled
		case "displayed":
			out[name] = e.Visible
		case "selected":
			out[name] = e.Selected
		}
	}
	return out
}

func (e *element) text() string {
	if e.Value != nil {
		return *e.Value
	}
	return e.Label
}

// attribute returns what an attribute of an element is; ok is false for a name that XCTest does not know.
func (e *element) attribute(name string) (v any, ok bool) {
	optional := func(p *string) any {
		if p == nil {
			return nil
		}
		return *p
	}
	filled := func(s string) any {
		if s == "" {
			return nil
		}
		return s
	}
	name = strings.TrimPrefix(name, "wd")
	if name != "" {
		name = strings.ToLower(name[:1]) + name[1:]
	}
	switch name {
	case "type", "elementType", "className", "class":
		return e.class(), true
	case "name":
		return filled(e.name()), true
	case "uID", "rawIdentifier", "identifier":
		return filled(e.RawID), true
	case "label":
		return filled(e.Label), true
	case "value":
		return optional(e.Value), true
	case "placeholderValue":
		return optional(e.Placeholder), true
	case "enabled", "isEnabled":
		return e.Enabled, true
	case "visible", "isVisible", "displayed", "hittable", "isHittable":
		return e.Visible, true
	case "accessible", "isAccessible":
		return e.Accessible, true
	case "focused", "isFocused", "hasKeyboardFocus", "hasFocus":
		return e.Focused, true
	case "selected", "isSelected":
		return e.Selected, true
	case "rect", "frame":
		return rectValue(e.Frame), true
	case "x", "y", "width", "height":
		return rectValue(e.Frame)[name], true
	case "traits":
		return e.traits(), true
	case "minValue":
		return optional(e.Min), true
	case "maxValue":
		return optional(e.Max), true
	case "index", "accessibilityContainer", "isAccessibilityContainer":
		return nil, true
	}
	return nil, false
}

// onElement makes a command of what reads one element.
func onElement(read func(e *element) any) command {
	return func(c *call) (any, error) {
		e, err := c.element(c.params["uuid"])
		if err != nil {
			return nil, err
		}
		return read(e), nil
	}
}

// attributeText writes an attribute as the wire has it: a boolean is "true" or "false".
func attributeText(v any) any {
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	}
	return v
}

func (c *call) elementAttribute() (any, error) {
	e, err := c.element(c.params["uuid"])
	if err != nil {
		return nil, err
	}
	v, ok := e.attribute(c.params["name"])
	if !ok {
		return nil, fail(errUnknown, "The attribute '%s' is unknown. Valid attribute names are: (accessible, enabled, focused, frame, "+
			"hittable, label, name, placeholderValue, rect, selected, traits, type, value, visible)", c.params["name"])
	}
	return attributeText(v), nil
}

func (c *call) elementClick() (any, error) {
	e, err := c.element(c.params["uuid"])
	if err != nil {
		return nil, err
	}
	if _, err := c.finite(e); err != nil {
		return nil, err
	}
	return nil, c.play(rest(e.Box.Min.Add(e.Box.Max).Div(2), 0, tapTime))
}
