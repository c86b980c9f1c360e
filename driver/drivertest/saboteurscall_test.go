package drivertest_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/drivertest"
	"github.com/handset-go/handset/internal/nap"
)

// callSaboteurs break the rules about contexts, limits, Close, turns, retries, undos and errors.
func callSaboteurs() []saboteur {
	return []saboteur{
		{name: "taps without a context", caught: "cancel/tap", made: func(d *toyDriver) driver.Driver { return deaf{d} }},
		{name: "reads without a context", caught: "cancel/screenshot", made: func(d *toyDriver) driver.Driver { return deafReader{d} }},
		{name: "taps although the context is done", caught: "cancel/before", made: func(d *toyDriver) driver.Driver { return eager{d} }},
		{name: "calls a deadline its own limit", caught: "cancel/deadline", made: func(d *toyDriver) driver.Driver { return allTimeout{d} }},
		{name: "has a mutex around its gestures", caught: "turns/ctx", made: newLocked},
		{name: "has no queue", caught: "turns/all", made: func(d *toyDriver) driver.Driver { return noQueue{d} }},
		{name: "cannot read while it taps", caught: "turns/reads", made: func(d *toyDriver) driver.Driver { return busy{d} }},
		{name: "has context.WithTimeout for a limit", caught: "limit/tap", made: func(d *toyDriver) driver.Driver { return ctxLimit{d} }},
		{name: "has no limit", caught: "limit/swipe", made: func(d *toyDriver) driver.Driver { return noLimit{d} }},
		{name: "has a timeout that is a deadline too", caught: "limit/key", made: func(d *toyDriver) driver.Driver { return bothTimeouts{d} }},
		{name: "closes nothing", caught: "close/after", made: func(d *toyDriver) driver.Driver { return noClose{d} }},
		{name: "waits for its calls before it closes", caught: "close/tap", made: func(d *toyDriver) driver.Driver { return politeClose{d} }},
		{name: "complains about a second Close", caught: "close/twice", made: func(d *toyDriver) driver.Driver { return closeOnce{d} }},
		{name: "taps again when the line breaks", caught: "once/tap", made: func(d *toyDriver) driver.Driver { return retries{d} }},
		{name: "types again when the line breaks", caught: "once/type", made: func(d *toyDriver) driver.Driver { return retypes{d} }},
		{name: "never says MaybeDone", caught: "once/swipe", made: func(d *toyDriver) driver.Driver { return neverMaybe{d} }},
		{name: "leaves its input method on", caught: "undo/done", made: func(d *toyDriver) driver.Driver { return leavesIME{d} }},
		{name: "puts back with the cancelled context", caught: "undo/cancelled", made: func(d *toyDriver) driver.Driver { return cancelledUndo{d} }},
		{name: "leaves a file behind", caught: "undo/close", made: func(d *toyDriver) driver.Driver { return leavesFile{d} }},
		{name: "returns bare errors", caught: "errors/shape", made: func(d *toyDriver) driver.Driver { return bareErrors{d} }},
		{name: "tells what was typed", caught: "errors/text", made: func(d *toyDriver) driver.Driver { return tellsText{d} }},
	}
}

// deaf has a tool that knows no context, and waits for it.
type deaf struct{ *toyDriver }

func (d deaf) Tap(ctx context.Context, at image.Point) error {
	if !at.In(image.Rectangle{Max: d.phone.size()}) || ctx.Err() != nil || d.Closed() {
		return d.toyDriver.Tap(ctx, at)
	}
	return toyError(d.phone.act(context.Background(), tapAt(at)))
}

type deafReader struct{ *toyDriver }

func (d deafReader) Screenshot(ctx context.Context) (*driver.Screen, error) {
	if err := d.phone.hangs(context.Background(), drivertest.FaultHang); err != nil {
		return nil, err
	}
	return d.toyDriver.Screenshot(ctx)
}

type eager struct{ *toyDriver }

func (d eager) Tap(ctx context.Context, at image.Point) error {
	if ctx.Err() != nil && at.In(image.Rectangle{Max: d.phone.size()}) {
		d.phone.happen(tapAt(at))
	}
	return d.toyDriver.Tap(ctx, at)
}

type allTimeout struct{ *toyDriver }

func (d allTimeout) Tap(ctx context.Context, at image.Point) error {
	err := d.toyDriver.Tap(ctx, at)
	if errors.Is(err, context.DeadlineExceeded) {
		return &driver.Error{Op: driver.OpTap, Device: d.Device(), Err: driver.ErrTimeout}
	}
	return err
}

// locked serializes taps with what a sync.Mutex does: it takes no notice of a context. It is a channel, because
// virtual time stands still while a goroutine waits for a mutex.
type locked struct {
	*toyDriver
	mu chan struct{}
}

var toyLocks = map[*toyPhone]chan struct{}{}

func newLocked(d *toyDriver) driver.Driver {
	if toyLocks[d.phone] == nil {
		toyLocks[d.phone] = make(chan struct{}, 1)
	}
	return locked{d, toyLocks[d.phone]}
}

func (d locked) Tap(ctx context.Context, at image.Point) error {
	d.mu <- struct{}{}
	defer func() { <-d.mu }()
	return d.toyDriver.Tap(ctx, at)
}

