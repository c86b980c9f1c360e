package hdc

import (
	"context"
	"errors"
	"fmt"
	"image"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

// PowerState reads whether the display takes input and whether the lock screen is shown. A display that dozes is off.
func (d *Driver) PowerState(ctx context.Context) (driver.Power, error) {
	return value(ctx, d, driver.OpPowerState, limitShort, d.power)
}

func (d *Driver) power(ctx context.Context) (driver.Power, error) {
	parts, err := d.askAll(ctx, askRender, askWindows)
	if err != nil {
		return driver.Power{}, err
	}
	p := parsePanel(parts[0])
	if p.power == "" {
		return driver.Power{}, driver.Unsupported("the phone does not tell its power state: %s", complaint(parts[0]))
	}
	return driver.Power{On: p.on(), Locked: lockShown(parts[1])}, nil
}

// awake returns ErrAsleep or ErrLocked where the phone says that it is. A phone that does not tell is awake.
func (d *Driver) awake(ctx context.Context) error {
	switch p, err := d.power(ctx); {
	case err != nil:
		return nil
	case !p.On:
		return errAsleep
	case p.Locked:
		return errLocked
	}
	return nil
}

// Wake turns the display on, and leaves one that is on alone.
func (d *Driver) Wake(ctx context.Context) error {
	return d.powerShell(ctx, driver.OpWake, "wakeup", "WakeupDevice")
}

// Lock turns the display off, and leaves one that is off alone.
func (d *Driver) Lock(ctx context.Context) error {
	return d.powerShell(ctx, driver.OpLock, "suspend", "SuspendDevice")
}

func (d *Driver) powerShell(ctx context.Context, op driver.Op, word, positive string) error {
	return d.do(ctx, op, limitShort, func(ctx context.Context) error {
		out, err := d.act(ctx, "power-shell "+word)
		switch {
		case err != nil:
			return err
		case missing(out.text, "power-shell"):
			driver.MarkRefused(ctx)
			return driver.Unsupported("the phone has no power-shell: %s", complaint(out.text))
		case !strings.Contains(out.text, positive):
			return fmt.Errorf("%w (power-shell works in developer mode only)", unexpected("power-shell", out))
		}
		return nil
	})
}

const (
	unlockSwipe = 200 * time.Millisecond
	// unlockWait bounds the wait for the lock screen to go, and swipeWait for a swipe alone to do it where there is a PIN.
	unlockWait = 4 * time.Second
	swipeWait  = 1500 * time.Millisecond
	unlockPoll = 250 * time.Millisecond
)

// Unlock wakes the phone and swipes its lock screen away. pin is typed where that did not do it; "" is for a phone that asks
// for none. ErrLocked says that the lock screen is still there, with a wrong or a missing pin for example, and nothing is
// tried twice.
func (d *Driver) Unlock(ctx context.Context, pin string) error {
	if err := d.Wake(ctx); err != nil {
		return err
	}
	return d.do(ctx, "unlock", limitShort, func(ctx context.Context) error {
		if strings.Trim(pin, "0123456789") != "" {
			return errors.New("a pin of other characters than digits cannot be typed on a lock screen")
		}
		if err := d.awake(ctx); !errors.Is(err, driver.ErrLocked) {
			return err
		}
		_, size, err := d.frameSize(ctx)
		if err != nil {
			return err
		}
		up := d.move(image.Pt(size.X/2, size.Y*8/10), image.Pt(size.X/2, size.Y*2/10), unlockSwipe)
		if err := d.inject(ctx, guard{awake: true}, up); err != nil {
			return err
		}
		if pin == "" {
			return d.awaitUnlocked(ctx, unlockWait)
		}
		if err := d.awaitUnlocked(ctx, swipeWait); !errors.Is(err, driver.ErrLocked) {
			return err
		}
		switch err := d.typePIN(ctx, pin); {
		case errors.Is(err, errOpen):
			return nil
		case err != nil:
			return err
		}
		return d.awaitUnlocked(ctx, unlockWait)
	})
}

// typePIN types on the lock screen only, in whose place an app would take the digits.
func (d *Driver) typePIN(ctx context.Context, pin string) error {
	var lines []string
	for _, digit := range pin {
		lines = append(lines, pressing(codeDigit0+int(digit-'0')).line)
	}
	lines = append(lines, pressing(codeEnter).line)
	_, err := d.run(ctx, guard{awake: true, locked: true}, strings.Join(lines, " >/dev/null && ")+" >/dev/null")
	return err
}

func (d *Driver) awaitUnlocked(ctx context.Context, within time.Duration) error {
	for begin := time.Now(); ; {
		err := d.awake(ctx)
		if err == nil || time.Since(begin) > within {
			return err
		}
		if err := nap.For(ctx, unlockPoll); err != nil {
			return err
		}
	}
}

// Rotation returns the quarter turns of the display from its natural orientation.
func (d *Driver) Rotation(ctx context.Context) (int, error) {
	return value(ctx, d, driver.OpRotation, limitShort, func(ctx context.Context) (int, error) {
		out, err := d.ask(ctx, askDisplay)
		if err != nil {
			return 0, err
		}
		turns, ok := parseRotation(out.text)
		if !ok {
			return 0, driver.Unsupported("the phone does not tell how its display is turned: %s", complaint(out.text))
		}
		return turns, nil
	})
}
