package wda

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
)

// permission opens the camera, which asks for a permission with three buttons.
func permission(t *testing.T, opts *Options, lang string) *client {
	c := serve(t, opts, &sim.Options{Lang: lang})
	c.newSession(`{"capabilities":{}}`)
	c.ok("POST", "+/wda/apps/launch", `{"bundleId":"`+camera+`"}`)
	return c
}

func TestNoAlert(t *testing.T) {
	c := open(t, nil, settingsApp)
	for _, r := range [][2]string{{"GET", "+/alert/text"}, {"GET", "/alert/text"}, {"GET", "+/wda/alert/buttons"}} {
		require.Equal(t, "An attempt was made to operate on a modal dialog when one was not open", c.refuse(errNoAlert, r[0], r[1], "").message())
	}
	for _, path := range []string{"+/alert/accept", "/alert/accept", "+/alert/dismiss", "+/alert/text"} {
		require.Equal(t, "No alert is open", c.refuse(errNoAlert, "POST", path, `{"value":"x"}`).message())
	}
}

func TestThreeButtonsAreATrap(t *testing.T) {
	c := permission(t, nil, "en")
	require.Equal(t, []any{"While using the app", "Only this time", "Don't allow"}, c.ok("GET", "+/wda/alert/buttons", "").value)
	require.Equal(t, "Allow Camera to take pictures and record video?", c.ok("GET", "+/alert/text", "").value)
	c.ok("POST", "+/alert/accept", `{}`)
	require.Equal(t, "false", c.s.Phone().Value("permission.camera"), "accept taps the last button")
}

func TestAlertByName(t *testing.T) {
	c := permission(t, nil, "zh")
	a := c.refuse(errElementState, "POST", "+/alert/accept", `{"name":"允许"}`)
	require.Contains(t, a.message(), "Failed to find button with label '允许' for alert: ")
	c.ok("POST", "+/alert/accept", `{"name":"仅在使用中允许"}`)
	require.Equal(t, "true", c.s.Phone().Value("permission.camera"))
	c.refuse(errNoAlert, "GET", "+/alert/text", "")
}

func TestTwoButtons(t *testing.T) {
	for route, want := range map[string]string{"/alert/accept": "true", "/alert/dismiss": "false"} {
		c := open(t, nil, "")
		c.fault(sim.FaultPopup)
		c.ok("POST", "+/wda/apps/launch", `{"bundleId":"`+shop+`"}`)
		require.Equal(t, []any{"Don't allow", "Allow"}, c.ok("GET", "+/wda/alert/buttons", "").value, "the one that agrees is last")
		c.ok("POST", route, "")
		require.Equal(t, want, c.s.Phone().Value("permission.notifications"))
	}
}

// emptying opens the app's own dialog, with Empty and Cancel.
func emptying(t *testing.T, caps string) *client {
	c := serve(t, nil, nil)
	c.newSession(caps)
	c.ok("POST", "+/wda/apps/launch", `{"bundleId":"`+shop+`"}`)
	for _, name := range []string{"add_button", "cart_button", "empty_button"} {
		c.ok("POST", "+/element/"+c.find("accessibility id", name)+"/click", "")
	}
	return c
}

func TestAlertOfTheApp(t *testing.T) {
	caps := `{"capabilities":{"alwaysMatch":{"bundleId":"` + shop + `"}}}`
	t.Run("accept", func(t *testing.T) {
		c := emptying(t, caps)
		require.Equal(t, []any{"Cancel", "Empty"}, c.ok("GET", "+/wda/alert/buttons", "").value)
		require.Contains(t, c.ok("GET", "+/source", "").value, `<XCUIElementTypeAlert type="XCUIElementTypeAlert" name="Empty the cart?"`)
		c.ok("POST", "+/alert/accept", "")
		require.Contains(t, c.log(), "cart_emptied")
	})
	t.Run("a sheet the other way round", func(t *testing.T) {
		c := emptying(t, caps)
		c.fault(FaultAlertSheet)
		c.ok("POST", "+/alert/accept", "")
		require.NotContains(t, c.log(), "cart_emptied")
	})
	t.Run("by a selector", func(t *testing.T) {
		c := emptying(t, caps)
		c.ok("POST", "+/appium/settings", `{"settings":{"acceptAlertButtonSelector":"**/XCUIElementTypeButton[`+"`label == 'Cancel'`"+`]"}}`)
		c.ok("POST", "+/alert/accept", "")
		require.NotContains(t, c.log(), "cart_emptied")
		c.refuse(errNoAlert, "GET", "+/alert/text", "")
	})
	t.Run("taps outside do nothing", func(t *testing.T) {
		c := emptying(t, caps)
		c.ok("POST", "+/wda/tap", `{"x":20,"y":700}`)
		c.ok("GET", "+/alert/text", "")
	})
	t.Run("without a field for text", func(t *testing.T) {
		c := emptying(t, caps)
		for _, value := range []string{`["x"]`, `"x"`} {
			a := c.refuse(errUnsupported, "POST", "+/alert/text", `{"value":`+value+`}`)
			require.Equal(t, "The alert contains no input fields", a.message())
		}
		c.refuse(errArgument, "POST", "+/alert/text", "")
	})
	t.Run("missed", func(t *testing.T) {
		c := emptying(t, caps)
		c.fault(FaultAlertMissed)
		c.refuse(errNoAlert, "GET", "+/alert/text", "")
	})
	t.Run("not in the source", func(t *testing.T) {
		c := emptying(t, caps)
		c.fault(FaultTreeNoModal)
		require.NotContains(t, c.ok("GET", "+/source", "").value, "XCUIElementTypeAlert")
	})
	t.Run("answered by the session, app's own too", func(t *testing.T) {
		c := emptying(t, `{"capabilities":{"alwaysMatch":{"bundleId":"`+shop+`","defaultAlertAction":"accept"}}}`)
		c.ok("GET", "+/window/size", "")
		require.Contains(t, c.log(), "cart_emptied")
	})
}

func TestWhoseTreeHasTheSystemAlert(t *testing.T) {
	tested := `{"capabilities":{"alwaysMatch":{"bundleId":"` + camera + `"}}}`
	t.Run("a session without an app", func(t *testing.T) {
		c := permission(t, nil, "en")
		source := c.ok("GET", "+/source", "").value
		require.Contains(t, source, "XCUIElementTypeAlert")
		require.Contains(t, source, `bundleId="com.apple.springboard"`)
		require.Equal(t, springboard, c.ok("GET", "+/wda/activeAppInfo", "").field("bundleId"))
		require.Len(t, c.ok("GET", "+/wda/apps/list", "").value, 2)
	})
	t.Run("a session with an app", func(t *testing.T) {
		c := serve(t, nil, nil)
		c.newSession(tested)
		require.NotContains(t, c.ok("GET", "+/source", "").value, "XCUIElementTypeAlert")
		c.ok("GET", "+/alert/text", "") // which looks on SpringBoard first
		c.ok("POST", "+/appium/settings", `{"settings":{"respectSystemAlerts":true}}`)
		require.Contains(t, c.ok("GET", "+/source", "").value, "XCUIElementTypeAlert")
	})
}

func TestNotificationOverAnApp(t *testing.T) {
	c := open(t, nil, settingsApp)
	c.s.Phone().Notify(sim.Notification{App: messagesApp, Title: "Alice", Text: "Hello"})
	require.Contains(t, c.ok("GET", "+/source", "").value, `name="NotificationShortLookView"`)
}
