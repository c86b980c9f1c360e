package adb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"strconv"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

const (
	// tapHold is how long a finger rests for a tap, about half a frame: `input tap` does not rest it
	// either.
	tapHold = 8 * time.Millisecond
	// doubleTapGap lies between the phone's bounds for a double tap, 40 and 300 ms.
	doubleTapGap = 80 * time.Millisecond
	// moveStep is how often a moving finger tells where it is: a touch screen does it each frame.
	moveStep = 10 * time.Millisecond
	// refusalWait is how long the first event of a channel is watched for the log's word that the
	// system refuses it, which comes on a line of its own.
	refusalWait = 100 * time.Millisecond
	maxFingers  = 10 // of the server
)

// touch makes a gesture through a control channel; done is false where there is none, and nothing
// was sent.
func (d *Driver) touch(ctx context.Context, c *channel, strokes ...driver.Stroke) (done bool, err error) {
	if c == nil || !c.file.touches() || c.isBlocked() {
		return false, nil
	}
	logical := d.screen.logical(d.screen.last())
	driver.MarkSent(ctx)
	if err := ctx.Err(); err != nil { // its caller may have been told that nothing was sent
		return true, err
	}
	if err := c.play(ctx, logical, strokes); err != nil {
		return true, err
	}
	return true, d.accepted(ctx, c)
}

