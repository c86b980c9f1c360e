package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/policy"
)

// schemes maps what PHONE_AGENT_DEVICE_TYPE says to the scheme of an address.
var schemes = map[string]string{"adb": "adb", "hdc": "hdc", "ios": "wda", "sim": "sim"}

var (
	word = regexp.MustCompile(`^[a-z]+$`) // what a scheme looks like
	port = regexp.MustCompile(`^\d+$`)    // what follows the colon of a serial such as "phone:5555"
)

// address returns the address that -d, or its variable, means. One that starts with no scheme is the bare serial of
// the chosen type: "emulator-5554", "192.168.1.9:5555", "usb:1-4".
func (a *app) address() (string, error) {
	known := driver.Schemes()
	scheme, rest, ok := strings.Cut(a.Device, ":")
	if slices.Contains(known, scheme) {
		return a.Device, nil
	}
	if ok && scheme != "usb" && word.MatchString(scheme) && !port.MatchString(rest) {
		return "", usagef("-d %s: this build has no driver for %q; known: %s", a.Device, scheme, strings.Join(known, ", "))
	}
	if scheme = schemes[a.Type]; !slices.Contains(known, scheme) {
		return "", usagef("--device-type %s (PHONE_AGENT_DEVICE_TYPE): this build has no driver for it; known: %s", a.Type, strings.Join(known, ", "))
	}
	device := a.Device
	if scheme == "wda" && device == "" && a.WDAURL != "" {
		u, err := url.Parse(a.WDAURL)
		if err != nil || u.Host == "" {
			return "", usagef("--wda-url %q (PHONE_AGENT_WDA_URL): want http://HOST:PORT", a.WDAURL)
		}
		device = u.Host
	}
	return driver.Address{Scheme: scheme, Device: device}.String(), nil
}

// inLang has apps named in the language that was asked for, if one was. A simulated phone speaks it itself.
func (a *app) inLang(address string) string {
	p, err := driver.ParseAddress(address)
	if _, given := p.Options["lang"]; err != nil || given || a.Lang == "" || p.Scheme == sim.Scheme {
		return address
	}
	options := map[string]string{"lang": a.Lang}
	maps.Copy(options, p.Options)
	p.Options = options
	return p.String()
}

// open opens the chosen phone.
func (a *app) open() (driver.Driver, error) {
	var err error
	if a.addr, err = a.address(); err != nil {
		return nil, err
	}
	d, err := driver.Open(a.ctx, a.inLang(a.addr))
	if err != nil {
		return nil, &openError{err}
	}
	a.opened = d
	if a.Verbose {
		d = driver.Wrap(d, a.tell)
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
	err = a.explained(f(a.ctx, d))
	if cerr := d.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("close %s: %w", a.addr, cerr)
	}
	return err
}

// explained adds what a person on the command line can do, or the phone that an error does not name.
func (a *app) explained(err error) error {
	var named *driver.Error
	switch {
	case errors.Is(err, driver.ErrAppNotFound):
		return fmt.Errorf("%w; see handset apps", err)
	case errors.Is(err, errors.ErrUnsupported) && !errors.As(err, &named):
		return fmt.Errorf("%s: %w", strings.TrimSuffix(a.addr, ":"), err)
	}
	return err
}

// act is with for commands that change the phone: all they do goes through the gate.
func (a *app) act(f func(ctx context.Context, d driver.Driver) error) error {
	return a.actWith(nil, f)
}

func (a *app) actWith(ops map[driver.Op]policy.Verdict, f func(ctx context.Context, d driver.Driver) error) error {
	return a.with(func(ctx context.Context, d driver.Driver) error { return f(ctx, a.gate(ops).Guard(d)) })
}

// tell logs what the phone is asked for, and how long it takes. Texts are left out.
func (a *app) tell(ctx context.Context, c *driver.Call, next func(context.Context) error) error {
	start := time.Now()
	err := next(ctx)
	took := slog.Duration("took", time.Since(start).Round(time.Millisecond))
	if err != nil {
		a.logger().WarnContext(ctx, string(c.Op), took, slog.Any("error", err))
		return err
	}
	a.logger().DebugContext(ctx, string(c.Op), took)
	return nil
}

// logger tells what goes on, if that was asked for.
func (a *app) logger() *slog.Logger {
	if !a.Verbose {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
}
