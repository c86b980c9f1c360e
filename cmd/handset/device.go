package main

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/handset-go/handset/driver"
)

// schemes maps what PHONE_AGENT_DEVICE_TYPE says to the scheme of an address.
var schemes = map[string]string{"adb": "adb", "hdc": "hdc", "ios": "wda", "sim": "sim"}

// address returns the address that -d, or its variable, means. One that starts with no driver's scheme is
// the bare serial of the chosen type: "emulator-5554", "192.168.1.9:5555".
func (a *app) address() string {
	if scheme, _, ok := strings.Cut(a.Device, ":"); ok && slices.Contains(driver.Schemes(), scheme) {
		return a.Device
	}
	return schemes[a.Type] + ":" + strings.NewReplacer("%", "%25", "?", "%3F").Replace(a.Device)
}

// open opens the chosen phone.
func (a *app) open() (driver.Driver, error) {
	d, err := driver.Open(a.ctx, a.address())
	if err != nil {
		return nil, &openError{err}
	}
	return d, nil
}

// openError makes every failure to open a phone one of the device.
type openError struct{ err error }

func (e *openError) Error() string { return e.err.Error() }
func (e *openError) Unwrap() error { return e.err }

// with opens the phone for a look, runs f and closes it.
func (a *app) with(f func(ctx context.Context, d driver.Driver) error) error {
	d, err := a.open()
	if err != nil {
		return err
	}
	err = f(a.ctx, d)
	if cerr := d.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("close %s: %w", a.address(), cerr)
	}
	return err
}

// act is with for commands that change the phone: all they do goes through the gate.
func (a *app) act(f func(ctx context.Context, d driver.Driver) error) error {
	return a.with(func(ctx context.Context, d driver.Driver) error { return f(ctx, a.gate().Guard(d)) })
}

// logger tells what the driver does, if that was asked for.
func (a *app) logger() *slog.Logger {
	if !a.Verbose {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
}
