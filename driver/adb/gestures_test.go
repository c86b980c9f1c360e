package adb

import (
	"errors"
	"image"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

func TestTapIsOneCommand(t *testing.T) {
	f := newFake(t)
	d := f.open()
	d.screen.seen = time.Now().Add(time.Hour) // however long a busy computer takes until the tap
	require.NoError(t, d.Tap(t.Context(), image.Pt(1079, 2399)))
	require.Equal(t, []string{"input tap 1079 2399"}, f.ran(""))
}

func TestGestureLines(t *testing.T) {
	f := newFake(t)
	d := f.open()
	ctx := t.Context()
	tests := []struct {
		name string
		call func() error
		want string
	}{
		{"double tap", func() error { return d.DoubleTap(ctx, image.Pt(1, 2)) }, "input tap 1 2 && input tap 1 2"},
		{"swipe", func() error { return d.Swipe(ctx, image.Pt(1, 2), image.Pt(3, 4), 0) }, "input swipe 1 2 3 4 300"},
		{"short swipe", func() error { return d.Swipe(ctx, image.Pt(1, 2), image.Pt(3, 4), time.Microsecond) }, "input swipe 1 2 3 4 1"},
		{"long press", func() error { return d.LongPress(ctx, image.Pt(1, 2), 0) }, "input swipe 1 2 1 2 1000"},
		{"drag", func() error { return d.Drag(ctx, image.Pt(1, 2), image.Pt(3, 4), 0, time.Second) }, "input draganddrop 1 2 3 4 1000"},
		{"key", func() error { return d.Key(ctx, driver.KeyBack) }, "input keyevent 4"},
		{"key by alias", func() error { return d.Key(ctx, "KEYCODE_ENTER") }, "input keyevent 66"},
		{"key of Android", func() error { return d.Key(ctx, "KEYCODE_CALL") }, "input keyevent KEYCODE_CALL"},
		{"key by number", func() error { return d.Key(ctx, "5") }, "input keyevent 5"},
		{"wake", func() error { return d.Wake(ctx) }, "input keyevent 224"},
		{"lock", func() error { return d.Lock(ctx) }, "input keyevent 223"},
		{"open url", func() error { return d.OpenURL(ctx, "https://example.com/?a=1&b='$(x)") },
			`am start -a android.intent.action.VIEW -d 'https://example.com/?a=1&b='\''$(x)'`},
		{"shell", func() error { _, err := d.Shell(ctx, "echo", "a b", "", "$HOME", "-x=1"); return err }, `echo 'a b' '' '$HOME' '-x=1'`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := d.frameSize(ctx) // a call before may have turned the phone
			require.NoError(t, err)
			d.screen.seen = time.Now().Add(time.Hour)
			f.ran("")
			require.NoError(t, tt.call())
			require.Equal(t, []string{tt.want}, f.ran(""))
		})
	}
	for _, k := range driver.Keys() {
		require.NoError(t, d.Key(ctx, k), k)
	}
	require.ErrorIs(t, d.Key(ctx, "Warp"), errors.ErrUnsupported)
	require.ErrorIs(t, d.Key(ctx, "KEYCODE_X; reboot"), errors.ErrUnsupported)
	require.ErrorContains(t, d.Key(ctx, "Warp"), "VolumeUp")
}

func TestInputFailures(t *testing.T) {
	const miui = "::handset-0::\nV14\n"
	tests := []struct {
		name  string
		say   answer
		want  error
		maybe bool
		text  string
	}{
		{"blocked, old", answer{err: "java.lang.SecurityException: Injecting to another application requires INJECT_EVENTS permission"}, driver.ErrInputBlocked, false, "Security settings"},
		{"blocked, new", answer{err: "… to have the INJECT_EVENTS permission.", code: 255}, driver.ErrInputBlocked, false, "Mi account"},
		{"usage with 0", answer{out: "Error: Invalid arguments for command: tap"}, errInput, false, "Invalid"},
		{"killed", answer{code: 137}, errInput, true, "137"},
		{"exception with 0", answer{err: "java.lang.NullPointerException: x"}, errInput, true, "NullPointer"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.on("input", tt.say, "getprop", miui)
			err := f.open().Tap(t.Context(), image.Pt(1, 1))
			require.ErrorIs(t, err, tt.want)
			require.ErrorContains(t, err, tt.text)
			require.Equal(t, tt.maybe, driver.MaybeDone(err))
		})
	}
}

