package wda

import (
	"image"
	"math"
	"strconv"
	"strings"

	"github.com/handset-go/handset/driver"
)

// element is what a source says of one element, as it says it.
type element struct {
	kind        string // without the prefix
	name        string // the identifier, or the label where there is none
	rawID       string // the identifier; JSON only
	label       string
	value       string
	placeholder string
	traits      string
	enabled     string
	visible     string
	focused     string
	bundle      string
	x, y, w, h  float64
	framed      bool // x, y, w and h are known
}

// builder makes nodes of elements, which come parents before children.
type builder struct {
	app    driver.App // the application, its id where the source tells
	nodes  int
	lost   int // nodes without a type and a frame
	types  map[string]*kind
	slab   []driver.Node
	window size // of the application
}

const (
	// maxNodes and maxDepth bound what a source may hold.
	maxNodes = 200_000
	maxDepth = 1000
	slabSize = 64
)

func (b *builder) newNode() *driver.Node {
	if len(b.slab) == 0 {
		b.slab = make([]driver.Node, slabSize)
	}
	n := &b.slab[0]
	b.slab = b.slab[1:]
	b.nodes++
	return n
}

// kindOf returns what is known of a type, and remembers types that nobody has heard of.
func (b *builder) kindOf(name string) *kind {
	if k, ok := kinds[name]; ok {
		return k
	}
	if k, ok := b.types[name]; ok {
		return k
	}
	if b.types == nil {
		b.types = map[string]*kind{}
	}
	k := &kind{class: typePrefix + name, role: driver.RoleView}
	b.types[name] = k
	return k
}

// node makes a node below a parent, nil for the root. Its bounds are points yet.
func (b *builder) node(e *element, parent *driver.Node) *driver.Node {
	n := b.newNode()
	k := b.kindOf(e.kind)
	n.Class, n.Role = k.class, k.role
	n.Known, n.Flags = k.set|k.unset, k.set
	if parent != nil {
		n.Window, n.Package = parent.Window, parent.Package
		parent.Children = append(parent.Children, n)
	} else {
		n.Window = driver.WindowApp
	}
	if w, ok := windows[e.kind]; ok {
		n.Window = w
	}
	if e.kind == "Application" {
		b.application(e)
		n.Package = e.bundle
		e.name, e.label = "", "" // it is no text on the screen
	}
	n.Bounds = frame(e)
	if e.kind == "Any" && n.Bounds.Empty() {
		b.lost++
	}
	texts(n, e)
	flags(n, e)
	return n
}

func (b *builder) application(e *element) {
	if b.app == (driver.App{}) {
		b.app = driver.App{ID: e.bundle, Name: strings.TrimSpace(plainText(e.label))}
	}
	if s := (size{e.w, e.h}); !b.window.ok() && e.framed && s.ok() {
		b.window = s
	}
}

// frame returns the frame in points, rounded outward. WebDriverAgent writes -1,-1,0,0 for one that is infinite.
func frame(e *element) image.Rectangle {
	if !e.framed || e.w <= 0 || e.h <= 0 || math.Abs(e.x) > maxCoordinate || math.Abs(e.y) > maxCoordinate ||
		e.w > maxCoordinate || e.h > maxCoordinate {
		return image.Rectangle{}
	}
	return image.Rect(int(math.Floor(e.x)), int(math.Floor(e.y)), int(math.Ceil(e.x+e.w)), int(math.Ceil(e.y+e.h)))
}

// maxCoordinate is far beyond any page, and far from where integers end.
const maxCoordinate = 1 << 24

// texts fills in what the node shows and is called. A label is what a screen reader says; of elements that are nothing but
// a text it is what a person sees.
func texts(n *driver.Node, e *element) {
	label, value := plainText(e.label), plainText(e.value)
	switch n.Role {
	case driver.RoleEdit:
		n.Text, n.Desc, n.Hint = value, label, plainText(e.placeholder)
		if n.Hint != "" && n.Text == n.Hint {
			n.Text = "" // an empty field shows its placeholder as its value
		}
	case driver.RoleText:
		n.Text = orElse(label, value)
		if value != "" && value != n.Text {
			n.Desc, n.Text = n.Text, value
		}
	case driver.RoleButton, driver.RoleTab, driver.RoleLink, driver.RoleMenu, driver.RoleKey:
		n.Text = label
	default:
		n.Desc = label
		if n.Known&driver.Checkable == 0 && value != label {
			n.Text = value
		}
	}
	switch {
	case e.rawID != "":
		n.ID = e.rawID
	case e.name != e.label:
		n.ID = e.name
	}
	if n.ID == "" && label == "" && n.Text == "" {
		n.Desc = plainText(e.name)
	}
}

// plainText takes out the marks that wrap text of another direction, as the system puts round phone numbers, which nobody sees.
func plainText(s string) string {
	if !strings.ContainsAny(s, marks) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(marks, r) {
			return -1
		}
		return r
	}, s)
}

const marks = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f"

// flags fills in what the source tells. A flag that it leaves out, as an old server or for speed, stays unknown.
func flags(n *driver.Node, e *element) {
	if on, ok := truth(e.enabled); ok {
		n.Set(driver.Enabled, on)
	}
	if on, ok := truth(e.visible); ok {
		n.Set(driver.Visible, on)
	}
	if on, ok := truth(e.focused); ok && on { // of a remote control; false says nothing of the keyboard
		n.Set(driver.Focused, true)
	}
	if n.Known&driver.Checkable != 0 {
		if on, ok := truth(e.value); ok {
			n.Set(driver.Checked, on)
		}
	}
	button := n.Role == driver.RoleButton || n.Role == driver.RoleTab
	if button && e.value == "1" {
		n.Set(driver.Selected, true)
	}
	if e.traits != "" {
		traits(n, e.traits)
	}
}

// traits are what the accessibility of newer servers tells.
func traits(n *driver.Node, list string) {
	if button := hasTrait(list, "Button") || hasTrait(list, "Link"); button {
		n.Set(driver.Clickable, true)
	}
	n.Set(driver.Selected, hasTrait(list, "Selected"))
}

func hasTrait(list, trait string) bool {
	for t := range strings.SplitSeq(list, ",") {
		if strings.EqualFold(strings.TrimSpace(t), trait) {
			return true
		}
	}
	return false
}

// truth reads "true", "1", "false" and "0".
func truth(s string) (on, ok bool) {
	switch s {
	case "true", "1", "YES":
		return true, true
	case "false", "0", "NO":
		return false, true
	}
	return false, false
}

// number reads a coordinate.
func number(s string) (float64, bool) {
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
}
