package driver

import (
	"image"
	"iter"
	"slices"
	"strings"
	"time"
)

// Tree is what is on the screen at one moment. It is not changed after a driver returned it.
type Tree struct {
	Root     *Node       // never nil
	Size     image.Point // of the frame, in pixels
	Rotation int         // 0 to 3: quarter turns of the display from its natural orientation
	App      App         // in front, as far as the tree tells
	At       time.Time   // when the tree reached this program
}

// Role says what a node is, in short and the same for every platform.
type Role string

// The roles. A driver uses RoleView for what it cannot name.
const (
	RoleView     Role = "view"
	RoleWindow   Role = "window"
	RoleButton   Role = "button"
	RoleText     Role = "text"
	RoleEdit     Role = "edit"
	RoleImage    Role = "image"
	RoleSwitch   Role = "switch"
	RoleCheck    Role = "check"
	RoleRadio    Role = "radio"
	RoleSlider   Role = "slider"
	RoleProgress Role = "progress"
	RoleList     Role = "list"
	RoleScroll   Role = "scroll"
	RoleTab      Role = "tab"
	RoleMenu     Role = "menu"
	RoleLink     Role = "link"
	RoleWeb      Role = "web"
	RoleCanvas   Role = "canvas" // draws by itself: a game, a map, a video; no tree inside
	RoleKey      Role = "key"    // of an on-screen keyboard
)

// Flag is a property that a node has or has not.
type Flag uint32

// The flags.
const (
	Clickable Flag = 1 << iota
	LongClickable
	Checkable
	Checked
	Enabled
	Focusable
	Focused
	Scrollable
	Selected
	Password
	Multiline
	Visible
	Editable
)

// flagNames are the flags' names in JSON, in their order.
var flagNames = []struct {
	Flag Flag
	Name string
}{
	{Clickable, "clickable"}, {LongClickable, "long_clickable"}, {Checkable, "checkable"}, {Checked, "checked"},
	{Enabled, "enabled"}, {Focusable, "focusable"}, {Focused, "focused"}, {Scrollable, "scrollable"},
	{Selected, "selected"}, {Password, "password"}, {Multiline, "multiline"}, {Visible, "visible"}, {Editable, "editable"},
}

// String names the flags that are set, separated by spaces.
func (f Flag) String() string {
	var names []string
	for _, n := range flagNames {
		if f&n.Flag != 0 {
			names = append(names, n.Name)
		}
	}
	return strings.Join(names, " ")
}

// The kinds of window that a node can be in. A driver leaves "" where it cannot tell.
const (
	WindowApp          = "app"
	WindowDialog       = "dialog"
	WindowKeyboard     = "keyboard"
	WindowSystem       = "system"
	WindowNotification = "notification"
)

// Node is one thing on the screen.
type Node struct {
	Role    Role
	Class   string // the platform's own word for it
	Text    string // what it shows
	Desc    string // what it says to a screen reader
	Hint    string // what an empty field asks for
	ID      string // resource-id, id or accessibility identifier
	Package string // the app that it belongs to
	Window  string // the kind of window that it is in
	// Bounds are pixels of the frame. They may be empty, or reach beyond the frame, where the tool says so;
	// Min is never beyond Max.
	Bounds image.Rectangle
	// Flags are those that are set. Known are those that the tool reports at all: one that is not
	// in Known is unknown, and not false.
	Flags, Known Flag
	Children     []*Node
}

// Is says that the tool reported each of f as true.
func (n *Node) Is(f Flag) bool { return n.Known&f == f && n.Flags&f == f }

// Not says that the tool reported each of f as false. An unknown flag is neither Is nor Not.
func (n *Node) Not(f Flag) bool { return n.Known&f == f && n.Flags&f == 0 }

// Set marks f as known and true or false.
func (n *Node) Set(f Flag, on bool) {
	n.Known |= f
	if on {
		n.Flags |= f
	} else {
		n.Flags &^= f
	}
}

// Label returns what a person calls the node: its text, description or hint.
func (n *Node) Label() string {
	switch {
	case strings.TrimSpace(n.Text) != "":
		return n.Text
	case strings.TrimSpace(n.Desc) != "":
		return n.Desc
	}
	return n.Hint
}

// Center returns the middle of the node, in pixels of the frame.
func (n *Node) Center() image.Point { return n.Bounds.Min.Add(n.Bounds.Max).Div(2) }

// All yields the node and everything below it, parents before children.
func (n *Node) All() iter.Seq[*Node] {
	return func(yield func(*Node) bool) { n.walk(yield) }
}

func (n *Node) walk(yield func(*Node) bool) bool {
	if n == nil {
		return true
	}
	if !yield(n) {
		return false
	}
	for _, c := range n.Children {
		if !c.walk(yield) {
			return false
		}
	}
	return true
}

// Bounds returns the rectangle of all legal points.
func (t *Tree) Bounds() image.Rectangle { return image.Rectangle{Max: t.Size} }

// Path returns the nodes from the root to n, both included, or nil if n is not in the tree.
func (t *Tree) Path(n *Node) []*Node {
	var path []*Node
	var down func(*Node) bool
	down = func(at *Node) bool {
		path = append(path, at)
		if at == n || slices.ContainsFunc(at.Children, down) {
			return true
		}
		path = path[:len(path)-1]
		return false
	}
	if t.Root == nil || !down(t.Root) {
		return nil
	}
	return path
}

// NodeAt returns the node drawn last among those whose bounds hold p, or nil.
func (t *Tree) NodeAt(p image.Point) *Node {
	var found *Node
	for n := range t.Root.All() {
		if p.In(n.Bounds) {
			found = n
		}
	}
	return found
}
