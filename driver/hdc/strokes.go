package hdc

import (
	"context"
	"fmt"
	"image"
	"math"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
)

// maxFingers is how many fingers uinput moves at once.
const maxFingers = 3

// Drag rests on from for hold, moves to to in the time over, and lets go. uinput wants at least half a second for
// each; zero or less is 1 s and 0.8 s.
func (d *Driver) Drag(ctx context.Context, from, to image.Point, hold, over time.Duration) error {
	hold, over = max(usual(hold, defaultHold), leastRest), max(usual(over, defaultDrag), leastRest)
	return d.gesture(ctx, driver.OpDrag, hold+over, func(p []image.Point) command {
		if d.lacks.uinput.Load() {
			return uiInput("drag %d %d %d %d %d", edge(p[0].X), edge(p[0].Y), edge(p[1].X), edge(p[1].Y), speed(p[0], p[1], over))
		}
		return uinput("-T -g %d %d %d %d %d %d", p[0].X, p[0].Y, p[1].X, p[1].Y, millis(hold), millis(hold)+millis(over))
	}, from, to)
}

// Pinch moves two fingers apart or together, side by side around a point; over <= 0 is 0.8 s. It needs uinput.
func (d *Driver) Pinch(ctx context.Context, at image.Point, scale float64, over time.Duration) error {
	if !(scale > 0) || math.IsInf(scale, 0) {
		return d.do(ctx, driver.OpPinch, limitShort, func(context.Context) error {
			return fmt.Errorf("a pinch by %v: want a factor above 0", scale)
		})
	}
	over = usual(over, defaultPinch)
	return d.gesture(ctx, driver.OpPinch, over, func(p []image.Point) command {
		_, size := d.screen.last()
		return d.moves(pinchLines(size, p[0], scale), over)
	}, at)
}

// pinchRoom is how much of the room around the point the fingers use at the wide end.
const pinchRoom = 0.8

// pinchLines returns where the two fingers start and end.
func pinchLines(size, at image.Point, scale float64) [][2]image.Point {
	room := min(at.X, at.Y, size.X-1-at.X, size.Y-1-at.Y)
	start := float64(room) * pinchRoom
	end := start * scale
	if scale > 1 {
		start, end = start/scale, start
	}
	line := func(side int) [2]image.Point {
		return [2]image.Point{at.Add(image.Pt(side*int(start), 0)), at.Add(image.Pt(side*int(end), 0))}
	}
	return [][2]image.Point{line(-1), line(1)}
}

// moves moves several fingers along straight lines, all in the time over.
func (d *Driver) moves(lines [][2]image.Point, over time.Duration) command {
	switch {
	case d.lacks.uinput.Load():
		return command{none: driver.Unsupported("the phone has no uinput, and uitest has one finger")}
	case over > longestMove:
		return command{none: fmt.Errorf("a move of %v is too long; %v is the most", over, longestMove)}
	}
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, " %d %d %d %d", l[0].X, l[0].Y, l[1].X, l[1].Y)
	}
	return uinput("-T -m%s %d", b.String(), millis(over))
}

// Gesture moves up to three fingers, each on one straight line, all at the same time: what uinput can do. One finger may
// rest before it moves, which is a drag, or not move at all. Anything else matches errors.ErrUnsupported.
func (d *Driver) Gesture(ctx context.Context, strokes []driver.Stroke) error {
	plan, over, err := planOf(strokes)
	if err != nil {
		return d.do(ctx, driver.OpGesture, limitShort, func(context.Context) error { return err })
	}
	var points []image.Point
	for _, s := range strokes {
		points = append(points, s[0].At, s[len(s)-1].At)
	}
	return d.gesture(ctx, driver.OpGesture, over, func(p []image.Point) command { return plan(d, p) }, points...)
}

// planOf finds the command for strokes. The points that it will get are the first and the last of each.
func planOf(strokes []driver.Stroke) (plan func(*Driver, []image.Point) command, over time.Duration, err error) {
	unable := func(why string) (func(*Driver, []image.Point) command, time.Duration, error) {
		return nil, 0, driver.Unsupported("this phone's tools cannot make that gesture: %s", why)
	}
	if len(strokes) == 0 || len(strokes) > maxFingers {
		return unable(fmt.Sprintf("it has %d fingers, and 1 to %d are possible", len(strokes), maxFingers))
	}
	for _, s := range strokes {
		if len(s) == 0 || s[0].After != 0 {
			return unable("every finger must touch at the start")
		}
		if end := s[len(s)-1].After; over == 0 {
			over = end
		} else if end != over {
			return unable("all fingers must leave at the same time")
		}
	}
	if len(strokes) == 1 {
		return planOfOne(strokes[0], over)
	}
	if over == 0 {
		over = defaultSwipe
	}
	for _, s := range strokes {
		if len(s) > 2 {
			return unable("a path of several fingers must be a straight line")
		}
	}
	return func(d *Driver, p []image.Point) command {
		var lines [][2]image.Point
		for i := 0; i < len(p); i += 2 {
			lines = append(lines, [2]image.Point{p[i], p[i+1]})
		}
		return d.moves(lines, over)
	}, over, nil
}

// planOfOne plans one finger: a touch, a move, or a rest and a move.
func planOfOne(s driver.Stroke, over time.Duration) (func(*Driver, []image.Point) command, time.Duration, error) {
	switch {
	case len(s) <= 2 && s[0].At == s[len(s)-1].At:
		over = usual(over, 100*time.Millisecond)
		return func(d *Driver, p []image.Point) command { return d.hold(p[0], over) }, over, nil
	case len(s) == 2:
		over = usual(over, defaultSwipe)
		return func(d *Driver, p []image.Point) command { return d.move(p[0], p[1], over) }, over, nil
	case len(s) == 3 && s[0].At == s[1].At && s[1].After >= leastRest && over-s[1].After >= leastRest:
		hold := s[1].After
		return func(d *Driver, p []image.Point) command {
			if d.lacks.uinput.Load() {
				return command{none: driver.Unsupported("the phone has no uinput")}
			}
			return uinput("-T -g %d %d %d %d %d %d", p[0].X, p[0].Y, p[1].X, p[1].Y, millis(hold), millis(over))
		}, over, nil
	}
	return nil, 0, driver.Unsupported("this phone's tools cannot make that gesture: a path must be a straight line, after a rest of half a second or none")
}

func distance(a, b image.Point) float64 {
	v := b.Sub(a)
	return math.Hypot(float64(v.X), float64(v.Y))
}
