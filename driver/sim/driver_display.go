package sim

import (
	"context"
	"fmt"

	"github.com/handset-go/handset/driver"
)

// Rotation returns how the display is turned.
func (d *Driver) Rotation(ctx context.Context) (int, error) {
	return read(ctx, d, driver.OpRotation, func() (int, error) { return d.phone.Rotation(), nil })
}

// Rotate turns the display.
func (d *Driver) Rotate(ctx context.Context, rotation int) error {
	check := func() error {
		if rotation < 0 || rotation > 3 {
			return fmt.Errorf("rotation %d: want 0 to 3 quarter turns", rotation)
		}
		return nil
	}
	return d.do(ctx, driver.OpRotate, check, func() error { return d.phone.SetRotation(rotation) })
}

// PowerState returns whether the display is on and the phone locked.
func (d *Driver) PowerState(ctx context.Context) (driver.Power, error) {
	return read(ctx, d, driver.OpPowerState, func() (driver.Power, error) { return d.phone.Power(), nil })
}

// Wake turns the display on.
func (d *Driver) Wake(ctx context.Context) error {
	return d.do(ctx, driver.OpWake, nil, func() error { d.phone.Wake(); return nil })
}

// Lock turns the display off, which locks the phone.
func (d *Driver) Lock(ctx context.Context) error {
	return d.do(ctx, driver.OpLock, nil, func() error { d.phone.Sleep(); return nil })
}

// Release has nothing to give back: the driver holds nothing of the phone between calls.
func (d *Driver) Release(ctx context.Context) error {
	return d.do(ctx, driver.OpRelease, nil, func() error { return nil })
}
