package drivertest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/handset-go/handset/driver"
)

const (
	ruleWrap   = "a wrapper keeps every capability: a call through it has the effect of the bare call"
	ruleRefuse = "what a wrapper refuses does not happen: no slow path goes round it"
)

func wrapCases() []Case {
	cases := []Case{{Name: "wrap/operations", Rule: ruleWrap, check: wrapperKeepsOperations}}
	cases = append(cases, eachOp("wrap", ruleWrap, likeBare)...)
	return append(cases, eachOp("refuse", ruleRefuse, refusedByWrapper)...)
}

// wrap returns the wrapper that lets everything through.
func (b *bench) wrap(d driver.Driver) driver.Driver {
	if b.cfg.Wrap != nil {
		return b.cfg.Wrap(d)
	}
	return driver.Wrap(d, func(ctx context.Context, _ *driver.Call, next func(context.Context) error) error {
		return next(ctx)
	})
}

// refusing returns the wrapper that refuses an operation. It does so in the way that is easiest to go round.
func (b *bench) refusing(d driver.Driver, op driver.Op) driver.Driver {
	if b.cfg.Refuse != nil {
		return b.cfg.Refuse(d, op)
	}
	return driver.Wrap(d, func(ctx context.Context, c *driver.Call, next func(context.Context) error) error {
		if c.Op == op {
			return driver.Unsupported("refused by a wrapper")
		}
		return next(ctx)
	})
}

func wrapperKeepsOperations(b *bench) error {
	want := driver.Operations(b.Driver)
	if got := driver.Operations(b.wrap(b.Driver)); !slices.Equal(got, want) {
		return fmt.Errorf("bare, the driver has %v; wrapped, it has %v", want, got)
	}
	return nil
}

// likeBare does an operation on the bare driver and through the wrapper, on a fresh phone each.
func likeBare(b *bench, op driver.Op) error {
	if op == driver.OpLogs || op == driver.OpPull {
		return skipf("the suite has no result of %s to compare", op)
	}
	bare, bareErr := b.effect(op, func(d driver.Driver) driver.Driver { return d })
	var no skip
	if errors.As(bareErr, &no) {
		return bareErr
	}
	b.fresh()
	wrapped, err := b.effect(op, b.wrap)
	switch {
	case bareErr == nil && err == nil:
		return b.same(bare, wrapped)
	case b.isRefusal(bareErr) && b.isRefusal(err):
		return err
	case bareErr != nil && err != nil && errors.Is(err, errors.ErrUnsupported) == errors.Is(bareErr, errors.ErrUnsupported):
		return skipf("the driver fails: %v", bareErr)
	}
	return fmt.Errorf("bare: %v; wrapped: %v", bareErr, err)
}

func refusedByWrapper(b *bench, op driver.Op) error {
	c, err := b.prepare(op)
	if err != nil {
		return err
	}
	err = b.try(func(ctx context.Context) error {
		_, err := c.on(b.refusing(c.d, op)).do(ctx, op)
		return err
	})
	var no skip
	switch {
	case errors.As(err, &no):
		return err
	case err == nil:
		return errors.New("it was refused, and it was done")
	}
	return b.nothingSent()
}
