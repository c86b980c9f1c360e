package adb_test

import (
	"context"
	"errors"
	"image"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/drivertest"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/android"
	"github.com/handset-go/handset/internal/phonefront/scrcpy"
)

// scrcpyFile writes a server file of a release.
func scrcpyFile(t testing.TB, version string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "scrcpy-server")
	require.NoError(t, os.WriteFile(path, scrcpy.File(version), 0o600))
	return path
}

// TestConformanceThroughScrcpy runs the contract with gestures over scrcpy's control channel.
func TestConformanceThroughScrcpy(t *testing.T) {
	t.Parallel() // most of it is waiting
	cfg := conformance(&overSocket{servers: map[string]*adbserver.Server{}}, "a14", adb.Options{Scrcpy: scrcpyFile(t, "3.3.4")})
	cfg.Ops = append(cfg.Ops, driver.OpGesture, driver.OpPinch, driver.OpClipboard, driver.OpSetClipboard)
	drivertest.Run(t, cfg)
}

// requireNothingLeft wants nothing of scrcpy's server on the phone, which may take a moment to end.
func requireNothingLeft(t testing.TB, f *front) {
	t.Helper()
	require.Eventually(t, func() bool {
		left := leftOver(t, f)
		return !strings.Contains(left, ".jar") && !strings.Contains(left, "app_process")
	}, 20*time.Second, time.Millisecond)
}

// leftOver is what is left of a driver on the phone.
func leftOver(t testing.TB, f *front) string {
	t.Helper()
	var b strings.Builder
	f.device.Run(context.Background(), "ls /data/local/tmp; ps -A | grep app_process", android.Stdio{Out: &b, Err: &b})
	return b.String()
}

func TestScrcpyReleases(t *testing.T) {
	for _, version := range []string{"2.1", "2.4", "2.7", "3.0", "3.0.1", "3.2", "3.3", "3.3.4", "4.1"} {
		t.Run(version, func(t *testing.T) {
			f := newFront(t, "a14", sim.Options{Start: "com.android.settings"})
			f.phone.SetClipboard("copied")
			d := f.openWith(t, adb.Options{Scrcpy: scrcpyFile(t, version)})
			adb.AwaitClipboard(d)
			ctx := t.Context()
			tree, err := d.Tree(ctx)
			require.NoError(t, err)
			field := tree.Find(driver.ByRole(driver.RoleEdit))
			require.NoError(t, d.Tap(ctx, field.Center()))
			require.Eventually(t, func() bool { _, ok := f.phone.Focused(); return ok }, 20*time.Second, time.Millisecond)
			require.NoError(t, d.Type(ctx, "100%s it's"))
			require.NoError(t, d.Key(ctx, driver.KeyDelete))
			require.Eventually(t, func() bool { got, _ := f.phone.Focused(); return got.Text == "100%s it'" }, 20*time.Second, time.Millisecond)
			touches := 0
			for _, m := range f.device.ScrcpyMessages() {
				if m.Kind == scrcpy.KindTouch {
					touches++
				}
			}
			require.Equal(t, version != "3.0", touches > 0, "3.0 would have ended at the first touch")
			require.True(t, adb.ControlAlive(d))
			_, err = d.Clipboard(ctx)
			if version == "3.3" {
				require.ErrorIs(t, err, errors.ErrUnsupported, "3.3 would have ended at the first clipboard message")
			} else {
				require.NoError(t, err)
				require.NoError(t, d.SetClipboard(ctx, "剪贴板 👍"))
				got, err := d.Clipboard(ctx)
				require.NoError(t, err)
				require.Equal(t, "剪贴板 👍", got)
			}
			require.NoError(t, d.Close())
			requireNothingLeft(t, f)
		})
	}
}

func TestScrcpyTextWithoutKeyboard(t *testing.T) {
	f := newFront(t, "a14", sim.Options{Start: "com.android.settings"})
	f.fault(t, android.FaultNoADBKeyBoard)
	f.phone.SetClipboard("what a person copied")
	d := f.openWith(t, adb.Options{Scrcpy: scrcpyFile(t, "3.3.4")})
	adb.AwaitClipboard(d)
	ctx := t.Context()
	tree, err := d.Tree(ctx)
	require.NoError(t, err)
	require.NoError(t, d.Tap(ctx, tree.Find(driver.ByRole(driver.RoleEdit)).Center()))
	for _, text := range []string{"蓝牙 👍 \"q\" $x", strings.Repeat("漢字👍'\"", 700)} {
		require.NoError(t, d.SetText(ctx, text))
		got, ok := f.phone.Focused()
		require.True(t, ok)
		require.Equal(t, text, got.Text)
		require.Equal(t, "what a person copied", f.phone.Clipboard())
	}
	require.NoError(t, d.Close())
}

