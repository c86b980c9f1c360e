package wda_test

import (
	"bytes"
	"errors"
	"image"
	"log/slog"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/driver/wda"
	front "github.com/handset-go/handset/internal/phonefront/wda"
)

func TestResolve(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{Start: "com.apple.mobilesafari"})
	d := r.open(&wda.Options{Apps: map[string]string{"My Notes": "com.handset.notes"}})
	for app, want := range map[string]driver.App{
		"com.tencent.xin":       {ID: "com.tencent.xin", Name: "WeChat"},
		"微信":                    {ID: "com.tencent.xin", Name: "WeChat"},
		"my-notes":              {ID: "com.handset.notes", Name: "My Notes"},
		"com.example.not-known": {ID: "com.example.not-known"},
	} {
		got, err := d.Resolve(t.Context(), app)
		require.NoError(t, err, app)
		require.Equal(t, want, got, app)
	}
	_, err := d.Resolve(t.Context(), "My Notez")
	require.ErrorIs(t, err, driver.ErrAppNotFound)
	require.ErrorContains(t, err, "My Notes")
	require.ErrorContains(t, err, "use the bundle id")
}

func TestApps(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{})
	d := r.open(nil)
	require.NoError(t, d.Launch(t.Context(), "com.handset.notes"))
	all, err := d.Apps(t.Context())
	require.NoError(t, err)
	require.Contains(t, all, driver.App{ID: "com.handset.notes"})
	require.NoError(t, d.Stop(t.Context(), "com.handset.notes"))
	require.NoError(t, d.Stop(t.Context(), "com.handset.notes"), "one that does not run is no error")
	all, err = d.Apps(t.Context())
	require.NoError(t, err)
	require.NotContains(t, all, driver.App{ID: "com.handset.notes"})
}

// TestNamesInALanguage holds that an app has its name in the language that was asked for.
func TestNamesInALanguage(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{})
	for lang, want := range map[string]string{"en": "Settings", "zh": "设置"} {
		d := r.open(&wda.Options{Lang: lang})
		require.NoError(t, d.Launch(t.Context(), "com.apple.Preferences"))
		all, err := d.Apps(t.Context())
		require.NoError(t, err)
		require.Contains(t, all, driver.App{ID: "com.apple.Preferences", Name: want})
		app, err := d.Foreground(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, app.Name)
	}
	_, err := wda.New(t.Context(), "127.0.0.1:1", &wda.Options{Lang: "fr"})
	require.ErrorIs(t, err, driver.ErrBadOption)
}

// TestNamesInThePhonesLanguage holds that apps are named as on the phone, where nobody asked for another language, by whatever call
// names one first.
func TestNamesInThePhonesLanguage(t *testing.T) {
	for _, version := range []string{"5", "16"} {
		for lang, want := range map[string]string{"en": "Settings", "zh": "设置"} {
			r := newRig(t, version, "iphone-15", sim.Options{Lang: lang, Start: "com.apple.Preferences"})
			for name, ask := range map[string]func(d *wda.Driver) (driver.App, error){
				"foreground": func(d *wda.Driver) (driver.App, error) { return d.Foreground(t.Context()) },
				"resolve":    func(d *wda.Driver) (driver.App, error) { return d.Resolve(t.Context(), "com.apple.Preferences") },
				"by name":    func(d *wda.Driver) (driver.App, error) { return d.Resolve(t.Context(), "settings") },
				"apps": func(d *wda.Driver) (driver.App, error) {
					all, err := d.Apps(t.Context())
					i := slices.IndexFunc(all, func(a driver.App) bool { return a.ID == "com.apple.Preferences" })
					return all[i], err
				},
				"tree": func(d *wda.Driver) (driver.App, error) {
					tree, err := d.Tree(t.Context())
					return tree.App, err
				},
			} {
				app, err := ask(r.open(nil))
				require.NoError(t, err, name)
				require.Equal(t, driver.App{ID: "com.apple.Preferences", Name: want}, app, "%s on version %s", name, version)
			}
			app, err := r.open(&wda.Options{Lang: "en"}).Foreground(t.Context())
			require.NoError(t, err)
			require.Equal(t, "Settings", app.Name, "what is asked for comes first")
		}
	}
}

// TestLanguageIsAskedForOnce counts the questions, of a phone that tells and of one that cannot.
func TestLanguageIsAskedForOnce(t *testing.T) {
	f := newFake(t)
	f.value("GET /wda/activeAppInfo", map[string]any{"bundleId": "com.apple.Preferences"})
	d := f.open(nil)
	require.Empty(t, f.calls("device/info"), "not before it is needed")
	for range 3 {
		_, err := d.Foreground(t.Context())
		require.NoError(t, err, "an old WebDriverAgent has no such route")
	}
	require.Len(t, f.calls("device/info"), 1)
	f.value("GET /wda/device/info", map[string]any{"currentLocale": nil})
	d = f.open(nil)
	for range 3 {
		_, err := d.Foreground(t.Context())
		require.NoError(t, err)
	}
	require.Len(t, f.calls("device/info"), 2)
}

