package wda_test

import (
	"bytes"
	"encoding/json"
	"image"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/electricbubble/gwda"
	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/driver/wda"
	front "github.com/handset-go/handset/internal/phonefront/wda"
)

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

// TestLostForGood is a session that is gone again at once.
func TestLostForGood(t *testing.T) {
	f := newFake(t)
	d := f.open(nil)
	f.fail("POST /wda/doubleTap", 404, "invalid session id", "Session does not exist")
	err := d.DoubleTap(t.Context(), image.Pt(5, 5))
	require.ErrorIs(t, err, driver.ErrSessionLost)
	require.False(t, driver.MaybeDone(err))
	require.Len(t, f.calls("doubleTap"), 2, "repeated once")
	require.Len(t, f.calls("POST /session {"), 0)
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
