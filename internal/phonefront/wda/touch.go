package wda

import (
	"image"
	"math"
	"slices"
	"time"

	"github.com/handset-go/handset/driver"
)

// The times and speeds that XCTest uses where a request names none.
const (
	tapTime   = 50 * time.Millisecond
	tapGap    = 60 * time.Millisecond
	holdTime  = time.Second
	dragSpeed = 600.0  // points a second
	flickRate = 2000.0 // points a second, of swipe
)

// play moves the fingers. On a device in real time that takes as long as the strokes do.
func (c *call) play(strokes ...driver.Stroke) error {
	if c.d.outside(strokes) {
		return nil
	}
	if !c.d.keptOut(strokes) && !c.d.fromBottom(strokes) {
		c.d.phone.Gesture(strokes)
	}
	var last time.Duration
	for _, s := range strokes {
		if len(s) > 0 {
			last = max(last, s[len(s)-1].After)
		}
	}
	return c.takes(last)
}

// keptOut says that fingers move on a lock screen that asks for a passcode, which opens for no swipe.
func (d *Device) keptOut(strokes []driver.Stroke) bool {
	return d.faults.On(FaultPasscode) && d.phone.Power().Locked &&
		slices.ContainsFunc(strokes, func(s driver.Stroke) bool { return len(s) > 0 && s[0].At != s[len(s)-1].At })
}

func rest(at image.Point, from, to time.Duration) driver.Stroke {
	return driver.Stroke{{At: at, After: from}, {At: at, After: to}}
}

func (d *Device) tapBox(r image.Rectangle) { d.phone.Tap(r.Min.Add(r.Max).Div(2)) }

func seconds(n float64) time.Duration {
	if math.IsNaN(n) || n < 0 {
		return 0
	}
	return time.Duration(min(n, 3600) * float64(time.Second))
}

// place returns where a gesture begins: the point x,y of the app, the same offset into an element, or the
// middle.
func (c *call) place() (spot, error) {
	if _, err := c.appHere(); err != nil {
		return spot{}, err
	}
	x, hasX, err := c.float("x")
	if err != nil {
		return spot{}, err
	}
	y, hasY, err := c.float("y")
	if err != nil {
		return spot{}, err
	}
	if hasX != hasY {
		return spot{}, fail(errArgument, "Both x and y coordinates must be provided")
	}
	area := image.Rectangle{Max: c.d.window()}
	if id := c.params["uuid"]; id != "" && id != "0" {
		e, err := c.element(id)
		if err != nil {
			return spot{}, err
		}
		if area, err = c.finite(e); err != nil {
			return spot{}, err
		}
	}
	if !hasX {
		return spot{float64(area.Min.X+area.Max.X) / 2, float64(area.Min.Y+area.Max.Y) / 2}, nil
	}
	return spot{float64(area.Min.X) + x, float64(area.Min.Y) + y}, nil
}

// finite returns the frame of an element, if it has one to touch.
func (c *call) finite(e *element) (image.Rectangle, error) {
	if c.d.faults.On(FaultInfinite) || e.Frame.Empty() {
		return image.Rectangle{}, fail(errUnknown, "Invalid parameter not satisfying: point.x != INFINITY && point.y != INFINITY")
	}
	return e.Frame, nil
}

func (c *call) tap() (any, error) {
	at, err := c.place()
	if err != nil {
		return nil, err
	}
	return nil, c.play(rest(c.d.pixel(at), 0, tapTime))
}

func (c *call) doubleTap() (any, error) { return c.taps(2, 1) }

func (c *call) twoFingerTap() (any, error) { return c.taps(1, 2) }

func (c *call) tapWithNumberOfTaps() (any, error) {
	n, err := c.floats("numberOfTaps", "numberOfTouches")
	if err != nil {
		return nil, err
	}
	if n[0] < 1 || n[1] < 1 || n[0] > 20 || n[1] > 5 {
		return nil, fail(errArgument, "'numberOfTaps' and 'numberOfTouches' must be positive numbers")
	}
	return c.taps(int(n[0]), int(n[1]))
}

// taps touches a place several times, with fingers side by side.
func (c *call) taps(times, fingers int) (any, error) {
	at, err := c.place()
	if err != nil {
		return nil, err
	}
	var strokes []driver.Stroke
	for i := range times {
		from := time.Duration(i) * (tapTime + tapGap)
		for f := range fingers {
			side := spot{at.x + 40*(float64(f)-float64(fingers-1)/2), at.y}
			strokes = append(strokes, rest(c.d.pixel(side), from, from+tapTime))
		}
	}
	return nil, c.play(strokes...)
}