// TestNoAppInFront is a WebDriverAgent that answers and names no app.
func TestNoAppInFront(t *testing.T) {
	for name, value := range map[string]any{"null": nil, "no id": map[string]any{"name": "unknown", "pid": 0}, "a null id": map[string]any{"bundleId": nil}} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.value("GET /wda/activeAppInfo", value)
			d := f.open(nil)
			app, err := d.Foreground(t.Context())
			require.ErrorIs(t, err, errors.ErrUnsupported)
			require.ErrorContains(t, err, "look at a screenshot, or go Home")
			require.Zero(t, app)
			f.value("GET /source", `<?xml version="1.0"?><XCUIElementTypeApplication type="XCUIElementTypeApplication" name="Clock" label="Clock" `+
				`enabled="true" visible="true" x="0" y="0" width="100" height="200"><XCUIElementTypeButton type="XCUIElementTypeButton" `+
				`name="Go" label="Go" enabled="true" visible="true" x="1" y="2" width="30" height="40"/></XCUIElementTypeApplication>`)
			f.value("GET /rotation", map[string]any{"x": 0, "y": 0, "z": 0})
			tree, err := d.Tree(t.Context())
			require.NoError(t, err, "a tree is of use without the id")
			require.Equal(t, driver.App{Name: "Clock"}, tree.App)
		})
	}
	f := newFake(t)
	var n atomic.Int32
	f.value("POST /wda/apps/launch", nil)
	f.on("GET /wda/activeAppInfo", func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1) < 6 {
			envelope(w, 200, nil)
			return
		}
		envelope(w, 200, map[string]any{"bundleId": "com.apple.Preferences"})
	})
	require.NoError(t, f.open(nil).Launch(t.Context(), "com.apple.Preferences"), "an app that starts has no name for a moment")
}

func TestLaunchFails(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{})
	d := r.open(nil)
	err := d.Launch(t.Context(), "com.example.nowhere")
	require.ErrorIs(t, err, driver.ErrAppNotFound)
	require.False(t, driver.MaybeDone(err))

	r.phone.Sleep()
	r.phone.Wake()
	require.ErrorIs(t, d.Launch(t.Context(), "com.handset.notes"), driver.ErrLocked)
	r.phone.Unlock()
	require.NoError(t, d.Launch(t.Context(), "com.handset.notes"))
}

// TestLaunchDoesNotWaitForRest looks at the body: some apps never come to rest.
func TestLaunchDoesNotWaitForRest(t *testing.T) {
	f := newFake(t)
	d := f.open(nil)
	f.value("POST /wda/apps/launch", nil)
	f.value("GET /wda/activeAppInfo", map[string]any{"bundleId": "com.a.b"})
	require.NoError(t, d.Launch(t.Context(), "com.a.b"))
	require.JSONEq(t, `{"bundleId":"com.a.b","shouldWaitForQuiescence":false}`, f.calls("apps/launch")[0].body)
}

// TestLaunchOfAnAppThatAsks is one whose permission the system asks for in front of it.
func TestLaunchOfAnAppThatAsks(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{})
	d := r.open(nil)
	require.NoError(t, d.Launch(t.Context(), "com.apple.camera"))
	a, err := d.Alert(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, a.Text)
	require.Greater(t, len(a.Buttons), 1)

	require.ErrorContains(t, d.PressAlert(t.Context(), "Sure"), "has no button")
	require.ErrorContains(t, d.PressAlert(t.Context(), " "), "want the label")
	require.Empty(t, r.phone.Events("permission"))
	require.NoError(t, d.PressAlert(t.Context(), a.Buttons[0]))
	require.Len(t, r.phone.Events("permission"), 1)
	_, err = d.Alert(t.Context())
	require.ErrorIs(t, err, wda.ErrNoAlert)
	require.ErrorIs(t, d.PressAlert(t.Context(), "OK"), wda.ErrNoAlert)
}

// TestNoAlertIsNoNoise is the most usual of answers.
func TestNoAlertIsNoNoise(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{})
	var log bytes.Buffer
	d := r.open(&wda.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	_, err := d.Alert(t.Context())
	require.ErrorIs(t, err, wda.ErrNoAlert)
	require.Empty(t, log.String())
}

