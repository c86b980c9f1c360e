package main

import (
	"context"
	"os"

	"github.com/handset-go/handset/driver"
)

type wakeCmd struct {
	Unlock bool   `help:"Open the lock screen, too, where a swipe or the PIN of --pin-env does it."`
	PINEnv string `name:"pin-env" placeholder:"VAR" help:"With --unlock: the variable that holds the PIN. An iPhone cannot be given one."`
}

// Run turns the display on, and with --unlock opens the lock screen.
func (c *wakeCmd) Run(a *app) error {
	pin, set := os.LookupEnv(c.PINEnv)
	switch {
	case c.PINEnv != "" && !c.Unlock:
		return usagef("wake: --pin-env goes with --unlock")
	case c.PINEnv != "" && (!set || pin == ""):
		return usagef("wake: --pin-env: the variable %s is not set", c.PINEnv)
	}
	return a.with(func(ctx context.Context, d driver.Driver) error {
		if c.Unlock {
			unlock, err := unlockOf(a, pin)
			if err != nil {
				return err
			}
			d = a.instead(d, driver.OpWake, unlock)
		}
		return a.saidDone(driver.Wake(ctx, a.gate(nil).Guard(d)), "wake", map[string]any{"unlock": c.Unlock})
	})
}

// unlockOf returns what opens the lock screen of the phone.
func unlockOf(a *app, pin string) (func(ctx context.Context) error, error) {
	if withPIN, err := ability[pinUnlocker](a, "unlock the phone"); err == nil {
		return func(ctx context.Context) error { return withPIN.Unlock(ctx, pin) }, nil
	}
	plain, err := ability[unlocker](a, "unlock the phone")
	if err == nil && pin != "" {
		err = driver.Unsupported("this driver cannot type a PIN on the lock screen: leave --pin-env out, or unlock the phone by hand")
	}
	if err != nil {
		return nil, err
	}
	return plain.Unlock, nil
}

type lockCmd struct{}

// Run turns the display off, which locks the phone.
func (c *lockCmd) Run(a *app) error {
	return a.act(func(ctx context.Context, d driver.Driver) error {
		return a.saidDone(driver.Lock(ctx, d), "lock", nil)
	})
}
