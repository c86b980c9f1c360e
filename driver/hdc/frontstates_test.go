package hdc_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/hdc"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/nap"
	front "github.com/handset-go/handset/internal/phonefront/hdc"
)

func TestStates(t *testing.T) {
	device := func(key string) *front.Device {
		d, err := front.New(sim.New(&sim.Options{Platform: sim.PlatformHarmony}), &front.Options{Key: key})
		require.NoError(t, err)
		return d
	}
	usb, shy, off := device("7001005458323933328a01bce1c2"), device("SHY"), device("10.9.0.2:5556")
	require.NoError(t, shy.SetFault(front.FaultUnauthorized, true))
	require.NoError(t, off.SetFault(front.FaultOffline, true))
	s, err := front.Serve(&front.ServerOptions{Serial: "COM1"}, usb, shy, off)
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	tool, err := s.WriteTool(t.TempDir(), toolProgram)
	require.NoError(t, err)
	opts := &hdc.Options{Tool: tool}
	ctx := t.Context()

	list, err := hdc.Devices(ctx, opts)
	require.NoError(t, err)
	require.Len(t, list, 3, "a serial port is no phone")
	states := map[string]string{}
	for _, d := range list {
		states[d.Address] = d.State
		require.Equal(t, d.State != driver.StateReady, d.Advice != "")
	}
	require.Equal(t, map[string]string{
		"hdc:7001005458323933328a01bce1c2": "device", "hdc:SHY": "unauthorized", "hdc:10.9.0.2:5556": "offline",
	}, states)

	d, err := hdc.New(ctx, "", opts)
	require.NoError(t, err, "the only one that can be used")
	defer func() { require.NoError(t, d.Close()) }()
	require.NoError(t, d.Tap(ctx, image.Pt(5, 5)))
	_, err = hdc.New(ctx, "SHY", opts)
	require.ErrorIs(t, err, driver.ErrUnauthorized)
	require.ErrorContains(t, err, "allow USB debugging")
	_, err = hdc.New(ctx, "10.9.0.2", opts)
	require.ErrorIs(t, err, driver.ErrOffline)
	_, err = hdc.New(ctx, strings.Repeat("k", 40), opts)
	require.ErrorContains(t, err, "32 bytes")

	for fault, is := range map[string]error{
		front.FaultUnauthorized: driver.ErrUnauthorized, front.FaultAuthorizing: driver.ErrUnauthorized, front.FaultOffline: driver.ErrOffline,
		front.FaultServerDown: hdc.ErrNoServer,
	} {
		require.NoError(t, usb.SetFault(fault, true))
		err = d.Tap(ctx, image.Pt(5, 5))
		require.ErrorIs(t, err, is, fault)
		require.False(t, driver.MaybeDone(err), fault)
		require.NoError(t, usb.SetFault(fault, false))
		require.NoError(t, d.Tap(ctx, image.Pt(5, 5)), "%s: it comes back", fault)
	}
	require.NoError(t, usb.SetFault(front.FaultEstablishing, true))
	done := make(chan error, 1)
	go func() { done <- d.Tap(ctx, image.Pt(5, 5)) }()
	require.NoError(t, nap.For(ctx, 100*time.Millisecond))
	require.NoError(t, usb.SetFault(front.FaultEstablishing, false))
	require.NoError(t, <-done, "a phone that was just plugged in is waited for")
	s.Unplug(usb.Key())
	require.ErrorIs(t, d.Tap(ctx, image.Pt(5, 5)), driver.ErrNoDevice)
	require.NoError(t, shy.SetFault(front.FaultUnauthorized, false))
	require.NoError(t, off.SetFault(front.FaultOffline, false))
	_, err = hdc.New(ctx, "", opts)
	require.ErrorIs(t, err, driver.ErrSeveralDevices)
	require.ErrorContains(t, err, "SHY")
}

