package driver_test

import (
	"context"
	"errors"
	"image"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

type around = func(context.Context, *driver.Call, func(context.Context) error) error

func letThrough(ctx context.Context, _ *driver.Call, next func(context.Context) error) error {
	return next(ctx)
}

func TestEveryOpHasACall(t *testing.T) {
	var ops []driver.Op
	for _, c := range everyCall() {
		ops = append(ops, c.op)
	}
	require.Equal(t, driver.Ops(), ops)
}

func TestWrapSeesEveryOperationAndKeepsIt(t *testing.T) {
	for _, c := range everyCall() {
		t.Run(string(c.op), func(t *testing.T) {
			bare := newFull()
			var seen []driver.Op
			d := driver.Wrap(bare, func(ctx context.Context, call *driver.Call, next func(context.Context) error) error {
				seen = append(seen, call.Op)
				return next(ctx)
			})
			got, err := c.do(t.Context(), d)
			require.NoError(t, err)
			require.Equal(t, []driver.Op{c.op}, seen, "one call is seen once, as what was asked for")
			require.Equal(t, []string{c.notes}, bare.did, "with its arguments")
			if c.result != nil {
				require.Equal(t, c.result, got)
			}
		})
	}
}

func TestWrapPassesErrorsOn(t *testing.T) {
	for _, c := range everyCall() {
		t.Run(string(c.op), func(t *testing.T) {
			bare := newFull()
			bare.fail[c.op] = driver.ErrOffline
			_, err := c.do(t.Context(), driver.Wrap(bare, letThrough))
			require.ErrorIs(t, err, driver.ErrOffline)
		})
	}
}

func TestWrapRefuses(t *testing.T) {
	for _, refusal := range []error{driver.ErrDenied, driver.Unsupported("not today"), errors.ErrUnsupported} {
		for _, c := range everyCall() {
			for name, bare := range map[string]interface {
				driver.Driver
				notes() []string
			}{"native": newFull(), "slow path": newCore()} {
				t.Run(string(c.op)+" "+name+" "+refusal.Error(), func(t *testing.T) {
					d := driver.Wrap(bare, func(_ context.Context, call *driver.Call, next func(context.Context) error) error {
						require.Equal(t, c.op, call.Op, "no slow path goes through the wrapper again")
						return refusal
					})
					_, err := c.do(t.Context(), d)
					require.ErrorIs(t, err, refusal)
					require.Empty(t, bare.notes())
				})
			}
		}
	}
}

func (c *core) notes() []string { return c.did }

func TestWrapOfWrapRefuses(t *testing.T) {
	bare := newCore()
	inner := driver.Wrap(bare, func(context.Context, *driver.Call, func(context.Context) error) error {
		return driver.Unsupported("not today")
	})
	err := driver.LongPress(t.Context(), driver.Wrap(inner, letThrough), from, 0)
	require.ErrorIs(t, err, errors.ErrUnsupported)
	require.Empty(t, bare.did)
}

func TestWrapTakesTheSlowPathOfTheDriver(t *testing.T) {
	for op, want := range map[driver.Op][]string{
		driver.OpLongPress: {"swipe (1,2) (1,2) 2s"},
		driver.OpDoubleTap: {"tap (1,2)", "tap (1,2)"},
		driver.OpGesture:   {"swipe (1,2) (3,4) 1s"},
		driver.OpRotation:  {"tree"},
	} {
		bare := newCore()
		var seen []driver.Op
		d := driver.Wrap(bare, func(ctx context.Context, call *driver.Call, next func(context.Context) error) error {
			seen = append(seen, call.Op)
			return next(ctx)
		})
		_, err := callOf(t, op).do(t.Context(), d)
		require.NoError(t, err)
		require.Equal(t, want, bare.did)
		require.Equal(t, []driver.Op{op}, seen)
	}
}

func TestWrapChangesArguments(t *testing.T) {
	for _, tt := range []struct {
		op     driver.Op
		change func(*driver.Call)
		want   string
	}{
		{driver.OpTap, func(c *driver.Call) { c.At = image.Pt(9, 9) }, "tap (9,9)"},
		{driver.OpSwipe, func(c *driver.Call) { c.To, c.Over = c.At, 3*time.Second }, "swipe (1,2) (1,2) 3s"},
		{driver.OpKey, func(c *driver.Call) { c.Key = driver.KeyBack }, "key Back"},
		{driver.OpLaunch, func(c *driver.Call) { c.App = "a.b" }, "launch a.b"},
		{driver.OpType, func(c *driver.Call) { c.Text = "ho" }, "type ho"},
		{driver.OpLongPress, func(c *driver.Call) { c.Hold = time.Second }, "long press (1,2) 1s"},
		{driver.OpDrag, func(c *driver.Call) { c.Hold, c.Over = c.Over, c.Hold }, "drag (1,2) (3,4) 2s 1s"},
		{driver.OpPinch, func(c *driver.Call) { c.Args = 2.5 }, "pinch (1,2) 2.5 1s"},
		{driver.OpRotate, func(c *driver.Call) { c.Args = c.Args.(int) + 1 }, "rotate 2"},
		{driver.OpShell, func(c *driver.Call) { c.Args = []string{"id"} }, "shell [id]"},
		{driver.OpInstall, func(c *driver.Call) { c.Args = []string{"c.apk"} }, "install [c.apk]"},
		{driver.OpPush, func(c *driver.Call) { c.Text = "/y" }, "push data /y"},
		{driver.OpGesture, func(c *driver.Call) { c.Args = "nonsense" }, "gesture []"},
	} {
		bare := newFull()
		d := driver.Wrap(bare, func(ctx context.Context, call *driver.Call, next func(context.Context) error) error {
			tt.change(call)
			return next(ctx)
		})
		_, err := callOf(t, tt.op).do(t.Context(), d)
		require.NoError(t, err)
		require.Equal(t, []string{tt.want}, bare.did)
	}
}

func TestWrapReplacesTheResult(t *testing.T) {
	replace := func(v any) around {
		return func(ctx context.Context, call *driver.Call, next func(context.Context) error) error {
			err := next(ctx)
			call.Result = v
			return err
		}
	}
	app, err := driver.Foreground(t.Context(), driver.Wrap(newFull(), replace(driver.App{ID: "other"})))
	require.NoError(t, err)
	require.Equal(t, "other", app.ID)

	_, err = driver.Foreground(t.Context(), driver.Wrap(newFull(), replace("nonsense")))
	require.ErrorContains(t, err, "foreground wrapper: it set no result, or one of another type")

	answered := newFull()
	clip, err := driver.Clipboard(t.Context(), driver.Wrap(answered, func(_ context.Context, c *driver.Call, _ func(context.Context) error) error {
		c.Result = "from the wrapper"
		return nil
	}))
	require.NoError(t, err)
	require.Equal(t, "from the wrapper", clip)
	require.Empty(t, answered.did)
}

func TestWrapHandsItsContextOn(t *testing.T) {
	type key struct{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d := driver.Wrap(newCore(), func(ctx context.Context, c *driver.Call, next func(context.Context) error) error {
		return next(context.WithValue(ctx, key{}, 1))
	})
	// The slow path of DoubleTap waits between two taps, with the context that around gave to next.
	require.ErrorIs(t, driver.DoubleTap(ctx, d, from), context.Canceled)
}

func TestWrapHasTheOperationsOfTheDriver(t *testing.T) {
	for _, d := range []driver.Driver{newCore(), newFull()} {
		require.Equal(t, driver.Operations(d), driver.Operations(driver.Wrap(d, letThrough)))
	}
	require.Equal(t, driver.Ops(), driver.Operations(newFull()))
}

func TestWrapClosesTheDriver(t *testing.T) {
	bare := newFull()
	require.NoError(t, driver.Wrap(bare, func(context.Context, *driver.Call, func(context.Context) error) error {
		panic("Close is no call")
	}).Close())
	require.Equal(t, []string{"close"}, bare.did)
}
