package adb

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

// opUnlock is no part of the driver contract.
const opUnlock driver.Op = "unlock"

const (
	keycodeEnter = 66
	keycodeMenu  = 82
	unlockPoll   = 100 * time.Millisecond
)

// Unlock wakes the phone and takes its lock screen away. pin is typed, once, where a swipe does not do it; "" is for a phone
// that asks for none. ErrLocked says that the lock screen is still there: it wants a pattern or a face, or another pin.
func (d *Driver) Unlock(ctx context.Context, pin string) error {
	return d.do(ctx, opUnlock, limitShort, func(ctx context.Context) error {
		if strings.Trim(pin, "0123456789") != "" {
			return errors.New("a pin of other characters than digits is not typed on a lock screen")
		}
		defer d.screen.forget()
		if err := d.input(ctx, fmt.Sprintf("input keyevent %d", keycodeWakeup)); err != nil {
			return err
		}
		if open, err := d.unlocked(ctx, 0); err != nil || open {
			return err
		}
		wait := d.frontLimit / 5 // each way is given that to show its effect, 1.6 s
		for _, way := range []func(context.Context) error{d.dismissKeyguard, d.pressMenu, d.swipeUp} {
			if err := way(ctx); err != nil {
				return err
			}
			if open, err := d.unlocked(ctx, wait); err != nil || open {
				return err
			}
		}
		if pin == "" {
			return fmt.Errorf("%w: it wants a PIN, a pattern or its owner: unlock the phone by hand", driver.ErrLocked)
		}
		if err := d.input(ctx, fmt.Sprintf("input text %s && input keyevent %d", pin, keycodeEnter)); err != nil {
			return err
		}
		if open, err := d.unlocked(ctx, wait); err != nil || open {
			return err
		}
		return fmt.Errorf("%w: the PIN did not open it: unlock the phone by hand", driver.ErrLocked)
	})
}

// unlocked waits until no lock screen keeps a person out.
func (d *Driver) unlocked(ctx context.Context, within time.Duration) (bool, error) {
	for end := time.Now().Add(within); ; {
		p, err := d.power(ctx)
		if err != nil || p.On && !p.Locked {
			return err == nil, err
		}
		if !time.Now().Before(end) {
			return false, nil
		}
		if err := nap.For(ctx, unlockPoll); err != nil {
			return false, err
		}
	}
}

// dismissKeyguard works from Android 7 on; older releases say that they do not know it, which is no
// failure here.
func (d *Driver) dismissKeyguard(ctx context.Context) error {
	_, err := d.act(ctx, "wm dismiss-keyguard")
	return err
}

// pressMenu takes the lock screen of old releases away.
func (d *Driver) pressMenu(ctx context.Context) error {
	if d.info.sdk >= 28 {
		return nil // Menu does nothing there, or opens a menu
	}
	return d.input(ctx, fmt.Sprintf("input keyevent %d", keycodeMenu))
}

// swipeUp is what a person does: from the lower part of the screen upwards.
func (d *Driver) swipeUp(ctx context.Context) error {
	size, err := d.frameSize(ctx)
	if err != nil {
		return err
	}
	size = d.screen.logical(size)
	return d.input(ctx, fmt.Sprintf("input swipe %d %d %d %d 250", size.X/2, size.Y*4/5, size.X/2, size.Y/5))
}
