package wda

import (
	"context"
	"fmt"

	"github.com/electricbubble/gwda"

	"github.com/handset-go/handset/driver"
)

// locked asks whether the phone is locked. WebDriverAgent learns it from notifications: of a phone that was locked before it
// started, it does not know.
func (d *Driver) locked(ctx context.Context) (locked bool, err error) {
	err = d.viaAgent(ctx, func(wd gwda.WebDriver) (err error) {
		locked, err = wd.IsLocked()
		return err
	})
	return locked, err
}

// PowerState returns whether the phone is locked, and of a locked one, by a picture, whether the display is on: nothing else tells.
func (d *Driver) PowerState(ctx context.Context) (driver.Power, error) {
	return value(ctx, d, driver.OpPowerState, limitPicture, d.power)
}

func (d *Driver) power(ctx context.Context) (driver.Power, error) {
	locked, err := d.locked(ctx)
	if err != nil || !locked {
		return driver.Power{On: err == nil}, err
	}
	data, err := d.picture(ctx)
	if err != nil {
		return driver.Power{}, err
	}
	return driver.Power{On: !dark(data), Locked: true}, nil
}

// awake refuses a gesture on a display that is off, where nobody has looked at the screen for a while, or has seen what a display
// that is off shows too: WebDriverAgent would take it, and nothing would happen. A locked display that is on takes gestures.
func (d *Driver) awake(ctx context.Context) error {
	within, cancel := context.WithTimeout(ctx, scaleLimit)
	defer cancel()
	p, err := d.power(within)
	if err != nil {
		return nil // what is wrong, the gesture will tell
	}
	if p.Locked && !p.On {
		return fmt.Errorf("%w: wake the phone first", driver.ErrAsleep)
	}
	d.desk.Store(false)
	return nil
}

// Wake turns the display on, with the power button; servers before 3.8.0, which have no buttons but a few, unlock it too where
// there is no passcode. A display that is on stays on.
func (d *Driver) Wake(ctx context.Context) error {
	return d.do(ctx, driver.OpWake, limitGesture, func(ctx context.Context) error {
		p, err := d.power(quiet(ctx))
		if err != nil || p.On {
			return err
		}
		d.screen.forget()
		err = d.consumerKey(ctx, usagePower)
		if hasCode(err, codeUnknownCommand) {
			err = d.viaAgent(ctx, func(wd gwda.WebDriver) error { return wd.Unlock() })
		}
		return err
	})
}

// Lock turns the display off and locks the phone.
func (d *Driver) Lock(ctx context.Context) error {
	return d.do(ctx, driver.OpLock, limitGesture, func(ctx context.Context) error {
		if p, err := d.power(quiet(ctx)); err != nil || !p.On {
			return err
		}
		return d.viaAgent(ctx, func(wd gwda.WebDriver) error { return wd.Lock() })
	})
}

// Unlock wakes the phone and opens its lock screen, where no passcode is asked for; driver.ErrLocked says that one is.
func (d *Driver) Unlock(ctx context.Context) error {
	return d.do(ctx, opUnlock, limitGesture, func(ctx context.Context) error {
		d.screen.forget()
		err := d.viaAgent(ctx, func(wd gwda.WebDriver) error { return wd.Unlock() })
		if says(err, "until the screen gets unlocked") {
			return lockedFor(err, "a person must enter the passcode")
		}
		return err
	})
}

// opUnlock is Unlock in errors.
const opUnlock driver.Op = "unlock"
