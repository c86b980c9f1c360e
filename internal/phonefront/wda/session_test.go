package wda

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
)

func TestSessionLife(t *testing.T) {
	c := serve(t, nil, nil)
	require.Nil(t, c.ok("GET", "/status", "").session)
	a := c.newSession(`{"capabilities":{}}`)
	require.Equal(t, "iphone", a.field("capabilities", "device"))
	require.Equal(t, c.id, c.ok("GET", "/status", "").session, "the active session is at the top of every answer")
	require.Equal(t, c.id, c.ok("GET", "+", "").field("sessionId"))
	require.Nil(t, c.ok("DELETE", "+", "").value)
	require.Nil(t, c.ok("GET", "/status", "").session)
	gone := c.refuse(errSession, "GET", "+/window/size", "")
	require.Equal(t, "Session does not exist", gone.message())
}

func TestOneSessionOnly(t *testing.T) {
	c := serve(t, nil, nil)
	c.newSession(`{"capabilities":{}}`)
	old := c.id
	c.newSession(`{"capabilities":{}}`)
	require.NotEqual(t, old, c.id)
	a := c.refuse(errSession, "POST", "/session/"+old+"/wda/keys", `{"value":["a"]}`)
	require.Equal(t, c.id, a.session, "the answer names the active session and not that of the path")
	c.refuse(errCommand, "GET", "/session/"+old+"/no/such/thing", "")
}

func TestEvictAndRestart(t *testing.T) {
	c := open(t, nil, "")
	c.fault(FaultEvict)
	c.refuse(errSession, "GET", "+", "")
	require.NotNil(t, c.ok("GET", "/status", "").session)
	c.fault(FaultRestart)
	require.Nil(t, c.ok("GET", "/status", "").session)
}

func TestCapabilities(t *testing.T) {
	cases := map[string]struct {
		body    string
		code    errorCode
		message string
	}{
		"no object":          {`{}`, errNotCreated, "'capabilities' is mandatory to create a new session"},
		"body no JSON":       {`capabilities`, errNotCreated, "'capabilities' is mandatory"},
		"prefixed standard":  {`{"capabilities":{"alwaysMatch":{"appium:browserName":"x"}}}`, errNotCreated, "browserName"},
		"same key in both":   {`{"capabilities":{"alwaysMatch":{"a":1},"firstMatch":[{"a":2}]}}`, errNotCreated, "firstMatch"},
		"app not installed":  {`{"capabilities":{"alwaysMatch":{"bundleId":"com.none"}}}`, errArgument, "com.none"},
		"a list as the body": {`[]`, errUnknown, "unrecognized selector"},
	}
	for name, k := range cases {
		t.Run(name, func(t *testing.T) {
			c := serve(t, nil, nil)
			require.Contains(t, c.refuse(k.code, "POST", "/session", k.body).message(), k.message)
		})
	}
}

func TestCapabilityPrefixAndMatching(t *testing.T) {
	c := serve(t, nil, nil)
	c.newSession(`{"capabilities":{"alwaysMatch":{"appium:waitForIdleTimeout":1},"firstMatch":[{"waitForIdleTimeout":9},{"appium:bundleId":"` + shop + `"}]}}`)
	require.Equal(t, shop, c.s.Phone().FocusedApp().ID)
	require.Equal(t, 1.0, c.ok("GET", "+/appium/settings", "").field("waitForIdleTimeout"))
}

