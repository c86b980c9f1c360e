package wda_test

import (
	"image"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/driver/wda"
	"github.com/handset-go/handset/internal/phonefront/usbmuxd"
)

// plug plugs phones into a simulated usbmuxd, and returns it with its socket.
func plug(t *testing.T, rigs map[string]*rig) (*usbmuxd.Server, string) {
	socket := filepath.Join(t.TempDir(), "mux")
	s, err := usbmuxd.Listen("unix", socket)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	for udid, r := range rigs {
		attach(s, udid, r)
	}
	return s, socket
}

func attach(s *usbmuxd.Server, udid string, r *rig) {
	s.Attach(usbmuxd.Device{UDID: udid, Ports: map[int]string{8100: r.server.Addr(), 9100: r.server.MJPEGAddr()}})
}

const (
	udidA = "00008120-000A11112222333E"
	udidB = "00008030-00BB11112222333E"
)

func TestUSB(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{})
	mux, socket := plug(t, map[string]*rig{udidA: r})
	for _, device := range []string{"", udidA, "00008120000a11112222333e"} {
		d, err := wda.New(t.Context(), device, &wda.Options{Usbmuxd: socket})
		require.NoError(t, err, device)
		desc, err := d.Describe(t.Context())
		require.NoError(t, err)
		require.Equal(t, "wda:"+udidA, desc.Address)
		require.NoError(t, d.Close())
	}
	d, err := driver.Open(t.Context(), "wda:?usbmuxd="+socket)
	require.NoError(t, err)
	defer func() { require.NoError(t, d.Close()) }()
	seq, err := driver.Frames(t.Context(), d, time.Millisecond)
	require.NoError(t, err)
	for s, err := range seq {
		require.NoError(t, err)
		_, mime, err := s.Encoded()
		require.NoError(t, err)
		require.Equal(t, "image/jpeg", mime, "the stream comes over USB too")
		break
	}

	mux.Detach(udidA)
	err = d.Tap(t.Context(), image.Pt(10, 10))
	require.ErrorIs(t, err, driver.ErrNoDevice)
	attach(mux, udidA, r)
	require.NoError(t, d.Tap(t.Context(), image.Pt(10, 10)), "plugged in again, under another number")
}

// TestPulledUSB pulls the cable while a gesture is under way.
func TestPulledUSB(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{})
	mux, socket := plug(t, map[string]*rig{udidA: r})
	d, err := wda.New(t.Context(), "", &wda.Options{Usbmuxd: socket})
	require.NoError(t, err)
	defer func() { require.NoError(t, d.Close()) }()
	done, off := r.underWay(d, func() error { return d.Tap(t.Context(), image.Pt(10, 10)) })
	defer off()
	mux.Detach(udidA)
	err = <-done
	require.ErrorIs(t, err, driver.ErrOffline)
	require.True(t, driver.MaybeDone(err))
}

func TestUSBErrors(t *testing.T) {
	a, b := newRig(t, "16", "iphone-15", sim.Options{}), newRig(t, "16", "ipad", sim.Options{})
	mux, socket := plug(t, map[string]*rig{udidA: a, udidB: b})
	open := func(device string, o *wda.Options) error {
		o.Usbmuxd = socket
		_, err := wda.New(t.Context(), device, o)
		return err
	}
	err := open("", &wda.Options{})
	require.ErrorIs(t, err, driver.ErrSeveralDevices)
	require.ErrorContains(t, err, udidB+", "+udidA)
	err = open("00000000-NOSUCH", &wda.Options{})
	require.ErrorIs(t, err, driver.ErrNoDevice)
	require.ErrorContains(t, err, udidA)
	err = open(udidA, &wda.Options{Port: 8200})
	require.ErrorIs(t, err, driver.ErrOffline)
	require.ErrorContains(t, err, "nothing listens on port 8200 of "+udidA)
	require.ErrorContains(t, err, "USE_PORT")
	mux.SetSilent(true)
	require.ErrorIs(t, open(udidA, &wda.Options{Limit: 200 * time.Millisecond}), driver.ErrTimeout)
	mux.SetSilent(false)
	mux.Detach(udidA)
	mux.Detach(udidB)
	err = open("", &wda.Options{})
	require.ErrorIs(t, err, driver.ErrNoDevice)
	require.ErrorContains(t, err, "trust this computer")
	socket = filepath.Join(t.TempDir(), "none")
	err = open("", &wda.Options{})
	require.ErrorIs(t, err, driver.ErrNoDevice)
	require.ErrorContains(t, err, "usbmuxd does not answer at "+socket)
}

func TestDevices(t *testing.T) {
	r := newRig(t, "16", "ipad", sim.Options{})
	mux, socket := plug(t, map[string]*rig{udidA: r})
	mux.Attach(usbmuxd.Device{UDID: udidB})
	all, err := wda.Devices(t.Context(), &wda.Options{Usbmuxd: socket})
	require.NoError(t, err)
	require.Equal(t, []driver.Device{
		{Address: "wda:" + udidB, Platform: "ios", State: "no wda", Advice: "start WebDriverAgent on it, with Xcode or go-ios"},
		{Address: "wda:" + udidA, Platform: "ios", State: driver.StateReady, Model: "iPad"},
	}, all)
	_, err = wda.Devices(t.Context(), &wda.Options{Usbmuxd: filepath.Join(t.TempDir(), "none")})
	require.ErrorContains(t, err, "usbmuxd does not answer")
}
