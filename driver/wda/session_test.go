package wda_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/electricbubble/gwda"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/driver/wda"
	front "github.com/handset-go/handset/internal/phonefront/wda"
)

// awaitRequest waits until the server has a request that it does not answer.
func (r *rig) awaitRequest() {
	require.Eventually(r.t, func() bool { return r.server.UnderWay() > 0 }, time.Minute, time.Millisecond)
}

// underWay makes a gesture that the server has got and does not answer until off is called. Its outcome will be in done.
func (r *rig) underWay(d *wda.Driver, gesture func() error) (done chan error, off func()) {
	require.NoError(r.t, gesture())
	for {
		begin := time.Now()
		_, err := d.Screenshot(r.t.Context())
		require.NoError(r.t, err)
		off, done = r.set(front.FaultBusy), make(chan error, 1)
		go func() { done <- gesture() }()
		r.awaitRequest()
		if time.Since(begin) < 4*time.Second {
			return done, off
		}
		off() // what is under way may be a question: the size of the screen is believed for 5 s
		require.NoError(r.t, <-done)
	}
}

// newSession creates a session as another client does, and returns its id.
func (r *rig) newSession(capabilities map[string]any) string {
	body, err := json.Marshal(map[string]any{"capabilities": map[string]any{"alwaysMatch": capabilities}})
	require.NoError(r.t, err)
	resp, err := http.Post(r.server.URL()+"/session", "application/json", bytes.NewReader(body))
	require.NoError(r.t, err)
	require.NoError(r.t, resp.Body.Close())
	require.Equal(r.t, 200, resp.StatusCode)
	return r.server.SessionID()
}

// settings reads those of the session.
func (r *rig) settings() map[string]any {
	resp, err := http.Get(r.server.URL() + "/session/" + r.server.SessionID() + "/appium/settings")
	require.NoError(r.t, err)
	defer resp.Body.Close()
	var in struct{ Value map[string]any }
	require.NoError(r.t, json.NewDecoder(resp.Body).Decode(&in))
	return in.Value
}

// TestSessionIsShared is two clients on one phone: whoever insists on a session of its own takes the other's, for ever.
func TestSessionIsShared(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{})
	theirs := r.newSession(map[string]any{})
	before := r.settings()
	d := r.open(nil)
	require.Equal(t, theirs, r.server.SessionID())
	require.EqualValues(t, 0, r.settings()["waitForIdleTimeout"])
	require.NoError(t, d.Tap(t.Context(), image.Pt(10, 10)))
	require.NoError(t, d.Close())
	require.Equal(t, theirs, r.server.SessionID(), "another client's session lives on")
	require.Equal(t, before, r.settings(), "with the settings that it had")
}

func TestOwnSessionEnds(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{Start: "com.apple.Preferences"})
	d := r.open(nil)
	require.NotEmpty(t, r.server.SessionID())
	require.NoError(t, d.Release(t.Context()))
	require.Empty(t, r.server.SessionID())
	_, err := d.Foreground(t.Context())
	require.NoError(t, err, "the next call makes one again")
	require.NoError(t, d.Close())
	require.Empty(t, r.server.SessionID())
	require.Equal(t, "com.apple.Preferences", r.phone.Foreground().ID, "no app ends with it")
}

// TestLostSession loses the session in each way; the call after it works, and is done once.
func TestLostSession(t *testing.T) {
	for name, lose := range map[string]func(r *rig){
		"another client":       func(r *rig) { r.server.Evict() },
		"a new WebDriverAgent": func(r *rig) { r.server.Restart() },
		"an app that crashed":  func(r *rig) { require.NoError(r.t, r.server.CrashApp()) },
	} {
		for _, version := range []string{"5", "7", "16"} {
			t.Run(name+"/"+version, func(t *testing.T) {
				r := newRig(t, version, "iphone-15", sim.Options{})
				r.newSession(map[string]any{"bundleId": "com.handset.notes"})
				d := r.open(nil)
				_, err := d.Screenshot(t.Context())
				require.NoError(t, err)
				require.NoError(t, d.Tap(t.Context(), image.Pt(10, 10)))
				lose(r)
				r.phone.ClearLog()
				require.NoError(t, d.Tap(t.Context(), image.Pt(10, 10)), "by our own request")
				require.NoError(t, d.DoubleTap(t.Context(), image.Pt(10, 900)), "by gwda's")
				require.Len(t, onlyTouches(r.phone.Log()), 3)
				require.EqualValues(t, 0, r.settings()["waitForIdleTimeout"], "a new session gets the settings again")
			})
		}
	}
}

