package sim

import (
	"context"
	"errors"
	"fmt"
	"image"
	"time"

	"github.com/handset-go/handset/driver"
)

// The durations that stand for "the driver's default".
const (
	defaultHold  = 800 * time.Millisecond
	defaultDrag  = 600 * time.Millisecond
	defaultPinch = 400 * time.Millisecond
)

// Tap touches a point shortly.
func (d *Driver) Tap(ctx context.Context, at image.Point) error {
	return d.touch(ctx, driver.OpTap, func() { d.phone.Tap(at) }, at)
}

// touch is a gesture that begins, passes and ends at points.
func (d *Driver) touch(ctx context.Context, op driver.Op, f func(), points ...image.Point) error {
	return d.do(ctx, op, d.touchable(points...), func() error { f(); return nil })
}

// Swipe moves a finger in a straight line, in 300 ms unless over says otherwise.
func (d *Driver) Swipe(ctx context.Context, from, to image.Point, over time.Duration) error {
	if over <= 0 {
		over = defaultSwipe
	}
	return d.touch(ctx, driver.OpSwipe, func() { d.phone.Swipe(from, to, over) }, from, to)
}

// DoubleTap touches a point twice.
func (d *Driver) DoubleTap(ctx context.Context, at image.Point) error {
	return d.touch(ctx, driver.OpDoubleTap, func() { d.phone.DoubleTap(at) }, at)
}

// LongPress rests a finger on a point, for 800 ms unless hold says otherwise.
func (d *Driver) LongPress(ctx context.Context, at image.Point, hold time.Duration) error {
	if hold <= 0 {
		hold = defaultHold
	}
	return d.touch(ctx, driver.OpLongPress, func() { d.phone.LongPress(at, hold) }, at)
}

// Drag picks up what is at from and puts it down at to.
func (d *Driver) Drag(ctx context.Context, from, to image.Point, hold, over time.Duration) error {
	if hold <= 0 {
		hold = defaultHold
	}
	if over <= 0 {
		over = defaultDrag
	}
	return d.touch(ctx, driver.OpDrag, func() { d.phone.Drag(from, to, hold, over) }, from, to)
}

// Pinch moves two fingers around a point.
func (d *Driver) Pinch(ctx context.Context, at image.Point, scale float64, over time.Duration) error {
	if over <= 0 {
		over = defaultPinch
	}
	check := func() error {
		if !(scale > 0) {
			return fmt.Errorf("pinch by %v: want more than 0", scale)
		}
		return d.touchable(at)()
	}
	return d.do(ctx, driver.OpPinch, check, func() error {
		d.phone.Pinch(at, scale, over)
		return nil
	})
}

// Gesture moves one finger along each stroke.
func (d *Driver) Gesture(ctx context.Context, strokes []driver.Stroke) error {
	check := func() error {
		if err := sound(strokes); err != nil {
			return err
		}
		var points []image.Point
		for _, s := range strokes {
			for _, w := range s {
				points = append(points, w.At)
			}
		}
		return d.touchable(points...)()
	}
	return d.do(ctx, driver.OpGesture, check, func() error { d.phone.Gesture(strokes); return nil })
}

// sound says what is wrong with strokes.
func sound(strokes []driver.Stroke) error {
	if len(strokes) == 0 {
		return errors.New("gesture without a stroke")
	}
	for i, s := range strokes {
		if len(s) == 0 {
			return fmt.Errorf("stroke %d has no waypoint", i)
		}
		last := time.Duration(0)
		for _, w := range s {
			if w.After < last {
				return fmt.Errorf("stroke %d goes back in time, from %v to %v", i, last, w.After)
			}
			last = w.After
		}
	}
	return nil
}
