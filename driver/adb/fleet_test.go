package adb_test

import (
	"context"
	"fmt"
	"image"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// fleet is several phones on one server.
type fleet struct {
	server  *adbserver.Server
	devices []*android.Device
	drivers []*adb.Driver
}

// newFleet attaches and opens n small phones, with the profiles in turn.
func newFleet(t testing.TB, n int, profiles ...string) *fleet {
	t.Helper()
	f := &fleet{}
	var err error
	f.server, err = adbserver.Start(nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.server.Close()) })
	for i := range n {
		profile := ""
		if len(profiles) > 0 {
			profile = profiles[i%len(profiles)]
		}
		d, err := android.New(sim.New(&sim.Options{Size: image.Pt(480, 800), Density: 240}), &android.Options{Serial: fmt.Sprintf("FLEET%02d", i), Profile: profile})
		require.NoError(t, err)
		f.devices = append(f.devices, d)
		f.server.Attach(adbserver.Phone{Device: d})
	}
	for _, d := range f.devices {
		opened, err := adb.New(t.Context(), d.Serial(), f.options())
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, opened.Close()) })
		f.drivers = append(f.drivers, opened)
	}
	return f
}

func (f *fleet) options() *adb.Options {
	return &adb.Options{Server: f.server.Addr(), NoStart: true, KeyboardWait: time.Millisecond}
}

// round is what a program does on a phone again and again.
func round(ctx context.Context, d *adb.Driver, at image.Point) error {
	if _, err := d.Screenshot(ctx); err != nil {
		return err
	}
	if err := d.Tap(ctx, at); err != nil {
		return err
	}
	_, err := d.Foreground(ctx)
	return err
}

// TestFleetWithBadPhones works on eight phones: one hangs, one is not authorized, one drops every
// third call. The other five are done while the hung one still hangs.
func TestFleetWithBadPhones(t *testing.T) {
	f := newFleet(t, 8)
	hung, shy, flaky := 1, 4, 6
	require.NoError(t, f.devices[hung].SetFault(android.FaultHang, true))
	f.server.SetState(f.devices[shy].Serial(), adbserver.Unauthorized)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	stuck := make(chan error, 1)
	impatient, giveUp := context.WithCancel(ctx)
	go func() { stuck <- f.drivers[hung].Tap(impatient, image.Pt(9, 9)) }()

	var wg sync.WaitGroup
	errs := make([]error, 8)
	for i := range f.drivers {
		if i != hung && i != shy && i != flaky {
			wg.Go(func() {
				for n := range 10 {
					if errs[i] = round(ctx, f.drivers[i], image.Pt(200+n, 790)); errs[i] != nil {
						return
					}
				}
			})
		}
	}
	wg.Wait()
	for i, err := range errs {
		require.NoError(t, err, "phone %d", i)
	}
	select {
	case err := <-stuck:
		t.Fatalf("the hung phone answered: %v", err)
	default:
	}
	giveUp()
	require.ErrorIs(t, <-stuck, context.Canceled)

	t.Run("unauthorized", func(t *testing.T) {
		awaitLost(t, f.drivers[shy])
		err := f.drivers[shy].Tap(ctx, image.Pt(9, 9))
		require.ErrorIs(t, err, driver.ErrUnauthorized)
		require.ErrorContains(t, err, "tap adb:FLEET04: ")
		require.ErrorContains(t, err, "allow USB debugging")
		require.False(t, driver.MaybeDone(err))
	})
	t.Run("hung", func(t *testing.T) {
		require.NoError(t, f.devices[hung].SetFault(android.FaultHang, false))
		d, err := adb.New(ctx, f.devices[hung].Serial(), f.options())
		require.NoError(t, err)
		adb.Hurry(d, 200*time.Millisecond) // now: on a busy computer it would not open
		defer func() { require.NoError(t, d.Close()) }()
		require.NoError(t, f.devices[hung].SetFault(android.FaultHang, true))
		_, err = d.Screenshot(ctx)
		require.ErrorIs(t, err, driver.ErrTimeout)
		require.ErrorContains(t, err, "screenshot adb:FLEET01: ")
		require.ErrorContains(t, err, "restart the phone")
	})
	t.Run("drops every third call", func(t *testing.T) { dropsEveryThird(ctx, t, f.devices[flaky], f.drivers[flaky]) })
}

