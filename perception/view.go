package perception

import (
	"image"

	"github.com/handset-go/handset/driver"
)

// item is a node in the flat, preordered list of a tree.
type item struct {
	node   *driver.Node
	parent int             // index, -1 for the root
	end    int             // index after the last descendant
	owner  int             // the nearest row above, -1 for none
	box    image.Rectangle // the part on the screen, empty for none
	window string          // the kind of window, inherited
	text   string          // cleaned label
	act    bool            // takes a touch
	row    bool            // has a row of its own
	part   bool            // is a part of the row above: the same thing twice, or its check mark
	merged bool            // its text stands in a row
	hidden bool            // lies behind something
}

// view is a tree on its way to rows.
type view struct {
	tree     *driver.Tree
	items    []item
	nodes    int // all, with those that were not looked at
	keyboard bool
	focus    bool // a field has the focus
	clip     int
	secrets  secrets
}

func newView(t *driver.Tree, clip int) *view {
	v := &view{tree: t, clip: clip, items: make([]item, 0, 256)}
	for n := range t.Root.All() {
		if v.nodes++; n.Is(driver.Password) {
			v.secrets.add(n)
		}
	}
	if t.Root != nil {
		v.add(t.Root, -1, t.Bounds(), "")
	}
	v.hideCovered()
	v.chooseRows()
	return v
}

// add appends a node and what is below it. within is what the scrolling parents leave to be seen.
func (v *view) add(n *driver.Node, parent int, within image.Rectangle, window string) {
	if n.Window != "" {
		window = n.Window
	}
	box := n.Bounds.Intersect(within)
	if n.Not(driver.Visible) {
		box = image.Rectangle{}
	}
	if window == driver.WindowKeyboard || n.Role == driver.RoleKey {
		v.keyboard = v.keyboard || !box.Empty()
	}
	i := len(v.items)
	v.items = append(v.items, item{node: n, parent: parent, owner: -1, box: box, window: window})
	it := &v.items[i]
	if !box.Empty() {
		it.text = v.own(n)
		it.act = takesTouch(n) && window != driver.WindowKeyboard && n.Role != driver.RoleKey
		v.focus = v.focus || isField(n) && n.Is(driver.Focused)
	}
	if n.Is(driver.Scrollable) && !box.Empty() {
		within = box
	}
	for _, c := range n.Children {
		v.add(c, i, within, window)
	}
	v.items[i].end = len(v.items)
}

func takesTouch(n *driver.Node) bool {
	const any = driver.Clickable | driver.LongClickable | driver.Checkable | driver.Scrollable | driver.Editable
	if n.Known&n.Flags&any != 0 {
		return true
	}
	switch n.Role {
	case driver.RoleEdit, driver.RoleSlider:
		return true
	case driver.RoleButton, driver.RoleSwitch, driver.RoleCheck, driver.RoleRadio, driver.RoleTab, driver.RoleLink, driver.RoleMenu:
		return !n.Not(driver.Clickable)
	}
	return false
}

func isField(n *driver.Node) bool { return n.Role == driver.RoleEdit || n.Is(driver.Editable) }

func (v *view) keyboardState() Keyboard {
	switch {
	case v.keyboard:
		return KeyboardOn
	case v.focus:
		return KeyboardUnknown
	}
	return KeyboardOff
}

// chooseRows decides which items have rows of their own.
func (v *view) chooseRows() {
	for i := range v.items {
		it := &v.items[i]
		if it.parent >= 0 {
			p := &v.items[it.parent]
			if it.owner = p.owner; p.row {
				it.owner = it.parent
			}
		}
		if !it.act || it.hidden || v.isFrame(i) {
			continue
		}
		it.part = it.owner >= 0 && v.partOf(it, &v.items[it.owner])
		it.row = !it.part
	}
}

// frameShare is the part of the screen, in per cent, from which a thing without a name that holds
// others is taken for the page itself and not for something to touch.
const frameShare = 60

// isFrame says that an item takes touches only because the page as a whole does.
func (v *view) isFrame(i int) bool {
	it := &v.items[i]
	n := it.node
	if it.text != "" || n.Is(driver.Scrollable) || isField(n) || area(it.box)*100 < area(v.tree.Bounds())*frameShare {
		return false
	}
	for _, below := range v.items[i+1 : it.end] {
		if below.act {
			return true
		}
	}
	return false
}

// partOf says that an item inside the row o is no thing of its own: it is the same thing twice, as
// Compose reports it, or the check mark of a row that is touched as a whole.
func (v *view) partOf(it, o *item) bool {
	n := it.node
	if n.Is(driver.Scrollable) || o.node.Is(driver.Scrollable) || isField(n) && !isField(o.node) && it.box != o.box {
		return false
	}
	if it.box == o.box {
		return true
	}
	touched := n.Is(driver.Clickable) || n.Known&driver.Clickable == 0
	return !touched && !isField(n) && n.Role != driver.RoleSlider
}

func area(r image.Rectangle) int { return r.Dx() * r.Dy() }
