package perception

import (
	"image"

	"github.com/handset-go/handset/driver"
)

// cover is something that lies in front of what comes before it in the tree.
type cover struct {
	index, end int
	box        image.Rectangle
	texts      bool // it hides texts too, and not only takes the touches
}

const (
	// maxCovers bounds the work on a screen where everything lies on everything.
	maxCovers = 64
	// coverShare is the smallest part of the screen that a cover takes: 1/16. A small thing on top of
	// another is usually its own mark.
	coverShare = 16
)

// hideCovered marks what lies wholly behind a dialog, the keyboard or a sheet.
func (v *view) hideCovered() {
	covers := v.covers()
	if len(covers) == 0 {
		return
	}
	for i := range v.items {
		it := &v.items[i]
		if it.box.Empty() {
			continue
		}
		for _, c := range covers {
			if i < c.index && it.end <= c.index && it.box.In(c.box) && (c.texts || it.act) {
				it.hidden = true
				break
			}
		}
	}
}

// covers lists what may hide others, the last drawn first.
func (v *view) covers() []cover {
	var all []cover
	whole := v.tree.Bounds()
	for i := len(v.items) - 1; i > 0 && len(all) < maxCovers; i-- {
		it := &v.items[i]
		if it.box.Empty() {
			continue
		}
		switch {
		case v.startsWindow(i):
			if box := v.windowBox(i); !box.Empty() {
				all = append(all, cover{i, it.end, box, true})
			}
		case it.node.Is(driver.Clickable) && !it.node.Not(driver.Enabled) && area(it.box)*coverShare >= area(whole):
			all = append(all, cover{i, it.end, it.box, it.end > i+1})
		}
	}
	return all
}

func (v *view) startsWindow(i int) bool {
	it := &v.items[i]
	return it.window != "" && it.parent >= 0 && v.items[it.parent].window != it.window
}

// windowBox is what a window hides: a dialog and a small window all of their bounds, the keyboard the
// part with its keys. A window over the whole screen that is none of these lets others be seen.
func (v *view) windowBox(i int) image.Rectangle {
	it := &v.items[i]
	full := area(it.box)*100 >= area(v.tree.Bounds())*frameShare
	switch {
	case it.window == driver.WindowDialog || !full && it.window != driver.WindowApp:
		return it.box
	case it.window != driver.WindowKeyboard:
		return image.Rectangle{}
	}
	var keys image.Rectangle
	for _, below := range v.items[i:it.end] {
		if below.node.Role == driver.RoleKey || below.node.Is(driver.Clickable) {
			keys = keys.Union(below.box)
		}
	}
	return keys
}
