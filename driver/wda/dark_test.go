package wda_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
)

// TestDarkPhoneTakesNoTap is a phone that was put to sleep: WebDriverAgent would take the tap, and nothing would happen.
func TestDarkPhoneTakesNoTap(t *testing.T) {
	r := newRig(t, "16", "iphone-se", sim.Options{})
	d := r.open(nil)
	require.NoError(t, driver.Lock(t.Context(), d))
	err := d.Tap(t.Context(), image.Pt(300, 400))
	require.ErrorIs(t, err, driver.ErrAsleep)
	require.False(t, driver.MaybeDone(err))
	require.Empty(t, r.phone.Events("tap"))
	require.NoError(t, driver.Wake(t.Context(), d))
	require.NoError(t, d.Tap(t.Context(), image.Pt(300, 400)), "the lock screen takes taps")
}
