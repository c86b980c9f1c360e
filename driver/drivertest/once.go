package drivertest

import (
	"context"
	"errors"
	"fmt"

	"github.com/handset-go/handset/driver"
)

const ruleOnce = "once a gesture may have reached the phone there is no retry, and the error says so with MaybeDone"

func onceCases() []Case {
	var cases []Case
	for _, op := range []driver.Op{
		driver.OpTap, driver.OpSwipe, driver.OpKey, driver.OpDoubleTap, driver.OpLongPress, driver.OpDrag,
	} {
		cases = append(cases, Case{
			Name: "once/" + slug(op), Rule: ruleOnce,
			check: func(b *bench) error { return gestureOnce(b, op) },
		})
	}
	return append(cases, Case{Name: "once/type", Rule: ruleOnce, check: textOnce})
}

// broken does an operation while the line breaks after it was sent, and wants an error that says so.
func (b *bench) broken(op driver.Op) error {
	c, err := b.prepare(op)
	if err != nil {
		return err
	}
	off, err := b.fault(FaultBreak)
	if err != nil {
		return err
	}
	defer off()
	err = b.try(func(ctx context.Context) error {
		_, err := c.do(ctx, op)
		return err
	})
	switch {
	case err == nil:
		return errors.New("it says that it is done, and the line broke before the answer")
	case b.isRefusal(err):
		return err
	case dull(err):
		return skipf("%s: %v", op, err)
	case !driver.MaybeDone(err):
		return fmt.Errorf("the error does not say MaybeDone: %w", err)
	}
	return nil
}

func gestureOnce(b *bench, op driver.Op) error {
	if err := b.broken(op); err != nil {
		return err
	}
	all, err := b.events()
	if err != nil {
		return err
	}
	seen := append(touches(all), only(all, KindKey)...)
	if folded := fold(seen); len(folded) != 1 {
		return fmt.Errorf("the phone saw %d gestures, want one", len(folded))
	}
	if double := fold(seen)[0].Kind == KindDoubleTap; double && op != driver.OpDoubleTap {
		return errors.New("the phone saw the tap twice")
	}
	return nil
}

func textOnce(b *bench) error {
	if err := b.broken(driver.OpType); err != nil {
		return err
	}
	got, err := b.field()
	if err != nil {
		return err
	}
	if got != "abc" {
		return fmt.Errorf("the field holds %q, want \"abc\" once", got)
	}
	return nil
}
