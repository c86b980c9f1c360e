package drivertest

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"sync/atomic"

	"github.com/handset-go/handset/driver"
)

const (
	ruleCancel = "a cancelled call returns at once, whatever the tool does, and errors.Is(err, ctx.Err()) holds"
	ruleLimit  = "a driver's own limit is ErrTimeout, which never matches context.DeadlineExceeded"
)

func cancelCases() []Case {
	cases := eachOp("cancel", ruleCancel, cancelled)
	return append(cases,
		Case{Name: "cancel/before", Rule: "a call with a context that is done does nothing", check: doneBefore},
		Case{Name: "cancel/deadline", Rule: "the caller's deadline is context.DeadlineExceeded, and not ErrTimeout", check: deadline},
	)
}

// hung starts an operation on a phone that does not answer. It skips operations that do without it; the
// core is never skipped. end does what must end the call and returns what came of it, off lets the phone answer.
func (b *bench) hung(ctx context.Context, op driver.Op) (end func(by func()) error, off func(), err error) {
	c, err := b.prepare(op)
	if err != nil {
		return nil, nil, err
	}
	off, err = b.fault(FaultHang)
	if err != nil {
		return nil, nil, err
	}
	var touched atomic.Bool
	begun := make(chan struct{})
	done := start(func() error {
		close(begun)
		_, err := c.do(ctx, op)
		if !touched.Load() {
			return early(op, err) // on a busy computer that may take longer than the head start
		}
		return err
	})
	<-begun
	if err := wait(done, headStart); !errors.Is(err, errStuck) {
		return nil, nil, err
	}
	return func(by func()) error {
		touched.Store(true)
		by()
		return wait(done, patience)
	}, off, nil
}

// early says what it means that a call did not wait for the phone.
func early(op driver.Op, err error) error {
	var no skip
	switch {
	case errors.As(err, &no), errors.Is(err, errors.ErrUnsupported) && !mustAsk(op):
		return skipf("%s: %v", op, err)
	case err == nil && !mustAsk(op):
		return skipf("%s was done without the phone", op)
	case op == driver.OpTree && errors.Is(err, errors.ErrUnsupported):
		return skipf("the driver has no trees")
	case err == nil:
		return fmt.Errorf("%s says that it is done, and the phone has not answered", op)
	}
	return fmt.Errorf("the phone does not answer, and %s did not wait for it: %w", op, err)
}

// mustAsk says that an operation cannot be done without the phone.
func mustAsk(op driver.Op) bool {
	return op.Gesture() || slices.Contains([]driver.Op{
		driver.OpScreenshot, driver.OpTree, driver.OpLaunch, driver.OpType,
	}, op)
}

func cancelled(b *bench, op driver.Op) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	end, off, err := b.hung(ctx, op)
	if err != nil {
		return err
	}
	defer off()
	err = end(cancel)
	var no skip
	switch {
	case errors.As(err, &no):
		return err
	case !errors.Is(err, context.Canceled):
		return fmt.Errorf("got %v, want what matches context.Canceled", err)
	case errors.Is(err, driver.ErrTimeout):
		return fmt.Errorf("%w; it matches ErrTimeout too", err)
	}
	return shaped(err)
}

// doneBefore calls every operation with a context that is done.
func doneBefore(b *bench) error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c, err := b.caller()
	if err != nil {
		return err
	}
	b.ready()
	for _, op := range driver.Operations(b.Driver) {
		err := wait(start(func() error {
			_, err := c.do(ctx, op)
			return err
		}), patience)
		if err != nil && !errors.Is(err, context.Canceled) && !dull(err) && !b.isRefusal(err) {
			return fmt.Errorf("%s: %w; want what matches context.Canceled", op, err)
		}
		if err == nil && mustAsk(op) {
			return fmt.Errorf("%s was done", op)
		}
		if err := b.nothingSent(); err != nil {
			return fmt.Errorf("%s: %w", op, err)
		}
	}
	return nil
}

// dull says that an error tells nothing about the rule: the suite has no call, or the driver has not the
// operation.
func dull(err error) bool {
	var no skip
	return errors.As(err, &no) || errors.Is(err, errors.ErrUnsupported)
}

func deadline(b *bench) error {
	c, err := b.prepare(driver.OpTap)
	if err != nil {
		return err
	}
	off, err := b.fault(FaultHang)
	if err != nil {
		return err
	}
	defer off()
	ctx, cancel := context.WithTimeout(context.Background(), headStart)
	defer cancel()
	err = wait(start(func() error { return b.Driver.Tap(ctx, c.at) }), patience)
	if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, driver.ErrTimeout) {
		return instead(err, "what matches context.DeadlineExceeded and not ErrTimeout")
	}
	return nil
}

func limitCases() []Case {
	cases := eachOp("limit", ruleLimit, limited)
	for i := range cases {
		check := cases[i].check
		cases[i].check = func(b *bench) error {
			if b.cfg.Impatient == nil {
				return skipf("the harness has no Impatient")
			}
			b.end()
			b.open = b.cfg.Impatient
			b.use(b.open)
			return check(b)
		}
	}
	return cases
}

// attempts is how often a call of an impatient driver, on a busy computer, is made until it is in time.
const attempts = 30

// impatient is prepare for an impatient driver. Where the computer is too busy for a frame within the limit, the caller
// has points that are in every frame.
func (b *bench) impatient(op driver.Op) (*caller, error) {
	c, err := b.prepare(op)
	for i := 0; errors.Is(err, driver.ErrTimeout) && i < attempts; i++ {
		c, err = b.prepare(op)
	}
	if !errors.Is(err, driver.ErrTimeout) {
		return c, err
	}
	if needsField(op) {
		if err := b.focus(false); err != nil {
			return nil, err
		}
	}
	return &caller{cfg: b.cfg, d: b.Driver, at: image.Pt(8, 8), to: image.Pt(12, 8), text: "abc"}, nil
}

func limited(b *bench, op driver.Op) error {
	c, err := b.impatient(op)
	if err != nil {
		return err
	}
	off, err := b.fault(FaultHang)
	if err != nil {
		return err
	}
	defer off()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	long := callLimit // the driver's own limit is below
	if op == driver.OpLogs {
		long = patience
	}
	err = wait(start(func() error {
		_, err := c.do(ctx, op)
		return err
	}), long)
	switch {
	case op == driver.OpLogs && errors.Is(err, errStuck):
		return skipf("%s goes on until its context ends", op)
	case err == nil || dull(err):
		return early(op, err)
	case !errors.Is(err, driver.ErrTimeout):
		return fmt.Errorf("got %w, want what matches ErrTimeout", err)
	case errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled):
		return fmt.Errorf("%w; it matches an error of a context, and the caller's has not ended", err)
	}
	return shaped(err)
}