// noQueue has a queue for each call.
type noQueue struct{ *toyDriver }

func (d noQueue) Tap(ctx context.Context, at image.Point) error {
	if d.Closed() {
		return d.toyDriver.Tap(ctx, at)
	}
	own := openToy(d.phone, toyAddress(), d.limit)
	return own.Tap(ctx, at)
}

// busy refuses to read while something is going on.
type busy struct{ *toyDriver }

func (d busy) Foreground(ctx context.Context) (driver.App, error) {
	before := len(d.phone.events())
	app, err := d.toyDriver.Foreground(ctx)
	if err == nil && nap.For(ctx, 2*time.Millisecond) == nil && len(d.phone.events()) != before {
		return driver.App{}, &driver.Error{Op: driver.OpForeground, Device: d.Device(), Err: errors.New("busy")}
	}
	return app, err
}

type ctxLimit struct{ *toyDriver }

func (d ctxLimit) Tap(ctx context.Context, at image.Point) error {
	ctx, cancel := context.WithTimeout(ctx, d.limit/2)
	defer cancel()
	return d.toyDriver.Tap(ctx, at)
}

type noLimit struct{ *toyDriver }

func (d noLimit) Swipe(ctx context.Context, from, to image.Point, over time.Duration) error {
	return openToy(d.phone, d.Device(), 0).with(d.Calls).Swipe(ctx, from, to, over)
}

// with returns the driver on other calls.
func (d *toyDriver) with(c *driver.Calls) *toyDriver {
	d.Calls = c
	return d
}

type bothTimeouts struct{ *toyDriver }

func (d bothTimeouts) Key(ctx context.Context, key driver.Key) error {
	err := d.toyDriver.Key(ctx, key)
	if errors.Is(err, driver.ErrTimeout) {
		return &driver.Error{Op: driver.OpKey, Device: d.Device(), Err: errors.Join(err, context.DeadlineExceeded)}
	}
	return err
}

type noClose struct{ *toyDriver }

func (noClose) Close() error { return nil }

// politeClose lets the call in progress end first.
type politeClose struct{ *toyDriver }

func (d politeClose) Close() error {
	if !d.Closed() {
		_ = d.phone.hangs(context.Background(), drivertest.FaultHang)
	}
	return d.toyDriver.Close()
}

type closeOnce struct{ *toyDriver }

func (d closeOnce) Close() error {
	if d.Closed() {
		return driver.ErrClosed
	}
	return d.toyDriver.Close()
}

type retries struct{ *toyDriver }

func (d retries) Tap(ctx context.Context, at image.Point) error {
	err := d.toyDriver.Tap(ctx, at)
	if errors.Is(err, errToyBroken) {
		_ = d.toyDriver.Tap(ctx, at)
	}
	return err
}

type retypes struct{ *toyDriver }

func (d retypes) Type(ctx context.Context, text string) error {
	err := d.toyDriver.Type(ctx, text)
	if errors.Is(err, errToyBroken) {
		_ = d.toyDriver.Type(ctx, text)
	}
	return err
}

type neverMaybe struct{ *toyDriver }

func (d neverMaybe) Swipe(ctx context.Context, from, to image.Point, over time.Duration) error {
	err := d.toyDriver.Swipe(ctx, from, to, over)
	var e *driver.Error
	if errors.As(err, &e) {
		return &driver.Error{Op: e.Op, Device: e.Device, Err: e.Err}
	}
	return err
}

type leavesIME struct{ *toyDriver }

func (d leavesIME) Type(ctx context.Context, text string) error {
	err := d.toyDriver.Type(ctx, text)
	d.phone.setIME("toy")
	return err
}

// cancelledUndo puts the input method back with the context of the call.
type cancelledUndo struct{ *toyDriver }

func (d cancelledUndo) Type(ctx context.Context, text string) error {
	if strings.Contains(text, "\n") {
		return d.toyDriver.Type(ctx, text)
	}
	return d.Do(ctx, driver.OpType, d.limit, func(ctx context.Context) error {
		was := d.phone.setIME("toy")
		defer func() {
			if ctx.Err() == nil {
				d.phone.setIME(was)
			}
		}()
		driver.MarkSent(ctx)
		if err := d.phone.hangs(ctx, drivertest.FaultHangTyping); err != nil {
			return err
		}
		return d.send(ctx, drivertest.Event{Kind: drivertest.KindText, Text: text})
	})
}

type leavesFile struct{ *toyDriver }

func (d leavesFile) Close() error {
	if !d.Closed() {
		d.phone.mu.Lock()
		d.phone.files["forgotten"] = ""
		d.phone.mu.Unlock()
	}
	return d.toyDriver.Close()
}

type bareErrors struct{ *toyDriver }

func (d bareErrors) Tap(ctx context.Context, at image.Point) error {
	err := d.toyDriver.Tap(ctx, at)
	var e *driver.Error
	if errors.As(err, &e) && !e.MaybeDone {
		return e.Err
	}
	return err
}

type tellsText struct{ *toyDriver }

func (d tellsText) Type(ctx context.Context, text string) error {
	if err := d.toyDriver.Type(ctx, text); err != nil {
		return fmt.Errorf("type %q: %w", text, err)
	}
	return nil
}
