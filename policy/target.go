package policy

import (
	"hash/fnv"
	"image"
	"io"
	"regexp"
	"strings"

	"github.com/handset-go/handset/driver"
)

// pageShare is the part of the screen, in per cent, above which what is touched is the page, whose
// texts say nothing about the point.
const pageShare = 25

// aim finds what the call of r lands on.
func (r *Request) aim() {
	switch r.Call.Op {
	case driver.OpType, driver.OpSetText, driver.OpKey:
		r.aimAtFocus()
	case driver.OpGesture:
		strokes, _ := r.Call.Args.([]driver.Stroke)
		for _, s := range strokes {
			if len(s) > 0 {
				r.aimAtStroke(s[0].At, s[len(s)-1].At)
			}
		}
	default:
		r.aimAt(r.Call.At)
	}
	if r.Target != nil {
		r.Crop = r.Target.Bounds.Intersect(r.Tree.Bounds())
	}
}

// aimAtStroke finds what one finger of a gesture taps or holds. A finger that goes away from there does neither.
func (r *Request) aimAtStroke(from, to image.Point) {
	probe := &Request{Call: r.Call, Tree: r.Tree}
	probe.aimAt(from)
	if probe.Target == nil || !probe.stays(from, to) {
		return
	}
	r.aimAt(from)
}

// slopShare is the part of the screen's shorter side, in per cent, that a finger may move and still tap. Phones
// take about 8 dp, which is less on each of them.
const slopShare = 4

// stays says that a finger that moves from one point to another may still press what it touched: it moved hardly, or
// it did not leave it. A phone takes either as a tap.
func (r *Request) stays(from, to image.Point) bool {
	if from == to {
		return true
	}
	if r.Tree == nil {
		return false
	}
	way, slop := to.Sub(from), min(r.Tree.Size.X, r.Tree.Size.Y)*slopShare/100
	if max(way.X, -way.X) <= slop && max(way.Y, -way.Y) <= slop {
		return true
	}
	page := r.Tree.Size.X * r.Tree.Size.Y * pageShare / 100
	return r.Target != nil && to.In(r.Target.Bounds) && area(r.Target.Bounds) <= page && r.Target.Is(driver.Clickable)
}

func (r *Request) aimAtFocus() {
	for n := range r.Tree.Root.All() {
		if n.Is(driver.Focused) {
			r.Target = n
		}
	}
	if r.Target != nil {
		r.read(r.Target, func(*driver.Node) bool { return true })
	}
}

// aimAt finds what takes a touch at p: of the nodes there that can be touched, the one drawn last. Its texts
// are its own and those below it, and those of small nodes at p whoever they belong to, for a label
// may lie on a button without being a part of it.
func (r *Request) aimAt(p image.Point) {
	small := r.Tree.Size.X * r.Tree.Size.Y * pageShare / 100
	var touched, last *driver.Node
	var there []*driver.Node
	for n := range r.Tree.Root.All() {
		if !p.In(n.Bounds) || n.Not(driver.Visible) {
			continue
		}
		if n.Role == driver.RoleKey || n.Window == driver.WindowKeyboard {
			r.Target = n // "Delete" on a keyboard deletes a letter
			return
		}
		last = n
		if n.Known&n.Flags&(driver.Clickable|driver.LongClickable|driver.Checkable) != 0 {
			touched = n
		}
		if area(n.Bounds) <= small {
			there = append(there, n)
		}
	}
	if r.Target = touched; touched == nil {
		r.Target = last
	}
	if r.Target == nil {
		return
	}
	whole := area(r.Target.Bounds) <= small
	r.read(r.Target, func(n *driver.Node) bool { return whole || n == r.Target || p.In(n.Bounds) && area(n.Bounds) <= small })
	for _, n := range there {
		r.add(n)
	}
}

// read takes the texts of n and of what is below it, as far as it can be told from n: not those of other
// things that can be touched.
func (r *Request) read(n *driver.Node, keep func(*driver.Node) bool) {
	if keep(n) {
		r.add(n)
	}
	for _, c := range n.Children {
		if !c.Is(driver.Clickable) && !c.Not(driver.Visible) {
			r.read(c, keep)
		}
	}
}

// add takes the texts of one node. What stands in a field is somebody's text and no label.
func (r *Request) add(n *driver.Node) {
	texts := []string{n.Text, n.Desc, n.Hint}
	if n.Role == driver.RoleEdit || n.Is(driver.Password) || n.Is(driver.Editable) {
		texts = []string{n.Desc, n.Hint}
	}
	for _, t := range texts {
		t = strings.Join(strings.Fields(t), " ")
		if t == "" || contains(r.texts, t) {
			continue
		}
		r.texts = append(r.texts, t)
	}
	r.Label = clip(strings.Join(r.texts, " · "))
}

// dialogShare is the part of the screen, in per cent, that a dialog takes at most.
const dialogShare = 60

// answers returns the question of a dialog that a button such as OK says yes to, and what the question looks like.
func (r *Request) answers() (question, what string) {
	if r.Target == nil || !isYes(r.Label) {
		return "", ""
	}
	most := r.Tree.Size.X * r.Tree.Size.Y * dialogShare / 100
	for _, dialog := range r.Tree.Path(r.Target) { // the outermost first
		if area(dialog.Bounds.Intersect(r.Tree.Bounds())) > most {
			continue
		}
		for n := range dialog.All() {
			if n == r.Target || n.Is(driver.Clickable) {
				continue
			}
			if what := sensitiveQuestion(n.Text); what != "" {
				return n.Text, what
			}
			if question == "" && spends(r.Label, n.Text) {
				question, what = n.Text, "a payment"
			}
		}
		break
	}
	return question, what
}

func contains(all []string, s string) bool {
	for _, t := range all {
		if t == s {
			return true
		}
	}
	return false
}

func area(b image.Rectangle) int { return b.Dx() * b.Dy() }

func (r *Request) standing() standing { return standing{r.Device, r.Rule, r.App.ID, r.Label} }

// sameAs says that what the person has approved of is still what the call would do.
func (r *Request) sameAs(approved *Request) bool {
	if r == approved {
		return true
	}
	return r.Rule == approved.Rule && r.App == approved.App && r.Label == approved.Label && r.Crop == approved.Crop &&
		digest(r.Tree) == digest(approved.Tree)
}

// ticking matches what changes by itself: clocks and countdowns.
var ticking = regexp.MustCompile(`\d{1,2}:\d{2}(?::\d{2})?|\d+ ?(?:s|sec|secs|seconds?|秒)\b|\d+秒`)

// digest sums up what a person reads on a screen, but for clocks. Amounts count.
func digest(t *driver.Tree) uint64 {
	h := fnv.New64a()
	io.WriteString(h, t.App.ID+"\x00"+t.App.Page)
	for n := range t.Root.All() {
		if n.Not(driver.Visible) || !n.Bounds.Overlaps(t.Bounds()) {
			continue
		}
		for _, s := range []string{n.Text, n.Desc} {
			if s != "" {
				io.WriteString(h, "\x00"+ticking.ReplaceAllString(s, "~"))
			}
		}
	}
	return h.Sum64()
}