func TestBundleSession(t *testing.T) {
	caps := `{"capabilities":{"alwaysMatch":{"bundleId":"` + shop + `"%}}}`
	t.Run("DELETE ends the app", func(t *testing.T) {
		c := serve(t, nil, nil)
		c.newSession(strings.Replace(caps, "%", "", 1))
		c.ok("DELETE", "+", "")
		require.NotContains(t, c.s.Phone().Running(), shop)
	})
	t.Run("unless told not to", func(t *testing.T) {
		c := serve(t, nil, nil)
		c.newSession(strings.Replace(caps, "%", `,"shouldTerminateApp":false`, 1))
		c.ok("DELETE", "+", "")
		require.Contains(t, c.s.Phone().Running(), shop)
	})
	t.Run("a new session ends it too", func(t *testing.T) {
		c := serve(t, nil, nil)
		c.newSession(strings.Replace(caps, "%", "", 1))
		c.newSession(`{"capabilities":{}}`)
		require.NotContains(t, c.s.Phone().Running(), shop)
	})
	t.Run("a new session for the same app runs it again", func(t *testing.T) {
		c := serve(t, nil, nil)
		c.newSession(strings.Replace(caps, "%", "", 1))
		c.newSession(strings.Replace(caps, "%", "", 1))
		require.Equal(t, shop, c.ok("GET", "+/wda/activeAppInfo", "").field("bundleId"))
	})
	t.Run("a new session that fails has ended the old one", func(t *testing.T) {
		c := serve(t, nil, nil)
		c.newSession(strings.Replace(caps, "%", "", 1))
		c.refuse(errArgument, "POST", "/session", `{"capabilities":{"alwaysMatch":{"bundleId":"com.none"}}}`)
		require.Nil(t, c.ok("GET", "/status", "").session)
		require.NotContains(t, c.s.Phone().Running(), shop)
	})
	t.Run("the lock screen stops the launch", func(t *testing.T) {
		c := serve(t, nil, &sim.Options{Locked: true})
		a := c.refuse(errNotCreated, "POST", "/session", strings.Replace(caps, "%", "", 1))
		require.Contains(t, a.message(), "Cannot launch "+shop+" application")
	})
}

func TestCrashedApp(t *testing.T) {
	c := serve(t, nil, nil)
	c.newSession(`{"capabilities":{"alwaysMatch":{"bundleId":"` + shop + `"}}}`)
	c.ok("GET", "+/window/size", "")
	c.fault(FaultCrashApp)
	for _, r := range [][3]string{
		{"GET", "+/source", ""}, {"GET", "+/window/size", ""}, {"POST", "+/wda/tap", `{"x":1,"y":1}`}, {"POST", "+/element", `{"using":"id","value":"x"}`},
		{"POST", "+/actions", `{"actions":[{"type":"pointer","id":"a","actions":[]}]}`}, {"GET", "+/alert/text", ""},
	} {
		a := c.refuse(errElementState, r[0], r[1], r[2])
		require.Equal(t, "The application under test with bundle id '"+shop+"' is not running, possibly crashed", a.message())
	}
	for _, r := range [][2]string{{"GET", "/screenshot"}, {"GET", "/status"}, {"POST", "/wda/homescreen"}, {"GET", "/source"}, {"GET", "/wda/activeAppInfo"}} {
		c.ok(r[0], r[1], "")
	}
	c.ok("POST", "+/wda/apps/launch", `{"bundleId":"`+shop+`"}`)
	c.ok("GET", "+/window/size", "")
	require.Equal(t, true, c.ok("POST", "+/wda/apps/terminate", `{"bundleId":"`+shop+`"}`).value)
	c.ok("GET", "+/window/size", "") // what the session itself ended is no crash
}

func TestCrashWithoutBundleIsNoError(t *testing.T) {
	c := open(t, nil, shop)
	c.fault(FaultCrashApp)
	c.ok("GET", "+/window/size", "")
	require.Equal(t, springboard, c.ok("GET", "+/wda/activeAppInfo", "").field("bundleId"))
	require.ErrorContains(t, c.s.SetFault(FaultCrashApp, true), "no app is in front")
}

