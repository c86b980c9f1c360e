package driver_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

// opener notes what it is asked.
type opener struct {
	opened  []driver.Address
	devices []driver.Device
	err     error
}

func (o *opener) Open(_ context.Context, a driver.Address) (driver.Driver, error) {
	o.opened = append(o.opened, a)
	return newCore(), o.err
}

func (o *opener) Devices(context.Context) ([]driver.Device, error) { return o.devices, o.err }

// The registry is of the process, and so are these.
var (
	fakeA = &opener{devices: []driver.Device{
		{Address: "fake-a:1", State: driver.StateReady}, {Address: "fake-a:2", State: "unauthorized", Advice: "tap Allow"},
	}}
	fakeB = &opener{devices: []driver.Device{{Address: "fake-b:1", State: driver.StateReady}}, err: errors.New("the tool is not installed")}
)

func init() {
	driver.Register("fake-b", fakeB)
	driver.Register("fake-a", fakeA)
}

func TestOpenByScheme(t *testing.T) {
	d, err := driver.Open(t.Context(), "fake-a://X y?opt=1")
	require.NoError(t, err)
	require.NotNil(t, d)
	require.Equal(t, driver.Address{Scheme: "fake-a", Device: "X y", Options: map[string]string{"opt": "1"}}, fakeA.opened[0])
}

func TestOpenNamesWhatIsKnown(t *testing.T) {
	_, err := driver.Open(t.Context(), "fax:1")
	require.EqualError(t, err, `address "fax:1": no driver is registered for "fax"; known: fake-a, fake-b, sim`)
	require.ErrorIs(t, err, driver.ErrBadOption)
	_, err = driver.Open(t.Context(), "no scheme")
	require.ErrorContains(t, err, "want SCHEME:DEVICE")
}

func TestDevicesAreListedWithTheErrorsOfTheRest(t *testing.T) {
	all, err := driver.Devices(t.Context())
	require.EqualError(t, err, "fake-b: the tool is not installed")
	require.Equal(t, slices.Concat(fakeA.devices, fakeB.devices), all[:3], "in the order of the schemes")
	require.True(t, all[0].Usable())
	require.False(t, all[1].Usable())
}

func TestRegisterPanics(t *testing.T) {
	require.Equal(t, []string{"fake-a", "fake-b", "sim"}, driver.Schemes())
	require.PanicsWithValue(t, "driver: Register called twice for fake-a", func() { driver.Register("fake-a", fakeA) })
	require.PanicsWithValue(t, "driver: Register of a nil opener for x", func() { driver.Register("x", nil) })
	for _, scheme := range []string{"", "a:b", "a/b", "a b", "a?", "a%", "a@b"} {
		require.Panics(t, func() { driver.Register(scheme, fakeA) }, scheme)
	}
}
