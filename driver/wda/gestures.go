package wda

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"time"

	"github.com/electricbubble/gwda"

	"github.com/handset-go/handset/driver"
)

const (
	defaultSwipe = 300 * time.Millisecond
	defaultHold  = time.Second
	defaultDrag  = 800 * time.Millisecond
	// maxGesture bounds how long a finger may stay on the screen.
	maxGesture = 10 * time.Minute
	// pinchSpan is the distance of the fingers at the wide end, in parts of the room around the point.
	pinchSpan = 0.8
)

// Tap touches a point: one request.
func (d *Driver) Tap(ctx context.Context, at image.Point) error {
	return d.gesture(ctx, driver.OpTap, 0, []image.Point{at}, func(ctx context.Context, p []point) error {
		return d.tap(ctx, p[0])
	})
}

// The routes of a tap: of servers from 6.0.0 on, and of older ones.
const (
	newTap = "/wda/tap"
	oldTap = "/wda/tap/0"
)

// tap uses the route that the server is known to have, and the other one where it has been replaced since.
func (d *Driver) tap(ctx context.Context, p point) error {
	body := map[string]float64{"x": p.x, "y": p.y}
	route, other, old := newTap, oldTap, d.oldTap.Load()
	if old {
		route, other = other, route
	}
	err := d.post(ctx, here+route, body, nil)
	if !hasCode(err, codeUnknownCommand) {
		return err
	}
	d.log.InfoContext(ctx, "WebDriverAgent has another route for taps now", "route", other)
	if err = d.post(ctx, here+other, body, nil); err == nil {
		d.oldTap.Store(!old)
	}
	return err
}

// DoubleTap touches a point twice.
func (d *Driver) DoubleTap(ctx context.Context, at image.Point) error {
	return d.gesture(ctx, driver.OpDoubleTap, 0, []image.Point{at}, func(ctx context.Context, p []point) error {
		return d.viaAgent(ctx, func(wd gwda.WebDriver) error { return wd.DoubleTapFloat(p[0].x, p[0].y) })
	})
}

// LongPress rests a finger on a point; hold <= 0 is one second.
func (d *Driver) LongPress(ctx context.Context, at image.Point, hold time.Duration) error {
	hold = usual(hold, defaultHold)
	return d.gesture(ctx, driver.OpLongPress, hold, []image.Point{at}, func(ctx context.Context, p []point) error {
		return d.viaAgent(ctx, func(wd gwda.WebDriver) error { return wd.TouchAndHoldFloat(p[0].x, p[0].y, hold.Seconds()) })
	})
}

// Swipe moves a finger, at once and in the time over; over <= 0 is 300 ms. It never rests first, as WebDriverAgent's own drag
// does for its "duration": that is a long press.
func (d *Driver) Swipe(ctx context.Context, from, to image.Point, over time.Duration) error {
	over = usual(over, defaultSwipe)
	return d.strokes(ctx, driver.OpSwipe, []driver.Stroke{{{At: from}, {At: to, After: over}}})
}

// Drag rests on from for hold, moves in the time over and lets go. The defaults are 1 s and 0.8 s.
func (d *Driver) Drag(ctx context.Context, from, to image.Point, hold, over time.Duration) error {
	hold, over = usual(hold, defaultHold), usual(over, defaultDrag)
	return d.strokes(ctx, driver.OpDrag, []driver.Stroke{{{At: from}, {At: from, After: hold}, {At: to, After: hold + over}}})
}

// Gesture moves one finger along each stroke.
func (d *Driver) Gesture(ctx context.Context, strokes []driver.Stroke) error {
	return d.strokes(ctx, driver.OpGesture, strokes)
}

// Pinch moves two fingers around a point, as far as there is room; over <= 0 is 0.8 s.
func (d *Driver) Pinch(ctx context.Context, at image.Point, scale float64, over time.Duration) error {
	over = usual(over, defaultDrag)
	return d.doWithin(ctx, driver.OpPinch, d.opts.limit(limitGesture)+min(over, maxGesture), func(ctx context.Context) error {
		if err := tooLong(over); err != nil {
			return err
		}
		if !(scale > 0) || math.IsInf(scale, 0) {
			return fmt.Errorf("a pinch to the scale of %g: want more than 0", scale)
		}
		if _, err := d.toPoints(ctx, at); err != nil {
			return err
		}
		frame, err := d.frameSize(ctx)
		if err != nil {
			return err
		}
		return d.perform(ctx, pinchStrokes(frame, at, scale, over))
	})
}