func TestSettings(t *testing.T) {
	c := open(t, nil, "")
	all := c.ok("GET", "+/appium/settings", "").value.(map[string]any)
	require.Equal(t, 50.0, all["snapshotMaxDepth"])
	require.Equal(t, 25.0, all["mjpegServerScreenshotQuality"])
	flat := c.ok("POST", "+/appium/settings", `{"snapshotMaxDepth":20}`)
	require.Equal(t, 50.0, flat.field("snapshotMaxDepth"), "a flat body is ignored")
	set := c.ok("POST", "+/appium/settings", `{"settings":{"snapshotMaxDepth":"20","noSuch":1,"waitForIdleTimeout":null,"mjpegServerFramerate":5}}`)
	require.Equal(t, 20.0, set.field("snapshotMaxDepth"), "a number in a string is a number")
	require.Equal(t, 10.0, set.field("waitForIdleTimeout"), "null is ignored")
	require.NotContains(t, set.value, "noSuch")
	c.ok("POST", "+/appium/settings", `{"settings":{"defaultAlertAction":"accept"}}`)
	cleared := c.ok("POST", "+/appium/settings", `{"settings":{"defaultAlertAction":null}}`)
	require.Equal(t, "", cleared.field("defaultAlertAction"), "null clears those for alerts")

	c.newSession(`{"capabilities":{}}`)
	fresh := c.ok("GET", "+/appium/settings", "")
	require.Equal(t, 50.0, fresh.field("snapshotMaxDepth"), "a new session has the defaults")
	require.Equal(t, 5.0, fresh.field("mjpegServerFramerate"), "but for those of the frames")

	require.Equal(t, "settings must be a dictionary", c.refuse(errArgument, "POST", "+/appium/settings", `{"settings":[1]}`).message())
	c.refuse(errArgument, "POST", "+/appium/settings", `{"settings":{"screenshotOrientation":"sideways"}}`)
	c.refuse(errArgument, "POST", "+/appium/settings", `{"settings":{"snapshotMaxDepth":[]}}`)
}

func TestSettingsOfOldReleases(t *testing.T) {
	c := open(t, &Options{Version: "7"}, "")
	all := c.ok("POST", "+/appium/settings", `{"settings":{"respectSystemAlerts":true,"accessibilityDeadline":3}}`).value
	require.NotContains(t, all, "respectSystemAlerts", "what came later is not there, and setting it says nothing")
	require.NotContains(t, all, "accessibilityDeadline")
	require.Contains(t, all, "waitForIdleTimeout")
}

func TestStatus(t *testing.T) {
	for profile, device := range map[string]string{"iphone-se": "iphone", "ipad": "ipad"} {
		c := serve(t, &Options{Profile: profile}, nil)
		a := c.ok("GET", "/status", "")
		require.Equal(t, device, a.field("device"))
		require.Equal(t, true, a.field("ready"))
		require.Equal(t, "success", a.field("state"))
		require.Equal(t, "16.12.7", a.field("build", "version"))
		require.Equal(t, RunnerID, a.field("build", "productBundleIdentifier").(string)+".xctrunner")
		require.NotEmpty(t, a.field("os", "version"))
	}
}

func TestHealth(t *testing.T) {
	require.Equal(t, "I-AM-ALIVE", string(serve(t, &Options{Version: "8.7.10"}, nil).ok("GET", "/health", "").raw))
	page := serve(t, nil, nil).ok("GET", "/health", "")
	require.Contains(t, string(page.raw), "<p>I-AM-ALIVE</p>")
	require.False(t, json.Valid(page.raw))
}

func TestHealthCheckTouchesThePhone(t *testing.T) {
	c := serve(t, nil, &sim.Options{Start: shop})
	c.ok("GET", "/wda/healthcheck", "")
	require.Equal(t, springboard, c.s.Phone().FocusedApp().ID)
	require.Contains(t, c.log(), "launch")
}

func TestOldSessionCapabilities(t *testing.T) {
	c := serve(t, &Options{Version: "4"}, &sim.Options{Start: shop})
	require.Equal(t, shop, c.newSession(`{"capabilities":{}}`).field("capabilities", "CFBundleIdentifier"))
}
