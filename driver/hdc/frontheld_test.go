package hdc_test

import (
	"image"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	front "github.com/handset-go/handset/internal/phonefront/hdc"
)

// events are the kinds of what was done to the phone since n.
func (r *rig) events(n int) string {
	var kinds []string
	for _, e := range r.phone.Log()[n:] {
		kinds = append(kinds, e.Name)
	}
	return strings.Join(kinds, " ")
}

// TestServiceHeld: while another tool holds the accessibility service, uitest does nothing, and uinput does.
func TestServiceHeld(t *testing.T) {
	r := newRig(t, sim.Options{Start: "com.huawei.hmos.settings"}, "6.0")
	runs := r.counted()
	d := r.open()
	ctx, at := t.Context(), image.Pt(300, 2000)
	require.NoError(t, d.Tap(ctx, at))
	off := r.set(front.FaultDumpBusy)
	n := len(r.phone.Log())
	runs()
	require.NoError(t, d.Tap(ctx, at))
	require.Equal(t, 2, runs(), "uitest, and then uinput")
	require.NoError(t, d.Tap(ctx, at))
	require.NoError(t, d.DoubleTap(ctx, at))
	require.NoError(t, d.Key(ctx, driver.KeyVolumeUp))
	require.Equal(t, 3, runs(), "uitest is not asked in vain again")
	require.Equal(t, "tap tap tap tap key", r.events(n))

	err := d.Key(ctx, driver.KeyRecents) // whose code uinput does not take
	require.ErrorContains(t, err, "accessibility service")
	require.False(t, driver.MaybeDone(err))
	off()
	_, err = d.Tree(ctx)
	require.NoError(t, err)
	require.NoError(t, d.Key(ctx, driver.KeyRecents))

	r.set(front.FaultDumpBusy)
	n = len(r.phone.Log())
	require.NoError(t, d.Key(ctx, driver.KeyPaste), "a chord")
	require.Equal(t, "key", r.events(n))
}

// TestServiceHeldIsAskedForOnce: uitest takes 20 s to say it, of which a tree has time for one.
func TestServiceHeldIsAskedForOnce(t *testing.T) {
	r := newRig(t, sim.Options{}, "")
	runs := r.counted()
	d := r.open()
	r.set(front.FaultDumpBusy)
	runs()
	_, err := d.Tree(t.Context())
	require.Equal(t, 1, runs())
	require.ErrorIs(t, err, driver.ErrNoTree)
	require.ErrorContains(t, err, "accessibility service")
}
