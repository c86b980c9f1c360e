package driver

import (
	"context"
	"errors"
	"image"
	"io"
	"iter"
	"time"
)

// Wrap returns a Driver that sends every operation of d through around, with every capability that d has,
// by itself or by a slow path. around sees the call before it happens, may change it, and calls next at
// most once; an error without a call of next refuses the operation. next sets Result.
//
// There is no way back to d: no call goes round a wrapper. A slow path of d (a long press made of a swipe) is
// one call, seen as what was asked for. Close is not a call; it closes d.
func Wrap(d Driver, around func(ctx context.Context, c *Call, next func(context.Context) error) error) Driver {
	return &wrapped{inner: d, around: around}
}

var errNoResult = errors.New("it set no result, or one of another type")

type wrapped struct {
	inner  Driver
	around func(context.Context, *Call, func(context.Context) error) error
}

// do sends c through around; op does it with the fields that c has by then.
func (w *wrapped) do(ctx context.Context, c *Call, op func(context.Context) error) error {
	return final(w.around(ctx, c, op))
}

// get is do for an operation with a result, which around may have replaced.
func get[T any](ctx context.Context, w *wrapped, c *Call, op func(context.Context) (T, error)) (T, error) {
	var zero T
	err := w.do(ctx, c, func(ctx context.Context) error {
		v, err := op(ctx)
		if err != nil {
			return err
		}
		c.Result = v
		return nil
	})
	if err != nil {
		return zero, err
	}
	v, ok := c.Result.(T)
	if !ok {
		return zero, &Error{Op: c.Op, Device: "wrapper", Err: errNoResult}
	}
	return v, nil
}

func (w *wrapped) Close() error     { return w.inner.Close() }
func (w *wrapped) operations() []Op { return Operations(w.inner) }

func (w *wrapped) Screenshot(ctx context.Context) (*Screen, error) {
	c := &Call{Op: OpScreenshot}
	return get(ctx, w, c, func(ctx context.Context) (*Screen, error) { return w.inner.Screenshot(ctx) })
}

func (w *wrapped) Tree(ctx context.Context) (*Tree, error) {
	c := &Call{Op: OpTree}
	return get(ctx, w, c, func(ctx context.Context) (*Tree, error) { return w.inner.Tree(ctx) })
}

func (w *wrapped) Tap(ctx context.Context, at image.Point) error {
	c := &Call{Op: OpTap, At: at}
	return w.do(ctx, c, func(ctx context.Context) error { return w.inner.Tap(ctx, c.At) })
}

func (w *wrapped) Swipe(ctx context.Context, from, to image.Point, over time.Duration) error {
	c := &Call{Op: OpSwipe, At: from, To: to, Over: over}
	return w.do(ctx, c, func(ctx context.Context) error { return w.inner.Swipe(ctx, c.At, c.To, c.Over) })
}

func (w *wrapped) Key(ctx context.Context, key Key) error {
	c := &Call{Op: OpKey, Key: key}
	return w.do(ctx, c, func(ctx context.Context) error { return w.inner.Key(ctx, c.Key) })
}

func (w *wrapped) Launch(ctx context.Context, app string) error {
	c := &Call{Op: OpLaunch, App: app}
	return w.do(ctx, c, func(ctx context.Context) error { return w.inner.Launch(ctx, c.App) })
}

func (w *wrapped) Type(ctx context.Context, text string) error {
	c := &Call{Op: OpType, Text: text}
	return w.do(ctx, c, func(ctx context.Context) error { return Type(ctx, w.inner, c.Text) })
}

func (w *wrapped) ClearText(ctx context.Context) error {
	c := &Call{Op: OpClearText}
	return w.do(ctx, c, func(ctx context.Context) error { return ClearText(ctx, w.inner) })
}

func (w *wrapped) SetText(ctx context.Context, text string) error {
	c := &Call{Op: OpSetText, Text: text}
	return w.do(ctx, c, func(ctx context.Context) error { return SetText(ctx, w.inner, c.Text) })
}

func (w *wrapped) DoubleTap(ctx context.Context, at image.Point) error {
	c := &Call{Op: OpDoubleTap, At: at}
	return w.do(ctx, c, func(ctx context.Context) error { return DoubleTap(ctx, w.inner, c.At) })
}

func (w *wrapped) LongPress(ctx context.Context, at image.Point, hold time.Duration) error {
	c := &Call{Op: OpLongPress, At: at, Hold: hold}
	return w.do(ctx, c, func(ctx context.Context) error { return LongPress(ctx, w.inner, c.At, c.Hold) })
}

func (w *wrapped) Drag(ctx context.Context, from, to image.Point, hold, over time.Duration) error {
	c := &Call{Op: OpDrag, At: from, To: to, Hold: hold, Over: over}
	return w.do(ctx, c, func(ctx context.Context) error { return Drag(ctx, w.inner, c.At, c.To, c.Hold, c.Over) })
}

func (w *wrapped) Pinch(ctx context.Context, at image.Point, scale float64, over time.Duration) error {
	c := &Call{Op: OpPinch, At: at, Over: over, Args: scale}
	return w.do(ctx, c, func(ctx context.Context) error { return Pinch(ctx, w.inner, c.At, arg[float64](c), c.Over) })
}

func (w *wrapped) Gesture(ctx context.Context, strokes []Stroke) error {
	c := &Call{Op: OpGesture, Args: strokes}
	return w.do(ctx, c, func(ctx context.Context) error { return Gesture(ctx, w.inner, arg[[]Stroke](c)) })
}

