package wda_test

import (
	"context"
	"encoding/json"
	"image"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/driver/wda"
)

// TestGesturesAsThePhoneSeesThem measures what arrives: no swipe is a long press, and each takes its time.
func TestGesturesAsThePhoneSeesThem(t *testing.T) {
	a, b := image.Pt(200, 900), image.Pt(200, 300)
	for _, version := range []string{"5", "7", "16"} {
		r := newRig(t, version, "iphone-se", sim.Options{})
		d := r.open(nil)
		for _, c := range []struct {
			name, event string
			took        time.Duration
			do          func(ctx context.Context) error
		}{
			{"swipe", "swipe", 300 * time.Millisecond, func(ctx context.Context) error { return d.Swipe(ctx, a, b, 0) }},
			{"fast swipe", "swipe", 60 * time.Millisecond, func(ctx context.Context) error { return d.Swipe(ctx, a, b, 60*time.Millisecond) }},
			{"slow swipe", "swipe", 2 * time.Second, func(ctx context.Context) error { return d.Swipe(ctx, a, b, 2*time.Second) }},
			{"hold by a swipe", "long_press", 900 * time.Millisecond, func(ctx context.Context) error { return d.Swipe(ctx, a, a, 900*time.Millisecond) }},
			{"long press", "long_press", time.Second, func(ctx context.Context) error { return d.LongPress(ctx, a, 0) }},
			{"longer press", "long_press", 1500 * time.Millisecond, func(ctx context.Context) error { return d.LongPress(ctx, a, 1500*time.Millisecond) }},
			{"drag", "drag", 0, func(ctx context.Context) error { return d.Drag(ctx, a, b, 0, 0) }},
			{"zoom in", "pinch", 0, func(ctx context.Context) error { return d.Pinch(ctx, image.Pt(375, 667), 2, 0) }},
			{"zoom out", "pinch", 0, func(ctx context.Context) error { return d.Pinch(ctx, image.Pt(375, 667), 0.5, 0) }},
			{"a stroke of one point", "tap", 0, func(ctx context.Context) error { return d.Gesture(ctx, []driver.Stroke{{{At: a}}}) }},
		} {
			t.Run(version+"/"+c.name, func(t *testing.T) {
				_, err := r.phone.StartApp("com.apple.springboard")
				require.NoError(t, err)
				r.phone.ClearLog()
				require.NoError(t, c.do(t.Context()))
				seen := onlyTouches(r.phone.Log())
				require.Len(t, seen, 1)
				require.Equal(t, c.event, seen[0].Name)
				if ms, ok := seen[0].Data["ms"].(int64); ok && c.took > 0 {
					require.InDelta(t, c.took.Milliseconds(), ms, 60)
				}
			})
		}
	}
}

// TestActionsBody looks at what WebDriverAgent wants to read: touch, milliseconds, a move first, and no pause of nothing.
func TestActionsBody(t *testing.T) {
	f := newFake(t)
	d := f.open(nil)
	f.value("POST /actions", nil)
	stroke := driver.Stroke{{At: image.Pt(0, 0), After: 100 * time.Millisecond}, {At: image.Pt(100, 0), After: 350 * time.Millisecond}}
	require.NoError(t, d.Gesture(t.Context(), []driver.Stroke{stroke, {{At: image.Pt(199, 399)}}}))
	var body struct {
		Actions []struct {
			Type, ID   string
			Parameters map[string]string
			Actions    []map[string]any
		}
	}
	require.NoError(t, json.Unmarshal([]byte(f.calls("/actions")[0].body), &body))
	require.Len(t, body.Actions, 2)
	require.NotEqual(t, body.Actions[0].ID, body.Actions[1].ID)
	first := body.Actions[0]
	require.Equal(t, "pointer", first.Type)
	require.Equal(t, "touch", first.Parameters["pointerType"])
	require.Equal(t, []map[string]any{
		{"type": "pointerMove", "x": 0.25, "y": 0.25, "duration": 0.0},
		{"type": "pause", "duration": 100.0},
		{"type": "pointerDown"},
		{"type": "pointerMove", "x": 50.25, "y": 0.25, "duration": 250.0},
		{"type": "pointerUp"},
	}, first.Actions)
	require.Equal(t, map[string]any{"type": "pause", "duration": 50.0}, body.Actions[1].Actions[2], "a tap rests long enough to be one")
}

func TestGesturesAreChecked(t *testing.T) {
	f := newFake(t)
	d := f.open(nil)
	at := image.Pt(5, 5)
	for name, err := range map[string]error{
		"no strokes":    d.Gesture(t.Context(), nil),
		"no points":     d.Gesture(t.Context(), []driver.Stroke{{}}),
		"backwards":     d.Gesture(t.Context(), []driver.Stroke{{{At: at, After: 2}, {At: at, After: 1}}}),
		"before time":   d.Gesture(t.Context(), []driver.Stroke{{{At: at, After: -1}}}),
		"far too long":  d.LongPress(t.Context(), at, time.Hour),
		"too long":      d.Swipe(t.Context(), at, at, time.Hour),
		"scale of zero": d.Pinch(t.Context(), at, 0, 0),
	} {
		require.Error(t, err, name)
		require.False(t, driver.MaybeDone(err), name)
	}
	require.Empty(t, f.calls("/actions"))
}

