package adb

import (
	"context"
	"os"

	"github.com/handset-go/handset/driver"
)

func init() { driver.Register(scheme, opener{}) }

// opener opens the addresses "adb:SERIAL?server=HOST:PORT&…". It reads the variables of adb itself.
type opener struct{}

// Open opens the phone of an address, or, where that names none, the one that ANDROID_SERIAL names.
func (opener) Open(ctx context.Context, a driver.Address) (driver.Driver, error) {
	o := FromEnv(os.Getenv)
	if err := o.setAddress(a); err != nil {
		return nil, err
	}
	serial := a.Device
	if serial == "" {
		serial = os.Getenv("ANDROID_SERIAL")
	}
	d, err := New(ctx, serial, o)
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Devices lists what the adb server knows.
func (opener) Devices(ctx context.Context) ([]driver.Device, error) {
	return Devices(ctx, FromEnv(os.Getenv))
}
