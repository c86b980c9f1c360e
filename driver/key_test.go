package driver_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

func TestParseKey(t *testing.T) {
	for name, want := range map[string]driver.Key{
		"Back": driver.KeyBack, "BACK": driver.KeyBack, "volume_up": driver.KeyVolumeUp, "Volume Up": driver.KeyVolumeUp,
		"KEYCODE_ENTER": driver.KeyEnter, "Backspace": driver.KeyDelete, "KEYCODE_DEL": driver.KeyDelete,
		"KEYCODE_FORWARD_DEL": driver.KeyForward, "forward-delete": driver.KeyForward, "KEYCODE_DPAD_LEFT": driver.KeyLeft,
		"esc": driver.KeyEscape, "app_switch": driver.KeyRecents, " home ": driver.KeyHome, "end": driver.KeyMoveEnd,
		"KEYCODE_BRIGHTNESS_UP": "KEYCODE_BRIGHTNESS_UP", " Own Key ": "Own Key", "": "",
	} {
		require.Equal(t, want, driver.ParseKey(name), name)
	}
	for _, k := range driver.Keys() {
		require.Equal(t, k, driver.ParseKey(string(k)))
	}
}

func TestKeysIsACopy(t *testing.T) {
	driver.Keys()[0] = "broken"
	require.Equal(t, driver.KeyBack, driver.Keys()[0])
}

func TestOps(t *testing.T) {
	seen := map[driver.Op]bool{}
	for _, op := range driver.Ops() {
		require.False(t, seen[op], op)
		seen[op] = true
		require.False(t, op.Reads() && op.Gesture(), op)
	}
	require.False(t, driver.Op("reboot").Reads(), "an unknown operation is not a read")
	require.True(t, driver.OpTree.Reads())
	require.False(t, driver.OpType.Reads())
	require.True(t, driver.OpKey.Gesture())
	require.False(t, driver.OpLaunch.Gesture())
}