func tooLong(over time.Duration) error {
	if over > maxGesture {
		return fmt.Errorf("a gesture of %v is too long; %v is the most", over, maxGesture)
	}
	return nil
}

func pinchStrokes(frame, at image.Point, scale float64, over time.Duration) []driver.Stroke {
	room := min(at.X, at.Y, frame.X-1-at.X, frame.Y-1-at.Y)
	start := float64(room) * pinchSpan
	end := start * scale
	if scale > 1 {
		start, end = start/scale, start
	}
	off := func(r float64) image.Point { return image.Pt(int(r), 0) }
	return []driver.Stroke{
		{{At: at.Sub(off(start))}, {At: at.Sub(off(end)), After: over}},
		{{At: at.Add(off(start))}, {At: at.Add(off(end)), After: over}},
	}
}

// gesture converts points of the frame and hands them to send. over is how long the gesture itself takes.
func (d *Driver) gesture(ctx context.Context, op driver.Op, over time.Duration, at []image.Point, send func(context.Context, []point) error) error {
	return d.doWithin(ctx, op, d.opts.limit(limitGesture)+min(over, maxGesture), func(ctx context.Context) error {
		if err := tooLong(over); err != nil {
			return err
		}
		points, err := d.toPoints(ctx, at...)
		if err != nil {
			return err
		}
		return send(ctx, points)
	})
}

// strokes performs a gesture of fingers as the operation op.
func (d *Driver) strokes(ctx context.Context, op driver.Op, strokes []driver.Stroke) error {
	over := time.Duration(0)
	for _, s := range strokes {
		if len(s) > 0 {
			over = max(over, s[len(s)-1].After)
		}
	}
	return d.doWithin(ctx, op, d.opts.limit(limitGesture)+min(over, maxGesture), func(ctx context.Context) error {
		if err := tooLong(over); err != nil {
			return err
		}
		return d.perform(ctx, strokes)
	})
}

// perform sends the strokes as W3C actions, which every server knows, in one request.
func (d *Driver) perform(ctx context.Context, strokes []driver.Stroke) error {
	if len(strokes) == 0 {
		return errors.New("a gesture without strokes")
	}
	for i, s := range strokes {
		if err := checkStroke(s); err != nil && len(strokes) > 1 {
			return fmt.Errorf("finger %d of %d: %w", i+1, len(strokes), err)
		} else if err != nil {
			return err
		}
	}
	actions := gwda.NewW3CActions(len(strokes))
	for _, s := range strokes {
		finger, err := d.finger(ctx, s)
		if err != nil {
			return err
		}
		actions.FingerAction(finger)
	}
	return d.viaAgent(ctx, func(wd gwda.WebDriver) error { return wd.PerformW3CActions(actions) })
}

// checkStroke refuses what no finger can do.
func checkStroke(s driver.Stroke) error {
	if len(s) == 0 {
		return errors.New("a path without points")
	}
	for i, w := range s {
		if w.After < 0 || i > 0 && w.After < s[i-1].After {
			return fmt.Errorf("the times of a path go backwards: %v", w.After)
		}
	}
	return nil
}

// finger makes the chain of one stroke. A stroke that begins later waits first, on the point where it will touch.
func (d *Driver) finger(ctx context.Context, s driver.Stroke) (*gwda.FingerAction, error) {
	pixels := make([]image.Point, len(s))
	for i, w := range s {
		pixels[i] = w.At
	}
	at, err := d.toPoints(ctx, pixels...)
	if err != nil {
		return nil, err
	}
	finger := gwda.NewFingerAction(len(s) + 3)
	finger.Move(moveTo(at[0], 0))
	if s[0].After > 0 {
		finger.Pause(s[0].After.Seconds())
	}
	finger.Down()
	if len(s) == 1 {
		finger.Pause(tapTime.Seconds()) // one that is too short is dropped
	}
	for i := 1; i < len(s); i++ {
		took := s[i].After - s[i-1].After
		if s[i].At == s[i-1].At && took > 0 {
			finger.Pause(took.Seconds())
			continue
		}
		finger.Move(moveTo(at[i], took))
	}
	return finger.Up(), nil
}

// tapTime is how long a finger rests that only taps.
const tapTime = 50 * time.Millisecond

// moveTo is a move in the time took. gwda calls the unit seconds and sends the number as it is: WebDriverAgent reads
// milliseconds.
func moveTo(p point, took time.Duration) gwda.FingerMove {
	return gwda.NewFingerMove().WithXYFloat(p.x, p.y).WithDuration(float64(took.Milliseconds()))
}

func usual(d, otherwise time.Duration) time.Duration {
	if d <= 0 {
		return otherwise
	}
	return d
}
