package sim

import (
	"image"
	"time"

	"github.com/handset-go/handset/driver"
)

// knownFlags are those that a phone tells of every node.
const knownFlags = driver.Clickable | driver.LongClickable | driver.Checkable | driver.Checked | driver.Enabled |
	driver.Focusable | driver.Focused | driver.Scrollable | driver.Selected | driver.Password | driver.Multiline |
	driver.Visible | driver.Editable

// Window is one layer of the display, as an accessibility service sees it.
type Window struct {
	Kind    string // one of driver's window kinds
	Title   string // as the window manager calls it, such as "com.android.settings/.Settings"
	App     driver.App
	Bounds  image.Rectangle
	Active  bool // takes the input; what Tree shows
	Root    *driver.Node
	Layer   int // from the back to the front, 0 first
	Dims    bool
	Focused bool
}

// Tree returns the tree of the window that takes the input, as a dump of the accessibility tree shows it: a
// dialog replaces the page behind it, and the status bar and the keyboard are in Windows only. It is nil
// while the display is off or with the fault "no-tree".
func (p *Phone) Tree() *driver.Tree {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lastTap.ok = false
	if p.asleep || p.used(FaultNoTree) {
		return nil
	}
	for _, w := range p.windows() {
		if w.Active {
			return &driver.Tree{Root: w.Root, Size: p.size(), Rotation: p.rotation, App: w.App, At: time.Time{}}
		}
	}
	return nil
}

// TreeWithKeyboard returns what Tree returns under a root of the size of the display, with the keyboard and
// a notification that hangs over the page beside it.
func (p *Phone) TreeWithKeyboard() *driver.Tree {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lastTap.ok = false
	if p.asleep || p.used(FaultNoTree) {
		return nil
	}
	t := &driver.Tree{Size: p.size(), Rotation: p.rotation}
	t.Root = &driver.Node{Role: driver.RoleWindow, Window: driver.WindowApp, Bounds: image.Rectangle{Max: t.Size}, Known: knownFlags}
	t.Root.Set(driver.Enabled|driver.Visible, true)
	for _, w := range p.windows() {
		if w.Active {
			t.App, t.Root.Package, t.Root.Window, t.Root.Class = w.App, w.App.ID, w.Kind, w.Root.Class
		}
		if w.Active || w.Kind == driver.WindowKeyboard && !p.covered() || w.Kind == driver.WindowNotification {
			t.Root.Children = append(t.Root.Children, w.Root)
		}
	}
	return t
}

// covered says that something stands in front of the page and its keyboard.
func (p *Phone) covered() bool { return p.shade || p.locked || p.front().dialog != nil }

// Windows returns every layer of the display from the back to the front, with its tree.
func (p *Phone) Windows() []Window {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asleep || p.used(FaultNoTree) {
		return nil
	}
	return p.windows()
}

func (p *Phone) windows() []Window {
	var list []Window
	for i, w := range p.laidOut().windows {
		t := &treeMaker{face: p.face, w: w}
		root := t.node(w.root)
		if root == nil {
			continue
		}
		app := driver.App{ID: w.pkg, Page: w.page}
		if a := p.app(w.pkg); a != nil {
			app.Name = a.Name.In(p.lang)
		}
		list = append(list, Window{
			Kind: w.kind, Title: w.title, App: app, Bounds: root.Bounds, Active: w.active, Root: root, Layer: i, Dims: w.dims, Focused: w.active,
		})
	}
	return list
}

type treeMaker struct {
	face *face
	w    *window
}

// node makes the node of a view, or nil where nothing of it can be seen.
func (t *treeMaker) node(v *view) *driver.Node {
	if v.seen.Empty() {
		return nil
	}
	n := &driver.Node{
		Role: roles[v.class], Class: t.face.class(v.class), Text: v.text, Desc: v.desc, Hint: v.hint,
		ID: t.face.id(t.w.pkg, v.id), Package: t.w.pkg, Window: t.w.kind, Bounds: v.seen,
		Flags: v.flags&^disabled | driver.Visible, Known: knownFlags,
	}
	n.Set(driver.Enabled, v.flags&disabled == 0)
	if t.w.kind == driver.WindowKeyboard && v.look == lookKey {
		n.Role = driver.RoleKey
	}
	for _, k := range v.kids {
		if k.plain {
			continue
		}
		if kid := t.node(k); kid != nil {
			n.Children = append(n.Children, kid)
		}
	}
	return n
}
