package sim

import "image"

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
