package driver_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"io"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

// core is a driver of the seven methods, which notes what it was asked.
type core struct {
	did  []string
	fail map[driver.Op]error // by operation
	tree *driver.Tree
	size image.Point
}

func newCore() *core {
	return &core{
		fail: map[driver.Op]error{}, size: image.Pt(100, 200),
		tree: &driver.Tree{Root: &driver.Node{}, Size: image.Pt(100, 200), Rotation: 1, App: driver.App{ID: "a.b"}},
	}
}

// note writes a call down, such as "tap (1,2)", and returns its error.
func (c *core) note(op driver.Op, args ...any) error {
	words := []string{string(op)}
	for _, a := range args {
		words = append(words, fmt.Sprint(a))
	}
	c.did = append(c.did, strings.Join(words, " "))
	return c.fail[op]
}

func (c *core) Screenshot(context.Context) (*driver.Screen, error) {
	if err := c.note(driver.OpScreenshot); err != nil {
		return nil, err
	}
	return driver.NewScreenImage(image.NewGray(image.Rectangle{Max: c.size}), driver.HealthOK)
}

func (c *core) Tree(context.Context) (*driver.Tree, error) {
	if err := c.note(driver.OpTree); err != nil {
		return nil, err
	}
	return c.tree, nil
}

func (c *core) Tap(_ context.Context, at image.Point) error { return c.note(driver.OpTap, at) }

func (c *core) Swipe(_ context.Context, from, to image.Point, over time.Duration) error {
	return c.note(driver.OpSwipe, from, to, over)
}

func (c *core) Key(_ context.Context, key driver.Key) error { return c.note(driver.OpKey, key) }
func (c *core) Launch(_ context.Context, app string) error  { return c.note(driver.OpLaunch, app) }
func (c *core) Close() error                                { return c.note("close") }

// full is a driver with every capability.
type full struct{ *core }

func newFull() *full { return &full{newCore()} }

func (f *full) Type(_ context.Context, text string) error    { return f.note(driver.OpType, text) }
func (f *full) ClearText(context.Context) error              { return f.note(driver.OpClearText) }
func (f *full) SetText(_ context.Context, text string) error { return f.note(driver.OpSetText, text) }

func (f *full) DoubleTap(_ context.Context, at image.Point) error {
	return f.note(driver.OpDoubleTap, at)
}

func (f *full) LongPress(_ context.Context, at image.Point, hold time.Duration) error {
	return f.note(driver.OpLongPress, at, hold)
}

func (f *full) Drag(_ context.Context, from, to image.Point, hold, over time.Duration) error {
	return f.note(driver.OpDrag, from, to, hold, over)
}

func (f *full) Pinch(_ context.Context, at image.Point, scale float64, over time.Duration) error {
	return f.note(driver.OpPinch, at, scale, over)
}

func (f *full) Gesture(_ context.Context, strokes []driver.Stroke) error {
	return f.note(driver.OpGesture, strokes)
}

func (f *full) Foreground(context.Context) (driver.App, error) {
	return driver.App{ID: "in.front"}, f.note(driver.OpForeground)
}

func (f *full) Resolve(_ context.Context, app string) (driver.App, error) {
	return driver.App{ID: "id.of." + app}, f.note(driver.OpResolve, app)
}

func (f *full) Apps(context.Context) ([]driver.App, error) {
	return []driver.App{{ID: "a.b"}}, f.note(driver.OpApps)
}

func (f *full) Stop(_ context.Context, app string) error    { return f.note(driver.OpStop, app) }
func (f *full) OpenURL(_ context.Context, url string) error { return f.note(driver.OpOpenURL, url) }
func (f *full) Rotation(context.Context) (int, error)       { return 3, f.note(driver.OpRotation) }
func (f *full) Rotate(_ context.Context, r int) error       { return f.note(driver.OpRotate, r) }
func (f *full) Wake(context.Context) error                  { return f.note(driver.OpWake) }
func (f *full) Lock(context.Context) error                  { return f.note(driver.OpLock) }

func (f *full) PowerState(context.Context) (driver.Power, error) {
	return driver.Power{On: true}, f.note(driver.OpPowerState)
}

