package wda

// routeTable is every route of every release, with the releases that have it.
func routeTable() []route {
	v := func(n ...int) (out version) {
		copy(out[:], n)
		return out
	}
	get, post, del := "GET", "POST", "DELETE"
	six, seven := v(6), v(7)
	return []route{
		{method: get, path: "/status", form: bare, apart: true, run: (*call).status},
		{method: get, path: "/health", form: bare, run: (*call).health},
		{method: get, path: "/wda/healthcheck", form: bare, run: (*call).healthCheck},
		{method: get, path: "/wda/shutdown", form: bare, run: (*call).shutdown},
		{method: post, path: "/session", form: bare, run: (*call).createSession},
		{method: get, path: "", run: (*call).getSession},
		{method: del, path: "", apart: true, run: (*call).deleteSession},
		{method: get, path: "/appium/settings", run: (*call).getSettings},
		{method: post, path: "/appium/settings", run: (*call).setSettings},
		{method: post, path: "/timeouts", run: nothing},
		{method: post, path: "/url", run: (*call).postURL},

		{method: get, path: "/screenshot", form: anyForm, apart: true, run: (*call).screenshot},
		{method: get, path: "/element/:uuid/screenshot", run: (*call).elementScreenshot},
		{method: get, path: "/screenshot/:uuid", run: (*call).elementScreenshot},
		{method: get, path: "/source", form: anyForm, run: (*call).source},
		{method: get, path: "/wda/accessibleSource", form: anyForm, run: (*call).accessibleSource},
		{method: get, path: "/window/size", form: anyForm, bareSince: v(4, 10), run: (*call).windowSize},
		{method: get, path: "/window/rect", since: v(9, 3), run: (*call).windowRect},
		{method: get, path: "/wda/screen", form: anyForm, bareSince: v(8, 4), run: (*call).screen},
		{method: get, path: "/wda/screens", form: anyForm, since: v(16, 12), apart: true, run: (*call).screens},
		{method: get, path: "/orientation", form: anyForm, bareSince: v(3, 12), run: (*call).getOrientation},
		{method: post, path: "/orientation", form: anyForm, bareSince: v(3, 12), run: (*call).setOrientation},
		{method: get, path: "/rotation", form: anyForm, bareSince: v(3, 12), run: (*call).getRotation},
		{method: post, path: "/rotation", form: anyForm, bareSince: v(3, 12), run: (*call).setRotation},
		{method: get, path: "/wda/deviceOrientation", form: anyForm, since: v(15, 1), run: (*call).getDeviceOrientation},

		{method: post, path: "/wda/tap", since: six, run: (*call).tap},
		{method: post, path: "/wda/element/:uuid/tap", since: six, run: (*call).tap},
		{method: post, path: "/wda/tap/:uuid", until: six, run: (*call).tap},
		{method: post, path: "/actions", run: (*call).actions},
		{method: post, path: "/wda/touch/perform", until: seven, run: (*call).touchPerform},
		{method: post, path: "/wda/touch/multi/perform", until: seven, run: (*call).touchMultiPerform},
		{method: post, path: "/wda/doubleTap", run: (*call).doubleTap},
		{method: post, path: "/wda/element/:uuid/doubleTap", run: (*call).doubleTap},
		{method: post, path: "/wda/touchAndHold", run: (*call).touchAndHold},
		{method: post, path: "/wda/element/:uuid/touchAndHold", run: (*call).touchAndHold},
		{method: post, path: "/wda/twoFingerTap", since: six, run: (*call).twoFingerTap},
		{method: post, path: "/wda/element/:uuid/twoFingerTap", run: (*call).twoFingerTap},
		{method: post, path: "/wda/tapWithNumberOfTaps", since: six, run: (*call).tapWithNumberOfTaps},
		{method: post, path: "/wda/element/:uuid/tapWithNumberOfTaps", since: v(2, 9), run: (*call).tapWithNumberOfTaps},
		{method: post, path: "/wda/forceTouch", since: v(4, 5), run: (*call).touchAndHold},
		{method: post, path: "/wda/element/:uuid/forceTouch", run: (*call).touchAndHold},
		{method: post, path: "/wda/dragfromtoforduration", run: (*call).drag},
		{method: post, path: "/wda/element/:uuid/dragfromtoforduration", run: (*call).drag},
		{method: post, path: "/wda/pressAndDragWithVelocity", since: v(4, 9), run: (*call).dragWithVelocity},
		{method: post, path: "/wda/element/:uuid/pressAndDragWithVelocity", since: v(4, 9), run: (*call).dragWithVelocity},
		{method: post, path: "/wda/swipe", since: six, run: (*call).swipe},
		{method: post, path: "/wda/element/:uuid/swipe", run: (*call).swipe},
		{method: post, path: "/wda/pinch", since: six, run: (*call).pinch},
		{method: post, path: "/wda/element/:uuid/pinch", run: (*call).pinch},
		{method: post, path: "/wda/rotate", since: six, run: (*call).rotateFingers},
		{method: post, path: "/wda/element/:uuid/rotate", since: v(1, 3), run: (*call).rotateFingers},
		{method: post, path: "/wda/scroll", since: six, run: (*call).scroll},
		{method: post, path: "/wda/element/:uuid/scroll", run: (*call).scroll},
		{method: post, path: "/wda/element/:uuid/scrollTo", since: v(4, 7), run: (*call).scrollToElement},

		{method: post, path: "/wda/keys", run: (*call).keys},
		{method: post, path: "/element/:uuid/value", run: (*call).elementValue},
		{method: post, path: "/element/:uuid/clear", run: (*call).elementClear},
		{method: post, path: "/element/:uuid/click", run: (*call).elementClick},
		{method: post, path: "/wda/element/:uuid/keyboardInput", since: v(5, 12), run: (*call).keyboardInput},
		{method: post, path: "/wda/keyboard/dismiss", run: (*call).keyboardDismiss},
		{method: post, path: "/wda/pressButton", run: (*call).pressButton},
		{method: post, path: "/wda/performIoHidEvent", since: v(3, 8), run: (*call).performIoHidEvent},
		{method: post, path: "/wda/homescreen", form: bare, run: (*call).homescreen},
		{method: post, path: "/wda/lock", form: anyForm, run: (*call).lock},
		{method: post, path: "/wda/unlock", form: anyForm, run: (*call).unlock},
		{method: get, path: "/wda/locked", form: anyForm, run: (*call).locked},

		{method: post, path: "/wda/apps/launch", run: (*call).launchApp},
		{method: post, path: "/wda/apps/activate", run: (*call).launchApp},
		{method: post, path: "/wda/apps/terminate", run: (*call).terminateApp},
		{method: post, path: "/wda/apps/state", run: (*call).appState},
		{method: get, path: "/wda/apps/list", since: v(1, 3), run: (*call).listApps},
		{method: post, path: "/wda/apps/launchUnattached", form: bare, run: (*call).launchUnattached},
		{method: get, path: "/wda/activeAppInfo", form: anyForm, run: (*call).activeAppInfo},
		{method: post, path: "/wda/deactivateApp", run: (*call).deactivateApp},

		{method: get, path: "/alert/text", form: anyForm, run: (*call).alertText},
		{method: post, path: "/alert/text", run: (*call).alertSetText},
		{method: post, path: "/alert/accept", form: anyForm, run: (*call).alertAccept},
		{method: post, path: "/alert/dismiss", form: anyForm, run: (*call).alertDismiss},
		{method: get, path: "/wda/alert/buttons", run: (*call).alertButtons},

		{method: post, path: "/wda/setPasteboard", form: anyForm, bareSince: v(4, 13, 2), run: (*call).setPasteboard},
		{method: post, path: "/wda/getPasteboard", form: anyForm, bareSince: v(4, 13, 2), run: (*call).getPasteboard},
		{method: post, path: "/wda/expectNotification", since: v(3, 4), run: (*call).expectNotification},
		{method: get, path: "/wda/batteryInfo", run: (*call).batteryInfo},
		{method: get, path: "/wda/device/info", form: anyForm, bareSince: v(2, 15), run: (*call).deviceInfo},
		{method: post, path: "/wda/device/appearance", form: bare, since: v(4, 2), run: (*call).setAppearance},
		{method: get, path: "/wda/device/location", form: anyForm, since: v(2, 33), run: (*call).deviceLocation},
		{method: get, path: "/wda/simulatedLocation", form: anyForm, since: v(4, 12), run: (*call).simulatedLocation},
		{method: post, path: "/wda/simulatedLocation", form: anyForm, since: v(4, 12), run: (*call).setLocation},
		{method: del, path: "/wda/simulatedLocation", form: anyForm, since: v(4, 12), run: (*call).clearLocation},

		{method: post, path: "/element", run: (*call).findElement},
		{method: post, path: "/elements", run: (*call).findElements},
		{method: get, path: "/element/active", run: (*call).activeElement},
		{method: post, path: "/element/:uuid/element", run: (*call).findElement},
		{method: post, path: "/element/:uuid/elements", run: (*call).findElements},
		{method: get, path: "/wda/element/:uuid/getVisibleCells", run: (*call).visibleCells},
		{method: get, path: "/element/:uuid/attribute/:name", run: (*call).elementAttribute},
		{method: get, path: "/element/:uuid/rect", run: onElement(func(e *element) any { return rectValue(e.Frame) })},
		{method: get, path: "/element/:uuid/text", run: onElement(func(e *element) any { return e.text() })},
		{method: get, path: "/element/:uuid/name", run: onElement(func(e *element) any { return e.class() })},
		{method: get, path: "/element/:uuid/enabled", run: onElement(func(e *element) any { return e.Enabled })},
		{method: get, path: "/element/:uuid/displayed", run: onElement(func(e *element) any { return e.Visible })},
		{method: get, path: "/element/:uuid/selected", since: v(2, 1), run: onElement(func(e *element) any { return e.Selected })},
		{method: get, path: "/wda/element/:uuid/accessible", run: onElement(func(e *element) any { return e.Accessible })},
		{method: get, path: "/wda/element/:uuid/accessibilityContainer", run: onElement(func(e *element) any {
			return !e.Accessible && len(e.Children) > 0
		})},
	}
}

func nothing(*call) (any, error) { return nil, nil }

// setAppearance turns the dark theme on or off.
func (c *call) setAppearance() (any, error) {
	switch name := text(c.body["name"]); name {
	case "dark", "light":
		c.d.phone.SetValue("dark_theme", map[bool]string{true: "true", false: "false"}[name == "dark"])
		return nil, nil
	default:
		return nil, fail(errArgument, "The appearance name '%s' is not supported. Only 'light' and 'dark' are", name)
	}
}