func TestConnect(t *testing.T) {
	p := sim.New(&sim.Options{Platform: sim.PlatformHarmony})
	dev, err := front.New(p, &front.Options{Key: "127.0.0.1:5555"})
	require.NoError(t, err)
	s, err := front.Serve(nil)
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	s.Reach(dev)
	tool, err := s.WriteTool(t.TempDir(), toolProgram)
	require.NoError(t, err)
	opts := &hdc.Options{Tool: tool}
	ctx := t.Context()
	for range 2 { // the second is connected already
		address, err := hdc.Connect(ctx, "localhost", opts)
		require.NoError(t, err)
		require.Equal(t, "hdc:127.0.0.1:5555", address)
	}
	require.NoError(t, hdc.Disconnect(ctx, "hdc:127.0.0.1:5555", opts))
	require.ErrorIs(t, hdc.Disconnect(ctx, "127.0.0.1", opts), driver.ErrNoDevice)

	_, err = hdc.Connect(ctx, "127.0.0.1:5999", opts)
	require.ErrorIs(t, err, driver.ErrNoDevice)
	list, err := hdc.Devices(ctx, opts)
	require.NoError(t, err)
	require.Empty(t, list, "what could not be connected leaves no line")
	for _, bad := range []string{"", "127.0.0.1:99999", "127.0.0.1:x"} {
		_, err = hdc.Connect(ctx, bad, opts)
		require.Error(t, err, bad)
	}
	require.NoError(t, dev.SetFault(front.FaultUnauthorized, true))
	_, err = hdc.Connect(ctx, "127.0.0.1", opts)
	require.ErrorIs(t, err, driver.ErrUnauthorized, "though the tool says Connect OK")
	client, server, err := hdc.Versions(ctx, opts)
	require.NoError(t, err)
	require.Equal(t, "3.2.0f", client)
	require.Equal(t, client, server)
}

// TestColdStart opens several phones at once where no server runs: the second of two cold starts would lose.
func TestColdStart(t *testing.T) {
	var phones []*front.Device
	for i := range 4 {
		d, err := front.New(sim.New(&sim.Options{Platform: sim.PlatformHarmony}), &front.Options{Key: fmt.Sprintf("COLD%d", i)})
		require.NoError(t, err)
		phones = append(phones, d)
	}
	s, err := front.Serve(&front.ServerOptions{Cold: true, Start: 300 * time.Millisecond, Refused: 10 * time.Millisecond}, phones...)
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	tool, err := s.WriteTool(t.TempDir(), toolProgram)
	require.NoError(t, err)
	errs := make([]error, len(phones))
	var wg sync.WaitGroup
	for i, p := range phones {
		wg.Go(func() {
			d, err := hdc.New(t.Context(), p.Key(), &hdc.Options{Tool: tool})
			if err == nil {
				err = errors.Join(d.Tap(t.Context(), image.Pt(5, 5)), d.Close())
			}
			errs[i] = err
		})
	}
	wg.Wait()
	require.NoError(t, errors.Join(errs...))
}

// TestDropsMidCall holds that a call which was cut is no success, and that a gesture is not done twice.
func TestDropsMidCall(t *testing.T) {
	r := newRig(t, sim.Options{}, "")
	d := r.open()
	r.set(front.FaultDropAfterSend)
	before := len(r.phone.Events("tap"))
	err := d.Tap(t.Context(), image.Pt(5, 5))
	require.Error(t, err)
	require.True(t, driver.MaybeDone(err))
	require.Equal(t, 1, len(r.phone.Events("tap"))-before)

	r = newRig(t, sim.Options{}, "")
	d = r.open()
	r.set(front.FaultDiesMidCall)
	_, err = d.Shell(t.Context(), "sh", "-c", "echo start; sleep 6; echo end")
	require.Error(t, err)
	require.True(t, driver.MaybeDone(err))
}

// TestOpenOfAHungPhone holds that an opening ends at the limit and names the phone, whoever chose it.
func TestOpenOfAHungPhone(t *testing.T) {
	r := newRig(t, sim.Options{}, "")
	r.set(front.FaultHang)
	for _, key := range []string{"", r.device.Key()} {
		var err error
		for limit := time.Second; limit < time.Minute; limit *= 2 { // until the list of phones came in time, on a busy computer
			_, err = hdc.New(t.Context(), key, &hdc.Options{Tool: r.tool, Limit: limit})
			require.ErrorIs(t, err, driver.ErrTimeout)
			if strings.Contains(err.Error(), r.device.Key()) {
				break
			}
		}
		require.ErrorContains(t, err, "open hdc:"+r.device.Key()+": ")
		require.ErrorContains(t, err, "restart the phone")
	}
}

// TestHungPhone holds that one phone that hangs does not slow another.
func TestHungPhone(t *testing.T) {
	hung, well := newRig(t, sim.Options{}, ""), newRig(t, sim.Options{}, "")
	d, e := hung.open(), well.open()
	off := hung.set(front.FaultHang)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- d.Tap(ctx, image.Pt(5, 5)) }()
	for range 3 {
		require.NoError(t, e.Tap(t.Context(), image.Pt(5, 5)))
	}
	select {
	case err := <-done:
		t.Fatalf("the hung phone answered: %v", err)
	default:
	}
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
	off()
}