func (f *full) Clipboard(context.Context) (string, error) { return "clip", f.note(driver.OpClipboard) }

func (f *full) SetClipboard(_ context.Context, text string) error {
	return f.note(driver.OpSetClipboard, text)
}

func (f *full) Install(_ context.Context, files ...string) error {
	return f.note(driver.OpInstall, files)
}

func (f *full) Uninstall(_ context.Context, id string) error { return f.note(driver.OpUninstall, id) }

func (f *full) Push(_ context.Context, src io.Reader, remote string) error {
	data, _ := io.ReadAll(src)
	return f.note(driver.OpPush, string(data), remote)
}

func (f *full) Pull(_ context.Context, remote string, dst io.Writer) error {
	_, _ = io.WriteString(dst, "pulled")
	return f.note(driver.OpPull, remote)
}

func (f *full) Shell(_ context.Context, argv ...string) (*driver.ShellResult, error) {
	return &driver.ShellResult{Code: 7}, f.note(driver.OpShell, argv)
}

func (f *full) Logs(_ context.Context, dst io.Writer) error {
	_, _ = io.WriteString(dst, "logged")
	return f.note(driver.OpLogs)
}

func (f *full) Frames(_ context.Context, every time.Duration) (iter.Seq2[*driver.Screen, error], error) {
	return func(func(*driver.Screen, error) bool) {}, f.note(driver.OpFrames, every)
}

func (f *full) Release(context.Context) error { return f.note(driver.OpRelease) }

func (f *full) Describe(context.Context) (*driver.Description, error) {
	return &driver.Description{Address: "fake:1"}, f.note(driver.OpDescribe)
}

// opCall is one operation with arguments, and what a driver that has it notes.
type opCall struct {
	op     driver.Op
	do     func(ctx context.Context, d driver.Driver) (any, error)
	notes  string
	result any // what full returns, nil where there is nothing or it is looked at elsewhere
}

// plain is for an operation without a result.
func plain(op driver.Op, notes string, do func(context.Context, driver.Driver) error) opCall {
	return opCall{op: op, notes: notes, do: func(ctx context.Context, d driver.Driver) (any, error) { return nil, do(ctx, d) }}
}

var (
	from = image.Pt(1, 2)
	to   = image.Pt(3, 4)
)

