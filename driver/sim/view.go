package sim

import (
	"image"

	"github.com/handset-go/handset/driver"
)

// view is one rectangle of the screen. The same views make the tree, take the touches and are painted.
type view struct {
	class            string // Android's short name
	id               string // as Widget.ID, or "android:name"
	text, desc, hint string
	box              image.Rectangle // where it is, perhaps partly out of sight
	seen             image.Rectangle // the part that can be seen
	flags            driver.Flag
	look             look
	ink              ink
	plain            bool // is painted and touched, but not in the tree
	kids             []*view

	tap, hold, double func() // run with the phone locked; nil for none
	slide             func(part float64)
	page              *page // the page that a drag over this view scrolls
	over              int   // how many pixels of the page do not fit
	zoom              string
	sorts             *place // of a list entry that can be dragged to another place
}

// look says how a view is painted.
type look int

const (
	lookNone look = iota
	lookPlate
	lookText
	lookButton
	lookCard
	lookSwitch
	lookCheck
	lookRadio
	lookSlider
	lookField
	lookBubble
	lookIcon
	lookImage
	lookCanvas
	lookLine
	lookArrow
	lookKey
	lookChevron
	lookBattery
)

// ink is what painting needs beside the look.
type ink struct {
	lines  []string // of text, broken to the width
	scale  int      // of the font
	fore   uint32   // 0xRRGGBB
	back   uint32
	on     bool
	part   float64
	cursor int // in runes, -1 for none
	center bool
	radius int
	glyph  string // what stands in the middle
	icon   string // one of icons, in the place of glyph
}

// add puts kids into v and returns v.
func (v *view) add(kids ...*view) *view {
	v.kids = append(v.kids, kids...)
	return v
}

// clip works out what can be seen of v and of everything in it.
func (v *view) clip(to image.Rectangle) {
	v.seen = v.box.Intersect(to)
	for _, k := range v.kids {
		k.clip(v.seen)
	}
}

// move shifts v and everything in it.
func (v *view) move(by image.Point) {
	v.box = v.box.Add(by)
	for _, k := range v.kids {
		k.move(by)
	}
}

// at returns the innermost view under a point for which ok holds, those painted last first.
func (v *view) at(pt image.Point, ok func(*view) bool) *view {
	if !pt.In(v.seen) {
		return nil
	}
	for i := len(v.kids) - 1; i >= 0; i-- {
		if found := v.kids[i].at(pt, ok); found != nil {
			return found
		}
	}
	if ok(v) {
		return v
	}
	return nil
}

// name is what the log calls a view that was touched: its label, or that of the first of its parts. What is
// in a field is not told.
func (v *view) name() string {
	if v.class == "EditText" {
		return or(v.hint, v.id)
	}
	if said := find(v, func(k *view) bool { return !k.seen.Empty() && (k.text != "" || k.desc != "") }); said != nil {
		return or(said.text, said.desc)
	}
	return v.id
}

// window is one layer of the scene.
type window struct {
	kind    string // a driver.Window constant
	title   string // as the window manager would call it
	pkg     string
	page    string
	root    *view
	active  bool // what uiautomator calls the active window
	modal   bool // takes the touches outside of its views too
	dims    bool // what is behind is dimmed
	outside func()
}

// scene is everything on the display, from the back to the front.
type scene struct {
	size    image.Point
	windows []*window
	rev     uint64 // of the phone when it was laid out
}

// laidOut returns the scene as of now.
func (p *Phone) laidOut() *scene {
	if p.scene == nil || p.scene.rev != p.rev {
		p.scene = p.layout()
		p.scene.rev = p.rev
	}
	return p.scene
}
