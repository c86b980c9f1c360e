package adb_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// TestKnownText types what other programs typed wrong, or as a command.
func TestKnownText(t *testing.T) {
	for _, text := range []string{
		"100%safe", "%s%%s", "a b  c", " lead and trail ", "it's", `say "hi"`, "hello? Hello?", "a;b|c&d>e<f", "$(reboot) `reboot` $HOME",
		"\\n \\ \\\\", "'; input keyevent 26; '", "-n --es x", "*?[]{}~#!", "naïve café Ångström", "中文、日本語、한국어", "👍🏽👨‍👩‍👧", "a\u00a0b\u200bc", "&amp;lt;<b>",
	} {
		for _, profile := range []string{"a14", "a9", "a6"} {
			t.Run(profile+"/"+text, func(t *testing.T) {
				f := inField(t, profile, sim.Options{})
				d, h := f.recorded(t, func(o *adb.Options) { o.KeyboardWait = time.Millisecond })
				require.NoError(t, d.Type(t.Context(), text))
				require.Equal(t, text, f.typed(t))
				require.True(t, f.phone.Power().On)
				require.Empty(t, f.device.Reboots())
				for _, r := range text {
					if r > '~' {
						require.NotContains(t, h.said(), "input text", "which takes ASCII only")
						break
					}
				}
			})
		}
	}
}

// TestKnownBlockedInput names the switch of the phone's maker, and nothing was done.
func TestKnownBlockedInput(t *testing.T) {
	for profile, cure := range map[string]string{"a13-miui": "Security settings", "a13-vivo": "", "a14": ""} {
		t.Run(profile, func(t *testing.T) {
			f := inField(t, profile, sim.Options{})
			f.phone.ClearLog()
			d := f.open(t)
			f.fault(t, android.FaultInjectEvents)
			for _, err := range []error{
				d.Tap(t.Context(), f.phone.Size().Div(2)), d.Key(t.Context(), driver.KeyHome), d.Type(t.Context(), "plain"),
				d.Swipe(t.Context(), f.phone.Size().Div(2), f.phone.Size().Div(3), 0),
			} {
				require.ErrorIs(t, err, driver.ErrInputBlocked)
				require.False(t, driver.MaybeDone(err))
				require.ErrorContains(t, err, cure)
			}
			require.Empty(t, f.phone.Log())
		})
	}
}

// TestKnownNothingToType sends no broadcast with an empty text, which is an error on the phone.
func TestKnownNothingToType(t *testing.T) {
	f := inField(t, "a14", sim.Options{})
	d, h := f.recorded(t)
	require.NoError(t, d.Type(t.Context(), ""))
	require.NoError(t, d.SetText(t.Context(), "é"))
	require.NoError(t, d.SetText(t.Context(), ""))
	require.Empty(t, f.typed(t))
	require.NotRegexp(t, `--es msg\s*($|\n|;|&|'')`, h.said())
}

// TestKnownClipboardIsLeft holds that typing by the input method leaves the clipboard alone.
func TestKnownClipboardIsLeft(t *testing.T) {
	f := inField(t, "a14", sim.Options{})
	f.phone.SetClipboard("the person's")
	require.NoError(t, f.open(t).Type(t.Context(), "蓝牙 é"))
	require.Equal(t, "the person's", f.phone.Clipboard())
}

// TestKnownKeyboardNotEnabled has the keyboard installed and not allowed, and puts that back.
func TestKnownKeyboardNotEnabled(t *testing.T) {
	f := inField(t, "a14", sim.Options{})
	f.phone.EnableIME(sim.ADBKeyboardIME, false)
	before := f.phone.IMEs()
	require.NoError(t, f.open(t).Type(t.Context(), "é"))
	require.Equal(t, "é", f.typed(t))
	require.Equal(t, before, f.phone.IMEs())
	require.NotEqual(t, sim.ADBKeyboardIME, f.phone.CurrentIME())
}

// TestKnownTapIsATap holds that a tap is no swipe of no length, which web views ignore, and a key no
// event of a keyboard that emulators lack.
func TestKnownTapIsATap(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d, h := f.recorded(t)
	require.NoError(t, d.Tap(t.Context(), f.phone.Size().Div(2)))
	require.Len(t, f.phone.Events("tap"), 1)
	require.NoError(t, d.Key(t.Context(), driver.KeyVolumeUp))
	require.Len(t, f.phone.Events("key"), 1)
	require.NotContains(t, h.said(), "swipe")
	require.NotContains(t, h.said(), "sendevent")
}