func (w *wrapped) Foreground(ctx context.Context) (App, error) {
	c := &Call{Op: OpForeground}
	return get(ctx, w, c, func(ctx context.Context) (App, error) { return Foreground(ctx, w.inner) })
}

func (w *wrapped) Resolve(ctx context.Context, app string) (App, error) {
	c := &Call{Op: OpResolve, App: app}
	return get(ctx, w, c, func(ctx context.Context) (App, error) { return Resolve(ctx, w.inner, c.App) })
}

func (w *wrapped) Apps(ctx context.Context) ([]App, error) {
	c := &Call{Op: OpApps}
	return get(ctx, w, c, func(ctx context.Context) ([]App, error) { return Apps(ctx, w.inner) })
}

func (w *wrapped) Stop(ctx context.Context, app string) error {
	c := &Call{Op: OpStop, App: app}
	return w.do(ctx, c, func(ctx context.Context) error { return Stop(ctx, w.inner, c.App) })
}

func (w *wrapped) OpenURL(ctx context.Context, url string) error {
	c := &Call{Op: OpOpenURL, Text: url}
	return w.do(ctx, c, func(ctx context.Context) error { return OpenURL(ctx, w.inner, c.Text) })
}

func (w *wrapped) Rotation(ctx context.Context) (int, error) {
	c := &Call{Op: OpRotation}
	return get(ctx, w, c, func(ctx context.Context) (int, error) { return Rotation(ctx, w.inner) })
}

func (w *wrapped) Rotate(ctx context.Context, rotation int) error {
	c := &Call{Op: OpRotate, Args: rotation}
	return w.do(ctx, c, func(ctx context.Context) error { return Rotate(ctx, w.inner, arg[int](c)) })
}

func (w *wrapped) Wake(ctx context.Context) error {
	c := &Call{Op: OpWake}
	return w.do(ctx, c, func(ctx context.Context) error { return Wake(ctx, w.inner) })
}

func (w *wrapped) Lock(ctx context.Context) error {
	c := &Call{Op: OpLock}
	return w.do(ctx, c, func(ctx context.Context) error { return Lock(ctx, w.inner) })
}

func (w *wrapped) PowerState(ctx context.Context) (Power, error) {
	c := &Call{Op: OpPowerState}
	return get(ctx, w, c, func(ctx context.Context) (Power, error) { return PowerState(ctx, w.inner) })
}

func (w *wrapped) Clipboard(ctx context.Context) (string, error) {
	c := &Call{Op: OpClipboard}
	return get(ctx, w, c, func(ctx context.Context) (string, error) { return Clipboard(ctx, w.inner) })
}

func (w *wrapped) SetClipboard(ctx context.Context, text string) error {
	c := &Call{Op: OpSetClipboard, Text: text}
	return w.do(ctx, c, func(ctx context.Context) error { return SetClipboard(ctx, w.inner, c.Text) })
}

func (w *wrapped) Install(ctx context.Context, files ...string) error {
	c := &Call{Op: OpInstall, Args: files}
	return w.do(ctx, c, func(ctx context.Context) error { return Install(ctx, w.inner, arg[[]string](c)...) })
}

func (w *wrapped) Uninstall(ctx context.Context, id string) error {
	c := &Call{Op: OpUninstall, App: id}
	return w.do(ctx, c, func(ctx context.Context) error { return Uninstall(ctx, w.inner, c.App) })
}

func (w *wrapped) Push(ctx context.Context, src io.Reader, remote string) error {
	c := &Call{Op: OpPush, Text: remote, Args: src}
	return w.do(ctx, c, func(ctx context.Context) error { return Push(ctx, w.inner, arg[io.Reader](c), c.Text) })
}

func (w *wrapped) Pull(ctx context.Context, remote string, dst io.Writer) error {
	c := &Call{Op: OpPull, Text: remote, Args: dst}
	return w.do(ctx, c, func(ctx context.Context) error { return Pull(ctx, w.inner, c.Text, arg[io.Writer](c)) })
}

func (w *wrapped) Shell(ctx context.Context, argv ...string) (*ShellResult, error) {
	c := &Call{Op: OpShell, Args: argv}
	return get(ctx, w, c, func(ctx context.Context) (*ShellResult, error) { return Shell(ctx, w.inner, arg[[]string](c)...) })
}

func (w *wrapped) Logs(ctx context.Context, dst io.Writer) error {
	c := &Call{Op: OpLogs, Args: dst}
	return w.do(ctx, c, func(ctx context.Context) error { return Logs(ctx, w.inner, arg[io.Writer](c)) })
}

func (w *wrapped) Frames(ctx context.Context, every time.Duration) (iter.Seq2[*Screen, error], error) {
	c := &Call{Op: OpFrames, Over: every}
	return get(ctx, w, c, func(ctx context.Context) (iter.Seq2[*Screen, error], error) { return Frames(ctx, w.inner, c.Over) })
}

func (w *wrapped) Release(ctx context.Context) error {
	c := &Call{Op: OpRelease}
	return w.do(ctx, c, func(ctx context.Context) error { return Release(ctx, w.inner) })
}

func (w *wrapped) Describe(ctx context.Context) (*Description, error) {
	c := &Call{Op: OpDescribe}
	return get(ctx, w, c, func(ctx context.Context) (*Description, error) { return Describe(ctx, w.inner) })
}

// arg returns the Args of c, or the zero value where a wrapper has put something else there.
func arg[T any](c *Call) T {
	v, _ := c.Args.(T)
	return v
}
