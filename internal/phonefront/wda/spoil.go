package wda

import (
	"fmt"
	"image"
)

// spoil does to a tree what the faults of a source do.
func (d *Device) spoil(root *element) {
	if n := d.faults.Number(FaultTreeBig); n > 0 {
		addRows(d, root, n)
	}
	if d.faults.On(FaultTreeCovered) {
		d.coverPage(root)
	}
	if d.faults.On(FaultTreeMarks) {
		for e := range root.all() {
			markText(e)
		}
	}
	if d.faults.On(FaultTreeDegenerate) {
		for e := range root.all() {
			*e = element{Type: "Any", Children: e.Children, PID: e.PID, Bundle: e.Bundle, Frame: nowhere}
		}
	}
}

// nowhere is how an infinite or a missing frame is written: -1,-1 and no size.
var nowhere = image.Rectangle{Min: image.Pt(-1, -1), Max: image.Pt(-1, -1)}

// addRows adds rows below the edge of the screen.
func addRows(d *Device, root *element, n int) {
	t := &treeBuilder{d: d}
	size := d.phone.Size()
	table := t.container("Table", image.Rect(0, size.Y, size.X, size.Y+n*100))
	table.Visible = false
	for i := range n {
		row := t.container("StaticText", image.Rect(0, size.Y+i*100, size.X, size.Y+(i+1)*100))
		row.Label, row.Visible, row.Accessible = fmt.Sprintf("Row %d & <more>", i+1), false, true
		row.Value = pointer(row.Label)
		table.Children = append(table.Children, row)
	}
	first := root.Children[0]
	first.Children = append(first.Children, table)
}

// coverPage leaves a page that nobody sees under the one in front.
func (d *Device) coverPage(root *element) {
	t := &treeBuilder{d: d}
	old := t.container("Other", root.Box)
	size := root.Box.Size()
	label := t.container("StaticText", image.Rect(0, size.Y/3, size.X, size.Y/3+size.Y/20))
	label.Label, label.Value, label.Accessible = "Earlier page", pointer("Earlier page"), true
	button := t.container("Button", image.Rect(0, size.Y/2, size.X, size.Y/2+size.Y/20))
	button.Label, button.Accessible = "Earlier button", true
	old.Children = []*element{label, button}
	first := root.Children[0]
	first.Children = append([]*element{old}, first.Children...)
}

// markText puts a label between marks for the direction of writing, as Contacts does with phone numbers.
func markText(e *element) {
	const embed, pop = "\u202a", "\u202c"
	if e.Label == "" {
		return
	}
	same := e.Value != nil && *e.Value == e.Label
	e.Label = embed + e.Label + pop
	if same {
		e.Value = pointer(e.Label)
	}
}