// TestGesturesAreNotRepeated counts what reached the phone for each way in which a line can fail.
func TestGesturesAreNotRepeated(t *testing.T) {
	tests := []struct {
		name  string
		say   answer
		maybe bool
		times int
	}{
		{"the line breaks after the send", answer{drop: true}, true, 1},
		{"the phone refuses the service", answer{refuse: true}, false, retries + 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.on("input", tt.say)
			err := f.open().Tap(t.Context(), image.Pt(1, 1))
			require.Error(t, err)
			require.Equal(t, tt.maybe, driver.MaybeDone(err), "%v", err)
			require.Len(t, f.ran("input tap"), tt.times)
		})
	}
}

func TestTransportFailuresAreNotMaybeDone(t *testing.T) {
	f := newFake(t)
	d := f.open()
	f.mu.Lock()
	f.host = func(service string) (string, bool) {
		return "device offline", strings.HasPrefix(service, "host:transport:")
	}
	f.mu.Unlock()
	err := d.Tap(t.Context(), image.Pt(1, 1))
	require.ErrorIs(t, err, driver.ErrOffline)
	require.False(t, driver.MaybeDone(err))
	d.server.addr = refusing(t)
	err = d.Tap(t.Context(), image.Pt(1, 1))
	require.ErrorIs(t, err, ErrNoServer)
	require.False(t, driver.MaybeDone(err))
}

func TestOffScreenAndScale(t *testing.T) {
	f := newFake(t)
	small := image.Pt(540, 1200) // a ROM that captures fewer pixels than it has
	f.on("screencap", string(picture(t, small.X, small.Y, false)),
		"wm size", sectionLabel(0)+"\nPhysical size: 1080x2400\n"+sectionLabel(1)+"\n  mDisplayId=0\n  cur=1080x2400\n")
	d := f.open()
	require.ErrorIs(t, d.Tap(t.Context(), image.Pt(1080, 0)), driver.ErrOffScreen)
	require.Empty(t, f.ran("input"))
	s, err := d.Screenshot(t.Context())
	require.NoError(t, err)
	require.Equal(t, small, s.Size())
	require.ErrorIs(t, d.Tap(t.Context(), small), driver.ErrOffScreen)
	require.NoError(t, d.Tap(t.Context(), image.Pt(539, 0)))
	require.Equal(t, []string{"input tap 1079 1"}, f.ran("input"))
	f.on("uiautomator", `<hierarchy rotation="0"><node class="x" package="p.q" bounds="[0,0][1080,2400]"/></hierarchy>`)
	tree, err := d.Tree(t.Context())
	require.NoError(t, err)
	require.Equal(t, small, tree.Size)
	require.Equal(t, image.Rectangle{Max: small}, tree.Root.Bounds)
}

func TestTurnedPhone(t *testing.T) {
	f := newFake(t)
	f.on("screencap", string(picture(t, 1080, 2400, false)), "wm size",
		sectionLabel(0)+"\nPhysical size: 1080x2400\n"+sectionLabel(1)+"\n  mDisplayId=0\n  cur=2400x1080\n  mCurrentRotation=ROTATION_90\n")
	d := f.open()
	_, err := d.Screenshot(t.Context())
	require.NoError(t, err)
	require.NoError(t, d.Tap(t.Context(), image.Pt(2399, 1079)), "before it refuses, it looks whether the phone was turned")
	require.ErrorIs(t, d.Tap(t.Context(), image.Pt(1079, 2399)), driver.ErrOffScreen)
	require.NoError(t, d.Key(t.Context(), driver.KeyHome))
	f.ran("")
	require.NoError(t, d.Tap(t.Context(), image.Pt(1, 1)))
	require.Len(t, f.ran("wm size"), 1, "after Home it measures again")
}
