package wda_test

import (
	"context"
	"errors"
	"image"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/driver/wda"
	front "github.com/handset-go/handset/internal/phonefront/wda"
)

// gestures are the calls that must never be made twice.
func gestures(d *wda.Driver) map[string]func(context.Context) error {
	at, to := image.Pt(300, 400), image.Pt(300, 900)
	return map[string]func(context.Context) error{
		"tap":        func(ctx context.Context) error { return d.Tap(ctx, at) },
		"double tap": func(ctx context.Context) error { return d.DoubleTap(ctx, at) },
		"long press": func(ctx context.Context) error { return d.LongPress(ctx, at, 0) },
		"swipe":      func(ctx context.Context) error { return d.Swipe(ctx, at, to, 0) },
		"drag":       func(ctx context.Context) error { return d.Drag(ctx, at, to, 0, 0) },
		"pinch":      func(ctx context.Context) error { return d.Pinch(ctx, at, 0.5, 0) },
		"home":       func(ctx context.Context) error { return d.Key(ctx, driver.KeyHome) },
	}
}

// TestPostOnce breaks the answer to a POST in each way: the phone has done it, and must not do it again.
func TestPostOnce(t *testing.T) {
	for _, version := range []string{"5", "16"} {
		for _, fault := range []string{front.FaultPost500, front.FaultHangUp} {
			t.Run(version+"/"+fault, func(t *testing.T) {
				r := newRig(t, version, "iphone-se", sim.Options{})
				d := r.open(nil)
				for name, do := range gestures(d) {
					r.phone.ClearLog()
					off := r.set(fault)
					err := do(t.Context())
					off()
					require.Error(t, err, name)
					require.True(t, driver.MaybeDone(err), "%s: %v", name, err)
					once := map[bool]int{true: 2, false: 1}[name == "double tap"] // which the phone sees as two
					require.Len(t, onlyTouches(r.phone.Log()), once, name)
				}
			})
		}
	}
}

// onlyTouches leaves out what came of the touches.
func onlyTouches(all []sim.Event) []sim.Event {
	var some []sim.Event
	for _, e := range all {
		if _, ok := kinds[e.Name]; ok && e.Name != "launch" {
			some = append(some, e)
		}
	}
	return some
}

func TestRefusedIsNotSent(t *testing.T) {
	for name, c := range map[string]struct {
		status        int
		code, message string
		maybe         bool
	}{
		"bad argument":           {400, "invalid argument", "Both x and y coordinates must be provided", false},
		"no such route":          {404, "unknown command", "Unhandled endpoint", false},
		"deleted while pending":  {404, "invalid session id", "Session S1 was deleted while this request was still pending", true},
		"unknown error":          {500, "unknown error", "something broke", true},
		"infinite frame":         {500, "unknown error", "Invalid parameter not satisfying: point.x != INFINITY && point.y != INFINITY", false},
		"timed out":              {408, "timeout", "too long", true},
		"the system lets nobody": {500, "unknown error", "Not authorized for performing UI testing actions.", false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			d := f.open(nil)
			f.fail("POST /wda/tap", c.status, c.code, c.message)
			err := d.Tap(t.Context(), image.Pt(5, 5))
			require.Error(t, err)
			require.Equal(t, c.maybe, driver.MaybeDone(err), err)
			require.Len(t, f.calls("POST /session/S1/wda/tap"), map[bool]int{true: 2, false: 1}[c.code == "unknown command"])
		})
	}
}

func TestErrorsMatch(t *testing.T) {
	for name, c := range map[string]struct {
		code, message string
		want          error
		advice        string
	}{
		"session cut": {"invalid session id", "Session S1 was deleted while this request was still pending", driver.ErrSessionLost, ""},
		"blocked":     {"unknown error", "Not authorized for performing UI testing actions.", driver.ErrInputBlocked, "Enable UI Automation"},
		"too old": {"unknown error", "-[XCUIApplicationProcess waitForQuiescenceIncludingAnimationsIdle:]: unrecognized selector sent to instance 0x1",
			nil, "install a current one"},
		"an NSError": {"unknown error", `Error Domain=com.facebook.WebDriverAgent Code=1 "It {really} broke = so" UserInfo={NSLocalizedDescription=It {really} broke = so}`,
			nil, "It {really} broke = so"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			d := f.open(nil)
			f.fail("POST /wda/doubleTap", 500, c.code, c.message)
			err := d.DoubleTap(t.Context(), image.Pt(5, 5))
			if c.want != nil {
				require.ErrorIs(t, err, c.want)
			}
			require.ErrorContains(t, err, c.advice)
			require.NotContains(t, err.Error(), "UserInfo")
			var e *wda.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, c.code, e.Code)
		})
	}
}

