package wda_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/driver/wda"
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
	require.ErrorIs(t, d.Type(t.Context(), "hi"), driver.ErrAsleep)
	require.NoError(t, driver.Wake(t.Context(), d))
	require.NoError(t, d.Tap(t.Context(), image.Pt(300, 400)), "the lock screen takes taps")
}

// TestDarkPhoneThatWasLookedAt: neither a tree nor a frame of a dark phone is a reason to take the display for on.
func TestDarkPhoneThatWasLookedAt(t *testing.T) {
	ctx, at := t.Context(), image.Pt(300, 400)
	for name, look := range map[string]func(d *wda.Driver) error{
		"tree":       func(d *wda.Driver) error { _, err := d.Tree(ctx); return err },
		"screenshot": func(d *wda.Driver) error { _, err := d.Screenshot(ctx); return err },
	} {
		for _, version := range []string{"16", "5"} {
			t.Run(name+" "+version, func(t *testing.T) {
				r := newRig(t, version, "iphone-15", sim.Options{Start: "com.apple.Preferences"})
				d := r.open(nil)
				require.NoError(t, d.Tap(ctx, at))
				r.phone.Sleep() // somebody presses the button
				for range 2 {
					require.NoError(t, look(d))
					err := d.Swipe(ctx, at, image.Pt(300, 100), 0)
					require.ErrorIs(t, err, driver.ErrAsleep)
					require.False(t, driver.MaybeDone(err))
				}
				require.Empty(t, r.phone.Events("swipe"))
				require.NoError(t, d.Wake(ctx))
				require.NoError(t, look(d))
				require.NoError(t, d.Tap(ctx, at))
			})
		}
	}
}