// accepted watches, after the first event, whether the system takes it.
func (d *Driver) accepted(ctx context.Context, c *channel) error {
	c.mu.Lock()
	proven := c.proven
	c.proven = true
	c.mu.Unlock()
	if !proven {
		t := time.NewTimer(d.waits.refusal)
		defer t.Stop()
		select {
		case <-c.blocked:
		case <-c.gone:
		case <-t.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	switch {
	case c.isBlocked():
		driver.MarkRefused(ctx)
		return fmt.Errorf("%w: %s", driver.ErrInputBlocked, d.blockedCure(ctx))
	case !c.alive():
		return errChannel
	}
	return nil
}

// pace begins a gesture. wait returns when so much of it has passed, or with the error of ctx.
type pace func() (wait func(ctx context.Context, after time.Duration) error, end func())

// steady is the pace of the clock.
func steady(*channel) pace {
	return func() (func(context.Context, time.Duration) error, func()) {
		start := time.Now()
		return func(ctx context.Context, after time.Duration) error {
			return nap.For(ctx, time.Until(start.Add(after)))
		}, func() {}
	}
}

// event is what one finger does at a time after the gesture began.
type event struct {
	after  time.Duration
	action byte
	finger int
	at     image.Point
}

// play sends the events of a gesture at their times. Whatever happens, no finger stays down: it would
// make a second finger of every later one.
func (c *channel) play(ctx context.Context, logical image.Point, strokes []driver.Stroke) (err error) {
	wait, end := c.pace()
	defer end()
	down := map[int]image.Point{}
	send := func(e event) error {
		at, size := c.file.controlPoint(e.at, logical)
		if err := c.write(touchMessage(e.action, e.finger, at, size)); err != nil {
			return err
		}
		if down[e.finger] = e.at; e.action == actionUp {
			delete(down, e.finger)
		}
		return nil
	}
	defer func() {
		for finger, at := range down {
			if c.alive() {
				_ = send(event{0, actionUp, finger, at}) // the error that stands says more
			}
		}
	}()
	for _, e := range events(strokes) {
		if err := wait(ctx, e.after); err != nil {
			return err
		}
		if err := send(e); err != nil {
			return err
		}
	}
	return nil
}

// events lays the strokes' events out in time, in steps of moveStep.
func events(strokes []driver.Stroke) []event {
	var all []event
	for finger, s := range strokes {
		first, last := s[0], s[len(s)-1]
		all = append(all, event{first.After, actionDown, finger, first.At})
		for i := 1; i < len(s); i++ {
			all = append(all, moves(finger, s[i-1], s[i])...)
		}
		up := last.After
		if len(s) == 1 {
			up += tapHold
		}
		all = append(all, event{up, actionUp, finger, last.At})
	}
	slices.SortStableFunc(all, func(a, b event) int { return cmp.Compare(a.after, b.after) })
	return all
}

// moves are the steps from one waypoint to the next. A finger that rests tells nothing.
func moves(finger int, from, to driver.Waypoint) []event {
	if from.At == to.At {
		return nil
	}
	var all []event
	over := to.After - from.After
	steps := max(int(over/moveStep), 1)
	for i := 1; i <= steps; i++ {
		all = append(all, event{
			from.After + over*time.Duration(i)/time.Duration(steps), actionMove, finger,
			from.At.Add(image.Pt((to.At.X-from.At.X)*i/steps, (to.At.Y-from.At.Y)*i/steps)),
		})
	}
	return all
}

// pressKey presses a key through the control channel.
func (d *Driver) pressKey(ctx context.Context, code string) (done bool, err error) {
	n, err := strconv.Atoi(code)
	if err != nil {
		return false, nil // a name, which `input` knows
	}
	c := d.quick(ctx)
	if c == nil || c.isBlocked() {
		return false, nil
	}
	driver.MarkSent(ctx)
	if err := ctx.Err(); err != nil {
		return true, err
	}
	for _, action := range []byte{actionDown, actionUp} {
		if err := c.write(keyMessage(action, n)); err != nil {
			return true, err
		}
	}
	return true, d.accepted(ctx, c)
}

// injectText types plain text through the control channel.
func (d *Driver) injectText(ctx context.Context, text string) (done bool, err error) {
	c := d.quick(ctx)
	if c == nil || c.isBlocked() {
		return false, nil
	}
	driver.MarkSent(ctx)
	for len(text) > 0 {
		if err := ctx.Err(); err != nil {
			return true, err
		}
		n := min(len(text), maxInjected)
		if err := c.write(textMessage(text[:n])); err != nil {
			return true, err
		}
		text = text[n:]
	}
	if c.file.clipboard() { // its answer comes once the text is typed, if at all
		if _, _, err := c.clipboard(ctx); err != nil {
			return true, err
		}
	}
	return true, d.accepted(ctx, c)
}

// Gesture moves one finger along each stroke, at most ten at the same time. It needs scrcpy's server
// (Options.Scrcpy): `input` has one finger on a straight line.
func (d *Driver) Gesture(ctx context.Context, strokes []driver.Stroke) error {
	d.idle.note(0)
	over, err := strokeTime(strokes)
	return d.calls.Do(ctx, driver.OpGesture, d.limit(limitShort)+max(over, 0), func(ctx context.Context) error {
		if err != nil {
			return err
		}
		moved := make([]driver.Stroke, len(strokes))
		for i, s := range strokes {
			points := make([]image.Point, len(s))
			for j, w := range s {
				points[j] = w.At
			}
			points, err := d.toInput(ctx, points...)
			if err != nil {
				return err
			}
			for j, w := range s {
				moved[i] = append(moved[i], driver.Waypoint{At: points[j], After: w.After})
			}
		}
		done, err := d.touch(ctx, d.control(ctx), moved...)
		if !done && err == nil {
			return driver.Unsupported("the phone's own tools move one finger on a straight line: install scrcpy 2.1 or newer on this computer, or name its server file (scrcpy=PATH)")
		}
		return err
	})
}

// strokeTime returns how long strokes take, and what is wrong with them.
func strokeTime(strokes []driver.Stroke) (time.Duration, error) {
	if len(strokes) == 0 || len(strokes) > maxFingers {
		return 0, fmt.Errorf("a gesture of %d fingers: want 1 to %d", len(strokes), maxFingers)
	}
	var over time.Duration
	for _, s := range strokes {
		if len(s) == 0 {
			return 0, errors.New("a stroke without a point")
		}
		before := time.Duration(0)
		for _, w := range s {
			if w.After < before {
				return 0, fmt.Errorf("a stroke goes back in time, from %v to %v", before, w.After)
			}
			before = w.After
		}
		over = max(over, before)
	}
	if over > maxGesture {
		return 0, fmt.Errorf("a gesture of %v is too long; %v is the most", over, maxGesture)
	}
	return over, nil
}
