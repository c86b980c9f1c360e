package hdc_test

import (
	"context"
	"image"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/hdc"
	"github.com/handset-go/handset/driver/sim"
	front "github.com/handset-go/handset/internal/phonefront/hdc"
)

func TestDumpFaults(t *testing.T) {
	works := []string{
		front.FaultDumpFirst, front.FaultDumpNoBounds, front.FaultDumpNegative, front.FaultDumpBig + "=3000", front.FaultDumpExtension,
		front.FaultDumpWeb, front.FaultDumpSpace, front.FaultChatter,
	}
	for _, profile := range []string{"6.0", "5.0"} {
		for _, name := range works {
			t.Run(profile+"/"+name, func(t *testing.T) {
				r := newRig(t, sim.Options{Start: "com.huawei.hmos.settings"}, profile)
				d := r.open()
				r.set(name)
				tree, err := d.Tree(t.Context())
				require.NoError(t, err)
				require.Equal(t, r.phone.Size(), tree.Size)
				require.Equal(t, "com.huawei.hmos.settings", tree.App.ID)
				require.NotNil(t, tree.Find(driver.ByText("Bluetooth")))
				require.Empty(t, r.leftovers())
			})
		}
		for name, says := range map[string]string{
			front.FaultDumpBusy: "accessibility service", front.FaultDumpEmpty: "", front.FaultDumpCut: "cut", front.FaultDumpWindows: "Get window nodes failed",
		} {
			t.Run(profile+"/"+name, func(t *testing.T) {
				r := newRig(t, sim.Options{}, profile)
				d := r.open()
				r.set(name)
				_, err := d.Tree(t.Context())
				require.ErrorIs(t, err, driver.ErrNoTree)
				require.ErrorContains(t, err, says)
				require.Empty(t, r.leftovers())
			})
		}
	}
}

// leftovers are the driver's files on the phone.
func (r *rig) leftovers() []string {
	state, err := r.state()
	require.NoError(r.t, err)
	var found []string
	for line := range strings.Lines(state) {
		if strings.HasPrefix(line, "handset-") {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

func TestSnapshotFaults(t *testing.T) {
	tests := []struct {
		fault, says string
		is          error
	}{
		{front.FaultSnapshotFail, "failed", nil},
		{front.FaultSnapshotEmpty, "empty", nil},
		{front.FaultSnapshotCut, "cut short", nil},
		{front.FaultNotDeveloper, "developer mode", nil},
		{front.FaultDiesMidCall, "", driver.ErrOffline},
	}
	for _, profile := range []string{"6.0", "5.0"} {
		for _, tt := range tests {
			t.Run(profile+"/"+tt.fault, func(t *testing.T) {
				r := newRig(t, sim.Options{}, profile)
				d := r.open()
				off := r.set(tt.fault)
				s, err := d.Screenshot(t.Context())
				require.Nil(t, s, "never a made-up picture")
				require.ErrorContains(t, err, tt.says)
				if tt.is != nil {
					require.ErrorIs(t, err, tt.is, "what broke is asked again, and then the phone is gone")
				}
				off()
				require.Eventually(t, func() bool { return len(r.leftovers()) == 0 }, time.Minute, 10*time.Millisecond,
					"a phone whose daemon has died may still be at work")
			})
		}
	}
}

func TestPNG(t *testing.T) {
	for _, profile := range []string{"6.0", "5.0"} { // snapshot_display -t png, uitest screenCap
		r := newRig(t, sim.Options{}, profile)
		d, err := hdc.New(t.Context(), r.device.Key(), &hdc.Options{Tool: r.tool, PNG: true})
		require.NoError(t, err)
		s, err := d.Screenshot(t.Context())
		require.NoError(t, err)
		_, mime, err := s.Encoded()
		require.NoError(t, err)
		require.Equal(t, "image/png", mime)
		require.Empty(t, r.leftovers())
		require.NoError(t, d.Close())
	}
}

func TestHealth(t *testing.T) {
	r := newRig(t, sim.Options{}, "")
	d := r.open()
	health := func() driver.Health {
		s, err := d.Screenshot(t.Context())
		require.NoError(t, err)
		return s.Health()
	}
	require.Equal(t, driver.HealthOK, health())
	_, err := r.phone.StartApp("com.handset.wallet")
	require.NoError(t, err)
	require.Equal(t, driver.HealthProtected, health())
	r.phone.Sleep()
	require.Equal(t, driver.HealthAsleep, health())
}

func TestBootingDisplay(t *testing.T) {
	r := newRig(t, sim.Options{}, "")
	r.set(front.FaultRenderZero)
	d := r.open()
	require.ErrorContains(t, d.Tap(t.Context(), image.Pt(5, 5)), "size of its screen")
	_, err := d.Screenshot(t.Context())
	require.NoError(t, err, "which tells the size")
	require.NoError(t, d.Tap(t.Context(), image.Pt(5, 5)))
}

// TestOneUitestAtATime dumps and taps from many goroutines: the phone takes one uitest, and a second fails.
func TestOneUitestAtATime(t *testing.T) {
	r := newRig(t, sim.Options{}, "")
	d, e := r.open(), r.open()
	r.set(front.FaultDumpSlow + "=30ms")
	var wg sync.WaitGroup
	errs := make(chan error, 24)
	for i := range 12 {
		who := []*hdc.Driver{d, e}[i%2]
		wg.Go(func() {
			_, err := who.Tree(t.Context())
			errs <- err
		})
		wg.Go(func() { errs <- who.Tap(t.Context(), image.Pt(5, 5)) })
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		require.NoError(t, err)
	}
	require.Len(t, r.phone.Events("tap"), 12)
}

// TestCancelledDump holds that a uitest which nobody waits for any more ends before the next begins.
func TestCancelledDump(t *testing.T) {
	r := newRig(t, sim.Options{}, "")
	d := r.open()
	off := r.set(front.FaultDumpSlow + "=700ms")
	var err error
	for err == nil { // on a busy computer a dump may be over before it is cancelled
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			_, err := d.Tree(ctx)
			done <- err
		}()
		require.Eventually(t, func() bool { return len(r.leftovers()) > 0 || len(done) > 0 }, time.Minute, 10*time.Millisecond)
		cancel()
		err = <-done
	}
	require.ErrorIs(t, err, context.Canceled)
	off()
	_, err = d.Tree(t.Context())
	require.NoError(t, err, "the phone would refuse a second one")
	require.Empty(t, r.leftovers())
}
