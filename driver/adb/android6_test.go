package adb_test

import (
	"errors"
	"image"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/sim"
)

// TestPasteBeforeAndroid7 wants a key that the phone does not have neither described nor sent.
func TestPasteBeforeAndroid7(t *testing.T) {
	for profile, has := range map[string]bool{"a6": false, "a9": true} {
		f := newFront(t, profile, sim.Options{Start: "com.android.settings"})
		f.phone.SetClipboard("copied")
		f.phone.Tap(f.phone.Tree().Find(driver.ByRole(driver.RoleEdit)).Center())
		d := f.open(t)
		desc, err := d.Describe(t.Context())
		require.NoError(t, err)
		require.Equal(t, has, slices.Contains(desc.Keys, driver.KeyPaste))
		err = d.Key(t.Context(), driver.KeyPaste)
		field, _ := f.phone.Focused()
		if has {
			require.NoError(t, err)
			require.Equal(t, "copied", field.Text)
			continue
		}
		require.ErrorIs(t, err, errors.ErrUnsupported)
		require.ErrorContains(t, err, "Android 7")
		require.Empty(t, f.phone.Events("key"))
		_, err = d.Shell(t.Context(), "input", "keyevent", "279")
		require.NoError(t, err, "the phone takes the number")
		field, ok := f.phone.Focused()
		require.True(t, ok)
		require.Empty(t, field.Text)
	}
}

// TestDragBeforeAndroid7 wants what the phone cannot do neither described nor called a gesture, and done
// where scrcpy's server can.
func TestDragBeforeAndroid7(t *testing.T) {
	f := newFront(t, "a6", sim.Options{Start: "com.android.settings"})
	plain := f.open(t)
	desc, err := plain.Describe(t.Context())
	require.NoError(t, err)
	require.NotContains(t, desc.Ops, driver.OpDrag)
	from, to := image.Pt(500, 900), image.Pt(500, 1500)
	err = driver.Drag(t.Context(), plain, from, to, 0, 0)
	require.ErrorIs(t, err, errors.ErrUnsupported)
	require.ErrorContains(t, err, "drag adb:")
	require.ErrorContains(t, err, "Android 7")
	require.ErrorContains(t, err, "scrcpy")
	require.Empty(t, f.phone.Events("drag"))

	d := f.openWith(t, adb.Options{Scrcpy: scrcpyFile(t, "3.3.4")})
	desc, err = d.Describe(t.Context())
	require.NoError(t, err)
	require.Contains(t, desc.Ops, driver.OpDrag)
	require.NoError(t, driver.Drag(t.Context(), d, from, to, 600*time.Millisecond, 50*time.Millisecond))
	adb.SettleControl(d, "")
	require.Len(t, f.phone.Events("drag"), 1)
}