func TestEvictedAdoptsTheOther(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{})
	d := r.open(nil)
	theirs := r.server.Evict()
	_, err := d.Tree(t.Context())
	require.NoError(t, err)
	require.Equal(t, theirs, r.server.SessionID())
}

// TestLostAgainAndAgain is a phone that several programs share, each of which ends the session that it made: the call works,
// and is done once, however many of them come to their end in the meantime, up to three.
func TestLostAgainAndAgain(t *testing.T) {
	for lost, ok := range map[int]bool{1: true, 2: true, 3: true, 4: false} {
		for name, do := range map[string]func(*wda.Driver) error{
			"tap":       func(d *wda.Driver) error { return d.Tap(t.Context(), image.Pt(5, 5)) },
			"doubleTap": func(d *wda.Driver) error { return d.DoubleTap(t.Context(), image.Pt(5, 5)) },
		} {
			t.Run(fmt.Sprintf("%s/%d", name, lost), func(t *testing.T) {
				f := newFake(t)
				d := f.open(nil)
				before := f.requests("POST /session")
				done := f.losing("POST /wda/"+name, lost, "Session does not exist")
				err := do(d)
				if ok {
					require.NoError(t, err)
					require.EqualValues(t, 1, done.Load())
				} else {
					require.ErrorIs(t, err, driver.ErrSessionLost)
					require.False(t, driver.MaybeDone(err))
				}
				require.Len(t, f.calls("S1/wda/"+name), min(lost+1, 4))
				require.Equal(t, before+min(lost, 3), f.requests("POST /session"), "a new session for each that was lost")
			})
		}
	}
}

// losing answers a request as long as the session is lost, and then does it. It returns how often it did.
func (f *fake) losing(what string, lost int, message string) *atomic.Int32 {
	var asked, done atomic.Int32
	f.on(what, func(w http.ResponseWriter, _ *http.Request) {
		if int(asked.Add(1)) <= lost {
			envelopeError(w, 404, "invalid session id", message)
			return
		}
		done.Add(1)
		envelope(w, 200, map[string]any{})
	})
	return &done
}

// TestLostWhileOpening is a session that another program ends between finding or making it and the settings.
func TestLostWhileOpening(t *testing.T) {
	for name, message := range map[string]string{"gone": "Session does not exist", "cut": "Session S1 was deleted while this request was still pending"} {
		for _, shared := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/shared=%t", name, shared), func(t *testing.T) {
				f := newFake(t)
				if shared {
					f.on("GET /status", func(w http.ResponseWriter, _ *http.Request) {
						_, _ = w.Write([]byte(`{"value":{"ready":true},"sessionId":"S9"}`))
					})
					f.value("GET /session/*", map[string]any{"sessionId": "S9"})
					f.value("GET /appium/settings", map[string]any{})
				}
				done := f.losing("POST /appium/settings", 3, message)
				d := f.open(nil)
				require.EqualValues(t, 1, done.Load())
				require.NoError(t, d.Tap(t.Context(), image.Pt(5, 5)))
			})
		}
	}
	f := newFake(t)
	f.losing("POST /appium/settings", 100, "Session does not exist")
	_, err := wda.New(t.Context(), f.addr(), nil)
	require.ErrorIs(t, err, driver.ErrSessionLost)
	require.Len(t, f.calls("appium/settings"), 4)
}

// TestSeveralPrograms lets eight come, tap and go at the same time. A tap that was cut short by the end of its session may or may not
// have been done, and its caller is told; every other one is done, once.
func TestSeveralPrograms(t *testing.T) {
	for _, version := range []string{"7", "16"} {
		t.Run(version, func(t *testing.T) {
			r := newRig(t, version, "iphone-15", sim.Options{})
			var done, maybe atomic.Int32
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() {
					d, err := wda.New(t.Context(), r.server.Addr(), nil)
					if err != nil {
						assert.ErrorIs(t, err, driver.ErrSessionLost)
						return
					}
					defer d.Close()
					switch err := d.Tap(t.Context(), image.Pt(10, 10)); {
					case err == nil:
						done.Add(1)
					case driver.MaybeDone(err):
						assert.ErrorIs(t, err, driver.ErrSessionLost)
						maybe.Add(1)
					default: // three sessions ended under it
						assert.ErrorIs(t, err, driver.ErrSessionLost)
					}
				})
			}
			all.Wait()
			taps := int32(len(r.phone.Events("tap")))
			require.GreaterOrEqual(t, taps, done.Load())
			require.LessOrEqual(t, taps, done.Load()+maybe.Load())
			require.Positive(t, taps, "nobody ends the session that is made last, and most get through")
		})
	}
}

