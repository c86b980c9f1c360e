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
	up := v.items[i].parent
	for range borrowLevels {
		if up < 0 || v.items[up].node.Is(driver.Scrollable) {
			return
		}
		if above := byNode[v.items[up].node]; above != nil {
			r.Label = v.firstText(up)
			return
		}
		if j := v.nearestText(up, v.items[i].box); j >= 0 {
			r.Label = v.items[j].text
			v.items[j].merged = true
			return
		}
		up = v.items[up].parent
	}
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

// nearestText is the index of the text below item up that names a control at box, or -1: the nearest one on
// the same line, or right above.
func (v *view) nearestText(up int, box image.Rectangle) int {
	best, miss := -1, 0
	end := min(v.items[up].end, up+borrowItems)
	for j := up + 1; j < end; {
		it := &v.items[j]
		if it.row {
			j = max(it.end, j+1)
			continue
		}
		if it.text != "" && !it.box.Empty() && !it.hidden && it.node.Role != driver.RoleButton { // a button, switched off, names itself
			if d, ok := namesAt(it.box, box); ok && (best < 0 || d < miss) {
				best, miss = j, d
			}
		}
		j++
	}
	return best
}

// namesAt says how far a text is from a control that it may name.
func namesAt(text, box image.Rectangle) (distance int, ok bool) {
	middle := (box.Min.Y + box.Max.Y) / 2
	if text.Min.Y <= middle && middle < text.Max.Y {
		return max(box.Min.X-text.Max.X, text.Min.X-box.Max.X, 0), true
	}
	gap := box.Min.Y - text.Max.Y
	if gap >= -box.Dy()/4 && gap <= box.Dy() && text.Min.X < box.Max.X && box.Min.X < text.Max.X {
		return max(gap, 0) + box.Dy(), true // a text on the same line is nearer
	}
	return 0, false
}
