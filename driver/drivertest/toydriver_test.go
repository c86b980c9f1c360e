package drivertest_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/drivertest"
	"github.com/handset-go/handset/internal/nap"
)

// toyDriver is a good driver of a toy phone. The broken ones embed it and break one thing.
type toyDriver struct {
	*driver.Calls
	phone *toyPhone
	limit time.Duration
}

// toys numbers the devices: queues live as long as the process, and a device has its own.
var toys atomic.Int64

func toyAddress() string { return fmt.Sprintf("toy:%d", toys.Add(1)) }

func openToy(p *toyPhone, address string, limit time.Duration) *toyDriver {
	return &toyDriver{Calls: driver.NewCalls(address), phone: p, limit: limit}
}

var toyKeys = map[driver.Key]bool{
	driver.KeyBack: true, driver.KeyHome: true, driver.KeyDelete: true, driver.KeyMoveEnd: true, driver.KeyPower: true,
}

func (d *toyDriver) Close() error { return d.Calls.Close(nil) }

// act sends events as one operation, points checked first.
func (d *toyDriver) act(ctx context.Context, op driver.Op, events ...drivertest.Event) error {
	return d.Do(ctx, op, d.limit, func(ctx context.Context) error {
		frame := image.Rectangle{Max: d.phone.size()}
		for _, e := range events {
			if e.Key == "" && (!e.At.In(frame) || !e.To.In(frame)) {
				return fmt.Errorf("%w: %v in a frame of %v", driver.ErrOffScreen, e.At, frame.Max)
			}
		}
		return d.send(ctx, events...)
	})
}

