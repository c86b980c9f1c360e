package adb_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
	"github.com/handset-go/handset/internal/phonefront/apk"
)

// apkFile writes a package.
func apkFile(t *testing.T, m apk.Manifest) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "it's "+m.Package+m.Split+".apk")
	require.NoError(t, os.WriteFile(name, apk.Make(m), 0o644))
	return name
}

// TestInstallOnEachRelease installs an app that is only for tests, replaces it, launches it by the
// label that it has written out, and removes it (mobilecli #225).
func TestInstallOnEachRelease(t *testing.T) {
	for _, p := range android.Profiles() {
		t.Run(p.Name, func(t *testing.T) {
			f := newFront(t, p.Name, sim.Options{})
			d := f.open(t)
			ctx := t.Context()
			m := apk.Manifest{Package: "com.example.shop", Version: 1, Label: "Corner Shop", TestOnly: true, Activity: "com.example.shop.Main", Leanback: p.Leanback}
			require.NoError(t, driver.Install(ctx, d, apkFile(t, m)))
			m.Version = 2
			require.NoError(t, d.Install(ctx, apkFile(t, m)))
			require.NoError(t, d.Launch(ctx, "com.example.shop"))
			require.Equal(t, "com.example.shop", f.phone.Foreground().ID)
			if p.SDK >= 24 {
				app, err := d.Resolve(ctx, "corner shop")
				require.NoError(t, err)
				require.Equal(t, driver.App{ID: "com.example.shop", Name: "Corner Shop"}, app)
			}
			require.NoError(t, d.ClearData(ctx, "com.example.shop"))
			require.NoError(t, d.Uninstall(ctx, "com.example.shop"))
			require.ErrorIs(t, d.Uninstall(ctx, "com.example.shop"), driver.ErrAppNotFound)
			left, err := d.Shell(ctx, "ls", "/data/local/tmp")
			require.NoError(t, err)
			require.NotContains(t, string(left.Stdout), ".apk", "nothing is left behind")
			require.Less(t, len(f.device.LongestRequest()), 4096)
		})
	}
}

func TestInstallParts(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d := f.open(t)
	base := apkFile(t, apk.Manifest{Package: "com.example.shop", Version: 1, Activity: "com.example.shop.Main"})
	split := apkFile(t, apk.Manifest{Package: "com.example.shop", Version: 1, Split: "config.arm64_v8a"})
	other := apkFile(t, apk.Manifest{Package: "com.example.other", Version: 1, Split: "config.xhdpi"})
	require.ErrorContains(t, d.Install(t.Context(), base, other), "inconsistent")
	require.ErrorContains(t, d.Install(t.Context(), split), "base package")
	require.NoError(t, d.Install(t.Context(), base, split))
	require.NoError(t, d.Launch(t.Context(), "com.example.shop"))
	out, err := d.Shell(t.Context(), "pm", "path", "com.example.shop")
	require.NoError(t, err)
	require.Contains(t, string(out.Stdout), "split_config.arm64_v8a.apk")
}

func TestInstallRefused(t *testing.T) {
	file := apkFile(t, apk.Manifest{Package: "com.example.shop", Version: 1})
	for fault, says := range map[string]string{android.FaultInstallDenied: "Install via USB", android.FaultInstallFull: "make room"} {
		t.Run(fault, func(t *testing.T) {
			f := newFront(t, "a13-miui", sim.Options{})
			d := f.open(t)
			f.fault(t, fault)
			err := d.Install(t.Context(), file)
			require.ErrorContains(t, err, says)
			require.False(t, driver.MaybeDone(err))
		})
	}
	d := newFront(t, "a14", sim.Options{}).open(t)
	text := filepath.Join(t.TempDir(), "text.apk")
	require.NoError(t, os.WriteFile(text, []byte("no package"), 0o644))
	require.ErrorContains(t, d.Install(t.Context(), text), "NOT_APK")
	newer := apkFile(t, apk.Manifest{Package: "com.example.shop", Version: 2})
	require.NoError(t, d.Install(t.Context(), newer))
	require.ErrorContains(t, d.Install(t.Context(), file), "a newer version is installed")
	require.ErrorIs(t, d.Install(t.Context(), text+".none"), os.ErrNotExist)
	require.False(t, errors.Is(d.Uninstall(t.Context(), "com.android.settings"), driver.ErrAppNotFound))
}
