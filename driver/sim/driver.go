package sim

import (
	"context"
	"fmt"
	"image"
	"slices"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
)

// Driver drives a Phone in the same process. It obeys every rule of package driver and has every capability
// that a phone without files can have.
type Driver struct {
	phone *Phone
	calls *driver.Calls
	opts  DriverOptions
}

// DriverOptions say how a Driver works. The zero value of each field is its default.
type DriverOptions struct {
	// Before runs in each call before the phone is touched: a place for latency, hangs and failures. Its
	// error is the call's, and nothing was sent.
	Before func(ctx context.Context, op driver.Op) error
	// After runs in each call after the phone did it. Its error is the call's; a gesture may have been done
	// by then.
	After func(ctx context.Context, op driver.Op) error
	Limit time.Duration // of each call; 10 s if unset
	// Without are operations that the driver shall not have: they return an error that matches
	// errors.ErrUnsupported, so that slow paths can be tried.
	Without []driver.Op
}

const defaultLimit = 10 * time.Second

// Open returns a driver of a phone. nil options are the default. Several drivers may be open on one phone;
// they take turns. Close leaves the phone as it is.
func Open(p *Phone, opts *DriverOptions) *Driver {
	var o DriverOptions
	if opts != nil {
		o = *opts
	}
	if o.Limit <= 0 {
		o.Limit = defaultLimit
	}
	o.Without = slices.Clone(o.Without)
	return &Driver{phone: p, calls: driver.NewCalls(p.Address()), opts: o}
}

// Phone returns the phone that the driver drives.
func (d *Driver) Phone() *Phone { return d.phone }

// Close ends the driver and the calls in progress. The phone stays as it is.
func (d *Driver) Close() error { return d.calls.Close(nil) }

// do runs f, which acts on the phone, as an operation. check may refuse it before anything is sent.
func (d *Driver) do(ctx context.Context, op driver.Op, check func() error, f func() error) error {
	return d.calls.Do(ctx, op, d.opts.Limit, func(ctx context.Context) error {
		if err := d.before(ctx, op, check); err != nil {
			return err
		}
		driver.MarkSent(ctx)
		if err := f(); err != nil {
			driver.MarkRefused(ctx)
			return err
		}
		return d.after(ctx, op)
	})
}

// read is do for an operation that returns something.
func read[T any](ctx context.Context, d *Driver, op driver.Op, f func() (T, error)) (T, error) {
	return driver.Value(ctx, d.calls, op, d.opts.Limit, func(ctx context.Context) (T, error) {
		var zero T
		if err := d.before(ctx, op, nil); err != nil {
			return zero, err
		}
		v, err := f()
		if err == nil {
			err = d.after(ctx, op)
		}
		return v, err
	})
}

// before does all that comes before the phone is touched.
func (d *Driver) before(ctx context.Context, op driver.Op, check func() error) error {
	if slices.Contains(d.opts.Without, op) {
		return driver.Unsupported("this driver was opened without %q", op)
	}
	if check != nil {
		if err := check(); err != nil {
			return err
		}
	}
	if d.opts.Before != nil {
		if err := d.opts.Before(ctx, op); err != nil {
			return err
		}
	}
	return ctx.Err() // a call that was given up on must not act later
}

func (d *Driver) after(ctx context.Context, op driver.Op) error {
	if d.opts.After == nil {
		return nil
	}
	return d.opts.After(ctx, op)
}

// touchable refuses points outside of the frame, and any touch while the display is off.
func (d *Driver) touchable(points ...image.Point) func() error {
	return func() error {
		if size := d.phone.Size(); !allInside(size, points) {
			out := outside(size, points)
			return fmt.Errorf("%w: %d,%d is not in the frame of %dx%d", driver.ErrOffScreen, out.X, out.Y, size.X, size.Y)
		}
		if !d.phone.Power().On {
			return fmt.Errorf("%w: wake the phone first", driver.ErrAsleep)
		}
		return nil
	}
}

func allInside(size image.Point, points []image.Point) bool {
	return !slices.ContainsFunc(points, func(pt image.Point) bool { return !pt.In(image.Rectangle{Max: size}) })
}

func outside(size image.Point, points []image.Point) image.Point {
	i := slices.IndexFunc(points, func(pt image.Point) bool { return !pt.In(image.Rectangle{Max: size}) })
	return points[i]
}

// Screenshot returns the frame. It is black, and its health says why, while the display is off or the page
// is protected.
func (d *Driver) Screenshot(ctx context.Context) (*driver.Screen, error) {
	return read(ctx, d, driver.OpScreenshot, func() (*driver.Screen, error) {
		f := d.phone.Frame()
		return driver.NewScreenImage(f.Image, f.Health)
	})
}

// Tree returns every layer of the display under one root: the page or the dialog that takes the input
// first, then the keyboard and a notification that hangs over it. The status bar is left out.
func (d *Driver) Tree(ctx context.Context) (*driver.Tree, error) {
	return read(ctx, d, driver.OpTree, func() (*driver.Tree, error) {
		t := d.phone.TreeWithKeyboard()
		if t == nil {
			return nil, fmt.Errorf("%w: the display is off or never comes to rest", driver.ErrNoTree)
		}
		t.At = time.Now()
		return t, nil
	})
}

// keyNames lists the keys for an error text.
func keyNames() string {
	var names []string
	for _, k := range driver.Keys() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

// Key presses a key. With the display off only Power and the keys of the sound do anything; any other is
// ErrAsleep.
func (d *Driver) Key(ctx context.Context, key driver.Key) error {
	check := func() error {
		if !slices.Contains(driver.Keys(), key) {
			return driver.Unsupported("the phone has no key %q; it has %s", key, keyNames())
		}
		if !d.phone.Power().On && !worksAsleep(key) {
			return fmt.Errorf("%w: wake the phone first", driver.ErrAsleep)
		}
		return nil
	}
	return d.do(ctx, driver.OpKey, check, func() error { d.phone.Key(key); return nil })
}

func worksAsleep(k driver.Key) bool {
	switch k {
	case driver.KeyPower, driver.KeyVolumeUp, driver.KeyVolumeDown, driver.KeyMute, driver.KeyPlayPause:
		return true
	}
	return false
}

// Describe returns what the driver can do and what the phone is.
func (d *Driver) Describe(ctx context.Context) (*driver.Description, error) {
	return read(ctx, d, driver.OpDescribe, func() (*driver.Description, error) {
		ops := slices.DeleteFunc(driver.Operations(d), func(op driver.Op) bool { return slices.Contains(d.opts.Without, op) })
		return &driver.Description{
			Address: d.phone.Address(), Platform: "sim", Model: d.phone.Model(), OSVersion: d.phone.Platform() + " face",
			Size: d.phone.Size(), Keys: driver.Keys(), Ops: ops,
		}, nil
	})
}
