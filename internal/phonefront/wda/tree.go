package wda

import (
	"image"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/handset-go/handset/driver"
)

// wraps is how many containers an app nests round its page: a real one has more.
const wraps = 3

// tree returns the elements of the app that the call works on.
func (c *call) tree() (*element, error) {
	a, err := c.appHere()
	if err != nil {
		return nil, err
	}
	return c.d.appTree(a)
}

// appTree builds the elements of an app from the windows of the phone.
func (d *Device) appTree(a app) (*element, error) {
	ws := d.phone.Windows()
	if len(ws) == 0 && d.phone.Power().On {
		return nil, fail(errUnknown, "Error Domain=com.apple.dt.xctest.automation-support Code=9 \"kAXErrorServerNotFound\"")
	}
	t := &treeBuilder{d: d, deep: d.faults.Number(FaultTreeDeep)}
	full := image.Rectangle{Max: d.phone.Size()}
	root := t.container("Application", full)
	root.RawID, root.Label, root.Bundle, root.PID, root.Accessible = "", a.name, a.bundle, d.pid(a.bundle), false
	for _, w := range ws {
		if w.App.ID == a.bundle || w.Kind == driver.WindowKeyboard && a.bundle == d.inFront() {
			if e := t.window(w); e != nil {
				root.Children = append(root.Children, e)
			}
		}
	}
	if len(root.Children) == 0 {
		root.Children = append(root.Children, t.container("Window", full))
	}
	if a.bundle != springboard {
		root.Children = append(root.Children, t.hidden(full))
		if !d.version.atLeast(typesAnywhere) { // the systems of that age have the bar in the app
			root.Children = append(root.Children, t.bars(ws)...)
		}
	}
	d.spoil(root)
	return root, nil
}

// treeBuilder makes elements of nodes.
type treeBuilder struct {
	d    *Device
	deep int
}

func (t *treeBuilder) container(typ string, box image.Rectangle) *element {
	return &element{Type: typ, Enabled: true, Visible: true, Box: box, Frame: t.d.integral(box)}
}

// hidden is a window that is not shown, as every app has one.
func (t *treeBuilder) hidden(full image.Rectangle) *element {
	w := t.container("Window", full)
	low := t.container("Other", full.Add(image.Pt(0, full.Dy())))
	w.Children = []*element{low}
	w.Visible, low.Visible = false, false
	return w
}

func (t *treeBuilder) bars(ws []window) []*element {
	var bars []*element
	for _, w := range ws {
		if w.Title == "StatusBar" {
			bars = append(bars, t.window(w))
		}
	}
	return bars
}

// window makes a window of the phone one of the app.
func (t *treeBuilder) window(w window) *element {
	full := image.Rectangle{Max: t.d.phone.Size()}
	win := t.container("Window", full)
	inner := t.nest(win, 1)
	switch {
	case w.Kind == driver.WindowKeyboard:
		inner.Children = append(inner.Children, t.d.keyboardElement(w))
	case w.Kind == driver.WindowDialog:
		if t.d.faults.On(FaultTreeNoModal) {
			return nil
		}
		inner.Children = append(inner.Children, t.alert(w))
	case w.Title == "StatusBar":
		inner.Children = append(inner.Children, t.statusBar(w))
	case w.Kind == driver.WindowNotification && !w.Active:
		note := t.container("Other", w.Bounds)
		note.RawID, note.Accessible = "NotificationShortLookView", true
		note.Children = t.nodes(w.Root.Children, w.Root)
		note.Label = t.labelOf(w.Root)
		inner.Children = append(inner.Children, note)
	default:
		page := t.nest(inner, wraps-1+t.deep)
		page.Children = append(page.Children, t.nodes(w.Root.Children, w.Root)...)
	}
	return win
}

// nest puts containers into an element and returns the innermost.
func (t *treeBuilder) nest(e *element, levels int) *element {
	for range levels {
		k := t.container("Other", e.Box)
		e.Children = append(e.Children, k)
		e = k
	}
	return e
}

func (t *treeBuilder) statusBar(w window) *element {
	bar := t.container("StatusBar", w.Bounds)
	group := t.container("Other", w.Bounds)
	bar.Children = []*element{group}
	for _, n := range w.Root.Children {
		e := t.container("Other", n.Bounds)
		e.Label, e.Accessible = n.Label(), true
		if n.Desc != "" {
			e.Label = n.Desc
		}
		group.Children = append(group.Children, e)
	}
	return bar
}

// alert is a dialog. Of two buttons the one that agrees comes last, as on a phone; of three the last is
// the one that refuses.
func (t *treeBuilder) alert(w window) *element {
	a := t.container("Alert", w.Bounds)
	if w.App.ID != springboard && t.d.faults.On(FaultAlertSheet) {
		a.Type = "Sheet"
	}
	box := t.nest(a, 2)
	var buttons []*element
	for n := range w.Root.All() {
		e := t.node(n, nil)
		e.Children = nil
		switch e.Type {
		case "StaticText":
			if a.Label == "" {
				a.Label = e.Label
			}
			box.Children = append(box.Children, e)
		case "Button":
			buttons = append(buttons, e)
		}
	}
	if len(buttons) == 2 {
		slices.Reverse(buttons)
	}
	box.Children = append(box.Children, buttons...)
	return a
}

func (t *treeBuilder) nodes(ns []*driver.Node, parent *driver.Node) []*element {
	var out []*element
	for _, n := range ns {
		out = append(out, t.node(n, parent))
	}
	return out
}

