package drivertest

import (
	"context"
	"image"
	"io"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
)

// moving is how long a move of the suite takes.
const moving = 50 * time.Millisecond

// holding is long enough for every phone to see a long press.
const holding = 700 * time.Millisecond

// caller makes calls of operations with arguments that suit every phone.
type caller struct {
	cfg  *Config
	d    driver.Driver
	at   image.Point // in the frame
	to   image.Point // in the frame, to the right of at
	text string
}

// caller returns a caller for the bench's driver. It takes a screenshot.
func (b *bench) caller() (*caller, error) {
	at, err := b.middle()
	if err != nil {
		return nil, err
	}
	return &caller{cfg: b.cfg, d: b.Driver, at: at, to: at.Add(image.Pt(at.X/2, 0)), text: "abc"}, nil
}

// on returns the same caller for another driver.
func (c caller) on(d driver.Driver) *caller {
	c.d = d
	return &c
}

// do calls an operation and returns its result, where it has one.
func (c *caller) do(ctx context.Context, op driver.Op) (any, error) {
	if op.Reads() {
		return c.read(ctx, op)
	}
	if op.Gesture() {
		return nil, c.gesture(ctx, op)
	}
	return c.change(ctx, op)
}

func (c *caller) gesture(ctx context.Context, op driver.Op) error {
	switch op {
	case driver.OpTap:
		return c.d.Tap(ctx, c.at)
	case driver.OpSwipe:
		return c.d.Swipe(ctx, c.at, c.to, moving)
	case driver.OpKey:
		return c.d.Key(ctx, driver.KeyHome)
	case driver.OpDoubleTap:
		return driver.DoubleTap(ctx, c.d, c.at)
	case driver.OpLongPress:
		return driver.LongPress(ctx, c.d, c.at, holding)
	case driver.OpDrag:
		return driver.Drag(ctx, c.d, c.at, c.to, holding, moving)
	case driver.OpPinch:
		return driver.Pinch(ctx, c.d, c.at, 0.5, moving)
	case driver.OpGesture:
		return driver.Gesture(ctx, c.d, []driver.Stroke{{{At: c.at}, {At: c.to, After: moving}}})
	}
	return skipf("the suite has no call for %s", op)
}

func (c *caller) read(ctx context.Context, op driver.Op) (any, error) {
	switch op {
	case driver.OpScreenshot:
		return c.d.Screenshot(ctx)
	case driver.OpTree:
		return c.d.Tree(ctx)
	case driver.OpForeground:
		return driver.Foreground(ctx, c.d)
	case driver.OpApps:
		return driver.Apps(ctx, c.d)
	case driver.OpRotation:
		return driver.Rotation(ctx, c.d)
	case driver.OpPowerState:
		return driver.PowerState(ctx, c.d)
	case driver.OpClipboard:
		return driver.Clipboard(ctx, c.d)
	case driver.OpDescribe:
		return driver.Describe(ctx, c.d)
	case driver.OpFrames:
		return c.frame(ctx)
	case driver.OpLogs:
		return nil, driver.Logs(ctx, c.d, io.Discard)
	case driver.OpResolve:
		if c.cfg.Apps.ID == "" {
			return nil, skipf("the harness has no Apps.ID")
		}
		return driver.Resolve(ctx, c.d, c.cfg.Apps.ID)
	case driver.OpPull:
		if c.cfg.File == "" {
			return nil, skipf("the harness has no File")
		}
		return nil, driver.Pull(ctx, c.d, c.cfg.File, io.Discard)
	}
	return nil, skipf("the suite has no call for %s", op)
}

// frame takes the first of the frames.
func (c *caller) frame(ctx context.Context) (any, error) {
	seq, err := driver.Frames(ctx, c.d, time.Millisecond)
	if err != nil {
		return nil, err
	}
	for s, err := range seq {
		return s, err
	}
	return nil, skipf("there were no frames")
}

func (c *caller) change(ctx context.Context, op driver.Op) (any, error) {
	switch op {
	case driver.OpType:
		return nil, driver.Type(ctx, c.d, c.text)
	case driver.OpClearText:
		return nil, driver.ClearText(ctx, c.d)
	case driver.OpSetText:
		return nil, driver.SetText(ctx, c.d, c.text)
	case driver.OpOpenURL:
		return nil, driver.OpenURL(ctx, c.d, "https://example.com/")
	case driver.OpRotate:
		return nil, driver.Rotate(ctx, c.d, 1)
	case driver.OpWake:
		return nil, driver.Wake(ctx, c.d)
	case driver.OpLock:
		return nil, driver.Lock(ctx, c.d)
	case driver.OpSetClipboard:
		return nil, driver.SetClipboard(ctx, c.d, c.text)
	case driver.OpRelease:
		return nil, driver.Release(ctx, c.d)
	}
	return c.changeNamed(ctx, op)
}

// changeNamed calls the operations that need a name which the harness gives.
func (c *caller) changeNamed(ctx context.Context, op driver.Op) (any, error) {
	switch op {
	case driver.OpLaunch:
		if c.cfg.Apps.ID == "" {
			return nil, skipf("the harness has no Apps.ID")
		}
		return nil, c.d.Launch(ctx, c.cfg.Apps.ID)
	case driver.OpStop:
		if c.cfg.Apps.ID == "" {
			return nil, skipf("the harness has no Apps.ID")
		}
		return nil, driver.Stop(ctx, c.d, c.cfg.Apps.ID)
	case driver.OpPush:
		if c.cfg.File == "" {
			return nil, skipf("the harness has no File")
		}
		return nil, driver.Push(ctx, c.d, strings.NewReader(c.text), c.cfg.File)
	case driver.OpShell:
		if len(c.cfg.Echo) == 0 {
			return nil, skipf("the harness has no Echo")
		}
		return driver.Shell(ctx, c.d, append(c.cfg.Echo[:len(c.cfg.Echo):len(c.cfg.Echo)], c.text)...)
	}
	return nil, skipf("the suite has no call for %s", op)
}

// needsField says that an operation wants a focused field.
func needsField(op driver.Op) bool {
	return op == driver.OpType || op == driver.OpClearText || op == driver.OpSetText
}

// prepare gets the phone ready for an operation, and returns the caller of it.
func (b *bench) prepare(op driver.Op) (*caller, error) {
	if err := b.has(op); err != nil {
		return nil, err
	}
	c, err := b.caller()
	if err != nil {
		return nil, err
	}
	if needsField(op) {
		if err := b.focus(false); err != nil {
			return nil, err
		}
	}
	b.ready()
	return c, nil
}

// has skips the case where the driver does not have the operation.
func (b *bench) has(op driver.Op) error {
	for _, have := range driver.Operations(b.Driver) {
		if have == op {
			return nil
		}
	}
	return skipf("the driver cannot %s", op)
}

// slug is the operation's name in the name of a case.
func slug(op driver.Op) string { return strings.ReplaceAll(string(op), " ", "-") }

// eachOp makes one case for each operation.
func eachOp(prefix, rule string, check func(*bench, driver.Op) error) []Case {
	var cases []Case
	for _, op := range driver.Ops() {
		cases = append(cases, Case{
			Name: prefix + "/" + slug(op), Rule: rule,
			check: func(b *bench) error { return check(b, op) },
		})
	}
	return cases
}