// dropsEveryThird counts that what was done is told, and nothing is done twice.
func dropsEveryThird(ctx context.Context, t *testing.T, device *android.Device, d *adb.Driver) {
	device.Phone().ClearLog()
	for n := range 12 {
		drops := n%3 == 2
		require.NoError(t, device.SetFault(android.FaultDropAfterSend, drops))
		err := d.Tap(ctx, image.Pt(200+n, 790))
		require.Equal(t, drops, err != nil, "%v", err)
		if drops {
			require.ErrorIs(t, err, driver.ErrOffline)
			require.ErrorContains(t, err, "tap adb:"+device.Serial()+": ")
			require.ErrorContains(t, err, "cable")
			require.True(t, driver.MaybeDone(err))
		}
	}
	require.Len(t, device.Phone().Events("tap"), 12)
}

// TestFleetListWithAWedgedPhone lists eight phones while a command hangs on one of them.
func TestFleetListWithAWedgedPhone(t *testing.T) {
	f := newFleet(t, 8)
	require.NoError(t, f.devices[3].SetFault(android.FaultHang, true))
	ctx, cancel := context.WithCancel(t.Context())
	stuck := make(chan error, 1)
	go func() { _, err := f.drivers[3].Screenshot(ctx); stuck <- err }()
	for range 20 {
		all, err := adb.Devices(t.Context(), f.options())
		require.NoError(t, err)
		require.Len(t, all, 8)
	}
	require.Empty(t, stuck, "the wedged phone still hangs")
	cancel()
	require.ErrorIs(t, <-stuck, context.Canceled)
}

// TestFleetOfFifty polls fifty phones at once, and each answer is of its own phone.
func TestFleetOfFifty(t *testing.T) {
	f := newFleet(t, 50, "a14", "a9", "a11", "a16", "a6")
	apps := []string{"com.android.settings", "com.handset.notes", "com.android.deskclock"}
	for i, d := range f.devices {
		_, err := d.Phone().StartApp(apps[i%len(apps)])
		require.NoError(t, err)
	}
	var wg sync.WaitGroup
	got, errs := make([]string, 50), make([]error, 50)
	for i, d := range f.drivers {
		wg.Go(func() { got[i], errs[i] = poll(t.Context(), d) })
	}
	wg.Wait()
	for i := range f.drivers {
		require.NoError(t, errs[i])
		require.Equal(t, apps[i%len(apps)], got[i])
	}
}

// poll is what a watcher of many phones asks.
func poll(ctx context.Context, d *adb.Driver) (string, error) {
	if _, err := d.PowerState(ctx); err != nil {
		return "", err
	}
	app, err := d.Foreground(ctx)
	return app.ID, err
}

// BenchmarkDevices lists eight phones, first all well, then with one that is wedged.
func BenchmarkDevices(b *testing.B) {
	for _, wedged := range []bool{false, true} {
		b.Run(fmt.Sprintf("wedged=%t", wedged), func(b *testing.B) {
			f := newFleet(b, 8)
			require.NoError(b, f.devices[3].SetFault(android.FaultHang, wedged))
			for b.Loop() {
				all, err := adb.Devices(b.Context(), f.options())
				if err != nil || len(all) != 8 {
					b.Fatal(len(all), err)
				}
			}
		})
	}
}

// BenchmarkPoll asks each of n phones for power and app, all at once. An operation is one round of all.
func BenchmarkPoll(b *testing.B) {
	for _, n := range []int{1, 8, 50} {
		b.Run(fmt.Sprintf("phones=%d", n), func(b *testing.B) {
			f := newFleet(b, n)
			for b.Loop() {
				var wg sync.WaitGroup
				for _, d := range f.drivers {
					wg.Go(func() {
						if _, err := poll(b.Context(), d); err != nil {
							b.Error(err)
						}
					})
				}
				wg.Wait()
			}
		})
	}
}

// BenchmarkFleet works on five phones, alone and beside three that hang, refuse and drop.
func BenchmarkFleet(b *testing.B) {
	for _, bad := range []bool{false, true} {
		b.Run(fmt.Sprintf("bad=%t", bad), func(b *testing.B) {
			f := newFleet(b, 8)
			ctx, cancel := context.WithCancel(b.Context())
			var bads sync.WaitGroup
			if bad {
				require.NoError(b, f.devices[5].SetFault(android.FaultHang, true))
				f.server.SetState(f.devices[6].Serial(), adbserver.Unauthorized)
				require.NoError(b, f.devices[7].SetFault(android.FaultNoExitPacket, true))
				bads.Go(func() { _, _ = f.drivers[5].Screenshot(ctx) })
			}
			for b.Loop() {
				var wg sync.WaitGroup
				for _, d := range f.drivers[:5] {
					wg.Go(func() {
						if err := round(ctx, d, image.Pt(200, 790)); err != nil {
							b.Error(err)
						}
					})
				}
				wg.Wait()
			}
			cancel()
			bads.Wait()
		})
	}
}
