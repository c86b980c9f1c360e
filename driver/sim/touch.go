package sim

import (
	"image"
	"math"
	"slices"
	"time"

	"github.com/handset-go/handset/driver"
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
	list        *view         // what it scrolls
	moved       bool
	pressed     bool // a long press was done
	dead        bool // nothing takes it
	many        bool // another finger was down with it
	first, span float64
}

// tapMemory is what a double tap needs to know of the tap before.
type tapMemory struct {
	at   image.Point
	end  time.Duration
	ok   bool
	then func()
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
	return v.tap != nil || v.hold != nil || v.double != nil || v.slide != nil || v.zoom != "" || v.sorts != nil ||
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

type edge int

const (
	edgeNone edge = iota
	edgeTop
	edgeBottom
	edgeSide
)

// edge says at which edge of the screen a swipe begins that belongs to the system.
func (p *Phone) edge(at image.Point) edge {
	size := p.size()
	switch {
	case p.locked:
		return edgeNone
	case at.Y >= size.Y-p.dp(dpNav):
		return edgeBottom
	case at.Y < p.dp(dpStatus):
		return edgeTop
	case at.X < p.dp(dpEdgeSwipe) || at.X >= size.X-p.dp(dpEdgeSwipe):
		return edgeSide
	}
	return edgeNone
}

// systemSwipe does what a swipe means to the system, and says whether it means anything.
func (p *Phone) systemSwipe(t *touch) bool {
	by, far := t.at.Sub(t.start), p.dp(dpAway)
	switch e := p.edge(t.start); {
	case p.locked:
		if -by.Y > 2*far {
			p.unlock()
		}
		return true
	case p.shade:
		if -by.Y > far {
			p.shade = false
		}
		return true
	case p.headsUp && t.start.Y < p.dp(dpStatus+dpTall+dpGap) && -by.Y > far/2:
		p.headsUp = false
		return true
	case e == edgeTop && by.Y > far:
		p.shade, p.headsUp = true, false
		return true
	case e == edgeBottom && -by.Y > far:
		p.home()
		return true
	case e == edgeSide && abs(by.X) > far && abs(by.Y) < abs(by.X):
		p.back()
		return true
	}
	return false
}

// slideAt sets a slider to where a finger is.
func (p *Phone) slideAt(v *view, at image.Point) {
	part := float64(at.X-v.box.Min.X) / float64(max(v.box.Dx()-1, 1))
	v.slide(min(max(part, 0), 1))
	p.changed()
}

// restartSpan measures the distance of the fingers when one is added.
func (p *Phone) restartSpan() {
	d := p.spread()
	for _, t := range p.touches {
		t.first, t.span = d, d
	}
}

func (p *Phone) measureSpan() {
	d := p.spread()
	for _, t := range p.touches {
		t.span = d
	}
}

// spread is the distance of two fingers, 0 for any other number of them.
func (p *Phone) spread() float64 {
	if len(p.touches) != 2 {
		return 0
	}
	var ends []image.Point
	for _, t := range p.touches {
		ends = append(ends, t.at)
	}
	by := ends[1].Sub(ends[0])
	return math.Hypot(float64(by.X), float64(by.Y))
}

// endMany ends a gesture of several fingers when the first of them leaves: a pinch, if there were two.
func (p *Phone) endMany(t *touch) {
	if len(p.touches) != 1 || t.first == 0 || t.span == 0 {
		return
	}
	for id, other := range p.touches {
		t.start, t.view = middle(t.start, other.start), firstView(t.view, other.view)
		delete(p.touches, id)
	}
	scale := math.Round(t.span/t.first*100) / 100
	data := where(t.start)
	data["scale"] = scale
	p.emit("pinch", data)
	if !t.dead && t.view != nil && t.view.zoom != "" {
		p.zoom(t.view.zoom, scale)
	}
}

func middle(a, b image.Point) image.Point { return a.Add(b).Div(2) }

func firstView(a, b *view) *view {
	if a != nil {
		return a
	}
	return b
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

// Tap touches a point shortly.
func (p *Phone) Tap(at image.Point) { p.Gesture([]driver.Stroke{{{At: at}, {At: at, After: tapTime}}}) }

// DoubleTap touches a point twice in one double tap.
func (p *Phone) DoubleTap(at image.Point) {
	p.mu.Lock()
	defer p.mu.Unlock()
	tap := []driver.Stroke{{{At: at}, {At: at, After: tapTime}}}
	p.gesture(tap)
	p.clock += tapTime
	p.gesture(tap)
}

// LongPress rests a finger on a point; less than half a second is a tap.
func (p *Phone) LongPress(at image.Point, hold time.Duration) {
	p.Gesture([]driver.Stroke{{{At: at}, {At: at, After: hold}}})
}

// Swipe moves a finger in a straight line.
func (p *Phone) Swipe(from, to image.Point, over time.Duration) {
	p.Gesture([]driver.Stroke{{{At: from}, {At: to, After: over}}})
}

// Drag rests a finger on from for hold, moves it to to in the time over, and lets go.
func (p *Phone) Drag(from, to image.Point, hold, over time.Duration) {
	p.Gesture([]driver.Stroke{{{At: from}, {At: from, After: hold}, {At: to, After: hold + over}}})
}

// Gesture moves one finger along each stroke, all at the same time.
func (p *Phone) Gesture(strokes []driver.Stroke) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gesture(strokes)
}

// frameTime is how often the screen reports where a moving finger is.
const frameTime = 16 * time.Millisecond

// moment is what one finger does at a time of a gesture.
type moment struct {
	when   time.Duration
	finger int
	at     image.Point
	up     bool
	down   bool
}

func (p *Phone) gesture(strokes []driver.Stroke) {
	start := p.clock
	for _, m := range moments(strokes) {
		p.clock = max(p.clock, start+m.when)
		switch {
		case m.down:
			p.down(m.finger, m.at)
		default:
			p.move(m.finger, m.at)
		}
		if m.up {
			p.up(m.finger)
		}
	}
}

// moments breaks strokes into what each finger does, in the order of time.
func moments(strokes []driver.Stroke) []moment {
	var all []moment
	for finger, s := range strokes {
		for i, w := range s {
			if i == 0 {
				all = append(all, moment{when: w.After, finger: finger, at: w.At, down: true})
			} else {
				all = append(all, between(finger, s[i-1], w)...)
			}
		}
		if n := len(all); len(s) > 0 {
			all[n-1].up = true
		}
	}
	slices.SortStableFunc(all, func(a, b moment) int { return int(a.when - b.when) })
	return all
}

// between are the reports of a finger on its way from one waypoint to the next.
func between(finger int, from, to driver.Waypoint) []moment {
	n := min(max(int((to.After-from.After)/frameTime), 1), 64)
	way := make([]moment, 0, n)
	for i := 1; i <= n; i++ {
		by := to.At.Sub(from.At)
		at := from.At.Add(image.Pt(by.X*i/n, by.Y*i/n))
		when := from.After + (to.After-from.After)*time.Duration(i)/time.Duration(n)
		way = append(way, moment{when: when, finger: finger, at: at})
	}
	return way
}
