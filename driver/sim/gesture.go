package sim

import (
	"cmp"
	"image"
	"slices"
	"time"

	"github.com/handset-go/handset/driver"
)

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

func (m moment) last() int {
	if m.up {
		return 1
	}
	return 0
}

func (p *Phone) gesture(strokes []driver.Stroke) {
	start := p.clock
	for _, m := range moments(strokes) {
		p.clock = max(p.clock, start+m.when)
		switch {
		case m.down:
			p.down(m.finger, m.at)
		case m.up:
			p.up(m.finger)
		default:
			p.move(m.finger, m.at)
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
		if len(s) > 0 {
			end := s[len(s)-1]
			all = append(all, moment{when: end.After, finger: finger, at: end.At, up: true})
		}
	}
	slices.SortStableFunc(all, func(a, b moment) int {
		if a.when == b.when {
			return a.last() - b.last() // all fingers arrive before the first one leaves
		}
		return cmp.Compare(a.when, b.when)
	})
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
