package driver

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Opener is what a driver registers.
type Opener interface {
	// Open opens the device of an address. An empty Device is the only one that is attached;
	// ErrSeveralDevices lists them where there are more, ErrNoDevice says what to do where there is none.
	Open(ctx context.Context, a Address) (Driver, error)
	// Devices lists the devices that the driver can see, those that cannot be used now included. A tool that is
	// not installed is an error; no device is not.
	Devices(ctx context.Context) ([]Device, error)
}

// Device is a device in a list.
type Device struct {
	Address  string `json:"address"`         // as Open takes it
	Platform string `json:"platform"`        // "android", "harmony", "ios", ...
	State    string `json:"state"`           // "device" where it can be used, else the tool's word
	Model    string `json:"model,omitempty"` // as far as the tool tells
	Advice   string `json:"advice,omitempty"`
}

// Usable says that the device can be opened now.
func (d Device) Usable() bool { return d.State == StateReady }

// StateReady is the State of a device that can be used.
const StateReady = "device"

var openers = struct {
	sync.RWMutex
	of map[string]Opener
}{of: map[string]Opener{}}

// Register makes a driver known under a scheme. A nil opener and a scheme that is taken panic.
func Register(scheme string, o Opener) {
	openers.Lock()
	defer openers.Unlock()
	switch {
	case o == nil:
		panic("driver: Register of a nil opener for " + scheme)
	case scheme == "" || strings.ContainsAny(scheme, ":/?%@ "):
		panic(fmt.Sprintf("driver: Register of the bad scheme %q", scheme))
	case openers.of[scheme] != nil:
		panic("driver: Register called twice for " + scheme)
	}
	openers.of[scheme] = o
}

// Schemes lists the registered drivers, sorted.
func Schemes() []string {
	openers.RLock()
	defer openers.RUnlock()
	return slices.Sorted(maps.Keys(openers.of))
}

func openerOf(scheme string) Opener {
	openers.RLock()
	defer openers.RUnlock()
	return openers.of[scheme]
}

// Open opens the device of an address, such as "adb:SERIAL", "wda://HOST:PORT" or "adb:" for the only one.
// The driver must be registered, which importing its package does. An address that makes no sense is ErrBadOption.
func Open(ctx context.Context, address string) (Driver, error) {
	a, err := ParseAddress(address)
	if err != nil {
		return nil, err
	}
	o := openerOf(a.Scheme)
	if o == nil {
		return nil, badAddress(address, fmt.Errorf("no driver is registered for %q; known: %s", a.Scheme, known()))
	}
	return o.Open(ctx, a)
}

func known() string {
	all := Schemes()
	if len(all) == 0 {
		return "none (import the package of a driver)"
	}
	return strings.Join(all, ", ")
}

// ListError says why a driver cannot list its devices.
type ListError struct {
	Scheme string // of the driver
	Err    error
}

// Error names the driver and the cause.
func (e *ListError) Error() string { return e.Scheme + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *ListError) Unwrap() error { return e.Err }

// Devices lists the devices of all registered drivers, which are asked side by side, in the order of
// their schemes. It returns what it found together with the joined errors of the rest, a *ListError each.
func Devices(ctx context.Context) ([]Device, error) {
	schemes := Schemes()
	lists := make([][]Device, len(schemes))
	errs := make([]error, len(schemes))
	var wg sync.WaitGroup
	for i, s := range schemes {
		wg.Go(func() {
			if lists[i], errs[i] = openerOf(s).Devices(ctx); errs[i] != nil {
				errs[i] = &ListError{Scheme: s, Err: errs[i]}
			}
		})
	}
	wg.Wait()
	return slices.Concat(lists...), errors.Join(errs...)
}
