package adb_test

import (
	"context"
	"errors"
	"image"
	"iter"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// network attaches a phone to a server as adb connect does.
func network(t *testing.T) (*sim.Phone, *adbserver.Server) {
	t.Helper()
	phone := sim.New(nil)
	device, err := android.New(phone, nil)
	require.NoError(t, err)
	server, err := adbserver.Start(&adbserver.Options{Phones: []adbserver.Phone{{Device: device, Serial: "192.168.1.9:5555"}}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	return phone, server
}

// TestPhonesThatTheServerLost holds that a phone of the network is attached again, if that is wanted,
// and only then.
func TestPhonesThatTheServerLost(t *testing.T) {
	phone, server := network(t)
	for _, reconnect := range []bool{false, true} {
		opts := &adb.Options{Server: server.Addr(), NoStart: true, Reconnect: reconnect}
		address, err := adb.Connect(t.Context(), "192.168.1.9", opts)
		require.NoError(t, err)
		d, err := adb.New(t.Context(), "192.168.1.9:5555", opts)
		require.NoError(t, err)
		require.NoError(t, adb.Disconnect(t.Context(), address, opts))
		require.Eventually(t, func() bool {
			all, err := adb.Devices(t.Context(), opts)
			return err == nil && len(all) == 0
		}, 20*time.Second, time.Millisecond)
		awaitLost(t, d)
		phone.ClearLog()
		err = d.Tap(t.Context(), image.Pt(1, 1))
		if reconnect {
			require.NoError(t, err)
			require.Len(t, phone.Events("tap"), 1, "once")
		} else {
			require.ErrorIs(t, err, driver.ErrNoDevice)
			require.False(t, driver.MaybeDone(err))
		}
		require.NoError(t, d.Close())
	}
	d, err := driver.Open(t.Context(), "adb:192.168.1.9?start=false&reconnect=true&server="+server.Addr())
	require.NoError(t, err)
	server.Detach("192.168.1.9:5555")
	_, err = d.Screenshot(t.Context())
	require.ErrorIs(t, err, driver.ErrNoDevice, "there is no such phone any more")
	require.NoError(t, d.Close())
}

// TestServerThatStartsAnew holds that an open driver outlives its server.
func TestServerThatStartsAnew(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d := f.open(t)
	require.NoError(t, d.Tap(t.Context(), image.Pt(1, 1)))
	f.server.Kill()
	for { // what was on its way when the server ended is broken
		err := d.Tap(t.Context(), image.Pt(1, 1))
		require.Error(t, err)
		if errors.Is(err, adb.ErrNoServer) {
			require.False(t, driver.MaybeDone(err))
			break
		}
	}
	require.NoError(t, f.server.Restart())
	require.NoError(t, d.Tap(t.Context(), image.Pt(1, 1)))
	_, err := d.Screenshot(t.Context())
	require.NoError(t, err)
}

// TestFollow sees a phone go, the server end, and both come back.
func TestFollow(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	opts := &adb.Options{Server: f.server.Addr(), NoStart: true}
	next, stop := iter.Pull2(adb.Follow(ctx, opts))
	defer stop()
	list := func() []driver.Device {
		t.Helper()
		all, err, ok := next()
		require.True(t, ok)
		require.NoError(t, err)
		return all
	}
	require.Len(t, list(), 1)
	f.server.SetState(f.device.Serial(), adbserver.Offline)
	require.Equal(t, "offline", list()[0].State)
	f.server.Kill()
	_, err, ok := next()
	require.True(t, ok)
	require.Error(t, err)
	_, err, _ = next() // nobody is there
	require.ErrorIs(t, err, adb.ErrNoServer)
	f.server.SetState(f.device.Serial(), adbserver.Online)
	require.NoError(t, f.server.Restart())
	for {
		all, err, ok := next()
		require.True(t, ok)
		if err == nil {
			require.Equal(t, driver.StateReady, all[0].State)
			break
		}
	}
	cancel()
	_, err, ok = next()
	require.True(t, ok)
	require.ErrorIs(t, err, context.Canceled)
	_, _, ok = next()
	require.False(t, ok, "that was the end")

	next, stop = iter.Pull2(adb.Follow(t.Context(), &adb.Options{Server: "no such server:1"}))
	defer stop()
	_, err, _ = next()
	require.ErrorContains(t, err, "HOST:PORT")
	_, _, ok = next()
	require.False(t, ok)
}

// TestSeveralServers drives a phone of each of three servers at the same time, two of which have the
// same serial.
func TestSeveralServers(t *testing.T) {
	var phones []*sim.Phone
	var drivers []driver.Driver
	for range 3 {
		phone, server := network(t)
		d, err := driver.Open(t.Context(), "adb:192.168.1.9:5555?start=false&server="+server.Addr())
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, d.Close()) })
		phones, drivers = append(phones, phone), append(drivers, d)
	}
	for i, d := range drivers {
		for range i + 1 {
			require.NoError(t, d.Tap(t.Context(), image.Pt(5, 5)))
		}
	}
	for i, p := range phones {
		require.Len(t, p.Events("tap"), i+1)
	}
}
