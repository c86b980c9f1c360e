package drivertest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/handset-go/handset/driver"
)

func opCases() []Case {
	cases := eachOp("op", "Describe names the operations that work; one that does not is refused with "+
		"errors.ErrUnsupported, and nothing is sent", opIsAsDescribed)
	return append(cases, Case{
		Name: "op/all", Rule: "the driver has the operations that it is meant to have", check: opsAreComplete,
	})
}

// described returns the operations that Describe names.
func (b *bench) described() ([]driver.Op, error) {
	var ops []driver.Op
	err := b.try(func(ctx context.Context) error {
		desc, err := driver.Describe(ctx, b.Driver)
		if err == nil {
			ops = desc.Ops
		}
		return err
	})
	return ops, err
}

func opIsAsDescribed(b *bench, op driver.Op) error {
	ops, err := b.described()
	if err != nil {
		return err
	}
	c, err := b.caller()
	if err != nil {
		return err
	}
	named := slices.Contains(ops, op)
	if want, ok := b.cfg.RefusesOps[op]; ok {
		return b.refusesOp(c, op, want, named)
	}
	if !named {
		return b.unsupported(c, op)
	}
	if needsField(op) {
		if err := b.focus(false); err != nil {
			return err
		}
	}
	return b.works(c, op)
}

// unsupported wants the refusal of an operation that the driver does not have.
func (b *bench) unsupported(c *caller, op driver.Op) error {
	b.ready()
	err := b.try(func(ctx context.Context) error {
		if op == driver.OpGesture { // the slow path can do one finger
			return driver.Gesture(ctx, c.d, []driver.Stroke{{{At: c.at}}, {{At: c.to}}})
		}
		_, err := c.do(ctx, op)
		return err
	})
	var no skip
	switch {
	case errors.As(err, &no):
		return err
	case err == nil:
		return errors.New("it works, and Describe does not name it")
	case !errors.Is(err, errors.ErrUnsupported):
		return fmt.Errorf("not named by Describe: got %w, want what matches errors.ErrUnsupported", err)
	case driver.MaybeDone(err):
		return fmt.Errorf("%w; nothing may be sent", err)
	}
	return b.nothingSent()
}

// works wants an operation to work. Logs goes on until its context ends.
func (b *bench) works(c *caller, op driver.Op) error {
	err := b.try(func(ctx context.Context) error {
		if op == driver.OpLogs {
			short, cancel := context.WithTimeout(ctx, headStart)
			defer cancel()
			if err := driver.Logs(short, c.d, discard{}); !errors.Is(err, context.DeadlineExceeded) {
				return err
			}
			return nil
		}
		if op == driver.OpPull { // reads what Push has written
			if _, err := c.do(ctx, driver.OpPush); err != nil {
				return err
			}
		}
		_, err := c.do(ctx, op)
		return err
	})
	if _, own := b.Driver.(driver.DescribeDriver); !own && errors.Is(err, errors.ErrUnsupported) {
		return skipf("the driver does not describe itself, and cannot %s: %v", op, err)
	}
	return err
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

func opsAreComplete(b *bench) error {
	if len(b.cfg.Ops) == 0 {
		return skipf("the harness has no Ops")
	}
	ops, err := b.described()
	if err != nil {
		return err
	}
	for _, op := range b.cfg.Ops {
		if !slices.Contains(ops, op) || !slices.Contains(driver.Operations(b.Driver), op) {
			return fmt.Errorf("the driver has lost %s", op)
		}
	}
	return nil
}

func describeCases() []Case {
	return []Case{
		{Name: "describe/size", Rule: "Describe's size is that of the frame", check: describedSize},
		{Name: "describe/address", Rule: "the address of Describe is one that ParseAddress reads", check: describedAddress},
		{Name: "describe/open", Rule: "Open takes the address, and the driver describes itself with it", check: openByAddress},
	}
}

func (b *bench) describe(d driver.Driver) (*driver.Description, error) {
	var desc *driver.Description
	err := b.try(func(ctx context.Context) (err error) {
		desc, err = driver.Describe(ctx, d)
		return err
	})
	return desc, err
}

func describedSize(b *bench) error {
	desc, err := b.describe(b.Driver)
	if err != nil {
		return err
	}
	if desc.Size.X == 0 {
		return skipf("Describe does not tell the size")
	}
	size, err := b.size()
	if err == nil && size != desc.Size {
		return fmt.Errorf("described as %v, and the frame is %v", desc.Size, size)
	}
	return err
}

func describedAddress(b *bench) error {
	desc, err := b.describe(b.Driver)
	if err != nil {
		return err
	}
	if desc.Address == "" {
		return skipf("Describe tells no address")
	}
	a, err := driver.ParseAddress(desc.Address)
	if err != nil {
		return err
	}
	if a.String() != desc.Address {
		return fmt.Errorf("the address %q is written %q", desc.Address, a)
	}
	return nil
}

func openByAddress(b *bench) error {
	if b.Address == "" {
		return skipf("the harness has no Address")
	}
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	d, err := driver.Open(ctx, b.Address)
	if err != nil {
		return err
	}
	b.used = append(b.used, d)
	mine, err := b.describe(b.Driver)
	if err != nil {
		return err
	}
	opened, err := b.describe(d)
	if err == nil && opened.Address != mine.Address {
		return fmt.Errorf("%q opens a driver that describes %q, want %q", b.Address, opened.Address, mine.Address)
	}
	return err
}
