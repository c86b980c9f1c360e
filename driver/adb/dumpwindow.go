package adb

import (
	"slices"

	"github.com/handset-go/handset/driver"
)

// dumpWindow is one <window> of --windows, or the one hierarchy of a plain dump.
type dumpWindow struct {
	driver.Node        // title, kind and bounds; its children are the hierarchy's
	layer       int    // higher is nearer to the person
	active      bool   // has the input focus
	display     string // id
	bare        bool   // there was no <window>
}

// windowKind names AccessibilityWindowInfo's types.
func windowKind(number string) string {
	switch number {
	case "1":
		return driver.WindowApp
	case "2":
		return driver.WindowKeyboard
	case "3", "4", "5", "6":
		return driver.WindowSystem
	}
	return ""
}

// shown returns the windows with nodes of display 0, or of the first display, those in front last.
func (p *dumpParser) shown() []*dumpWindow {
	all := make([]*dumpWindow, 0, len(p.windows))
	for i := range p.windows {
		if len(p.windows[i].Children) > 0 {
			all = append(all, &p.windows[i])
		}
	}
	if len(all) == 0 {
		return nil
	}
	want := all[0].display
	if slices.ContainsFunc(all, func(w *dumpWindow) bool { return w.display == "0" }) {
		want = "0"
	}
	all = slices.DeleteFunc(all, func(w *dumpWindow) bool { return w.display != want })
	slices.SortStableFunc(all, func(a, b *dumpWindow) int { return a.layer - b.layer })
	return all
}

// joined returns one root: the one node of the one hierarchy, or a window above several.
func joined(windows []*dumpWindow) *driver.Node {
	if len(windows) == 1 && windows[0].bare && len(windows[0].Children) == 1 {
		return windows[0].Children[0]
	}
	root := &driver.Node{Role: driver.RoleWindow, Class: "displays"}
	for _, w := range windows {
		if w.Bounds.Empty() {
			for _, c := range w.Children {
				w.Bounds = w.Bounds.Union(c.Bounds)
			}
		}
		root.Bounds = root.Bounds.Union(w.Bounds)
		if w.Window != "" {
			for n := range w.All() {
				n.Window = w.Window
			}
		}
		root.Children = append(root.Children, &w.Node)
	}
	if len(windows) == 1 {
		return root.Children[0]
	}
	return root
}

// frontPackage returns the package of the window with the focus, or of the app in front.
func frontPackage(windows []*dumpWindow) string {
	for _, want := range []func(*dumpWindow) bool{
		func(w *dumpWindow) bool { return w.active && w.Window != driver.WindowKeyboard },
		func(w *dumpWindow) bool { return w.Window == driver.WindowApp },
		func(*dumpWindow) bool { return true },
	} {
		for _, w := range slices.Backward(windows) {
			if want(w) && packageOf(w.Children) != "" {
				return packageOf(w.Children)
			}
		}
	}
	return ""
}

func packageOf(nodes []*driver.Node) string {
	for _, n := range nodes {
		for m := range n.All() {
			if m.Package != "" {
				return m.Package
			}
		}
	}
	return ""
}