// everyCall calls each operation by the core's method or the package function.
func everyCall() []opCall {
	type D = driver.Driver
	type C = context.Context
	var pulled bytes.Buffer
	return []opCall{
		{op: driver.OpScreenshot, notes: "screenshot", do: func(ctx C, d D) (any, error) { return d.Screenshot(ctx) }},
		{op: driver.OpTree, notes: "tree", do: func(ctx C, d D) (any, error) { return d.Tree(ctx) }},
		plain(driver.OpTap, "tap (1,2)", func(ctx C, d D) error { return d.Tap(ctx, from) }),
		plain(driver.OpSwipe, "swipe (1,2) (3,4) 1s", func(ctx C, d D) error { return d.Swipe(ctx, from, to, time.Second) }),
		plain(driver.OpKey, "key Home", func(ctx C, d D) error { return d.Key(ctx, driver.KeyHome) }),
		plain(driver.OpLaunch, "launch Notes", func(ctx C, d D) error { return d.Launch(ctx, "Notes") }),
		plain(driver.OpType, "type hi", func(ctx C, d D) error { return driver.Type(ctx, d, "hi") }),
		plain(driver.OpClearText, "clear text", func(ctx C, d D) error { return driver.ClearText(ctx, d) }),
		plain(driver.OpSetText, "set text hi", func(ctx C, d D) error { return driver.SetText(ctx, d, "hi") }),
		plain(driver.OpDoubleTap, "double tap (1,2)", func(ctx C, d D) error { return driver.DoubleTap(ctx, d, from) }),
		plain(driver.OpLongPress, "long press (1,2) 2s", func(ctx C, d D) error {
			return driver.LongPress(ctx, d, from, 2*time.Second)
		}),
		plain(driver.OpDrag, "drag (1,2) (3,4) 1s 2s", func(ctx C, d D) error {
			return driver.Drag(ctx, d, from, to, time.Second, 2*time.Second)
		}),
		plain(driver.OpPinch, "pinch (1,2) 0.5 1s", func(ctx C, d D) error { return driver.Pinch(ctx, d, from, 0.5, time.Second) }),
		plain(driver.OpGesture, "gesture [[{(1,2) 0s} {(3,4) 1s}]]", func(ctx C, d D) error {
			return driver.Gesture(ctx, d, []driver.Stroke{{{At: from}, {At: to, After: time.Second}}})
		}),
		{op: driver.OpForeground, notes: "foreground", result: driver.App{ID: "in.front"},
			do: func(ctx C, d D) (any, error) { return driver.Foreground(ctx, d) }},
		{op: driver.OpResolve, notes: "resolve Notes", result: driver.App{ID: "id.of.Notes"},
			do: func(ctx C, d D) (any, error) { return driver.Resolve(ctx, d, "Notes") }},
		{op: driver.OpApps, notes: "apps", result: []driver.App{{ID: "a.b"}},
			do: func(ctx C, d D) (any, error) { return driver.Apps(ctx, d) }},
		plain(driver.OpStop, "stop Notes", func(ctx C, d D) error { return driver.Stop(ctx, d, "Notes") }),
		plain(driver.OpOpenURL, "open url u:x", func(ctx C, d D) error { return driver.OpenURL(ctx, d, "u:x") }),
		{op: driver.OpRotation, notes: "rotation", result: 3,
			do: func(ctx C, d D) (any, error) { return driver.Rotation(ctx, d) }},
		plain(driver.OpRotate, "rotate 1", func(ctx C, d D) error { return driver.Rotate(ctx, d, 1) }),
		plain(driver.OpWake, "wake", func(ctx C, d D) error { return driver.Wake(ctx, d) }),
		plain(driver.OpLock, "lock", func(ctx C, d D) error { return driver.Lock(ctx, d) }),
		{op: driver.OpPowerState, notes: "power state", result: driver.Power{On: true},
			do: func(ctx C, d D) (any, error) { return driver.PowerState(ctx, d) }},
		{op: driver.OpClipboard, notes: "clipboard", result: "clip",
			do: func(ctx C, d D) (any, error) { return driver.Clipboard(ctx, d) }},
		plain(driver.OpSetClipboard, "set clipboard hi", func(ctx C, d D) error { return driver.SetClipboard(ctx, d, "hi") }),
		plain(driver.OpInstall, "install [a.apk b.apk]", func(ctx C, d D) error { return driver.Install(ctx, d, "a.apk", "b.apk") }),
		plain(driver.OpUninstall, "uninstall a.b", func(ctx C, d D) error { return driver.Uninstall(ctx, d, "a.b") }),
		plain(driver.OpPush, "push data /x", func(ctx C, d D) error {
			return driver.Push(ctx, d, strings.NewReader("data"), "/x")
		}),
		{op: driver.OpPull, notes: "pull /x", result: "pulled", do: func(ctx C, d D) (any, error) {
			pulled.Reset()
			err := driver.Pull(ctx, d, "/x", &pulled)
			return pulled.String(), err
		}},
		{op: driver.OpShell, notes: "shell [echo a b]", result: &driver.ShellResult{Code: 7},
			do: func(ctx C, d D) (any, error) { return driver.Shell(ctx, d, "echo", "a b") }},
		{op: driver.OpLogs, notes: "logs", result: "logged", do: func(ctx C, d D) (any, error) {
			pulled.Reset()
			err := driver.Logs(ctx, d, &pulled)
			return pulled.String(), err
		}},
		{op: driver.OpFrames, notes: "frames 1s", do: func(ctx C, d D) (any, error) { return driver.Frames(ctx, d, time.Second) }},
		plain(driver.OpRelease, "release", func(ctx C, d D) error { return driver.Release(ctx, d) }),
		{op: driver.OpDescribe, notes: "describe", result: &driver.Description{Address: "fake:1"},
			do: func(ctx C, d D) (any, error) { return driver.Describe(ctx, d) }},
	}
}

// callOf returns the call of an operation.
func callOf(t *testing.T, op driver.Op) opCall {
	t.Helper()
	for _, c := range everyCall() {
		if c.op == op {
			return c
		}
	}
	require.Fail(t, "no call", op)
	return opCall{}
}
