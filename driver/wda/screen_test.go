package wda_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"image"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/driver/wda"
	front "github.com/handset-go/handset/internal/phonefront/wda"
)

// TestSizesAreAskedForOnce counts requests: a tap costs one, once the sizes are known.
func TestSizesAreAskedForOnce(t *testing.T) {
	var f *fake
	var taps, all int
	for took := time.Hour; took > 4*time.Second; { // sizes are believed for 5 s
		f = newFake(t)
		d := f.open(nil)
		opened := len(f.calls(""))
		begin := time.Now()
		for range 5 {
			require.NoError(t, d.Tap(t.Context(), image.Pt(100, 100)))
		}
		taps = len(f.calls("")) - opened
		_, err := d.Screenshot(t.Context())
		require.NoError(t, err)
		require.NoError(t, d.Tap(t.Context(), image.Pt(100, 100)))
		all, took = len(f.calls(""))-opened, time.Since(begin)
	}
	require.Equal(t, 3+5, taps, "the lock, the window, a picture, and the taps")
	require.Equal(t, 3+5+2, all, "a frame confirms them")
	require.JSONEq(t, `{"x":50.25,"y":50.25}`, f.calls("POST /session/S1/wda/tap")[0].body, "the middle of the pixel")
}

// TestTurnedPhone turns the phone by hand, between a frame and a gesture.
func TestTurnedPhone(t *testing.T) {
	r := newRig(t, "16", "ipad", sim.Options{})
	d := r.open(nil)
	_, err := d.Screenshot(t.Context())
	require.NoError(t, err)
	require.NoError(t, d.Tap(t.Context(), image.Pt(100, 2300)))
	require.NoError(t, r.phone.SetRotation(1))
	_, err = d.Screenshot(t.Context())
	require.NoError(t, err)
	require.NoError(t, d.Tap(t.Context(), image.Pt(2300, 100)), "a point that only the turned screen has")
	require.ErrorIs(t, d.Tap(t.Context(), image.Pt(100, 2300)), driver.ErrOffScreen)
	e := r.phone.Events("tap")
	require.Equal(t, 2300, e[len(e)-1].Data["x"])
}

// TestTurning is the moment in which the window has turned and the frame has not.
func TestTurning(t *testing.T) {
	f := newFake(t)
	d := f.open(nil)
	var n atomic.Int32
	turned := picture(t, 400, 200)
	f.value("GET /window/size", map[string]any{"width": 200, "height": 100})
	upright := picture(t, 200, 400)
	f.on("GET /screenshot", func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1) == 1 {
			envelope(w, 200, upright)
			return
		}
		envelope(w, 200, turned)
	})
	require.NoError(t, d.Tap(t.Context(), image.Pt(399, 199)))
	require.JSONEq(t, `{"x":199.75,"y":99.75}`, f.calls("POST /session/S1/wda/tap")[0].body)
}

func TestOddWindows(t *testing.T) {
	screen := map[string]any{"screenSize": map[string]any{"width": 100, "height": 200}, "scale": 2}
	t.Run("an app for another screen", func(t *testing.T) {
		f := newFake(t)
		var log bytes.Buffer
		d := f.open(&wda.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
		f.value("GET /window/size", map[string]any{"width": 50, "height": 200})
		f.value("GET /wda/screen", screen)
		require.NoError(t, d.Tap(t.Context(), image.Pt(10, 10)))
		require.JSONEq(t, `{"x":5.25,"y":5.25}`, f.calls("POST /session/S1/wda/tap")[0].body)
		require.Contains(t, log.String(), "does not fill the screen")
	})
	t.Run("nothing that belongs together", func(t *testing.T) {
		f := newFake(t)
		d := f.open(nil)
		f.value("GET /window/size", map[string]any{"width": 50, "height": 200})
		err := d.Tap(t.Context(), image.Pt(10, 10))
		require.ErrorContains(t, err, "50x200 points and the frame 200x400 pixels")
		require.False(t, driver.MaybeDone(err))
	})
	t.Run("0x0 while an alert is open", func(t *testing.T) {
		f := newFake(t)
		d := f.open(nil)
		f.value("GET /window/size", map[string]any{"width": 0, "height": 0})
		f.value("GET /window/rect", map[string]any{"x": 0, "y": 0, "width": 100, "height": 200})
		require.NoError(t, d.Tap(t.Context(), image.Pt(10, 10)))
	})
	t.Run("0x0 for good", func(t *testing.T) {
		r := newRig(t, "16", "iphone-15", sim.Options{})
		d := r.open(nil)
		r.set(front.FaultWindowZero)
		require.ErrorContains(t, d.Tap(t.Context(), image.Pt(10, 10)), "0x0")
	})
}

func TestScreenshotIsNotMadeUp(t *testing.T) {
	for name, value := range map[string]any{
		"nothing": "", "null": nil, "no base64": "@@@@", "no picture": base64.StdEncoding.EncodeToString([]byte("GIF89a")),
		"half a head": base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\n")),
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			d := f.open(nil)
			f.value("GET /screenshot", value)
			s, err := d.Screenshot(t.Context())
			require.Error(t, err)
			require.Nil(t, s)
		})
	}
}

