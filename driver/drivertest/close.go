package drivertest

import (
	"context"
	"errors"
	"fmt"

	"github.com/handset-go/handset/driver"
)

const (
	ruleClose  = "Close unblocks the calls in progress, which return ErrClosed"
	ruleClosed = "every call after Close returns ErrClosed, and nothing is sent"
	ruleTwice  = "Close may be called more than once and from any goroutine"
)

func closeCases() []Case {
	cases := eachOp("close", ruleClose, closedInCall)
	return append(cases,
		Case{Name: "close/after", Rule: ruleClosed, check: closedBefore},
		Case{Name: "close/twice", Rule: ruleTwice, check: closedTwice},
	)
}

func closedInCall(b *bench, op driver.Op) error {
	end, off, err := b.hung(context.Background(), op)
	if err != nil {
		return err
	}
	defer off()
	var closed <-chan error
	err = end(func() { closed = start(b.Driver.Close) })
	var no skip
	switch {
	case errors.As(err, &no):
		return err
	case !errors.Is(err, driver.ErrClosed):
		return fmt.Errorf("the call in progress: got %v, want what matches ErrClosed", err)
	}
	off()
	if err := wait(closed, closeLimit); err != nil {
		return fmt.Errorf("close: %w", err)
	}
	return nil
}

func closedBefore(b *bench) error {
	c, err := b.caller()
	if err != nil {
		return err
	}
	if err := wait(start(b.Driver.Close), closeLimit); err != nil {
		return fmt.Errorf("close: %w", err)
	}
	b.ready()
	for _, op := range driver.Operations(b.Driver) {
		err := b.try(func(ctx context.Context) error {
			_, err := c.do(ctx, op)
			return err
		})
		if !errors.Is(err, driver.ErrClosed) && !outlives(op, err) {
			return fmt.Errorf("%s: got %v, want what matches ErrClosed", op, err)
		}
		if err := b.nothingSent(); err != nil {
			return fmt.Errorf("%s: %w", op, err)
		}
	}
	return nil
}

// outlives says that an operation may do this on a closed driver: where the driver leaves them to the slow
// path, Release and Describe do not ask it.
func outlives(op driver.Op, err error) bool {
	return dull(err) || err == nil && (op == driver.OpRelease || op == driver.OpDescribe)
}

func closedTwice(b *bench) error {
	first, second := start(b.Driver.Close), start(b.Driver.Close)
	for _, closed := range []<-chan error{first, second, start(b.Driver.Close)} {
		if err := wait(closed, closeLimit); err != nil {
			return err
		}
	}
	return wait(start(b.Driver.Close), closeLimit)
}
