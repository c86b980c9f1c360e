package perception

import (
	"image"

	"github.com/handset-go/handset/driver"
)

// The tags of rows that are not in the window of the app in front.
const (
	tagDialog       = "dialog"
	tagNotification = "notification"
	tagSystem       = "system"
	systemUI        = "com.android.systemui"
)

// rows makes a row of each thing that takes a touch, then of each text that no such row holds.
func (v *view) rows() []Row {
	rows := make([]Row, 0, 64)
	for i := range v.items {
		if v.items[i].row {
			rows = append(rows, v.thing(i))
		}
	}
	v.borrowLabels(rows)
	rows = v.withoutTwins(rows)
	seen := map[string]image.Rectangle{}
	for i := range v.items {
		if v.isLooseText(i) && !repeats(seen, &v.items[i]) {
			rows = append(rows, v.textRow(i))
		}
	}
	for i := range rows {
		if rows[i].Label == "" && rows[i].Value == "" {
			rows[i].Label = idTail(rows[i].Node.ID)
		}
		rows[i].Label, rows[i].Value = clip(rows[i].Label, v.clip), clip(rows[i].Value, v.clip)
	}
	return rows
}

// thing is the row of item i.
func (v *view) thing(i int) Row {
	it := &v.items[i]
	r := Row{Role: roleWord(it.node), Box: it.box, At: v.touchPoint(i), Tag: v.tag(it), Node: it.node}
	checked, pieces := it.node, []string{it.text}
	if isField(it.node) {
		pieces[0], r.Value = v.field(it.node)
	}
	it.merged = true
	if !it.node.Is(driver.Scrollable) || isField(it.node) {
		v.eachPart(i, func(part *item) {
			pieces = append(pieces, part.text)
			part.merged = true
			if part.node.Is(driver.Checkable) && !checked.Is(driver.Checkable) {
				checked = part.node
			}
			if part.part && generic(r.Role) && !generic(roleWord(part.node)) {
				r.Role = roleWord(part.node)
			}
		})
	}
	r.Label = merge(pieces)
	r.Flags = flags(it.node, checked)
	return r
}

// eachPart calls f for what is on the screen below item i, without the rows below it.
func (v *view) eachPart(i int, f func(*item)) {
	for j := i + 1; j < v.items[i].end; {
		it := &v.items[j]
		if it.row {
			j = it.end
			continue
		}
		if !it.box.Empty() && !it.hidden {
			f(it)
		}
		j++
	}
}

func flags(n, checked *driver.Node) []string {
	var words []string
	if checked.Is(driver.Checkable) && checked.Known&driver.Checked != 0 {
		if checked.Is(driver.Checked) {
			words = append(words, "on")
		} else {
			words = append(words, "off")
		}
	}
	if n.Is(driver.Selected) {
		words = append(words, "sel")
	}
	if n.Is(driver.Focused) {
		words = append(words, "focus")
	}
	if n.Not(driver.Enabled) {
		words = append(words, "disabled")
	}
	if n.Is(driver.LongClickable) {
		words = append(words, "long")
	}
	return words
}

// tag names the window of an item where it is not the app's, or the other app that drew it.
func (v *view) tag(it *item) string {
	switch it.window {
	case driver.WindowDialog, driver.WindowNotification, driver.WindowSystem:
		return it.window
	}
	switch pkg := it.node.Package; {
	case pkg == "" || v.tree.App.ID == "" || pkg == v.tree.App.ID:
		return ""
	case pkg == systemUI:
		return tagSystem
	default:
		return clean(pkg)
	}
}

// touchPoint is the middle of what is seen of item i, or where that is taken by a row inside of it, the
// middle of a side that is free.
func (v *view) touchPoint(i int) image.Point {
	box := v.items[i].box
	middle := box.Min.Add(box.Max).Div(2)
	quarter := image.Pt(box.Dx()/4, box.Dy()/4)
	for _, p := range []image.Point{
		middle,
		{middle.X - quarter.X, middle.Y}, {middle.X + quarter.X, middle.Y},
		{middle.X, middle.Y - quarter.Y}, {middle.X, middle.Y + quarter.Y},
	} {
		if !v.takenInside(i, p) {
			return p
		}
	}
	return middle
}

func (v *view) takenInside(i int, p image.Point) bool {
	for j := i + 1; j < v.items[i].end; {
		it := &v.items[j]
		if !it.row {
			j++
			continue
		}
		if p.In(it.box) && !it.node.Is(driver.Scrollable) {
			return true
		}
		j = it.end
	}
	return false
}

// isLooseText says that an item has something to read that no row holds yet.
func (v *view) isLooseText(i int) bool {
	it := &v.items[i]
	if it.text == "" || it.row || it.merged || it.hidden || it.box.Empty() || it.node.Role == driver.RoleWindow {
		return false
	}
	if it.window == driver.WindowKeyboard || it.node.Role == driver.RoleKey {
		return false
	}
	return it.parent < 0 || v.items[it.parent].text != it.text || v.items[it.parent].node.Role == driver.RoleWindow
}

// repeats notes the text of an item and says whether the same stands already in the same place.
func repeats(seen map[string]image.Rectangle, it *item) bool {
	if box, ok := seen[it.text]; ok && box.Overlaps(it.box) {
		return true
	}
	seen[it.text] = it.box
	return false
}

func (v *view) textRow(i int) Row {
	it := &v.items[i]
	it.merged = true
	return Row{
		Role: "text", Label: it.text, Box: it.box, At: it.box.Min.Add(it.box.Max).Div(2),
		Tag: v.tag(it), Node: it.node, Flags: flags(it.node, it.node),
	}
}

// withoutTwins merges rows side by side in the tree that have the same bounds.
func (v *view) withoutTwins(rows []Row) []Row {
	at := make(map[image.Rectangle]int, len(rows))
	kept := rows[:0]
	for _, r := range rows {
		k, ok := at[r.Box]
		if !ok || r.container() || kept[k].container() || !sameThing(&kept[k], &r) {
			at[r.Box] = len(kept)
			kept = append(kept, r)
			continue
		}
		absorb(&kept[k], &r)
	}
	return kept
}

func sameThing(a, b *Row) bool {
	return a.Tag == b.Tag && (a.Label == "" || b.Label == "" || a.Label == b.Label) && (a.Value == "" || b.Value == "")
}

func absorb(k, r *Row) {
	if k.Label == "" {
		k.Label = r.Label
	}
	if k.Value == "" {
		k.Value = r.Value
	}
	if generic(k.Role) && !generic(r.Role) {
		k.Role, k.Node = r.Role, r.Node
	}
	if len(k.Flags) == 0 {
		k.Flags = r.Flags
	}
}
