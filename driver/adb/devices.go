package adb

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/handset-go/handset/driver"
)

// Devices lists the devices that the adb server knows, in its order: those that cannot be used now
// too, with what to do about them.
func Devices(ctx context.Context, opts *Options) ([]driver.Device, error) {
	s, err := serverOf(opts)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, opts.limit(limitServer), driver.ErrTimeout)
	defer cancel()
	all, err := s.list(ctx)
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	return devicesOf(all), nil
}

func serverOf(opts *Options) (*server, error) {
	o, err := opts.withDefaults()
	if err != nil {
		return nil, driver.BadOption(err)
	}
	s, err := newServer(o)
	return s, driver.BadOption(err)
}

// list asks for the devices. States come from here and not from get-state, which fails for a device
// that is not ready.
func (s *server) list(ctx context.Context) ([]listed, error) {
	text, err := s.query(ctx, "host:devices-l")
	if err != nil {
		return nil, err
	}
	return parseDevices(text), nil
}

// find asks for the devices and chooses one. With the error of one that cannot be used it returns that.
func (s *server) find(ctx context.Context, serial string) (listed, error) {
	all, err := s.list(ctx)
	if err != nil {
		return listed{}, err
	}
	return choose(all, serial)
}

// choose finds the device that a serial means: the serial itself, host without port of one
// connected over the network, a USB path such as usb:1-4, or "" for the only one that can be used.
func choose(all []listed, serial string) (listed, error) {
	if serial == "" {
		return only(all)
	}
	for _, same := range []func(listed) bool{
		func(d listed) bool { return d.serial == serial },
		func(d listed) bool {
			return strings.HasPrefix(d.serial, serial+":") || d.path != "" && d.path == serial
		},
	} {
		if i := slices.IndexFunc(all, same); i >= 0 {
			return all[i], all[i].problem()
		}
	}
	return listed{}, fmt.Errorf("%w: %s is not attached%s: %s", driver.ErrNoDevice, serial, attached(all), cureNone)
}

// only returns the one device that can be used, or the one there is with its problem.
func only(all []listed) (listed, error) {
	usable := slices.DeleteFunc(slices.Clone(all), func(d listed) bool { return d.problem() != nil })
	switch {
	case len(usable) == 1:
		return usable[0], nil
	case len(usable) > 1:
		return listed{}, fmt.Errorf("%w%s: name one, such as %s", driver.ErrSeveralDevices, attached(usable), addressOf(usable[0].serial))
	case len(all) > 0:
		return all[0], all[0].problem()
	}
	return listed{}, fmt.Errorf("%w: none is attached: %s", driver.ErrNoDevice, cureNone)
}

// attached lists what is attached, for an error text.
func attached(all []listed) string {
	if len(all) == 0 {
		return "; nothing is"
	}
	names := make([]string, len(all))
	for i, d := range all {
		names[i] = d.serial + " (" + strings.TrimSpace(d.state+" "+d.model) + ")"
	}
	return "; attached: " + strings.Join(names, ", ")
}
