package drivertest

import (
	"context"
	"errors"
	"fmt"

	"github.com/handset-go/handset/driver"
)

// refused says what is wrong with the refusal that the phone must give.
func (b *bench) refused(err, want error) error {
	switch {
	case err == nil:
		return fmt.Errorf("it was done; this phone must refuse it with %q", want)
	case !errors.Is(err, want):
		return fmt.Errorf("%w; this phone must refuse it with %q", err, want)
	case driver.MaybeDone(err):
		return fmt.Errorf("%w; nothing may be sent", err)
	}
	return b.nothingSent()
}

// isRefusal says that an error is that of an operation which the phone must refuse.
func (b *bench) isRefusal(err error) bool {
	var e *driver.Error
	if !errors.As(err, &e) || e.MaybeDone {
		return false
	}
	want, ok := b.cfg.RefusesOps[e.Op]
	return ok && errors.Is(e, want)
}

// refusesOp wants the refusal of an operation. What the driver does not have at all, Describe does not
// name.
func (b *bench) refusesOp(c *caller, op driver.Op, want error, named bool) error {
	if needsField(op) {
		if err := b.focus(false); err != nil {
			return err
		}
	}
	b.ready()
	err := b.try(func(ctx context.Context) error {
		_, err := c.do(ctx, op)
		return err
	})
	var no skip
	switch {
	case errors.As(err, &no):
		return err
	case named && errors.Is(want, errors.ErrUnsupported):
		return fmt.Errorf("it is named by Describe, and this phone must refuse it with %q", want)
	}
	return b.refused(err, want)
}