func TestScrcpyFaults(t *testing.T) {
	tests := []struct {
		fault string
		tap   error // of the first tap
		maybe bool
		done  int // taps of two that the phone felt
	}{
		{android.FaultScrcpyCrash, nil, false, 2},
		{android.FaultScrcpyFlood, nil, false, 2},
		{android.FaultScrcpySlow + "=200ms", nil, false, 2},
		{android.FaultScrcpyDies, driver.ErrOffline, true, 1},
		{android.FaultInjectEvents, driver.ErrInputBlocked, false, 0},
	}
	for _, tt := range tests {
		t.Run(tt.fault, func(t *testing.T) {
			f := newFront(t, "a14", sim.Options{})
			var log lockedBuffer
			d := f.openWith(t, adb.Options{Scrcpy: scrcpyFile(t, "3.3.4"), Logger: slog.New(slog.NewTextHandler(&log, nil))})
			f.fault(t, tt.fault)
			hasty := func() {}
			if tt.tap != nil {
				hasty = adb.AwaitRefusal(d)
			}
			err := d.Tap(t.Context(), image.Pt(200, 300))
			hasty()
			require.ErrorIs(t, err, tt.tap)
			require.Equal(t, tt.maybe, driver.MaybeDone(err), "%v", err)
			if tt.fault == android.FaultScrcpyDies {
				require.NoError(t, f.device.SetFault(tt.fault, false))
			}
			err = d.Tap(t.Context(), image.Pt(400, 300))
			if tt.tap == driver.ErrInputBlocked {
				require.ErrorIs(t, err, driver.ErrInputBlocked)
				require.False(t, driver.MaybeDone(err))
			} else {
				require.NoError(t, err)
			}
			adb.SettleControl(d, "")
			require.Equal(t, tt.done, taps(f.phone))
			require.LessOrEqual(t, strings.Count(log.String(), "\n"), 1, "%s", log.String())
			require.NoError(t, d.Close())
			requireNothingLeft(t, f)
		})
	}
}

// TestScrcpyLiftsItsFinger gives a long press up: no finger may stay down, or every later tap is a
// second finger's.
func TestScrcpyLiftsItsFinger(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d, err := adb.New(t.Context(), f.device.Serial(), &adb.Options{Server: f.server.Addr(), NoStart: true, Scrcpy: scrcpyFile(t, "3.3.4")})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	adb.AwaitAcks(d)
	require.NoError(t, d.Tap(t.Context(), image.Pt(100, 300)))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- d.LongPress(ctx, image.Pt(300, 300), time.Minute) }()
	require.Eventually(t, func() bool { return len(f.device.ScrcpyMessages()) == 3 }, 20*time.Second, time.Millisecond, "a tap, and the finger is down")
	cancel()
	err = <-done
	require.ErrorIs(t, err, context.Canceled)
	require.True(t, driver.MaybeDone(err))
	require.NoError(t, d.SetClipboard(t.Context(), "")) // waits for the turn, and so for the finger
	adb.SettleControl(d, "")
	held := map[int64]bool{}
	for _, m := range f.device.ScrcpyMessages() {
		if m.Kind == scrcpy.KindTouch {
			held[m.Pointer] = m.Action != scrcpy.ActionUp
		}
	}
	require.NoError(t, d.Tap(t.Context(), image.Pt(500, 300)))
	require.Equal(t, map[int64]bool{0: false}, held)
}

// TestScrcpyDragsOnAndroid6 drags on a phone whose own input cannot, also as the first gesture of a
// server that was only found.
func TestScrcpyDragsOnAndroid6(t *testing.T) {
	found := scrcpyFile(t, "3.3.4")
	o := *adb.FromEnv(func(name string) string { return map[string]string{"SCRCPY_SERVER_PATH": found}[name] })
	f := newFront(t, "a6", sim.Options{})
	d := f.openWith(t, o)
	require.Contains(t, driver.Operations(d), driver.OpDrag)
	require.NoError(t, d.Drag(t.Context(), image.Pt(300, 900), image.Pt(700, 1500), 0, 0))
	adb.SettleControl(d, "")
	require.Len(t, f.phone.Events("drag"), 1)
	o.Scrcpy = "off"
	require.ErrorIs(t, f.openWith(t, o).Drag(t.Context(), image.Pt(300, 900), image.Pt(700, 1500), 0, 0), errors.ErrUnsupported)
}

func TestScrcpyPinch(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d := f.openWith(t, adb.Options{Scrcpy: scrcpyFile(t, "3.3.4")})
	require.NoError(t, driver.Pinch(t.Context(), d, image.Pt(540, 1200), 2, 100*time.Millisecond))
	adb.SettleControl(d, "")
	require.Len(t, f.phone.Events("pinch"), 1)
	plain := f.open(t)
	require.ErrorIs(t, driver.Pinch(t.Context(), plain, image.Pt(540, 1200), 2, 0), errors.ErrUnsupported)
}