// send hands events to the phone.
func (d *toyDriver) send(ctx context.Context, events ...drivertest.Event) error {
	for _, e := range events {
		driver.MarkSent(ctx)
		err := toyError(d.phone.act(ctx, e))
		if errors.Is(err, driver.ErrInputBlocked) || errors.Is(err, driver.ErrOffline) {
			driver.MarkRefused(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func toyError(err error) error {
	switch {
	case errors.Is(err, errToyOffline):
		return driver.ErrOffline
	case errors.Is(err, errToyBlocked):
		return driver.ErrInputBlocked
	}
	return err
}

func touch(kind string, at, to image.Point, over time.Duration) drivertest.Event {
	return drivertest.Event{Kind: kind, At: at, To: to, Over: over}
}

func (d *toyDriver) Tap(ctx context.Context, at image.Point) error {
	return d.act(ctx, driver.OpTap, touch(drivertest.KindTap, at, image.Point{}, 0))
}

func (d *toyDriver) Swipe(ctx context.Context, from, to image.Point, over time.Duration) error {
	if over <= 0 {
		over = 300 * time.Millisecond
	}
	return d.act(ctx, driver.OpSwipe, touch(drivertest.KindSwipe, from, to, over))
}

func (d *toyDriver) LongPress(ctx context.Context, at image.Point, hold time.Duration) error {
	if hold <= 0 {
		hold = time.Second
	}
	return d.act(ctx, driver.OpLongPress, touch(drivertest.KindHold, at, image.Point{}, hold))
}

func (d *toyDriver) DoubleTap(ctx context.Context, at image.Point) error {
	return d.act(ctx, driver.OpDoubleTap, touch(drivertest.KindDoubleTap, at, image.Point{}, 0))
}

func (d *toyDriver) Drag(ctx context.Context, from, to image.Point, hold, over time.Duration) error {
	return d.act(ctx, driver.OpDrag, touch(drivertest.KindDrag, from, to, hold+over))
}

func (d *toyDriver) Gesture(ctx context.Context, strokes []driver.Stroke) error {
	var events []drivertest.Event
	for _, s := range strokes {
		kind := drivertest.KindSwipe
		if len(s) > 2 && s[0].At == s[1].At {
			kind = drivertest.KindDrag
		}
		events = append(events, touch(kind, s[0].At, s[len(s)-1].At, s[len(s)-1].After))
	}
	return d.act(ctx, driver.OpGesture, events...)
}

func (d *toyDriver) Key(ctx context.Context, key driver.Key) error {
	return d.Do(ctx, driver.OpKey, d.limit, func(ctx context.Context) error {
		if !toyKeys[key] {
			return driver.Unsupported("no key %q; the keys are Back, Home, Delete, MoveEnd, Power", key)
		}
		return d.send(ctx, drivertest.Event{Kind: drivertest.KindKey, Key: key})
	})
}

func (d *toyDriver) Screenshot(ctx context.Context) (*driver.Screen, error) {
	return driver.Value(ctx, d.Calls, driver.OpScreenshot, d.limit, func(ctx context.Context) (*driver.Screen, error) {
		if err := d.phone.ask(ctx); err != nil {
			return nil, toyError(err)
		}
		if _, on := d.phone.has(drivertest.FaultNoPicture); on {
			return nil, errToyCapture
		}
		return driver.NewScreenImage(d.phone.frame(), d.health())
	})
}

func (d *toyDriver) health() driver.Health {
	if _, on := d.phone.has(drivertest.FaultProtected); on {
		return driver.HealthProtected
	}
	if _, on := d.phone.has(drivertest.FaultAsleep); on {
		return driver.HealthAsleep
	}
	return driver.HealthOK
}

func (d *toyDriver) Tree(ctx context.Context) (*driver.Tree, error) {
	return driver.Value(ctx, d.Calls, driver.OpTree, d.limit, func(ctx context.Context) (*driver.Tree, error) {
		if err := d.phone.ask(ctx); err != nil {
			return nil, toyError(err)
		}
		if _, on := d.phone.has(drivertest.FaultNoTree); on {
			return nil, driver.ErrNoTree
		}
		return d.phone.tree(), nil
	})
}

func (d *toyDriver) Launch(ctx context.Context, app string) error {
	return d.Do(ctx, driver.OpLaunch, d.limit, func(ctx context.Context) error {
		a, err := driver.MatchApp(app, toyApps)
		if err != nil {
			return err
		}
		driver.MarkSent(ctx)
		if err := d.phone.start(ctx, a.ID); err != nil {
			return toyError(err)
		}
		for d.phone.inFront() != a.ID {
			if err := nap.For(ctx, 20*time.Millisecond); err != nil {
				return err
			}
		}
		return nil
	})
}

func (d *toyDriver) Type(ctx context.Context, text string) error {
	return d.Do(ctx, driver.OpType, d.limit, func(ctx context.Context) error {
		if strings.Contains(text, "\n") && d.phone.tree().Find(driver.HasFlag(driver.Multiline)) == nil {
			return fmt.Errorf("%w: a newline in a field of one line", driver.ErrNoTextInput)
		}
		was := d.phone.setIME("toy")
		defer d.putBack(ctx, was)
		driver.MarkSent(ctx)
		if err := d.phone.hangs(ctx, drivertest.FaultHangTyping); err != nil {
			return err
		}
		return d.send(ctx, drivertest.Event{Kind: drivertest.KindText, Text: text})
	})
}

// putBack takes a while, as on a phone.
func (d *toyDriver) putBack(ctx context.Context, ime string) {
	_ = driver.Undo(ctx, func(ctx context.Context) error {
		defer d.phone.setIME(ime)
		return nap.For(ctx, 20*time.Millisecond)
	})
}

func (d *toyDriver) ClearText(ctx context.Context) error {
	return d.Do(ctx, driver.OpClearText, d.limit, func(ctx context.Context) error {
		if err := d.phone.ask(ctx); err != nil {
			return toyError(err)
		}
		d.phone.mu.Lock()
		defer d.phone.mu.Unlock()
		d.phone.text = ""
		return nil
	})
}

func (d *toyDriver) SetText(ctx context.Context, text string) error {
	return d.Do(ctx, driver.OpSetText, d.limit, func(ctx context.Context) error {
		if err := d.ClearText(ctx); err != nil {
			return err
		}
		return d.Type(ctx, text)
	})
}

func (d *toyDriver) Apps(ctx context.Context) ([]driver.App, error) {
	return driver.Value(ctx, d.Calls, driver.OpApps, d.limit, func(ctx context.Context) ([]driver.App, error) {
		return toyApps, toyError(d.phone.ask(ctx))
	})
}

func (d *toyDriver) Resolve(ctx context.Context, app string) (driver.App, error) {
	return driver.Value(ctx, d.Calls, driver.OpResolve, d.limit, func(context.Context) (driver.App, error) {
		return driver.MatchApp(app, toyApps)
	})
}

func (d *toyDriver) Foreground(ctx context.Context) (driver.App, error) {
	return driver.Value(ctx, d.Calls, driver.OpForeground, d.limit, func(ctx context.Context) (driver.App, error) {
		return driver.App{ID: d.phone.inFront()}, toyError(d.phone.ask(ctx))
	})
}

func (d *toyDriver) Rotation(ctx context.Context) (int, error) {
	return driver.Value(ctx, d.Calls, driver.OpRotation, d.limit, func(ctx context.Context) (int, error) {
		return d.phone.tree().Rotation, toyError(d.phone.ask(ctx))
	})
}

func (d *toyDriver) Rotate(ctx context.Context, rotation int) error {
	return d.Do(ctx, driver.OpRotate, d.limit, func(ctx context.Context) error {
		if err := d.phone.ask(ctx); err != nil {
			return toyError(err)
		}
		d.phone.mu.Lock()
		defer d.phone.mu.Unlock()
		d.phone.rotation = rotation
		return nil
	})
}

func (d *toyDriver) PowerState(ctx context.Context) (driver.Power, error) {
	return driver.Value(ctx, d.Calls, driver.OpPowerState, d.limit, func(ctx context.Context) (driver.Power, error) {
		err := toyError(d.phone.ask(ctx))
		d.phone.mu.Lock()
		defer d.phone.mu.Unlock()
		return driver.Power{On: !d.phone.off}, err
	})
}

func (d *toyDriver) OpenURL(ctx context.Context, url string) error {
	return d.Do(ctx, driver.OpOpenURL, d.limit, func(ctx context.Context) error {
		return d.send(ctx, drivertest.Event{Kind: drivertest.KindURL, Text: url})
	})
}

func (d *toyDriver) Clipboard(ctx context.Context) (string, error) {
	return driver.Value(ctx, d.Calls, driver.OpClipboard, d.limit, func(ctx context.Context) (string, error) {
		err := toyError(d.phone.ask(ctx))
		d.phone.mu.Lock()
		defer d.phone.mu.Unlock()
		return d.phone.clip, err
	})
}

func (d *toyDriver) SetClipboard(ctx context.Context, text string) error {
	return d.Do(ctx, driver.OpSetClipboard, d.limit, func(ctx context.Context) error {
		if err := d.phone.ask(ctx); err != nil {
			return toyError(err)
		}
		d.phone.mu.Lock()
		defer d.phone.mu.Unlock()
		d.phone.clip = text
		return nil
	})
}

func (d *toyDriver) Push(ctx context.Context, src io.Reader, remote string) error {
	return d.Do(ctx, driver.OpPush, d.limit, func(ctx context.Context) error {
		if err := d.phone.ask(ctx); err != nil {
			return toyError(err)
		}
		data, err := io.ReadAll(src)
		d.phone.mu.Lock()
		defer d.phone.mu.Unlock()
		d.phone.files[remote] = string(data)
		return err
	})
}

func (d *toyDriver) Pull(ctx context.Context, remote string, dst io.Writer) error {
	return d.Do(ctx, driver.OpPull, d.limit, func(ctx context.Context) error {
		if err := d.phone.ask(ctx); err != nil {
			return toyError(err)
		}
		d.phone.mu.Lock()
		defer d.phone.mu.Unlock()
		_, err := io.WriteString(dst, d.phone.files[remote])
		return err
	})
}

// Shell knows one command, print, which prints its argument.
func (d *toyDriver) Shell(ctx context.Context, argv ...string) (*driver.ShellResult, error) {
	return driver.Value(ctx, d.Calls, driver.OpShell, d.limit, func(ctx context.Context) (*driver.ShellResult, error) {
		if err := d.phone.ask(ctx); err != nil {
			return nil, toyError(err)
		}
		return &driver.ShellResult{Stdout: []byte(strings.Join(argv[1:], " "))}, nil
	})
}

func (d *toyDriver) Describe(ctx context.Context) (*driver.Description, error) {
	return driver.Value(ctx, d.Calls, driver.OpDescribe, d.limit, func(context.Context) (*driver.Description, error) {
		return &driver.Description{
			Address: d.Device(), Platform: "toy", Size: d.phone.size(), Ops: driver.Operations(d),
			Keys: []driver.Key{driver.KeyBack, driver.KeyHome, driver.KeyDelete, driver.KeyMoveEnd, driver.KeyPower},
		}, nil
	})
}
