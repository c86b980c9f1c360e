package drivertest

import (
	"context"
	"errors"
	"fmt"
	"image"
	"strings"

	"github.com/handset-go/handset/driver"
)

func errorCases() []Case {
	return []Case{
		{Name: "errors/shape", Rule: "an error is a *driver.Error, with the operation, the device and a cause", check: errorHasShape},
		{Name: "errors/text", Rule: "what was typed is in no error", check: errorsKeepSecrets},
	}
}

// shaped wants a *driver.Error that says what and where.
func shaped(err error) error {
	var e *driver.Error
	switch {
	case !errors.As(err, &e):
		return fmt.Errorf("%w; it is no *driver.Error", err)
	case e.Op == "" || e.Device == "" || e.Err == nil:
		return fmt.Errorf("%w; its operation is %q, its device %q and its cause %v", err, e.Op, e.Device, e.Err)
	}
	return nil
}

func errorHasShape(b *bench) error {
	err := b.try(func(ctx context.Context) error { return b.Driver.Tap(ctx, image.Pt(-1, -1)) })
	if err == nil {
		return errors.New("a tap off the screen was done")
	}
	if err := shaped(err); err != nil {
		return err
	}
	var e *driver.Error
	errors.As(err, &e)
	if e.Op != driver.OpTap {
		return fmt.Errorf("%w; its operation is %q, want %q", err, e.Op, driver.OpTap)
	}
	if !strings.Contains(err.Error(), "tap "+e.Device+": ") {
		return fmt.Errorf("%w; want a text such as \"tap DEVICE: cause\"", err)
	}
	return b.sameDevice(e)
}

// sameDevice compares the device of an error with the description, where there is one.
func (b *bench) sameDevice(e *driver.Error) error {
	var desc *driver.Description
	err := b.try(func(ctx context.Context) (err error) {
		desc, err = driver.Describe(ctx, b.Driver)
		return err
	})
	if err != nil || desc.Address == "" {
		return err
	}
	address, err := driver.ParseAddress(desc.Address)
	if err != nil {
		return err
	}
	if e.Device != address.Bare() && e.Device != desc.Address {
		return fmt.Errorf("the error is of the device %q, and the driver describes %q", e.Device, desc.Address)
	}
	return nil
}

func errorsKeepSecrets(b *bench) error {
	const secret = "hunter2-correct-horse"
	checked := 0
	for _, fault := range []string{FaultBreak, FaultOffline, FaultBlocked} {
		b.fresh()
		c, err := b.prepare(driver.OpType)
		if err != nil {
			return err
		}
		off, err := b.fault(fault)
		if err != nil {
			continue
		}
		c.text = secret
		err = b.try(func(ctx context.Context) error { return driver.Type(ctx, c.d, secret) })
		off()
		if err == nil {
			continue
		}
		checked++
		if strings.Contains(err.Error(), secret) {
			return fmt.Errorf("with the fault %q the error has the text in it", fault)
		}
	}
	if checked == 0 {
		return skipf("the harness has no Fault that makes Type fail")
	}
	return nil
}
