package sim

import (
	"image"
	"math"
	"slices"
	"time"
)

// What separates one gesture from another, as on Android (ViewConfiguration).
const (
	longPress    = 500 * time.Millisecond
	doubleTap    = 300 * time.Millisecond
	tapTime      = 50 * time.Millisecond
	defaultSwipe = 300 * time.Millisecond
	dpSlop       = 8
	dpTwice      = 40   // two taps of one double tap are so near
	dpEdgeSwipe  = 16   // a swipe that begins so near the left or right edge is Back
	dpAway       = 48   // how far an edge swipe must go
	flingSpeed   = 1200 // dp per second: a faster release flings
	flingTime    = 0.18 // how long a fling goes on at its speed, in seconds
)

// touch is one finger that is down.
type touch struct {
	start, at   image.Point
	since       time.Duration
	last        time.Duration // when it moved last
	speed       float64       // pixels per second downwards, at the last move
	view        *view         // what takes a tap, a long press or a slide
	zoom        *view         // what a pinch zooms
	list        *view         // what it scrolls
	moved       bool
	pressed     bool // a long press was done
	dead        bool // nothing takes it
	many        bool // another finger was down with it
	first, span float64
}

// tapMemory is what a double tap needs to know of the tap before.
type tapMemory struct {
	at  image.Point
	end time.Duration
	ok  bool
}

// Down puts a finger on the screen. id tells fingers apart; a finger that is already down is moved.
func (p *Phone) Down(id int, at image.Point) { p.finger(func() { p.down(id, at) }) }

// Move moves a finger that is down.
func (p *Phone) Move(id int, at image.Point) { p.finger(func() { p.move(id, at) }) }

// Up lifts a finger at the point where it is.
func (p *Phone) Up(id int) { p.finger(func() { p.up(id) }) }

// Cancel takes all fingers away as if they had never touched.
func (p *Phone) Cancel() { p.finger(func() { clear(p.touches) }) }

func (p *Phone) finger(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
}

func (p *Phone) down(id int, at image.Point) {
	if p.touches[id] != nil {
		p.move(id, at)
		return
	}
	if p.toast != "" {
		p.toast = ""
		p.changed()
	}
	t := &touch{start: at, at: at, since: p.clock, last: p.clock}
	for _, other := range p.touches {
		other.many, t.many = true, true
	}
	p.touches[id] = t
	p.aim(t)
	p.restartSpan()
}

// aim finds what a finger that goes down at t.at will act on.
func (p *Phone) aim(t *touch) {
	if p.asleep || p.used(FaultFrozen) {
		t.dead = true
		return
	}
	ws := p.laidOut().windows
	for i := len(ws) - 1; i >= 0; i-- {
		w := ws[i]
		t.view = w.root.at(t.at, takesTouch)
		t.list = w.root.at(t.at, func(v *view) bool { return v.page != nil })
		t.zoom = w.root.at(t.at, func(v *view) bool { return v.zoom != "" })
		if t.view != nil || t.list != nil || t.at.In(w.root.seen) {
			return
		}
		if w.modal {
			if w.outside != nil {
				t.view = &view{tap: w.outside}
			}
			return
		}
	}
}

func takesTouch(v *view) bool {
	return v.tap != nil || v.hold != nil || v.double != nil || v.slide != nil || v.sorts != nil ||
		v.flags&disabled != 0
}

func (p *Phone) move(id int, at image.Point) {
	t := p.touches[id]
	if t == nil || at == t.at {
		return
	}
	if d := p.clock - t.last; d > 0 {
		t.speed = float64(at.Y-t.at.Y) / d.Seconds()
	}
	slop := p.dp(dpSlop)
	if !t.moved && p.clock-t.since >= longPress {
		t.pressed = true
	}
	away := at.Sub(t.start)
	if !t.moved && (abs(away.X) > slop || abs(away.Y) > slop) {
		t.moved = true
		t.at = t.start // what it moved so far counts
	}
	if t.moved && !t.dead && !t.pressed && !t.many {
		p.drag(t, at)
	}
	t.at, t.last = at, p.clock
	p.measureSpan()
}

// drag slides or scrolls what is under a moving finger.
func (p *Phone) drag(t *touch, at image.Point) {
	if t.view != nil && t.view.slide != nil {
		p.slideAt(t.view, at)
		return
	}
	if t.list != nil && p.edge(t.start) == edgeNone {
		p.scroll(t.list, t.at.Y-at.Y)
	}
}

