package wda

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRoutesByVersion says which routes each age has: those that are not there are unknown commands.
func TestRoutesByVersion(t *testing.T) {
	body := map[string]string{
		"/wda/tap": `{"x":5,"y":300}`, "/wda/tap/0": `{"x":5,"y":300}`, "/wda/swipe": `{"direction":"up"}`, "/wda/pinch": `{"scale":2,"velocity":1}`,
		"/wda/touch/perform":            `{"actions":[{"action":"tap","options":{"x":5,"y":300}}]}`,
		"/wda/touch/multi/perform":      `{"actions":[[{"action":"tap","options":{"x":5,"y":300}}]]}`,
		"/wda/pressAndDragWithVelocity": `{"fromX":9,"fromY":300,"toX":9,"toY":200,"velocity":100}`,
		"/actions":                      `{"actions":[{"type":"pointer","id":"a","actions":[]}]}`,
	}
	has := func(c *client, method, path string) bool {
		b := "{}"
		for k, v := range body {
			if path == "+"+k {
				b = v
			}
		}
		return c.do(method, path, b).code() != "unknown command"
	}
	post, get := "POST", "GET"
	cases := []struct {
		method, path string
		versions     string // of "5", "6", "7", "16"
	}{
		{post, "+/wda/tap", "6 7 16"},
		{post, "+/wda/tap/0", "5"},
		{post, "+/wda/element/0/tap", "6 7 16"},
		{post, "+/wda/touch/perform", "5 6"},
		{post, "+/wda/touch/multi/perform", "5 6"},
		{post, "+/actions", "5 6 7 16"},
		{"DELETE", "+/actions", ""},
		{post, "+/wda/swipe", "6 7 16"},
		{post, "+/wda/pinch", "6 7 16"},
		{post, "+/wda/pressAndDragWithVelocity", "5 6 7 16"},
		{get, "+/window/rect", "16"},
		{get, "+/window/size", "5 6 7 16"},
		{get, "/window/size", "5 6 7 16"},
		{get, "+/wda/screen", "5 6 7 16"},
		{get, "/wda/screen", "16"},
		{get, "/wda/screens", "16"},
		{get, "/wda/deviceOrientation", "16"},
		{post, "/wda/homescreen", "5 6 7 16"},
		{post, "+/wda/homescreen", ""},
		{post, "/wda/keys", ""},
		{post, "/wda/pressButton", ""},
		{post, "/actions", ""},
		{post, "/wda/tap", ""},
		{post, "/wda/apps/launch", ""},
		{post, "/wda/keyboard/dismiss", ""},
		{get, "/appium/settings", ""},
		{post, "/wda/apps/launchUnattached", "5 6 7 16"},
		{post, "+/wda/apps/launchUnattached", ""},
		{get, "/wda/locked", "5 6 7 16"},
		{get, "+/wda/locked", "5 6 7 16"},
		{get, "/alert/text", "5 6 7 16"},
		{get, "+/wda/alert/buttons", "5 6 7 16"},
		{get, "/wda/alert/buttons", ""},
		{post, "/wda/getPasteboard", "5 6 7 16"},
		{get, "+/wda/keyboard/shown", ""},
		{get, "+/wda/apps/installed", ""},
		{post, "+/back", ""},
		{get, "+/timeouts", ""},
		{post, "+/timeouts", "5 6 7 16"},
		{get, "/", ""},
		{get, "+/wda/batteryInfo", "5 6 7 16"},
		{get, "/wda/device/info", "5 6 7 16"},
	}
	for _, version := range []string{"5", "6", "7", "16"} {
		c := open(t, &Options{Version: version}, "")
		for _, k := range cases {
			want := slices.Contains(strings.Fields(k.versions), version)
			require.Equal(t, want, has(c, k.method, k.path), "WebDriverAgent %s: %s %s", version, k.method, k.path)
		}
	}
}

func TestUnknownRoutes(t *testing.T) {
	c := serve(t, nil, nil)
	a := c.refuse(errCommand, "GET", "/a/b?c=1", "")
	require.Equal(t, "Unhandled endpoint: /a/b with parameters {\n    c = 1;\n    wildcards = \"a/b\";\n}", a.message())
	require.Equal(t, 404, c.do("PATCH", "/status", "").status)
	require.Equal(t, "unknown command", c.do("PATCH", "/status", "").code())
	require.Equal(t, 200, c.do("OPTIONS", "/anything", "").status)
	head := c.do("HEAD", "/status", "")
	require.Equal(t, 404, head.status)
	require.Empty(t, head.raw)
}

func TestPathMatching(t *testing.T) {
	c := open(t, nil, "")
	c.ok("GET", "/STATUS", "")
	c.ok("GET", "+/Window/%73ize", "")
	c.refuse(errCommand, "GET", "/source/", "")
	old := open(t, &Options{Version: "16.6.0"}, "")
	old.ok("GET", "/source/", "") // the older server strips the slash
}

func TestVersions(t *testing.T) {
	for in, want := range map[string]string{"": "16.12.7", "16": "16.12.7", "16.7": "16.7.0", "5": "5.15.8", "1.0.0": "1.0.0", "12": "12.0.0"} {
		v, err := parseVersion(in)
		require.NoError(t, err)
		require.Equal(t, want, v.String())
	}
	for _, in := range []string{"x", "0.9", "17", "1.2.3.4", "-1", "16."} {
		_, err := parseVersion(in)
		require.ErrorContains(t, err, "want", in)
	}
}
