package perception

import (
	"image"

	"github.com/handset-go/handset/driver"
)

const (
	borrowLevels = 3   // how far up a control looks for the text that names it
	borrowItems  = 200 // how much it looks at on each level
)

// borrowLabels gives each switch, box, slider and field without a name the text that stands beside or
// above it.
func (v *view) borrowLabels(rows []Row) {
	at, byNode := 0, map[*driver.Node]*Row{}
	for i := range v.items {
		if !v.items[i].row {
			continue
		}
		r := &rows[at]
		byNode[r.Node] = r
		at++
		if r.Label == "" && wantsName(r) {
			v.borrow(i, r, byNode)
		}
	}
}

func wantsName(r *Row) bool {
	switch r.Role {
	case "switch", "check", "radio", "slider", "edit", "prog":
		return true
	}
	return r.Node.Is(driver.Checkable)
}

func (v *view) borrow(i int, r *Row, byNode map[*driver.Node]*Row) {
	// What a field holds tells more than a text far above it, such as the title of the page over a search field
	// whose hint the phone gives as its text.
	tells := r.Value != "" && r.Value != hidden
	up := v.items[i].parent
	for level := range borrowLevels {
		if up < 0 || v.items[up].node.Is(driver.Scrollable) {
			return
		}
		if above := byNode[v.items[up].node]; above != nil {
			r.Label = v.firstText(up)
			return
		}
		if j := v.nearestText(up, name{box: v.items[i].box, beside: tells && level > 0, notTitle: tells}); j >= 0 {
			r.Label = v.items[j].text
			v.items[j].merged = true
			return
		}
		up = v.items[up].parent
	}
}

// name is which text may name a control.
type name struct {
	box      image.Rectangle // of the control
	beside   bool            // only one on the same line
	notTitle bool            // not the app's own name, which stands over its pages
}

// firstText is the first text of the row of item i.
func (v *view) firstText(i int) string {
	text := v.items[i].text
	v.eachPart(i, func(part *item) {
		if text == "" {
			text = part.text
		}
	})
	return text
}

// nearestText is the index of the text below item up that names a control, or -1: the nearest one on the same line, or
// right above.
func (v *view) nearestText(up int, of name) int {
	best, miss := -1, 0
	title := ""
	if of.notTitle {
		title = clean(v.tree.App.Name)
	}
	end := min(v.items[up].end, up+borrowItems)
	for j := up + 1; j < end; {
		it := &v.items[j]
		if it.row {
			j = max(it.end, j+1)
			continue
		}
		if it.text != "" && !it.box.Empty() && !it.hidden && it.node.Role != driver.RoleButton { // a button, switched off, names itself
			d, above, ok := namesAt(it.box, of.box)
			if ok && !(above && (of.beside || it.text == title)) && (best < 0 || d < miss) {
				best, miss = j, d
			}
		}
		j++
	}
	return best
}

// namesAt says how far a text is from a control that it may name, and whether it is above it.
func namesAt(text, box image.Rectangle) (distance int, above, ok bool) {
	middle := (box.Min.Y + box.Max.Y) / 2
	if text.Min.Y <= middle && middle < text.Max.Y {
		return max(box.Min.X-text.Max.X, text.Min.X-box.Max.X, 0), false, true
	}
	gap := box.Min.Y - text.Max.Y
	if gap >= -box.Dy()/4 && gap <= box.Dy() && text.Min.X < box.Max.X && box.Min.X < text.Max.X {
		return max(gap, 0) + box.Dy(), true, true // a text on the same line is nearer
	}
	return 0, false, false
}
