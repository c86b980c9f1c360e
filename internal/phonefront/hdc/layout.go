package hdc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
)

// element is one node of a dump. encoding/json sorts the keys, as the tool does.
type element struct {
	Attributes map[string]string `json:"attributes"`
	Children   []*element        `json:"children"`
	Extra      map[string]string `json:"extraAttrs,omitempty"`
}

// layer is a window of a dump.
type layer struct {
	win     sim.Window
	id      int
	visible image.Rectangle
	class   string
	name    string // its id
	ability string
	page    string
	bundle  string
	host    int // what the hash codes start with
}

// layout returns the dump as the tool writes it, in one line, or nil where there are no windows.
func (d *Device) layout(a dumpArgs) []byte {
	layers := d.layers(a)
	if len(layers) == 0 {
		return nil
	}
	var windows []*element
	for _, l := range layers {
		windows = append(windows, d.windowElement(l, a))
	}
	d.oddities(windows[0], layers[0])
	var doc any = windows
	if a.merge && !a.unfiltered {
		root := &element{Attributes: map[string]string{}, Children: windows}
		for _, name := range d.attributeNames() {
			root.Attributes[name] = ""
		}
		root.Attributes["bounds"] = boundsText(image.Rectangle{Max: d.phone.Size()})
		doc = root
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(doc); err != nil {
		return nil
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// layers lists the windows: the active one, then the others by layer.
func (d *Device) layers(a dumpArgs) []layer {
	if d.faults.On(FaultDumpWindows) {
		return nil
	}
	wins := d.phone.Windows()
	if wins == nil && !d.phone.Power().On {
		wins = d.darkWindows()
	}
	frame := image.Rectangle{Max: d.phone.Size()}
	keyboard := frame.Max.Y
	for _, w := range wins {
		if w.Kind == driver.WindowKeyboard {
			keyboard = w.Bounds.Min.Y
		}
	}
	slices.SortStableFunc(wins, func(x, y sim.Window) int {
		switch {
		case x.Active == y.Active:
			return x.Layer - y.Layer
		case x.Active:
			return -1
		}
		return 1
	})
	var list []layer
	for _, w := range wins {
		l := d.layer(w)
		l.visible = w.Bounds.Intersect(frame)
		if w.Kind == driver.WindowApp || w.Kind == driver.WindowDialog {
			l.visible.Max.Y = min(l.visible.Max.Y, max(keyboard, l.visible.Min.Y))
		}
		if a.bundle != "" && a.bundle != l.bundle || a.window != "" && a.window != strconv.Itoa(l.id) {
			continue
		}
		list = append(list, l)
		if w.Kind == driver.WindowKeyboard {
			list = append(list, d.panelBelow(w, frame))
		}
	}
	return list
}

// darkWindows is what a dump finds while the panel is off: the lock screen, with nothing drawn in it.
func (d *Device) darkWindows() []sim.Window {
	n := &driver.Node{Role: driver.RoleView, Class: "Stack", ID: "keyguard", Package: desktopBundle, Bounds: image.Rectangle{Max: d.phone.Size()}}
	n.Set(driver.Enabled|driver.Visible, true)
	return []sim.Window{{Kind: driver.WindowSystem, Title: "Keyguard", App: driver.App{ID: desktopBundle}, Bounds: n.Bounds, Active: true, Focused: true, Root: n}}
}

const (
	desktopBundle  = "com.ohos.sceneboard"
	keyboardBundle = "com.huawei.hmos.inputmethod"
)

// The numbers of the windows that are always there.
const (
	windowDesktop  = 2
	windowKeyboard = 3
	windowPanel    = 4
	windowLock     = 9
	windowStatus   = 30
	windowNote     = 41
	windowDialog   = 60
)

// layer names a window as HarmonyOS's window manager does.
func (d *Device) layer(w sim.Window) layer {
	l := layer{win: w, class: "root", bundle: w.App.ID}
	switch {
	case w.Kind == driver.WindowKeyboard:
		l.id, l.bundle = windowKeyboard, keyboardBundle
	case w.Kind == driver.WindowDialog:
		l.id, l.ability, l.page = windowDialog, d.ability(w.App.ID), "pages/Dialog"
	case w.Kind == driver.WindowNotification:
		l.id, l.class = windowNote, "WindowScene"
	case w.Title == "StatusBar":
		l.id, l.class = windowStatus, "WindowScene"
	case w.Kind == driver.WindowSystem:
		l.id, l.class = windowLock, "WindowScene"
	case w.App.ID == desktopBundle:
		l.id, l.class = windowDesktop, "WindowScene"
	default:
		l.id, l.ability, l.page = windowID(w.App.ID), d.ability(w.App.ID), d.pagePath(w.App)
	}
	l.host = l.id
	if l.class == "WindowScene" {
		l.name, l.host, l.bundle = "session"+strconv.Itoa(l.id), 1, desktopBundle
	}
	return l
}

// panelBelow is the strip that the system adds to the keyboard.
func (d *Device) panelBelow(keyboard sim.Window, frame image.Rectangle) layer {
	box := image.Rect(0, max(keyboard.Bounds.Max.Y-1, 0), frame.Dx(), frame.Dy())
	n := &driver.Node{Class: "Stack", ID: "inputMethodPanel", Package: desktopBundle, Bounds: box}
	n.Set(driver.Enabled|driver.Visible, true)
	return layer{win: sim.Window{Kind: driver.WindowSystem, Bounds: box, Root: n}, id: windowPanel, visible: box,
		class: "WindowScene", name: "keyboardPanel4", bundle: desktopBundle, host: 1}
}

// windowID is the number of an app's window: always the same.
func windowID(bundle string) int { return 70 + processID(bundle)%400 }

// pagePath is the page of an app's window. The ability stays the same on every page.
func (d *Device) pagePath(app driver.App) string {
	for _, a := range d.phone.Apps() {
		if a.ID == app.ID && a.Page != app.Page {
			return "pages/" + strings.TrimPrefix(path.Ext("."+app.Page), ".")
		}
	}
	return "pages/Index"
}

// windowElement makes the tree of a window.
func (d *Device) windowElement(l layer, a dumpArgs) *element {
	b := &elements{d: d, layer: l, args: a, next: 4}
	root := &driver.Node{Class: l.class, ID: l.name, Bounds: l.win.Bounds}
	root.Set(driver.Enabled|driver.Visible, true)
	root.Set(driver.Focused, l.win.Focused)
	hierarchy := "ROOT" + strconv.Itoa(l.id)
	e := b.element(root, 0, hierarchy)
	e.Attributes["hitTestBehavior"] = map[bool]string{true: "HitTestMode.None"}[l.class == "WindowScene"]
	e.Attributes["bundleName"], e.Attributes["abilityName"], e.Attributes["pagePath"] = l.bundle, l.ability, l.page
	if child := b.tree(l.win.Root, hierarchy+",0"); child != nil {
		e.Children = append(e.Children, child)
	}
	return e
}

// elements makes the elements of one window.
type elements struct {
	d     *Device
	layer layer
	args  dumpArgs
	next  int // accessibility id
}

// tree makes the element of a node and of what is below it, or nil where nothing of it can be seen.
func (b *elements) tree(n *driver.Node, hierarchy string) *element {
	seen := n.Bounds.Intersect(b.layer.visible)
	if seen.Empty() && !b.args.unfiltered {
		return nil
	}
	e := b.element(n, b.nextID(), hierarchy)
	if n.Class == "Button" && n.Text != "" && b.d.profile.API < apiInputText {
		b.label(e, n, hierarchy)
	}
	for _, c := range n.Children {
		if child := b.tree(c, hierarchy+","+strconv.Itoa(len(e.Children))); child != nil {
			e.Children = append(e.Children, child)
		}
	}
	return e
}

func (b *elements) nextID() int {
	b.next++
	return b.next - 1
}

// label moves the text of a button into a Text of its own below it.
func (b *elements) label(e *element, n *driver.Node, hierarchy string) {
	text := &driver.Node{Class: "Text", Text: n.Text, Bounds: n.Bounds}
	text.Set(driver.Visible, true)
	text.Set(driver.Enabled, n.Is(driver.Enabled))
	e.Attributes["text"] = ""
	e.Children = append(e.Children, b.element(text, b.nextID(), hierarchy+",0"))
}

// element makes one element.
func (b *elements) element(n *driver.Node, id int, hierarchy string) *element {
	seen := n.Bounds.Intersect(b.layer.visible)
	if seen.Empty() {
		seen = image.Rectangle{}
	}
	flag := func(f driver.Flag) string { return strconv.FormatBool(n.Is(f)) }
	at := map[string]string{
		"accessibilityId": strconv.Itoa(id), "bounds": boundsText(seen), "origBounds": boundsText(n.Bounds),
		"checkable": flag(driver.Checkable), "checked": flag(driver.Checked), "clickable": flag(driver.Clickable),
		"description": n.Desc, "enabled": flag(driver.Enabled), "focused": flag(driver.Focused),
		"hashcode": fmt.Sprintf("%d:%d", b.layer.host, id), "hierarchy": hierarchy, "hint": hint(n),
		"hostWindowId": strconv.Itoa(b.layer.id), "id": n.ID, "key": n.ID, "longClickable": flag(driver.LongClickable),
		"scrollable": flag(driver.Scrollable), "selected": flag(driver.Selected), "text": n.Text, "type": class(n),
		"visible": strconv.FormatBool(n.Is(driver.Visible) && !seen.Empty()),
		"zIndex":  "0", "opacity": "1.000000", "backgroundColor": "#00000000", "backgroundImage": "empty source", "blur": "",
		"hitTestBehavior": "HitTestMode.Default",
	}
	if b.d.profile.API >= apiInputText {
		at["displayId"], at["clip"] = "0", "false"
	}
	if b.d.profile.API >= apiRender {
		at["originalText"] = n.Text
	}
	e := &element{Attributes: at, Children: []*element{}}
	if b.args.fonts && n.Text != "" {
		e.Extra = map[string]string{"BackgroundColor": "#00000000", "Content": n.Text, "FontColor": "#E5000000", "FontSize": "16.00fp"}
	}
	return e
}

// attributeNames are those of the root, all empty but the bounds.
func (d *Device) attributeNames() []string {
	names := []string{"accessibilityId", "backgroundColor", "backgroundImage", "blur", "bounds", "checkable", "checked", "clickable",
		"description", "enabled", "focused", "hitTestBehavior", "hostWindowId", "id", "key", "longClickable", "opacity", "origBounds",
		"scrollable", "selected", "text", "type", "zIndex"}
	if d.profile.API >= apiInputText {
		names = append(names, "clip", "displayId")
	}
	if d.profile.API >= apiRender {
		names = append(names, "originalText")
	}
	return names
}

// class is ArkUI's name. A field of several lines is another component.
func class(n *driver.Node) string {
	if n.Class == "TextInput" && n.Is(driver.Multiline) {
		return "TextArea"
	}
	return n.Class
}

// hint is the placeholder; that of a switch says what it is.
func hint(n *driver.Node) string {
	if n.Class == "Toggle" {
		return "Switch"
	}
	return n.Hint
}

func boundsText(r image.Rectangle) string {
	return fmt.Sprintf("[%d,%d][%d,%d]", r.Min.X, r.Min.Y, r.Max.X, r.Max.Y)
}