// TestOddAnswers reads answers that are not what WebDriverAgent says today.
func TestOddAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		answer func(http.ResponseWriter, *http.Request)
		want   string
	}{
		"a page of a proxy": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(502)
			_, _ = w.Write([]byte("<html><head><style>x{}</style></head><body><h1>Bad Gateway</h1></body></html>"))
		}, `HTTP 502, text/html, "Bad Gateway"`},
		"plain text":      {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "oops", 500) }, `"oops"`},
		"not JSON":        {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{oh")) }, "another server"},
		"a null of a 502": {func(w http.ResponseWriter, _ *http.Request) { envelope(w, 502, nil) }, "HTTP 502"},
		"an error of 200": {func(w http.ResponseWriter, _ *http.Request) { envelopeError(w, 200, "unknown error", "broke") }, "unknown error: broke"},
		"a redirection":   {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/status", http.StatusFound) }, "HTTP 302"},
		"an old number":   {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"value":"no","status":13}`)) }, "unknown error: no"},
		"nothing":         {func(http.ResponseWriter, *http.Request) {}, "answered nothing"},
		"no connection":   {hangUp, "hung up"},
		"an unread number": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"value":{"message":"why"},"status":77}`))
		}, "unknown error: why"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			d := f.open(nil)
			f.on("POST /wda/doubleTap", c.answer)
			err := d.DoubleTap(t.Context(), image.Pt(5, 5))
			require.ErrorContains(t, err, c.want)
			require.True(t, driver.MaybeDone(err))
			require.Len(t, f.calls("doubleTap"), 1, "a POST is sent once")
		})
	}
}

// TestReadsAreRepeated lets each GET fail twice in a way that goes away.
func TestReadsAreRepeated(t *testing.T) {
	half := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = w.Write([]byte(`{"value":`))
	}
	for name, bad := range map[string]func(http.ResponseWriter, *http.Request){
		"hang up": hangUp, "half an answer": half, "nothing": func(http.ResponseWriter, *http.Request) {},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			d := f.open(nil)
			var n atomic.Int32
			f.on("GET /wda/activeAppInfo", func(w http.ResponseWriter, r *http.Request) {
				if n.Add(1) < 3 {
					bad(w, r)
					return
				}
				envelope(w, 200, map[string]any{"bundleId": "com.apple.Preferences"})
			})
			app, err := d.Foreground(t.Context())
			require.NoError(t, err)
			require.Equal(t, "com.apple.Preferences", app.ID)
		})
	}
}

// TestListOfAppsFailsForAWhile is about an error that WebDriverAgent gives for a while, and that goes away.
func TestListOfAppsFailsForAWhile(t *testing.T) {
	f := newFake(t)
	d := f.open(nil)
	var n atomic.Int32
	f.on("GET /wda/activeAppInfo", func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1) == 1 {
			envelopeError(w, 500, "unknown error", "Failure getting list of active applications: (null)")
			return
		}
		envelope(w, 200, map[string]any{"bundleId": "com.apple.Preferences"})
	})
	_, err := d.Foreground(t.Context())
	require.NoError(t, err)
}

func TestBodiesHaveALength(t *testing.T) {
	f := newFake(t)
	d := f.open(nil)
	for _, what := range []string{"POST /wda/doubleTap", "POST /actions", "POST /wda/homescreen"} {
		f.value(what, nil)
	}
	require.NoError(t, d.Tap(t.Context(), image.Pt(5, 5)))
	require.NoError(t, d.DoubleTap(t.Context(), image.Pt(5, 5)))
	require.NoError(t, d.Swipe(t.Context(), image.Pt(5, 5), image.Pt(9, 9), 0))
	require.NoError(t, d.Key(t.Context(), driver.KeyHome))
	require.NotEmpty(t, f.calls("POST /wda/homescreen"))
	for _, c := range f.calls("POST") {
		require.False(t, c.chunked, c)
		require.Equal(t, int64(len(c.body)), c.length, c)
	}
}

// TestOneAtATime is for old servers, which crash where two requests come at once.
func TestOneAtATime(t *testing.T) {
	f := newFake(t)
	d := f.open(nil)
	f.on("GET /wda/activeAppInfo", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(5 * time.Millisecond)
		envelope(w, 200, map[string]any{"bundleId": "a.b"})
	})
	done := make(chan error, 8)
	for range cap(done) {
		go func() {
			_, err := d.Foreground(t.Context())
			done <- err
		}()
	}
	for range cap(done) {
		require.NoError(t, <-done)
	}
	require.Equal(t, 1, f.most)
}

func TestNobodyAnswers(t *testing.T) {
	addr := local(freePort(t))
	_, err := wda.New(t.Context(), addr, nil)
	require.ErrorIs(t, err, driver.ErrOffline)
	require.ErrorContains(t, err, "open wda:"+addr)
	require.ErrorContains(t, err, "start WebDriverAgent")
}

// TestOpenHasALimit is a server that never answers, and one that only accepts: a connection is no proof.
func TestOpenHasALimit(t *testing.T) {
	for fault, want := range map[string]error{front.FaultHang: driver.ErrTimeout, front.FaultAcceptEOF: driver.ErrOffline, front.FaultReset: driver.ErrOffline} {
		t.Run(fault, func(t *testing.T) {
			limit := 10 * time.Second
			if fault == front.FaultHang {
				limit = 200 * time.Millisecond
			}
			r := newRig(t, "16", "iphone-15", sim.Options{})
			r.set(fault)
			_, err := wda.New(t.Context(), r.server.Addr(), &wda.Options{Limit: limit})
			require.ErrorIs(t, err, want)
			require.NotErrorIs(t, err, context.DeadlineExceeded)
			require.Equal(t, fault == front.FaultHang, strings.Contains(err.Error(), "does not say its status"), err)
		})
	}
}

