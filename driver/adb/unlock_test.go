package adb

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

// TestUnlockWantsItsOwner holds that a phone with a PIN is told of, after each way was tried once.
func TestUnlockWantsItsOwner(t *testing.T) {
	const locked = "mWakefulness=Awake\nmIsShowing=true\nmInputRestricted=true\n"
	for name, tt := range map[string]struct {
		sdk  int
		menu int
	}{"Android 14": {34, 0}, "Android 6": {23, 1}} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.on("mWakefulness", sectionLabel(0)+"\n"+locked)
			d := f.open()
			d.info.sdk, d.frontLimit = tt.sdk, 50*time.Millisecond
			err := d.Unlock(t.Context(), "")
			require.ErrorIs(t, err, driver.ErrLocked)
			require.ErrorContains(t, err, "by hand")
			f.mu.Lock()
			var keys, swipes, guards int
			for _, line := range f.lines {
				switch line {
				case "input keyevent 82":
					keys++
				case "input swipe 540 1920 540 480 250":
					swipes++
				case "wm dismiss-keyguard":
					guards++
				}
			}
			f.mu.Unlock()
			require.Equal(t, []int{tt.menu, 1, 1}, []int{keys, swipes, guards})
		})
	}
}