// TestOldPictures are the lines of servers before 4.10.1, and the slashes that Apple's writer escapes.
func TestOldPictures(t *testing.T) {
	f := newFake(t)
	d := f.open(nil)
	whole := picture(t, 200, 400)
	var lines strings.Builder
	for i := 0; i < len(whole); i += 64 {
		lines.WriteString(strings.ReplaceAll(whole[i:min(i+64, len(whole))], "/", `\/`) + `\r\n`)
	}
	f.on("GET /screenshot", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("{\n  \"value\" : \"" + lines.String() + "\",\n  \"sessionId\" : null\n}"))
	})
	s, err := d.Screenshot(t.Context())
	require.NoError(t, err)
	data, _, err := s.Encoded()
	require.NoError(t, err)
	require.Equal(t, whole, base64.StdEncoding.EncodeToString(data))
}

func TestScreenshotIsTriedAgain(t *testing.T) {
	f := newFake(t)
	d := f.open(nil)
	var n atomic.Int32
	good := picture(t, 200, 400)
	f.on("GET /screenshot", func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1) == 1 {
			envelopeError(w, 500, "unable to capture screen", "Cannot take a screenshot within 20000 ms timeout")
			return
		}
		envelope(w, 200, good)
	})
	_, err := d.Screenshot(t.Context())
	require.NoError(t, err)
}

// TestSlowScreenshotHoldsNobodyUp is protected video, on a server that takes pictures beside everything else.
func TestSlowScreenshotHoldsNobodyUp(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{})
	d := r.open(nil)
	require.NoError(t, d.Tap(t.Context(), image.Pt(10, 10)))
	r.set(front.FaultShotSlow + "=1h")
	shot := make(chan error, 1)
	go func() {
		_, err := d.Screenshot(t.Context())
		shot <- err
	}()
	r.awaitRequest()
	require.NoError(t, d.Tap(t.Context(), image.Pt(10, 10)))
	select {
	case err := <-shot:
		t.Fatal("the screenshot came first:", err)
	default:
	}
	require.NoError(t, d.Close())
	require.ErrorIs(t, <-shot, driver.ErrClosed)
}

func TestHealth(t *testing.T) {
	r := newRig(t, "16", "iphone-se", sim.Options{})
	d := r.open(nil)
	health := func() driver.Health {
		s, err := d.Screenshot(t.Context())
		require.NoError(t, err)
		return s.Health()
	}
	require.Equal(t, driver.HealthOK, health())
	_, err := r.phone.StartApp("com.handset.wallet")
	require.NoError(t, err)
	require.Equal(t, driver.HealthProtected, health())
	r.phone.Sleep()
	require.Equal(t, driver.HealthAsleep, health())
}

func TestFrames(t *testing.T) {
	r := newRig(t, "16", "iphone-se", sim.Options{})
	d := r.open(nil)
	seq, err := d.Frames(t.Context(), time.Millisecond)
	require.NoError(t, err)
	n := 0
	for s, err := range seq {
		require.NoError(t, err)
		require.Equal(t, image.Pt(750, 1334), s.Size())
		_, mime, err := s.Encoded()
		require.NoError(t, err)
		require.Equal(t, "image/jpeg", mime)
		if n++; n == 3 {
			break
		}
	}
}

// TestScaledFrames are of another size than a screenshot: points on them would be points of nothing.
func TestScaledFrames(t *testing.T) {
	r := newRig(t, "16", "iphone-se", sim.Options{})
	d := r.open(&wda.Options{Settings: map[string]any{"mjpegScalingFactor": 50}})
	seq, err := d.Frames(t.Context(), time.Millisecond)
	require.NoError(t, err)
	for s, err := range seq {
		require.NoError(t, err)
		require.Equal(t, image.Pt(750, 1334), s.Size())
		break
	}
}

func TestFramesEnd(t *testing.T) {
	r := newRig(t, "16", "iphone-se", sim.Options{})
	d := r.open(nil)
	r.set(front.FaultMJPEGDies + "=2")
	seq, err := d.Frames(t.Context(), time.Millisecond)
	require.NoError(t, err)
	var last error
	n := 0
	for _, err := range seq {
		last = err
		n++
	}
	require.ErrorIs(t, last, driver.ErrOffline)
	require.Greater(t, n, 1)
}

// TestFramesThatNobodyTakes leaves nothing open: goleak looks.
func TestFramesThatNobodyTakes(t *testing.T) {
	r := newRig(t, "16", "iphone-se", sim.Options{})
	d := r.open(nil)
	_, err := d.Frames(context.Background(), time.Millisecond)
	require.NoError(t, err)
	require.NoError(t, d.Close())
}

// TestFramesEndWithTheDriver closes the driver in the middle of a stream.
func TestFramesEndWithTheDriver(t *testing.T) {
	r := newRig(t, "16", "iphone-se", sim.Options{})
	d := r.open(nil)
	seq, err := d.Frames(t.Context(), time.Millisecond)
	require.NoError(t, err)
	var last error
	for _, last = range seq {
		require.NoError(t, d.Close())
	}
	require.ErrorIs(t, last, driver.ErrClosed)
}