// TestOpenBesideAnAppThatHangs is a server whose status comes and whose session does not.
func TestOpenBesideAnAppThatHangs(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{})
	r.set(front.FaultBusy)
	var err error
	for limit := 300 * time.Millisecond; limit < time.Minute; limit *= 2 { // until the status came in time
		_, err = wda.New(t.Context(), r.server.Addr(), &wda.Options{Limit: limit})
		require.ErrorIs(t, err, driver.ErrTimeout)
		if !strings.Contains(err.Error(), "does not say its status") {
			break
		}
	}
	require.ErrorContains(t, err, "gives no session")
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err = wda.New(ctx, r.server.Addr(), nil)
	require.ErrorIs(t, err, context.DeadlineExceeded, "the caller's own limit")
	require.NotErrorIs(t, err, driver.ErrTimeout)
}

// TestWhoHangs is an app that hangs, and a WebDriverAgent that does. TestWhoDoesNotAnswer holds what is said of each.
func TestWhoHangs(t *testing.T) {
	for _, fault := range []string{front.FaultFrozenApp, front.FaultHang} {
		t.Run(fault, func(t *testing.T) {
			r := newRig(t, "16", "iphone-se", sim.Options{Start: "com.apple.Preferences"})
			d := r.open(&wda.Options{Limit: time.Second})
			off := r.set(fault)
			defer off()
			err := d.Tap(t.Context(), image.Pt(300, 400))
			require.ErrorIs(t, err, driver.ErrTimeout)
			require.ErrorContains(t, err, "hangs")
		})
	}
}

func TestPulledCable(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{Start: "com.apple.Preferences"})
	d := r.open(nil)
	done, off := r.underWay(d, func() error { return d.DoubleTap(t.Context(), image.Pt(10, 10)) })
	r.server.DropConnections()
	err := <-done
	off()
	require.ErrorIs(t, err, driver.ErrOffline)
	require.True(t, driver.MaybeDone(err))
	require.NoError(t, d.DoubleTap(t.Context(), image.Pt(10, 10)), "the next call connects anew")
}

func TestAddresses(t *testing.T) {
	for device, want := range map[string]string{
		"https://phone:8100":   "plain HTTP",
		"phone.local:0":        "want HOST:PORT",
		"phone.local:99999":    "want HOST:PORT",
		"http://phone:81/path": "without a path",
		"user@phone.local:8":   "without a path",
	} {
		_, err := wda.New(t.Context(), device, nil)
		require.ErrorContains(t, err, want, device)
	}
	f := newFake(t)
	for _, address := range []string{"wda://" + f.addr(), "wda:" + f.addr(), "wda:" + f.server.URL, "wda:" + f.server.URL + "/"} {
		d, err := driver.Open(t.Context(), address)
		require.NoError(t, err, address)
		require.NoError(t, d.Close())
	}
	for address, want := range map[string]string{
		"wda:" + f.addr() + "?speed=9":        "known: lang, limit, mjpeg, port, rate, settings, usbmuxd",
		"wda:" + f.addr() + "?port=x":         "option port",
		"wda:" + f.addr() + "?settings=never": "want quick or keep",
	} {
		_, err := driver.Open(t.Context(), address)
		require.ErrorContains(t, err, want)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for want, o := range map[string]wda.Options{
		"is not a bundle id": {Apps: map[string]string{"Shop": "shop"}},
		"1 to 65535":         {Port: 70000},
		"typing rate":        {TypingRate: -1},
		"choose one":         {KeepSettings: true, Settings: map[string]any{"a": 1}},
	} {
		_, err := wda.New(t.Context(), "127.0.0.1:1", &o)
		require.ErrorContains(t, err, want)
	}
}

func TestCallsAfterClose(t *testing.T) {
	f := newFake(t)
	d, err := wda.New(t.Context(), f.addr(), nil)
	require.NoError(t, err)
	f.server.CloseClientConnections()
	f.server.Close()
	require.NoError(t, d.Close(), "a WebDriverAgent that is gone leaves nothing to put back")
	_, err = d.Tree(t.Context())
	require.True(t, errors.Is(err, driver.ErrClosed))
	require.True(t, strings.HasPrefix(err.Error(), "tree wda:"), err)
}

// TestRefusedQuestion: that a question is refused does not undo what was done before it.
func TestRefusedQuestion(t *testing.T) {
	f := newFake(t)
	f.value("POST /wda/apps/launch", nil)
	f.fail("GET /wda/activeAppInfo", 404, "unknown command", "Unhandled endpoint: /wda/activeAppInfo")
	d := f.open(nil)
	err := d.Launch(t.Context(), "com.example.a")
	require.ErrorContains(t, err, "unknown command")
	require.True(t, driver.MaybeDone(err), "the app was started")
	_, err = d.Foreground(t.Context())
	require.Error(t, err)
	require.False(t, driver.MaybeDone(err))
}
