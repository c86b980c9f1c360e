package wda_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/driver/wda"
	front "github.com/handset-go/handset/internal/phonefront/wda"
)

// TestNoPictureToMeasure is a page that the system lets nobody capture, on a phone that was opened just now: what needs no
// picture works all the same, at the right places, however the phone is held.
func TestNoPictureToMeasure(t *testing.T) {
	for _, c := range []struct {
		profile   string
		rotations []int
	}{{"iphone-15", []int{0, 1}}, {"iphone-se", []int{0}}, {"iphone-11", []int{0}}, {"ipad", []int{0, 1}}, {"scale-1", []int{0}}} {
		for _, version := range []string{"5", "8", "16"} {
			for _, turns := range c.rotations {
				r := newRig(t, version, c.profile, sim.Options{Start: "com.apple.mobiletimer"})
				require.NoError(t, r.phone.SetRotation(turns))
				off := r.set(front.FaultShotFails)
				var log bytes.Buffer
				d := r.open(&wda.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
				frame := r.phone.Size()
				at := image.Pt(frame.X-3, frame.Y/2)
				require.NoError(t, d.Tap(t.Context(), at), c)
				e := r.phone.Events("tap")[0]
				require.Equal(t, at, image.Pt(e.Data["x"].(int), e.Data["y"].(int)), "%+v, version %s", c, version)
				require.Equal(t, 1, strings.Count(log.String(), "no picture can be taken to measure"))
				tree, err := d.Tree(t.Context())
				require.NoError(t, err)
				require.Equal(t, frame, tree.Size)
				require.ErrorIs(t, d.Tap(t.Context(), frame), driver.ErrOffScreen)
				off()
			}
		}
	}
}

// TestPicturesComeBack corrects a scale that is not what WebDriverAgent says, as with Display Zoom, as soon as there is a picture.
func TestPicturesComeBack(t *testing.T) {
	r := newRig(t, "16", "iphone-zoom", sim.Options{})
	off := r.set(front.FaultShotFails)
	d := r.open(nil)
	require.NoError(t, d.Tap(t.Context(), image.Pt(5, 5)))
	_, err := d.Screenshot(t.Context())
	require.ErrorContains(t, err, "unable to capture screen", "no picture is made up")
	off()
	s, err := d.Screenshot(t.Context())
	require.NoError(t, err)
	last := s.Size().Sub(image.Pt(1, 1))
	require.NoError(t, d.Tap(t.Context(), last))
	e := r.phone.Events("tap")[1]
	require.Equal(t, last, image.Pt(e.Data["x"].(int), e.Data["y"].(int)))
}

// TestPictureThatTakesForEver is one that the system takes its time to refuse: a gesture does not wait for it with all its limit.
func TestPictureThatTakesForEver(t *testing.T) {
	r := newRig(t, "16", "iphone-se", sim.Options{})
	off := r.set(front.FaultShotSlow + "=1h")
	defer off()
	for limit := 2 * time.Second; ; limit *= 2 { // until the rest of the gesture is in time, on a busy computer
		d := r.open(&wda.Options{Limit: limit})
		before := len(r.phone.Events("tap"))
		err := d.Tap(t.Context(), image.Pt(5, 5))
		if errors.Is(err, driver.ErrTimeout) && limit < time.Minute {
			continue
		}
		require.NoError(t, err)
		require.Len(t, r.phone.Events("tap"), before+1)
		return
	}
}

// TestNoPictureAndNoScale says why nothing can be measured.
func TestNoPictureAndNoScale(t *testing.T) {
	for name, screen := range map[string]any{
		"no route": nil, "no scale": map[string]any{"statusBarSize": map[string]any{"width": 0, "height": 0}}, "an absurd one": map[string]any{"scale": 1e9},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.fail("GET /screenshot", 500, "unable to capture screen", "Cannot take a screenshot within 20000 ms timeout")
			if screen != nil {
				f.value("GET /wda/screen", screen)
			}
			err := f.open(nil).Tap(t.Context(), image.Pt(5, 5))
			require.ErrorContains(t, err, "unable to capture screen")
			require.False(t, driver.MaybeDone(err))
			require.NotErrorIs(t, err, context.DeadlineExceeded)
		})
	}
}

// TestNoPictureInASplitScreen is an iPad's app that has half of the screen.
func TestNoPictureInASplitScreen(t *testing.T) {
	f := newFake(t)
	f.fail("GET /screenshot", 500, "unable to capture screen", "Cannot take a screenshot within 20000 ms timeout")
	f.value("GET /wda/screen", map[string]any{"scale": 2, "screenSize": map[string]any{"width": 200, "height": 210}})
	d := f.open(nil)
	require.NoError(t, d.Tap(t.Context(), image.Pt(399, 419)))
	var at struct{ X, Y float64 }
	require.NoError(t, json.Unmarshal([]byte(f.calls("POST /session/S1/wda/tap")[0].body), &at))
	require.InDelta(t, 199.75, at.X, 0.01)
	require.InDelta(t, 209.75, at.Y, 0.01)
	require.Len(t, f.calls("GET /session/S1/screenshot"), 1, "it is asked for once")
}