// touchAndHold serves forceTouch too: the phone has no pressure to feel.
func (c *call) touchAndHold() (any, error) {
	at, err := c.place()
	if err != nil {
		return nil, err
	}
	hold, given, err := c.float("duration")
	if err != nil {
		return nil, err
	}
	long := seconds(hold)
	if !given {
		long = holdTime
	}
	return nil, c.play(rest(c.d.pixel(at), 0, long))
}

// offset is where the points of a drag begin: the app's corner, or an element's.
func (c *call) offset() (spot, error) {
	if _, err := c.appHere(); err != nil {
		return spot{}, err
	}
	if c.params["uuid"] == "" {
		return spot{}, nil
	}
	e, err := c.element(c.params["uuid"])
	if err != nil {
		return spot{}, err
	}
	r, err := c.finite(e)
	return spot{float64(r.Min.X), float64(r.Min.Y)}, err
}

// drag rests for the duration and then moves: the duration is not that of the way.
func (c *call) drag() (any, error) {
	o, err := c.offset()
	if err != nil {
		return nil, err
	}
	n, err := c.floats("fromX", "fromY", "toX", "toY", "duration")
	if err != nil {
		return nil, err
	}
	return nil, c.move(spot{n[0] + o.x, n[1] + o.y}, spot{n[2] + o.x, n[3] + o.y}, pace{press: seconds(n[4]), speed: dragSpeed})
}

func (c *call) dragWithVelocity() (any, error) {
	o, err := c.offset()
	if err != nil {
		return nil, err
	}
	n, err := c.floats("fromX", "fromY", "toX", "toY", "pressDuration", "velocity", "holdDuration")
	if err != nil {
		return nil, err
	}
	to := spot{n[2] + o.x, n[3] + o.y}
	if id := text(c.body["toElement"]); id != "" && c.params["uuid"] != "" {
		e, err := c.element(id)
		if err != nil {
			return nil, err
		}
		to = middleOf(e.Frame)
	}
	p := pace{press: seconds(n[4]), speed: n[5], hold: seconds(n[6])}
	if p.speed <= 0 {
		p.speed = dragSpeed
	}
	return nil, c.move(spot{n[0] + o.x, n[1] + o.y}, to, p)
}

func middleOf(r image.Rectangle) spot {
	return spot{float64(r.Min.X+r.Max.X) / 2, float64(r.Min.Y+r.Max.Y) / 2}
}

// pace is how a finger goes from one place to another.
type pace struct {
	press, hold time.Duration // before and after the way
	speed       float64       // points a second
}

func (c *call) move(from, to spot, p pace) error {
	way := seconds(math.Hypot(to.x-from.x, to.y-from.y) / p.speed)
	a, b := c.d.pixel(from), c.d.pixel(to)
	s := driver.Stroke{{At: a}}
	if p.press > 0 {
		s = append(s, driver.Waypoint{At: a, After: p.press})
	}
	s = append(s, driver.Waypoint{At: b, After: p.press + way})
	if p.hold > 0 {
		s = append(s, driver.Waypoint{At: b, After: p.press + way + p.hold})
	}
	return c.play(s)
}

// ways are the directions of swipe and scroll, as the finger goes.
var ways = map[string]spot{"up": {0, -1}, "down": {0, 1}, "left": {-1, 0}, "right": {1, 0}}

func (c *call) swipe() (any, error) {
	dir := text(c.body["direction"])
	if dir == "" {
		return nil, fail(errArgument, "Missing 'direction' parameter")
	}
	way, ok := ways[dir]
	if !ok {
		return nil, fail(errArgument, "Unsupported swipe direction '%s'. Only the following directions are supported: "+
			"(\n    up,\n    down,\n    left,\n    right\n)", dir)
	}
	speed, given, err := c.float("velocity")
	if err != nil {
		return nil, err
	}
	if !given || speed <= 0 {
		speed = flickRate
	}
	area, err := c.area()
	if err != nil {
		return nil, err
	}
	from := middleOf(area)
	if c.body["x"] != nil || c.body["y"] != nil {
		if from, err = c.place(); err != nil {
			return nil, err
		}
	}
	to := spot{from.x + way.x*float64(area.Dx())*0.4, from.y + way.y*float64(area.Dy())*0.4}
	return nil, c.move(from, to, pace{speed: speed})
}

