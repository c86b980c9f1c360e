package wda

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/handset-go/handset/driver"
)

func init() { driver.Register(scheme, opener{}) }

// opener opens the addresses "wda:UDID", "wda://HOST:PORT" and "wda:", with options. It reads the variable of usbmuxd itself.
type opener struct{}

// Open opens the phone of an address.
func (opener) Open(ctx context.Context, a driver.Address) (driver.Driver, error) {
	o := FromEnv(os.Getenv)
	if err := o.setAddress(a); err != nil {
		return nil, err
	}
	d, err := New(ctx, a.Device, o)
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Devices lists the phones on USB.
func (opener) Devices(ctx context.Context) ([]driver.Device, error) {
	return Devices(ctx, FromEnv(os.Getenv))
}

// lookLimit bounds how long a phone is asked whether WebDriverAgent runs on it.
const lookLimit = 3 * time.Second

// stateNoWDA is the state of a phone that is attached and cannot be used yet.
const stateNoWDA = "no wda"

// Devices lists the phones that usbmuxd knows, and asks each whether WebDriverAgent runs on it. Those that are reached over the
// network are not among them: nothing lists them. opts may be nil.
func Devices(ctx context.Context, opts *Options) ([]driver.Device, error) {
	o, err := opts.withDefaults()
	if err != nil {
		return nil, driver.BadOption(err)
	}
	u := newUsbmuxd(o.Usbmuxd)
	ctx, cancel := context.WithTimeoutCause(ctx, o.limit(limitShort), driver.ErrTimeout)
	defer cancel()
	phones, err := u.list(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]driver.Device, len(phones))
	var wg sync.WaitGroup
	for i, p := range phones {
		wg.Go(func() { list[i] = u.look(ctx, p, o.Port) })
	}
	wg.Wait()
	return list, nil
}

// look asks one phone for the status of its WebDriverAgent.
func (u *usbmuxd) look(ctx context.Context, p usbDevice, port int) driver.Device {
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	w := newWire(&target{udid: p.udid, port: port, usb: u})
	defer w.close()
	found := driver.Device{Address: addressOf(p.udid), Platform: platform, State: stateNoWDA,
		Advice: "start WebDriverAgent on it, with Xcode or go-ios"}
	a, err := w.send(ctx, "GET", "/status", nil)
	if err != nil {
		return found
	}
	r, err := parseReply(a)
	if err != nil {
		return found
	}
	var st status
	if r.into(&st) == nil {
		found.State, found.Advice, found.Model = driver.StateReady, "", modelNames[st.Device]
	}
	return found
}
