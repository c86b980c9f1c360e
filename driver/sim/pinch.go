package sim

import (
	"image"
	"math"
	"strconv"
	"time"

	"github.com/handset-go/handset/driver"
)

// Pinch moves two fingers apart, or together with a scale below 1, as far as there is room around the
// point.
func (p *Phone) Pinch(at image.Point, scale float64, over time.Duration) {
	size := p.Size()
	room := max(min(at.X, size.X-1-at.X), 2)
	near, far := float64(room)/2, float64(room)
	if r := far / near; scale < 1/r || scale > r {
		near = min(far/max(scale, 1/scale), far)
	} else {
		far = near * max(scale, 1/scale)
	}
	from, to := near, far
	if scale < 1 {
		from, to = far, near
	}
	finger := func(side int) driver.Stroke {
		off := func(r float64) image.Point { return at.Add(image.Pt(side*max(int(r+0.5), 1), 0)) }
		return driver.Stroke{{At: off(from)}, {At: off(to), After: over}}
	}
	p.Gesture([]driver.Stroke{finger(-1), finger(1)})
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
		t.start = middle(t.start, other.start)
		delete(p.touches, id)
	}
	scale := math.Round(t.span/t.first*100) / 100
	data := where(t.start)
	data["scale"] = scale
	p.emit("pinch", data)
	if !t.dead && t.zoom != nil {
		p.zoom(t.zoom.zoom, scale)
	}
}

func middle(a, b image.Point) image.Point { return a.Add(b).Div(2) }

// zoom changes a zoom value by a factor, within 0.25 and 8.
func (p *Phone) zoom(key string, scale float64) {
	z, err := strconv.ParseFloat(p.values[key], 64)
	if err != nil {
		z = 1
	}
	z = min(max(z*scale, 0.25), 8)
	p.set(key, strconv.FormatFloat(math.Round(z*100)/100, 'f', -1, 64))
}
