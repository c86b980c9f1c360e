package adb_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// TestKnownLongCommand holds that no command is longer than what an old adbd takes, which would end
// the server of everybody.
func TestKnownLongCommand(t *testing.T) {
	long := strings.Repeat("x", 9000)
	for _, profile := range []string{"a14", "a6"} {
		t.Run(profile, func(t *testing.T) {
			f := newFront(t, profile, sim.Options{})
			d := f.open(t)
			r, err := d.Shell(t.Context(), "echo", long)
			if err == nil {
				require.Equal(t, long+"\n", string(r.Stdout))
			} else {
				require.ErrorIs(t, err, errors.ErrUnsupported, "a phone without the shell protocol takes no input")
				require.False(t, driver.MaybeDone(err))
			}
			require.NoError(t, d.Tap(t.Context(), image.Pt(5, 5)))
			require.Less(t, len(f.device.LongestRequest()), 4096)
			require.Empty(t, f.server.Aborted())
		})
	}
}

// TestKnownConnectThatFails holds that the words of the server count, as its status is always OKAY.
func TestKnownConnectThatFails(t *testing.T) {
	shy, err := android.New(sim.New(nil), nil)
	require.NoError(t, err)
	s, err := adbserver.Start(&adbserver.Options{Phones: []adbserver.Phone{
		{Device: shy, Serial: "192.0.2.7:5555", State: adbserver.Unauthorized, Away: true},
	}})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	opts := &adb.Options{Server: s.Addr(), NoStart: true}
	_, err = adb.Connect(t.Context(), "192.0.2.8", opts)
	require.ErrorContains(t, err, "connect 192.0.2.8: ")
	_, err = adb.Connect(t.Context(), "192.0.2.7", opts)
	require.ErrorIs(t, err, driver.ErrUnauthorized)
	require.ErrorContains(t, err, "allow USB debugging")
}

// TestKnownPortThatIsSilent ends a connect to something that never answers with its context, and
// tells what to do about the entry that it leaves.
func TestKnownPortThatIsSilent(t *testing.T) {
	f, silent := newFront(t, "a14", sim.Options{}), newFront(t, "a14", sim.Options{})
	require.NoError(t, silent.server.Faults().Switch(android.FaultSilentServer, true))
	began, back, waited := make(chan struct{}), make(chan struct{}), make(chan bool, 1)
	go func() { // half the time of an undo, in beats: where the machine stands still, one of them takes longer
		close(began)
		for range 50 {
			select {
			case <-back:
				waited <- false
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
		waited <- true
	}()
	<-began
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := adb.Connect(ctx, "192.0.2.9:80", &adb.Options{Server: silent.server.Addr(), NoStart: true})
	close(back)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.False(t, <-waited, "nobody waits for the entry to be taken away, which may take as long as an undo")
	f.server.Attach(adbserver.Phone{Device: f.device, Serial: "192.0.2.9:80", State: adbserver.Offline})
	all, err := adb.Devices(t.Context(), &adb.Options{Server: f.server.Addr(), NoStart: true})
	require.NoError(t, err)
	require.Len(t, all, 2)
	for _, d := range all {
		if d.Address == "adb:192.0.2.9:80" {
			require.Contains(t, d.Advice, "adb disconnect")
		}
	}
}

// TestKnownDeadPhone holds that an end without an exit status is no success.
func TestKnownDeadPhone(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d := f.openPlain(t)
	f.fault(t, android.FaultNoExitPacket)
	err := d.Tap(t.Context(), image.Pt(5, 5))
	require.ErrorIs(t, err, driver.ErrOffline)
	require.True(t, driver.MaybeDone(err))
	require.Len(t, f.phone.Events("tap"), 1)
	_, err = d.Shell(t.Context(), "echo", "whole")
	require.ErrorIs(t, err, driver.ErrOffline)
}

// TestKnownPushIsWhole reads a file on the phone as soon as Push has returned. The last bytes come
// together with the end of the source.
func TestKnownPushIsWhole(t *testing.T) {
	for _, profile := range []string{"a14", "a9", "a6"} {
		f := newFront(t, profile, sim.Options{})
		d := f.open(t)
		data := bytes.Repeat([]byte("\r\n\x00\xff0123456789"), 40_000)
		require.NoError(t, d.Push(t.Context(), iotest.DataErrReader(bytes.NewReader(data)), "/sdcard/it's here"))
		stored, err := f.device.FS().ReadFile("/sdcard/it's here")
		require.NoError(t, err)
		require.True(t, bytes.Equal(data, stored), "%d bytes of %d on %s", len(stored), len(data), profile)
	}
}

// TestKnownEmptySerial holds that "the only phone" is never left to the server to choose.
func TestKnownEmptySerial(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	h := newHolder(t, f.server.Addr())
	opts := &adb.Options{Server: h.listener.Addr().String(), NoStart: true}
	d, err := adb.New(t.Context(), "", opts)
	require.NoError(t, err)
	defer func() { require.NoError(t, d.Close()) }()
	other, err := android.New(sim.New(nil), &android.Options{Serial: "OTHER"})
	require.NoError(t, err)
	f.server.Attach(adbserver.Phone{Device: other})
	require.NoError(t, d.Tap(t.Context(), image.Pt(5, 5)))
	_, err = adb.New(t.Context(), "", opts)
	require.ErrorIs(t, err, driver.ErrSeveralDevices)
	require.Contains(t, h.said(), "host:transport:"+f.device.Serial())
	require.NotContains(t, h.said(), "000fhost:transport:", "that is: of any phone")
}

// TestKnownOtherPhone does everything on one of two phones, and nothing reaches the other.
func TestKnownOtherPhone(t *testing.T) {
	f := inField(t, "a14", sim.Options{})
	other, err := android.New(sim.New(nil), &android.Options{Serial: "OTHER"})
	require.NoError(t, err)
	f.server.Attach(adbserver.Phone{Device: other})
	d := f.open(t)
	ctx := t.Context()
	_, err = d.Screenshot(ctx)
	require.NoError(t, err)
	_, err = d.Tree(ctx)
	require.NoError(t, err)
	require.NoError(t, d.Type(ctx, "é"))
	require.NoError(t, d.Launch(ctx, "Notes"))
	require.NoError(t, d.Push(ctx, strings.NewReader("x"), "/sdcard/x"))
	require.NoError(t, d.Swipe(ctx, image.Pt(500, 900), image.Pt(500, 500), 0))
	_, err = d.Describe(ctx)
	require.NoError(t, err)
	_, count := other.Requests()
	require.Zero(t, count)
	require.Empty(t, other.Phone().Log())
}

// TestKnownServerRestartedMidway holds that a connection cut by the server is an error of the call,
// whatever had been printed.
func TestKnownServerRestartedMidway(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d := f.open(t)
	f.fault(t, android.FaultSlow+"=30s")
	done := make(chan error, 1)
	_, before := f.device.Requests()
	go func() { _, err := d.Shell(t.Context(), "pm", "revoke", "com.handset.notes", "x"); done <- err }()
	require.Eventually(t, func() bool { _, n := f.device.Requests(); return n > before }, 20*time.Second, time.Millisecond)
	f.server.Kill()
	err := <-done
	require.Error(t, err)
	require.True(t, driver.MaybeDone(err), "%v", err)
	require.NoError(t, f.server.Restart())
}
