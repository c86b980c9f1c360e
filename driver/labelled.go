package driver

import (
	"image"
	"strings"
)

// Labelled matches what a person calls s: a node whose own text, description or hint is s, apart from space around it, and
// one that stands in a row with such a text, as the switch of a setting does. A row is the smallest thing around both
// that can be clicked, or that is one of several in a list; a switch, box, slider or field is also named by a text
// beside it, or right above it. A row of which s names something is matched itself, before what is in it.
//
//	driver.WaitFor(ctx, d, driver.ByRole(driver.RoleSwitch), driver.Labelled("Bluetooth"))
func Labelled(s string) Match {
	own := ByText(s)
	return func(t *Tree, n *Node) bool {
		if own(t, n) {
			return true
		}
		return s != "" && named(t.Path(n), func(n *Node) bool { return own(t, n) })
	}
}

// named says that the last node of a path is in a row that holds a node for which is holds. It looks at the node, and
// then around it, up to the list or window that the row is in, or to a row that has another name.
func named(path []*Node, is func(*Node) bool) bool {
	if len(path) == 0 {
		return false
	}
	n := path[len(path)-1]
	for i := len(path) - 1; i >= 0; i-- {
		around := path[i]
		if holdsRows(around) {
			return false
		}
		row := around.Is(Clickable) || i > 0 && holdsRows(path[i-1]) && len(path[i-1].Children) > 1
		for x := range around.All() {
			if x != n && is(x) && (row && !shares(around, n) || isControl(n) && namesAt(x.Bounds, n.Bounds)) {
				return true
			}
		}
		if row && hasText(around, n) {
			return false // the row of something else
		}
	}
	return false
}

// holdsRows says that what is in a node are things that have nothing to do with each other.
func holdsRows(n *Node) bool {
	return n.Role == RoleList || n.Role == RoleScroll || n.Role == RoleWindow || n.Is(Scrollable)
}

// isControl says that a node has a value, and mostly no text, of its own.
func isControl(n *Node) bool {
	switch n.Role {
	case RoleSwitch, RoleCheck, RoleRadio, RoleSlider, RoleEdit:
		return true
	}
	return false
}

// shares says that the control n is not the only one of its role in a row, so that a text of the row need not be its.
func shares(row, n *Node) bool {
	if !isControl(n) {
		return false
	}
	for x := range row.All() {
		if x != n && x.Role == n.Role {
			return true
		}
	}
	return false
}

// hasText says that something in a row has a text, apart from n.
func hasText(row, n *Node) bool {
	for x := range row.All() {
		if x != n && strings.TrimSpace(x.Text) != "" {
			return true
		}
	}
	return false
}

// namesAt says that a text stands on the same line as a control, or right above it.
func namesAt(text, control image.Rectangle) bool {
	middle := (control.Min.Y + control.Max.Y) / 2
	if text.Min.Y <= middle && middle < text.Max.Y {
		return true
	}
	gap := control.Min.Y - text.Max.Y
	return gap >= -control.Dy()/4 && gap <= control.Dy() && text.Min.X < control.Max.X && control.Min.X < text.Max.X
}
