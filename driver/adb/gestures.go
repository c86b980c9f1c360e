package adb

import (
	"context"
	"fmt"
	"image"
	"time"

	"github.com/handset-go/handset/driver"
)

const (
	defaultSwipe = 300 * time.Millisecond // as `input swipe` has it
	defaultHold  = time.Second
	defaultDrag  = 800 * time.Millisecond
	// maxGesture bounds how long a finger may stay on the screen.
	maxGesture = 10 * time.Minute
)

// Tap touches a point: one connection, one command.
func (d *Driver) Tap(ctx context.Context, at image.Point) error {
	return d.gesture(ctx, driver.OpTap, 0, motion{
		line:    func(p []image.Point) string { return fmt.Sprintf("input tap %d %d", p[0].X, p[0].Y) },
		strokes: func(p []image.Point) []driver.Stroke { return []driver.Stroke{{{At: p[0]}}} },
	}, at)
}

// DoubleTap touches a point twice in one command line, as two calls from here would be too slow for one
// double tap on many phones.
func (d *Driver) DoubleTap(ctx context.Context, at image.Point) error {
	return d.gesture(ctx, driver.OpDoubleTap, 0, motion{
		line: func(p []image.Point) string {
			return fmt.Sprintf("input tap %d %d && input tap %d %d", p[0].X, p[0].Y, p[0].X, p[0].Y)
		},
		strokes: func(p []image.Point) []driver.Stroke {
			return []driver.Stroke{{{At: p[0]}}, {{At: p[0], After: tapHold + doubleTapGap}}}
		},
	}, at)
}

// Swipe moves a finger; over <= 0 is 300 ms.
func (d *Driver) Swipe(ctx context.Context, from, to image.Point, over time.Duration) error {
	return d.swipe(ctx, driver.OpSwipe, from, to, usual(over, defaultSwipe))
}

// LongPress rests a finger on a point; hold <= 0 is one second.
func (d *Driver) LongPress(ctx context.Context, at image.Point, hold time.Duration) error {
	return d.swipe(ctx, driver.OpLongPress, at, at, usual(hold, defaultHold))
}

func (d *Driver) swipe(ctx context.Context, op driver.Op, from, to image.Point, over time.Duration) error {
	return d.gesture(ctx, op, over, motion{
		line: func(p []image.Point) string {
			return fmt.Sprintf("input swipe %d %d %d %d %d", p[0].X, p[0].Y, p[1].X, p[1].Y, millis(over))
		},
		strokes: func(p []image.Point) []driver.Stroke {
			return []driver.Stroke{{{At: p[0]}, {At: p[1], After: over}}}
		},
	}, from, to)
}

// Drag picks up what is at from, moves and lets go. hold <= 0 is one second, over <= 0 is 0.8 s. Without
// scrcpy's server, the phone itself rests for the time of its own long press, whatever hold is. It
// needs Android 7, or that server.
func (d *Driver) Drag(ctx context.Context, from, to image.Point, hold, over time.Duration) error {
	over = usual(over, defaultDrag)
	hold = usual(hold, defaultHold)
	return d.gesture(ctx, driver.OpDrag, hold+over, motion{
		line: func(p []image.Point) string {
			return fmt.Sprintf("input draganddrop %d %d %d %d %d", p[0].X, p[0].Y, p[1].X, p[1].Y, millis(over))
		},
		strokes: func(p []image.Point) []driver.Stroke {
			return []driver.Stroke{{{At: p[0]}, {At: p[0], After: hold}, {At: p[1], After: hold + over}}}
		},
		noInput: d.beforeAndroid7(),
	}, from, to)
}

// motion is a gesture in two forms, each made of points in the pixels that Android's input takes: a
// line of `input` commands, and fingers for the control channel.
type motion struct {
	line    func([]image.Point) string
	strokes func([]image.Point) []driver.Stroke
	noInput bool // the phone's own input cannot do it
}

// gesture does a motion through points of the frame. over is how long the gesture itself takes.
func (d *Driver) gesture(ctx context.Context, op driver.Op, over time.Duration, m motion, points ...image.Point) error {
	d.idle.note(0)
	return d.calls.Do(ctx, op, d.limit(limitShort)+min(max(over, 0), maxGesture), func(ctx context.Context) error {
		if over > maxGesture {
			return fmt.Errorf("a gesture of %v is too long; %v is the most", over, maxGesture)
		}
		at, err := d.toInput(ctx, points...)
		if err != nil {
			return err
		}
		channel := d.quick
		if m.noInput {
			channel = d.control
		}
		if done, err := d.touch(ctx, channel(ctx), m.strokes(at)...); done {
			return err
		}
		if m.noInput {
			return driver.Unsupported("Android %s cannot drag by itself: it needs Android 7, or scrcpy on this computer (or name its server file, scrcpy=PATH)", d.info.release)
		}
		return d.input(ctx, m.line(at))
	})
}

func usual(d, otherwise time.Duration) time.Duration {
	if d <= 0 {
		return otherwise
	}
	return d
}

// millis returns whole milliseconds, at least one.
func millis(d time.Duration) int64 { return max(d.Milliseconds(), 1) }