func TestOpenURL(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{})
	d := r.open(nil)
	require.NoError(t, d.OpenURL(t.Context(), "https://example.com/a?b=%20&c='\"$(x)"))
	require.Len(t, r.phone.Events("url"), 1)
	for _, bad := range []string{"example.com", "", "https://a b\n", "tel"} {
		err := d.OpenURL(t.Context(), bad)
		require.ErrorContains(t, err, "is not a URL", bad)
		require.False(t, driver.MaybeDone(err))
	}
}

func TestPower(t *testing.T) {
	for _, version := range []string{"5", "16"} {
		t.Run(version, func(t *testing.T) {
			r := newRig(t, version, "iphone-15", sim.Options{})
			d := r.open(nil)
			power := func(want driver.Power) {
				got, err := d.PowerState(t.Context())
				require.NoError(t, err)
				require.Equal(t, want, got)
			}
			power(driver.Power{On: true})
			require.NoError(t, d.Wake(t.Context()), "a display that is on stays on")
			power(driver.Power{On: true})
			require.NoError(t, d.Lock(t.Context()))
			power(driver.Power{Locked: true})
			require.NoError(t, d.Lock(t.Context()), "one that is off stays off")
			power(driver.Power{Locked: true})
			require.NoError(t, d.Wake(t.Context()))
			power(driver.Power{On: true, Locked: true})
			require.NoError(t, d.Unlock(t.Context()))
			power(driver.Power{On: true})
		})
	}
}

func TestPasscode(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{})
	d := r.open(nil)
	require.NoError(t, d.Lock(t.Context()))
	r.set(front.FaultPasscode)
	err := d.Unlock(t.Context())
	require.ErrorIs(t, err, driver.ErrLocked)
	require.ErrorContains(t, err, "a person must enter the passcode")
}

func TestBack(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{})
	var log bytes.Buffer
	d := r.open(&wda.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	_, err := r.phone.StartApp("com.apple.Preferences")
	require.NoError(t, err)
	first := r.phone.Foreground().Page
	row := r.phone.Tree().Find(driver.ByID("row_display"))
	r.phone.Tap(row.Center())
	require.NotEqual(t, first, r.phone.Tree().Find(driver.ByRole(driver.RoleText)).Text)

	require.NoError(t, d.Key(t.Context(), driver.KeyBack))
	require.Contains(t, log.String(), "Back by the button of the navigation bar")
	require.NotNil(t, r.phone.Tree().Find(driver.ByID("row_display")))

	log.Reset()
	require.NoError(t, d.Key(t.Context(), driver.KeyBack))
	require.Contains(t, log.String(), "Back by a swipe from the left edge", "the first page has no button")
}

// TestBackWithoutATree swipes where the page cannot be read.
func TestBackWithoutATree(t *testing.T) {
	r := newRig(t, "16", "iphone-se", sim.Options{Start: "com.apple.Preferences"})
	d := r.open(nil)
	r.phone.Tap(r.phone.Tree().Find(driver.ByID("row_display")).Center())
	r.phone.ClearLog()
	r.set(front.FaultTreeFails)
	require.NoError(t, d.Key(t.Context(), driver.KeyBack))
	require.NotNil(t, r.phone.Tree().Find(driver.ByID("row_display")), "the swipe has left the page")
}

// TestRotateRefused is an app that does not turn.
func TestRotateRefused(t *testing.T) {
	r := newRig(t, "16", "iphone-15", sim.Options{})
	d := r.open(nil)
	r.set(front.FaultNoRotation)
	require.ErrorContains(t, d.Rotate(t.Context(), 1), "does not turn")
	require.ErrorContains(t, d.Rotate(t.Context(), 4), "want 0 to 3")
}

func TestRotate(t *testing.T) {
	for profile, turns := range map[string][]int{"iphone-15": {1, 3, 0}, "ipad": {1, 2, 3, 0}} {
		r := newRig(t, "16", profile, sim.Options{Start: "com.apple.Preferences"})
		d := r.open(nil)
		for _, want := range turns {
			require.NoError(t, d.Rotate(t.Context(), want))
			got, err := d.Rotation(t.Context())
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.Equal(t, want, r.phone.Rotation())
			s, err := d.Screenshot(t.Context())
			require.NoError(t, err)
			last := s.Size().Sub(image.Pt(1, 1))
			require.NoError(t, d.Tap(t.Context(), last), "%s turned %d", profile, want)
		}
	}
}

func TestDescribe(t *testing.T) {
	r := newRig(t, "16", "ipad", sim.Options{})
	d := r.open(nil)
	desc, err := d.Describe(t.Context())
	require.NoError(t, err)
	require.Equal(t, "ios", desc.Platform)
	require.Equal(t, "iPad", desc.Model)
	require.Equal(t, "17.5.1", desc.OSVersion)
	require.Equal(t, image.Pt(1640, 2360), desc.Size)
}