// androidIDs are ids of the system that no iPhone has.
var androidIDs = []string{
	"title", "summary", "icon", "content", "message", "alertTitle", "inputArea", "switch_widget", "checkbox", "seekbar", "list",
	"workspace", "key", "button1", "button2", "action_bar", "permission_message", "text",
}

// node makes an element of a node and of everything below it.
func (t *treeBuilder) node(n, parent *driver.Node) *element {
	e := t.container(t.typeOf(n, parent), n.Bounds)
	e.Enabled = n.Is(driver.Enabled)
	e.Focused = n.Is(driver.Focused)
	e.Selected = n.Is(driver.Selected) || e.Type == "Button" && n.Is(driver.Checked)
	if !slices.Contains(androidIDs, n.ID) && !strings.HasPrefix(n.ID, "permission_") {
		e.RawID = n.ID
	}
	e.Label = n.Desc
	if e.Label == "" && e.Type != "TextField" && e.Type != "SearchField" && e.Type != "SecureTextField" && e.Type != "TextView" {
		e.Label = n.Text
	}
	e.Children = t.nodes(n.Children, n)
	t.finish(e, n, parent)
	return e
}

func (t *treeBuilder) typeOf(n, parent *driver.Node) string {
	class := strings.TrimPrefix(n.Class, "XCUIElementType")
	field := n.Is(driver.Editable)
	switch {
	case n.ID == "action_bar":
		return "NavigationBar"
	case n.ID == "bottom_bar":
		return "Toolbar"
	case n.ID == "icon" && class == "StaticText":
		return "Icon"
	case n.Role == driver.RoleRadio:
		return "Button"
	case field && n.Is(driver.Password):
		return "SecureTextField"
	case field && n.Is(driver.Multiline):
		return "TextView"
	case field && strings.Contains(n.ID, "search"):
		return "SearchField"
	case class == "Table" && n.ID == "workspace":
		return "CollectionView"
	case class == "Cell" && (parent == nil || parent.Role != driver.RoleList):
		return "Other"
	}
	return class
}

// finish sets what depends on the type: value, placeholder, label, accessible.
func (t *treeBuilder) finish(e *element, n, parent *driver.Node) {
	e.Accessible = e.Label != "" && len(e.Children) == 0
	switch e.Type {
	case "StaticText":
		e.Value = &e.Label
	case "NavigationBar":
		for _, k := range n.Children {
			if k.ID == "title" {
				e.RawID = k.Text
			}
		}
	case "Button":
		if parent != nil && parent.ID == "action_bar" && n.ID == "" {
			e.RawID, e.Label = "BackButton", map[string]string{"zh": "返回"}[t.d.phone.Lang()]
			if e.Label == "" {
				e.Label = "Back"
			}
		}
		if n.Role == driver.RoleRadio {
			e.Label, e.RawID = t.labelOf(parent), "checkmark"
		}
		if e.Selected {
			e.Value = pointer("1")
		}
		e.Accessible = true
	case "Switch":
		e.Value = pointer(map[bool]string{true: "1", false: "0"}[n.Is(driver.Checked)])
		if e.Label == "" {
			e.Label = t.labelOf(parent)
		}
		e.Accessible = true
	case "Slider":
		e.Value = pointer(n.Text + "%")
		e.Min, e.Max = pointer("0"), pointer("1")
		e.Accessible = true
	case "Cell":
		if e.Label == "" {
			e.Label = t.labelOf(n)
		}
	case "TextField", "SearchField", "SecureTextField", "TextView":
		t.finishField(e, n)
	}
}

func (t *treeBuilder) finishField(e *element, n *driver.Node) {
	e.Accessible = true
	if n.Hint != "" {
		e.Placeholder = pointer(n.Hint)
	}
	shown := n.Text
	if e.Type == "SecureTextField" && shown != "" {
		shown = strings.Repeat("•", utf8.RuneCountInString(shown))
	}
	if shown == "" && e.Type != "TextView" {
		shown = n.Hint
	}
	if shown != "" || e.Type == "TextView" {
		e.Value = &shown
	}
}

// labelOf is the first text in a node, which its row is called by.
func (t *treeBuilder) labelOf(n *driver.Node) string {
	if n == nil {
		return ""
	}
	for k := range n.All() {
		if k.Role == driver.RoleText && k.Text != "" {
			return k.Text
		}
	}
	return ""
}

func pointer(s string) *string { return &s }

// keyNames are what iOS calls the keys that are no letters, by what they are on the phone.
var keyNames = map[string][3]string{ // type, identifier, label
	"Delete": {"Key", "delete", "delete"}, "Shift": {"Button", "shift", "shift"}, "Symbols": {"Key", "more", "numbers"},
	"Space": {"Key", "space", "space"}, "Enter": {"Button", "Return", ""},
}

// keyboardElement is the on-screen keyboard with its keys.
func (d *Device) keyboardElement(w window) *element {
	t := &treeBuilder{d: d}
	kb := t.container("Keyboard", w.Bounds)
	for _, n := range w.Root.Children {
		e := t.container("Key", n.Bounds)
		e.Label, e.Accessible = n.Text, true
		if k, ok := keyNames[n.Desc]; ok {
			e.Type, e.RawID, e.Label = k[0], k[1], k[2]
		}
		if n.Desc == "Enter" {
			e.Label = strings.ToLower(n.Text)
			if n.Text == "↵" {
				e.Label = "return"
			}
		}
		kb.Children = append(kb.Children, e)
	}
	return kb
}