func TestScrcpyFiles(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	for name, data := range map[string][]byte{
		"no zip": []byte("text"), "too old": scrcpy.File("2.0"), "no version": scrcpy.File("x; rm -rf /"),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "scrcpy-server")
			require.NoError(t, os.WriteFile(path, data, 0o600))
			_, err := adb.New(t.Context(), f.device.Serial(), &adb.Options{Server: f.server.Addr(), NoStart: true, Scrcpy: path})
			require.ErrorContains(t, err, path)
		})
	}
	_, err := adb.New(t.Context(), f.device.Serial(), &adb.Options{Server: f.server.Addr(), NoStart: true, Scrcpy: "/nowhere/scrcpy-server"})
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestScrcpyFound has a server file that nobody asked for: it is started by the third gesture, or
// where nothing else does what is asked.
func TestScrcpyFound(t *testing.T) {
	found := scrcpyFile(t, "3.3.4")
	open := func(t *testing.T, option string) (*front, *adb.Driver) {
		f := newFront(t, "a14", sim.Options{Start: "com.android.settings"})
		o := *adb.FromEnv(func(name string) string { return map[string]string{"SCRCPY_SERVER_PATH": found}[name] })
		o.Scrcpy = option
		return f, f.openWith(t, o)
	}
	t.Run("gestures", func(t *testing.T) {
		f, d := open(t, "")
		for n := range 4 {
			require.Equal(t, n > 2, adb.ControlAlive(d), n)
			require.NoError(t, d.Tap(t.Context(), image.Pt(1000, 2100+n)))
		}
		adb.SettleControl(d, "")
		require.Equal(t, 4, taps(f.phone))
	})
	t.Run("auto", func(t *testing.T) {
		_, d := open(t, "auto")
		require.NoError(t, d.Key(t.Context(), driver.KeyVolumeUp))
		require.True(t, adb.ControlAlive(d))
	})
	t.Run("off", func(t *testing.T) {
		_, d := open(t, "off")
		for range 4 {
			require.NoError(t, d.Key(t.Context(), driver.KeyVolumeUp))
		}
		require.False(t, adb.ControlAlive(d))
		_, err := d.Clipboard(t.Context())
		require.ErrorIs(t, err, errors.ErrUnsupported)
	})
	t.Run("two fingers", func(t *testing.T) {
		f, d := open(t, "")
		require.NoError(t, driver.Pinch(t.Context(), d, image.Pt(540, 1200), 2, 100*time.Millisecond))
		adb.SettleControl(d, "")
		require.Len(t, f.phone.Events("pinch"), 1)
	})
	t.Run("text", func(t *testing.T) {
		f, d := open(t, "")
		f.fault(t, android.FaultNoADBKeyBoard)
		tree, err := d.Tree(t.Context())
		require.NoError(t, err)
		require.NoError(t, d.Tap(t.Context(), tree.Find(driver.ByRole(driver.RoleEdit)).Center()))
		require.NoError(t, d.Type(t.Context(), "蓝牙 👍"))
		got, _ := f.phone.Focused()
		require.Equal(t, "蓝牙 👍", got.Text)
	})
}

// TestScrcpyIsShared has two drivers of one phone use one server, which lives as long as either.
func TestScrcpyIsShared(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	o := adb.Options{Scrcpy: scrcpyFile(t, "3.3.4")}
	a, b := f.openWith(t, o), f.openWith(t, o)
	require.NoError(t, a.Tap(t.Context(), image.Pt(200, 300)))
	before := f.count()
	require.NoError(t, b.Tap(t.Context(), image.Pt(400, 300)))
	require.NoError(t, a.Close())
	require.NoError(t, b.Tap(t.Context(), image.Pt(600, 300)))
	require.Empty(t, f.services(t, before))
	adb.SettleControl(b, "")
	require.Equal(t, 3, taps(f.phone))
	require.NoError(t, b.Close())
	requireNothingLeft(t, f)
}

// TestScrcpyOfRoot has adb run as root: older servers log that the clipboard is refused, press the paste key
// all the same, and newer ones end.
func TestScrcpyOfRoot(t *testing.T) {
	for _, version := range []string{"2.7", "3.2", "3.3.4", "4.1"} {
		t.Run(version, func(t *testing.T) {
			f := newFront(t, "a14", sim.Options{Start: "com.android.settings", NoADBKeyboard: true})
			f.phone.Tap(f.phone.Tree().Find(editField).Center())
			f.phone.SetClipboard("the person's")
			f.fault(t, android.FaultScrcpyRoot)
			d := f.openWith(t, adb.Options{Scrcpy: scrcpyFile(t, version)})
			adb.AwaitClipboard(d)
			err := d.Type(t.Context(), "é")
			if version == "4.1" {
				require.NoError(t, err)
				require.Equal(t, "é", f.typed(t))
				return
			}
			require.ErrorIs(t, err, driver.ErrNoTextInput)
			require.ErrorContains(t, err, "adb unroot")
			require.False(t, driver.MaybeDone(err))
			require.Empty(t, f.typed(t), "nor was the person's own text pasted")
			_, err = d.Clipboard(t.Context())
			require.ErrorIs(t, err, errors.ErrUnsupported)
			require.ErrorIs(t, d.SetClipboard(t.Context(), "x"), errors.ErrUnsupported)
			require.Equal(t, "the person's", f.phone.Clipboard())
			require.NoError(t, d.Tap(t.Context(), f.phone.Size().Div(2)))
		})
	}
}
