package adb_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// TestKnownFocus asks each release for the app in front, under what led others to another app.
func TestKnownFocus(t *testing.T) {
	faults := []string{"", android.FaultFocusPopup, android.FaultFocusSplit, android.FaultFocusCover, android.FaultWorkProfile, android.FaultFocusNull}
	for _, p := range android.Profiles() {
		for _, name := range faults {
			t.Run(p.Name+"/"+name, func(t *testing.T) {
				f := newFront(t, p.Name, sim.Options{})
				d := f.open(t)
				if name != "" {
					f.fault(t, name)
				}
				require.NoError(t, d.Launch(t.Context(), "com.handset.notes"))
				app, err := d.Foreground(t.Context())
				require.NoError(t, err)
				require.Equal(t, "com.handset.notes", app.ID)
				require.NotEmpty(t, app.Page)
			})
		}
	}
}

// TestKnownNotResponding names the system's window, as the app below takes no input.
func TestKnownNotResponding(t *testing.T) {
	f := newFront(t, "a14", sim.Options{Start: "com.handset.notes"})
	f.fault(t, android.FaultFocusANR)
	app, err := f.open(t).Foreground(t.Context())
	require.NoError(t, err)
	require.Equal(t, "android", app.ID)
	require.Contains(t, app.Page, "com.handset.notes")
}

// TestKnownLaunchRoutes holds that monkey is the last resort, with what emulators need, and that an
// app is in front when Launch returns, however slowly it comes.
func TestKnownLaunchRoutes(t *testing.T) {
	tests := []struct {
		name   string
		faults []string
		monkey bool
	}{
		{"as usual", nil, false},
		{"the chooser is named", []string{android.FaultResolver}, false},
		{"no hardware keys", []string{android.FaultStartDenied, android.FaultMonkeySysKeys}, true},
		{"not exported", []string{android.FaultStartDenied}, true},
		{"slow to come", []string{sim.FaultSlowLaunch}, false},
		{"slow to come after monkey", []string{android.FaultStartDenied, sim.FaultSlowLaunch}, true},
		{"no focus for a moment", []string{android.FaultFocusNull}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFront(t, "a14", sim.Options{})
			d, h := f.recorded(t)
			for _, name := range tt.faults {
				f.fault(t, name)
			}
			require.NoError(t, d.Launch(t.Context(), "com.handset.notes"))
			require.Equal(t, "com.handset.notes", f.phone.Foreground().ID)
			require.Equal(t, tt.monkey, strings.Contains(h.said(), "monkey"))
			require.Len(t, f.phone.Events("launch"), 1)
		})
	}
}

// TestKnownLaunchThatLies holds that "ok" is not believed: the app must be in front.
func TestKnownLaunchThatLies(t *testing.T) {
	t.Parallel() // it waits for 8 s
	f := newFront(t, "a14", sim.Options{})
	d := f.open(t)
	f.fault(t, android.FaultStartIgnored)
	err := d.Launch(t.Context(), "com.handset.notes")
	require.ErrorContains(t, err, "com.handset.notes was started and did not come to the front")
}

// TestKnownURL opens addresses with what a shell would read as syntax.
func TestKnownURL(t *testing.T) {
	for _, url := range []string{
		"https://example.com/?a=1&b=2&c=3", "https://example.com/'quoted'\"twice\"", "https://example.com/$(reboot)`reboot`;reboot|x>y",
		"https://example.com/a%20b#frag\\n", "https://example.com/汉字/👍",
	} {
		t.Run(url, func(t *testing.T) {
			f := newFront(t, "a14", sim.Options{})
			require.NoError(t, f.open(t).OpenURL(t.Context(), url))
			opened := f.phone.Events("url")
			require.Len(t, opened, 1)
			require.Equal(t, url, opened[0].String("url"))
			require.Empty(t, f.device.Reboots())
		})
	}
}

// Android's filters know schemes in small letters only.
func TestSchemeInCapitals(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	require.NoError(t, f.open(t).OpenURL(t.Context(), "HTTPS://example.com/A:B"))
	require.Equal(t, "https://example.com/A:B", f.phone.Events("url")[0].String("url"))
}

// TestKnownNamesAreNoSyntax launches what is no app but a command line.
func TestKnownNamesAreNoSyntax(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d := f.open(t)
	for _, app := range []string{"-p com.handset.notes", "; reboot", "com.handset.notes; reboot", "$(reboot)", "com.handset.notes/.Main -n x"} {
		require.ErrorIs(t, d.Launch(t.Context(), app), driver.ErrAppNotFound, app)
	}
	require.Empty(t, f.phone.Events("launch"))
	require.Empty(t, f.device.Reboots())
}

// TestKnownLockState reads on and locked on each release.
func TestKnownLockState(t *testing.T) {
	for _, p := range android.Profiles() {
		t.Run(p.Name, func(t *testing.T) {
			f := newFront(t, p.Name, sim.Options{})
			d := f.open(t)
			if slices.Contains(p.Faults, android.FaultInjectEvents) {
				require.ErrorIs(t, d.Lock(t.Context()), driver.ErrInputBlocked)
				f.phone.Sleep()
			} else {
				wakeAndLock(t, f, d)
			}
			got, err := d.PowerState(t.Context())
			require.NoError(t, err)
			require.Equal(t, f.phone.Power(), got)
			require.False(t, got.On)
		})
	}
}

// wakeAndLock does both twice, as neither is a toggle. The display is off then.
func wakeAndLock(t *testing.T, f *front, d *adb.Driver) {
	for _, on := range []bool{true, false} {
		for range 2 {
			if on {
				require.NoError(t, d.Wake(t.Context()))
			} else {
				require.NoError(t, d.Lock(t.Context()))
			}
			got, err := d.PowerState(t.Context())
			require.NoError(t, err)
			require.Equal(t, f.phone.Power(), got)
			require.Equal(t, on, got.On)
		}
	}
}
