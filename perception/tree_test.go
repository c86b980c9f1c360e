package perception_test

import (
	"image"

	"github.com/handset-go/handset/driver"
)

// screen is a tree of 1000x2000 pixels: a pixel across is a thousandth, one down half of it.
func screen(kids ...*driver.Node) *driver.Tree {
	root := node(driver.RoleWindow, image.Rect(0, 0, 1000, 2000))
	root.Children = kids
	return &driver.Tree{Root: root, Size: image.Pt(1000, 2000), App: driver.App{ID: "com.example", Name: "Example"}}
}

// node has all the flags that Android reports, and is enabled.
func node(role driver.Role, box image.Rectangle, kids ...*driver.Node) *driver.Node {
	n := &driver.Node{Role: role, Bounds: box, Children: kids, Package: "com.example"}
	n.Known = driver.Clickable | driver.LongClickable | driver.Checkable | driver.Checked | driver.Enabled |
		driver.Focused | driver.Scrollable | driver.Selected | driver.Password
	n.Flags = driver.Enabled
	return n
}

func with(n *driver.Node, on driver.Flag) *driver.Node {
	n.Set(on, true)
	return n
}

func text(s string, box image.Rectangle) *driver.Node {
	n := node(driver.RoleText, box)
	n.Text = s
	return n
}

func button(s string, box image.Rectangle, kids ...*driver.Node) *driver.Node {
	n := with(node(driver.RoleButton, box, kids...), driver.Clickable)
	n.Text = s
	return n
}

func edit(value, hint string, box image.Rectangle) *driver.Node {
	n := with(node(driver.RoleEdit, box), driver.Clickable)
	n.Text, n.Hint = value, hint
	return n
}

func toggle(on bool, box image.Rectangle) *driver.Node {
	n := with(node(driver.RoleSwitch, box), driver.Clickable|driver.Checkable)
	n.Set(driver.Checked, on)
	return n
}

// line is a full-width strip of the screen, 100 high.
func line(y int) image.Rectangle { return image.Rect(0, y, 1000, y+100) }