// area is the element that a gesture is for, or the window.
func (c *call) area() (image.Rectangle, error) {
	if _, err := c.appHere(); err != nil {
		return image.Rectangle{}, err
	}
	if c.params["uuid"] == "" {
		return image.Rectangle{Max: c.d.window()}, nil
	}
	e, err := c.element(c.params["uuid"])
	if err != nil {
		return image.Rectangle{}, err
	}
	return c.finite(e)
}

func (c *call) pinch() (any, error) {
	n, err := c.floats("scale", "velocity")
	if err != nil {
		return nil, err
	}
	scale, speed := n[0], n[1]
	switch {
	case scale <= 0:
		return nil, fail(errUnknown, "Invalid parameter not satisfying: scale > 0")
	case scale < 1 && speed >= 0, scale > 1 && speed < 0:
		return nil, fail(errUnknown, "Invalid parameter not satisfying: velocity < 0 if scale < 1, and > 0 otherwise")
	}
	area, err := c.area()
	if err != nil {
		return nil, err
	}
	over := seconds(math.Abs(scale-1) / max(math.Abs(speed), 0.1))
	c.d.phone.Pinch(c.d.pixel(middleOf(area)), scale, over)
	return nil, c.takes(over)
}

// rotateFingers turns two fingers round the middle.
func (c *call) rotateFingers() (any, error) {
	n, err := c.floats("rotation", "velocity")
	if err != nil {
		return nil, err
	}
	if n[0]*n[1] < 0 {
		return nil, fail(errUnknown, "Invalid parameter not satisfying: rotation and velocity must have the same sign")
	}
	area, err := c.area()
	if err != nil {
		return nil, err
	}
	over := seconds(math.Abs(n[0]) / max(math.Abs(n[1]), 0.1))
	mid, radius := middleOf(area), float64(min(area.Dx(), area.Dy()))/4
	var strokes []driver.Stroke
	for f := range 2 {
		var s driver.Stroke
		for i := range 9 {
			angle := n[0]*float64(i)/8 + math.Pi*float64(f)
			at := spot{mid.x + radius*math.Cos(angle), mid.y + radius*math.Sin(angle)}
			s = append(s, driver.Waypoint{At: c.d.pixel(at), After: over * time.Duration(i) / 8})
		}
		strokes = append(strokes, s)
	}
	return nil, c.play(strokes...)
}

func (c *call) scroll() (any, error) {
	area, err := c.area()
	if err != nil {
		return nil, err
	}
	if name := text(c.body["name"]); name != "" {
		return nil, c.scrollTo(func(e *element) bool { return e.name() == name })
	}
	if p := text(c.body["predicateString"]); p != "" {
		match, err := parsePredicate(p)
		if err != nil {
			return nil, err
		}
		return nil, c.scrollTo(match)
	}
	if dir := text(c.body["direction"]); dir != "" {
		return nil, c.scrollBy(area, dir)
	}
	if truth(c.body["toVisible"]) && c.params["uuid"] != "" {
		return nil, nil // what can be found can be seen on this phone
	}
	return nil, fail(errArgument, "Unsupported scroll type")
}

// scrollBy moves the content in a direction: the finger goes the other way.
func (c *call) scrollBy(area image.Rectangle, dir string) error {
	way, ok := ways[dir]
	if !ok {
		return fail(errArgument, "Unsupported scroll direction '%s'", dir)
	}
	part, given, err := c.float("distance")
	if err != nil {
		return err
	}
	if !given || part <= 0 {
		part = 1
	}
	part = min(part, 1) * 0.6
	dx, dy := way.x*float64(area.Dx())*part/2, way.y*float64(area.Dy())*part/2
	m := middleOf(area)
	return c.move(spot{m.x + dx, m.y + dy}, spot{m.x - dx, m.y - dy}, pace{speed: dragSpeed, hold: 100 * time.Millisecond})
}

// scrollTo looks for an element that is on the screen.
func (c *call) scrollTo(match func(*element) bool) error {
	root, err := c.tree()
	if err != nil {
		return err
	}
	for e := range root.all() {
		if match(e) {
			return nil
		}
	}
	return fail(errNoElement, "Failed to find the child element to scroll to")
}

// scrollToElement does nothing more: an element that can be found can be seen on this phone.
func (c *call) scrollToElement() (any, error) {
	_, err := c.element(c.params["uuid"])
	return nil, err
}