// TestCutSession is a session that ended while the command was under way: the phone may have done it.
func TestCutSession(t *testing.T) {
	f := newFake(t)
	d := f.open(nil)
	f.fail("POST /wda/doubleTap", 404, "invalid session id", "Session S1 was deleted while this request was still pending")
	err := d.DoubleTap(t.Context(), image.Pt(5, 5))
	require.ErrorIs(t, err, driver.ErrSessionLost)
	require.True(t, driver.MaybeDone(err))
	require.Len(t, f.calls("doubleTap"), 1)
	f.losing("POST /wda/doubleTap", 1, "Session does not exist")
	lost := len(f.calls("doubleTap"))
	f.on("POST /session", func(w http.ResponseWriter, _ *http.Request) {
		f.fail("POST /wda/doubleTap", 404, "invalid session id", "Session S1 was deleted while this request was still pending")
		envelope(w, 200, map[string]any{"sessionId": "S1"})
	})
	err = d.DoubleTap(t.Context(), image.Pt(5, 5))
	require.ErrorIs(t, err, driver.ErrSessionLost)
	require.True(t, driver.MaybeDone(err), "lost, and cut in the next session")
	require.Len(t, f.calls("doubleTap"), lost+2)
}

func TestSessionRefused(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{})
	r.set(front.FaultNoSession)
	_, err := wda.New(t.Context(), r.server.Addr(), nil)
	require.ErrorContains(t, err, "a new session: session not created")
}

// TestOpenSendsWhatItMust lists the requests of New: nothing that an app or a person would notice.
func TestOpenSendsWhatItMust(t *testing.T) {
	f := newFake(t)
	f.open(nil)
	var got []string
	for _, c := range f.calls("") {
		got = append(got, c.method+" "+c.path)
	}
	require.Equal(t, []string{
		"GET /status", "POST /session/none/wda/tap", "POST /session", "POST /session/S1/appium/settings",
	}, got)
	create := f.calls("POST /session")[1].body
	require.NotContains(t, create, "bundleId")
	require.NotContains(t, create, "defaultAlertAction", "the system's questions are not answered blindly")
	require.Contains(t, create, `"shouldTerminateApp":false`)
	require.True(t, strings.HasPrefix(f.calls("appium/settings")[0].body, `{"settings":{`), "a flat body is ignored")
}

func TestSettings(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{})
	keep := r.open(&wda.Options{KeepSettings: true})
	require.EqualValues(t, 10, r.settings()["waitForIdleTimeout"])
	require.NoError(t, keep.Close())
	r.open(&wda.Options{Settings: map[string]any{"waitForIdleTimeout": 3, "mjpegScalingFactor": 50}})
	got := r.settings()
	require.EqualValues(t, 3, got["waitForIdleTimeout"])
	require.EqualValues(t, 50, got["mjpegScalingFactor"])
	require.EqualValues(t, 60, got["snapshotMaxDepth"], "63 and more fail")
	require.EqualValues(t, 0, got["accessibilityDeadline"], "a busy app is not called frozen")
}

// TestNoSettings is a server that has none.
func TestNoSettings(t *testing.T) {
	f := newFake(t)
	f.fail("POST /appium/settings", 404, "unknown command", "Unhandled endpoint")
	var log bytes.Buffer
	f.open(&wda.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	require.Contains(t, log.String(), "keeps its own settings")
}

func TestDo(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{Start: "com.apple.Preferences"})
	d := r.open(nil)
	var source string
	var size gwda.Size
	err := d.Do(t.Context(), func(wd gwda.WebDriver) (err error) {
		if size, err = wd.WindowSize(); err != nil {
			return err
		}
		r.server.Evict() // between two requests of one function
		source, err = wd.Source()
		return err
	})
	require.NoError(t, err)
	require.Equal(t, gwda.Size{Width: 393, Height: 852}, size)
	require.Contains(t, source, "XCUIElementTypeNavigationBar")
}

// TestDoTellsWhatGwdaSwallows is Source of gwda, which returns an empty page and no error.
func TestDoTellsWhatGwdaSwallows(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{})
	d := r.open(nil)
	r.set(front.FaultTreeFails)
	err := d.Do(t.Context(), func(wd gwda.WebDriver) error {
		source, err := wd.Source()
		require.NoError(t, err)
		require.Empty(t, source)
		return nil
	})
	var e *wda.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "unknown error", e.Code)
}