// TestGestureErrorsInPlainWords holds that nobody is told of strokes who has not made any, and which finger it is where there are several.
func TestGestureErrorsInPlainWords(t *testing.T) {
	f := newFake(t)
	d := f.open(nil)
	in, out := image.Pt(5, 5), image.Pt(500, 5)
	for name, err := range map[string]error{
		"tap": d.Tap(t.Context(), out), "swipe": d.Swipe(t.Context(), in, out, 0), "swipe from": d.Swipe(t.Context(), out, in, 0),
		"drag": d.Drag(t.Context(), in, out, 0, 0), "pinch": d.Pinch(t.Context(), out, 2, 0),
		"gesture": d.Gesture(t.Context(), []driver.Stroke{{{At: in}}, {{At: out}}}),
	} {
		require.ErrorIs(t, err, driver.ErrOffScreen, name)
		require.ErrorContains(t, err, "500,5 is not in the frame", name)
		require.NotContains(t, err.Error(), "stroke", name)
	}
	err := d.Gesture(t.Context(), []driver.Stroke{{{At: in}}, {}})
	require.ErrorContains(t, err, "finger 2 of 2: a path without points")
	err = d.Gesture(t.Context(), []driver.Stroke{{{At: in, After: 2}, {At: in, After: 1}}})
	require.ErrorContains(t, err, "gesture wda:"+f.addr()+": the times of a path go backwards")
}

// TestTapRoutes taps on servers of each age, and on one that is replaced by another age meanwhile.
func TestTapRoutes(t *testing.T) {
	f := newFake(t)
	d := f.open(nil)
	require.NoError(t, d.Tap(t.Context(), image.Pt(5, 5)))
	f.fail("POST /wda/tap", 404, "unknown command", "Unhandled endpoint")
	f.value("POST /wda/tap/0", nil)
	for range 2 {
		require.NoError(t, d.Tap(t.Context(), image.Pt(5, 5)))
	}
	require.Len(t, f.calls("POST /session/S1/wda/tap"), 4, "the route that is there now is remembered")
	require.Len(t, f.calls("wda/tap/0"), 2)

	old := newFake(t)
	old.fail("POST /session/none/wda/tap", 404, "unknown command", "Unhandled endpoint")
	old.value("POST /wda/tap/0", nil)
	require.NoError(t, old.open(nil).Tap(t.Context(), image.Pt(5, 5)))
	require.Zero(t, old.requests("POST /session/S1/wda/tap"), "never tried")
	require.Len(t, old.calls("POST /session/S1/wda/tap/0"), 1)
}

// TestRecents opens the app switcher by what the phone has for it.
func TestRecents(t *testing.T) {
	for profile, want := range map[string][]string{"iphone-15": {"Recents"}, "ipad": {"Recents"}, "iphone-se": {"Home", "Home"}} {
		r := newRig(t, "16", profile, sim.Options{Start: "com.apple.Preferences"})
		d := r.open(nil)
		r.phone.ClearLog()
		require.NoError(t, d.Key(t.Context(), driver.KeyRecents))
		var got []string
		for _, e := range r.phone.Events("key") {
			got = append(got, e.String("key"))
		}
		require.Equal(t, want, got, profile)
	}
}

func TestKeysThatAPhoneLacks(t *testing.T) {
	f := newFake(t)
	d := f.open(nil)
	f.fail("POST /wda/pressButton", 500, "unknown error", `Error Domain=com.facebook.WebDriverAgent Code=1 "The button 'volumeUp' is not supported. The device under test only supports the following buttons: (`+"\n    home\n"+`)" UserInfo={NSLocalizedDescription=x}`)
	err := d.Key(t.Context(), driver.KeyVolumeUp)
	require.ErrorContains(t, err, "the phone has no button")
	require.False(t, driver.MaybeDone(err))
	require.ErrorContains(t, d.Key(t.Context(), driver.KeyPower), "before 3.8.0")
	require.ErrorContains(t, d.Key(t.Context(), driver.KeyMenu), "it has Back, Home")
	var _ driver.Driver = (*wda.Driver)(nil)
}

// TestTooLong holds that no gesture keeps a finger on the screen for hours, a pinch neither.
func TestTooLong(t *testing.T) {
	f := newFake(t)
	d := f.open(nil)
	before := len(f.calls("POST"))
	for name, err := range map[string]error{
		"swipe": d.Swipe(t.Context(), image.Pt(5, 5), image.Pt(50, 50), 2*time.Hour),
		"pinch": d.Pinch(t.Context(), image.Pt(100, 200), 2, 2*time.Hour),
	} {
		require.ErrorContains(t, err, "too long", name)
		require.False(t, driver.MaybeDone(err), name)
	}
	require.Len(t, f.calls("POST"), before)
}