func (p *Phone) scroll(list *view, by int) {
	was := list.page.scroll
	list.page.scroll = min(max(was+by, 0), list.over)
	list.page.end = false
	if list.page.scroll != was {
		p.changed()
	}
}

func (p *Phone) up(id int) {
	t := p.touches[id]
	if t == nil {
		return
	}
	delete(p.touches, id)
	held := p.clock - t.since
	switch {
	case t.many:
		p.endMany(t)
	case !t.moved && held >= longPress:
		p.endHold(t, held)
	case !t.moved:
		p.endTap(t)
	case t.pressed:
		p.endDrag(t, held)
	default:
		p.endSwipe(t, held)
	}
}

func (p *Phone) endTap(t *touch) {
	prev := p.lastTap
	p.lastTap = tapMemory{at: t.start, end: p.clock, ok: true}
	twice := prev.ok && p.clock-prev.end <= doubleTap && near(prev.at, t.start, p.dp(dpTwice))
	if twice && t.view != nil && t.view.double != nil && !t.dead {
		p.lastTap = tapMemory{}
		p.emit("double_tap", t.where())
		t.view.double()
		p.changed()
		return
	}
	p.emit("tap", t.where())
	if t.dead || t.view == nil {
		return
	}
	switch v := t.view; {
	case v.slide != nil:
		p.slideAt(v, t.start)
	case v.tap != nil:
		v.tap()
	}
	p.changed()
}

func (p *Phone) endHold(t *touch, held time.Duration) {
	p.lastTap = tapMemory{}
	data := t.where()
	data["ms"] = held.Milliseconds()
	p.emit("long_press", data)
	if t.dead || t.view == nil || t.view.hold == nil {
		return
	}
	t.view.hold()
	p.changed()
}

// endDrag puts down what a long press has picked up.
func (p *Phone) endDrag(t *touch, held time.Duration) {
	p.emit("drag", span(t.start, t.at, held))
	if t.dead || t.view == nil {
		return
	}
	if t.view.slide != nil {
		p.slideAt(t.view, t.at)
		return
	}
	if t.view.sorts != nil {
		p.sortTo(t.view, t.at)
	}
}

// sortTo moves a list entry to the place of the entry under a point.
func (p *Phone) sortTo(v *view, at image.Point) {
	from := v.sorts
	for _, w := range p.laidOut().windows {
		target := w.root.at(at, func(k *view) bool { return k.sorts != nil && k.sorts.list == from.list })
		if target == nil || target.sorts.index == from.index {
			continue
		}
		l := slices.Clone(p.lists[from.list])
		e := l[from.index]
		l = slices.Insert(slices.Delete(l, from.index, from.index+1), target.sorts.index, e)
		p.lists[from.list] = l
		p.emit("moved", map[string]any{"list": from.list, "from": from.index, "to": target.sorts.index})
		p.changed()
		return
	}
}

func (p *Phone) endSwipe(t *touch, held time.Duration) {
	p.lastTap = tapMemory{}
	p.emit("swipe", span(t.start, t.at, held))
	if t.dead || t.view != nil && t.view.slide != nil {
		return
	}
	if p.systemSwipe(t) {
		p.changed()
		return
	}
	if t.list != nil && p.clock == t.last && math.Abs(t.speed) > float64(p.dp(flingSpeed)) {
		p.scroll(t.list, int(-t.speed*flingTime))
	}
}

// slideAt sets a slider to where a finger is.
func (p *Phone) slideAt(v *view, at image.Point) {
	part := float64(at.X-v.box.Min.X) / float64(max(v.box.Dx()-1, 1))
	v.slide(min(max(part, 0), 1))
	p.changed()
}

// where says at which point a finger touched, and what.
func (t *touch) where() map[string]any {
	data := where(t.start)
	if t.view != nil && !t.dead {
		if name := t.view.name(); name != "" {
			data["on"] = name
		}
	}
	return data
}

func where(at image.Point) map[string]any { return map[string]any{"x": at.X, "y": at.Y} }

func span(from, to image.Point, held time.Duration) map[string]any {
	return map[string]any{"x": from.X, "y": from.Y, "x2": to.X, "y2": to.Y, "ms": held.Milliseconds()}
}

func near(a, b image.Point, far int) bool {
	return abs(a.X-b.X) <= far && abs(a.Y-b.Y) <= far
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
