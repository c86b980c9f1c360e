package perception

import (
	"cmp"
	"slices"
)

// inReadingOrder sorts rows: what lies on top of the app first, then line by line, then from left to
// right. Two rows are on one line where the middle of the one is within the height of the other.
func inReadingOrder(rows []Row) []Row {
	order := make([]*Row, len(rows)) // a row is large, and is moved once only
	for i := range rows {
		order[i] = &rows[i]
	}
	slices.SortStableFunc(order, func(a, b *Row) int {
		return cmp.Or(cmp.Compare(depth(a.Tag), depth(b.Tag)), cmp.Compare(a.Box.Min.Y, b.Box.Min.Y))
	})
	for start := 0; start < len(order); {
		end := start + 1
		for end < len(order) && onLine(order[start], order[end]) {
			end++
		}
		slices.SortStableFunc(order[start:end], func(a, b *Row) int { return cmp.Compare(a.Box.Min.X, b.Box.Min.X) })
		start = end
	}
	sorted := make([]Row, len(rows))
	for i, r := range order {
		sorted[i] = *r
	}
	return sorted
}

// onLine says that r, whose top is not above that of first, is on the line that first begins. A thing
// several times as high as what is beside it holds lines of its own.
func onLine(first, r *Row) bool {
	if depth(first.Tag) != depth(r.Tag) {
		return false
	}
	height, other := first.Box.Dy(), r.Box.Dy()
	if height > 3*other || other > 3*height {
		return first.Box.Min.Y == r.Box.Min.Y && !first.container() && !r.container()
	}
	middle := (r.Box.Min.Y + r.Box.Max.Y) / 2
	return middle < first.Box.Max.Y
}

func (r *Row) container() bool { return r.Role == "scroll" || r.Role == "list" }

// depth orders the windows by their tag: a dialog is read before what is behind it.
func depth(tag string) int {
	switch tag {
	case tagDialog:
		return 0
	case tagNotification:
		return 1
	case tagSystem:
		return 3
	}
	return 2
}