// TestNoStream falls back to screenshots where nobody listens, and where a forwarder accepts and hangs up.
func TestNoStream(t *testing.T) {
	port := freePort(t)
	l, err := net.Listen("tcp", local(port))
	require.NoError(t, err)
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_ = c.Close()
		}
	})
	opts := &wda.Options{MJPEGPort: port}
	look := func(d *wda.Driver) {
		seq, err := driver.Frames(t.Context(), d, time.Millisecond)
		require.NoError(t, err)
		n := 0
		for s, err := range seq {
			require.NoError(t, err)
			require.Equal(t, image.Pt(200, 400), s.Size())
			n++
			break
		}
		require.Equal(t, 1, n)
	}
	look(newFake(t).open(opts))
	require.NoError(t, l.Close())
	wg.Wait()
	look(newFake(t).open(opts))
}

// TestTrees looks at sources that are odd in a way that people have reported.
func TestTrees(t *testing.T) {
	for _, c := range []struct {
		name, fault string
		check       func(t *testing.T, r *rig, tree *driver.Tree, err error)
	}{
		{"as usual", "", func(t *testing.T, _ *rig, tree *driver.Tree, err error) {
			require.NoError(t, err)
			require.Equal(t, driver.App{ID: "com.apple.Preferences", Name: "Settings"}, tree.App)
			n := tree.Find(driver.ByID("row_display"))
			require.Equal(t, "com.apple.Preferences", n.Package)
			require.True(t, n.Is(driver.Visible|driver.Enabled|driver.Clickable))
		}},
		{"a failed snapshot", front.FaultTreeFails, func(t *testing.T, _ *rig, _ *driver.Tree, err error) {
			require.ErrorIs(t, err, driver.ErrNoTree)
			require.ErrorContains(t, err, "Cannot get 'xml' source")
		}},
		{"a degenerate one", front.FaultTreeDegenerate, func(t *testing.T, _ *rig, _ *driver.Tree, err error) {
			require.ErrorIs(t, err, driver.ErrNoTree)
			require.ErrorContains(t, err, "restart the phone")
		}},
		{"a deep one", front.FaultTreeDeep, func(t *testing.T, _ *rig, tree *driver.Tree, err error) {
			require.NoError(t, err)
			require.NotNil(t, tree.Find(driver.ByID("row_display")), "with the default depth it is cut off")
		}},
		{"a big one", front.FaultTreeBig, func(t *testing.T, _ *rig, tree *driver.Tree, err error) {
			require.NoError(t, err)
			require.Greater(t, len(tree.FindAll()), 2000)
		}},
		{"marks round texts", front.FaultTreeMarks, func(t *testing.T, _ *rig, tree *driver.Tree, err error) {
			require.NoError(t, err)
			require.NotNil(t, tree.Find(driver.ByText("Bluetooth")))
		}},
	} {
		for _, version := range []string{"5", "16"} {
			t.Run(c.name+"/"+version, func(t *testing.T) {
				r := newRig(t, version, "iphone-15", sim.Options{Start: "com.apple.Preferences"})
				d := r.open(nil)
				if c.fault != "" {
					r.set(c.fault)
				}
				tree, err := d.Tree(t.Context())
				c.check(t, r, tree, err)
			})
		}
	}
}

// TestSlowSource leaves out next time what made it slow.
func TestSlowSource(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{Start: "com.apple.Preferences"})
	d := r.open(&wda.Options{Limit: 300 * time.Millisecond})
	off := r.set(front.FaultTreeSlow + "=1s")
	_, err := d.Tree(t.Context())
	require.ErrorIs(t, err, driver.ErrTimeout)
	off()
	var tree *driver.Tree
	require.Eventually(t, func() bool { // the old request may still be at work
		tree, err = d.Tree(t.Context())
		return err == nil
	}, time.Minute, time.Millisecond)
	for n := range tree.Root.All() {
		require.Zero(t, n.Known&driver.Visible, "what is not asked for is not known")
	}
}

// TestJSONAsFallback is a server whose XML cannot be read.
func TestJSONAsFallback(t *testing.T) {
	f := newFake(t)
	d := f.open(nil)
	f.on("GET /source", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("format") == "xml" {
			envelope(w, 200, "<XCUIElementTypeApplication")
			return
		}
		envelope(w, 200, map[string]any{
			"type": "Application", "name": "Shop", "label": "Shop", "rect": map[string]any{"x": 0, "y": 0, "width": 100, "height": 200},
		})
	})
	f.value("GET /rotation", map[string]any{"x": 0, "y": 0, "z": 0})
	f.value("GET /wda/activeAppInfo", map[string]any{"bundleId": "com.example.shop"})
	tree, err := d.Tree(t.Context())
	require.NoError(t, err)
	require.Equal(t, "com.example.shop", tree.App.ID)
	require.Equal(t, image.Rect(0, 0, 200, 400), tree.Root.Bounds)
}
