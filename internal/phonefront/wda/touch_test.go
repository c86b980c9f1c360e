package wda

import (
	"fmt"
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
)

// at returns the place of the only event of a name.
func (c *client) at(name string) image.Point {
	c.t.Helper()
	es := c.s.Phone().Events(name)
	require.Len(c.t, es, 1, "%v", c.s.Phone().Log())
	return image.Pt(es[0].Data["x"].(int), es[0].Data["y"].(int))
}

// TestPointsAndPixels taps every way there is at a point of each profile, and looks for the pixel.
func TestPointsAndPixels(t *testing.T) {
	for _, p := range Profiles() {
		for rotation := range 2 {
			t.Run(fmt.Sprintf("%s turned %d", p.Name, rotation), func(t *testing.T) {
				c := serve(t, &Options{Profile: p.Name}, &sim.Options{Start: settingsApp, Rotation: rotation})
				c.newSession(`{"capabilities":{}}`)
				size := c.ok("GET", "+/window/size", "")
				w, h := size.field("width").(float64), size.field("height").(float64)
				require.Equal(t, rotation == 1, w > h)
				px := c.s.Phone().Size()
				for _, want := range []image.Point{{X: 0, Y: 0}, {X: px.X - 1, Y: px.Y - 1}, {X: px.X / 3, Y: px.Y / 7}} {
					x, y := float64(want.X)*w/float64(px.X), float64(want.Y)*h/float64(px.Y)
					for path, body := range map[string]string{
						"+/wda/tap": fmt.Sprintf(`{"x":%v,"y":%v}`, x, y),
						"+/actions": fmt.Sprintf(`{"actions":[{"type":"pointer","id":"f","parameters":{"pointerType":"touch"},"actions":[`+
							`{"type":"pointerMove","x":%v,"y":%v},{"type":"pointerDown"},{"type":"pause","duration":60},{"type":"pointerUp"}]}]}`, x, y),
					} {
						c.s.Phone().ClearLog()
						c.ok("POST", path, body)
						require.Equal(t, want, c.at("tap"), path)
					}
				}
			})
		}
	}
}

func TestTapOfOldReleases(t *testing.T) {
	c := open(t, &Options{Version: "5"}, settingsApp)
	c.ok("POST", "+/wda/tap/0", `{"x":100,"y":250}`)
	require.Equal(t, image.Pt(300, 750), c.at("tap"))
	cell := c.find("accessibility id", "row_bluetooth")
	c.s.Phone().ClearLog()
	c.ok("POST", "+/wda/tap/"+cell, `{"x":10,"y":20}`)
	rect := c.ok("GET", "+/element/"+cell+"/rect", "")
	require.Equal(t, image.Pt(30, 3*(int(rect.field("y").(float64))+20)), c.at("tap"))
}

func TestTapArguments(t *testing.T) {
	c := open(t, nil, settingsApp)
	a := c.refuse(errArgument, "POST", "+/wda/tap", `{"x":1}`)
	require.Equal(t, "Both x and y coordinates must be provided", a.message())
	c.ok("POST", "+/wda/tap", `{}`)
	require.Equal(t, image.Pt(589, 1278), c.at("tap"), "the middle of the app")
	c.refuse(errStale, "POST", "+/wda/element/0A000000-0000-0000-4D00-000000000000/tap", `{"x":1,"y":1}`)
}

// TestGestures looks at what the phone makes of each route.
func TestGestures(t *testing.T) {
	cases := map[string]struct {
		path, body string
		event      string
		ms         int // 0 for any
	}{
		"double tap":             {"+/wda/doubleTap", `{"x":200,"y":400}`, "tap tap", 0},
		"touch and hold":         {"+/wda/touchAndHold", `{"x":200,"y":400,"duration":1.5}`, "long_press", 1500},
		"force touch":            {"+/wda/forceTouch", `{"x":200,"y":400,"pressure":1,"duration":0.8}`, "long_press", 800},
		"short touch and hold":   {"+/wda/touchAndHold", `{"x":200,"y":400,"duration":0.1}`, "tap", 0},
		"three taps":             {"+/wda/tapWithNumberOfTaps", `{"numberOfTaps":3,"numberOfTouches":1}`, "tap tap tap", 0},
		"drag at once":           {"+/wda/dragfromtoforduration", `{"fromX":200,"fromY":600,"toX":200,"toY":300,"duration":0}`, "swipe", 500},
		"drag rests first":       {"+/wda/dragfromtoforduration", `{"fromX":200,"fromY":600,"toX":200,"toY":300,"duration":1}`, "drag", 1500},
		"drag at a speed":        {"+/wda/pressAndDragWithVelocity", `{"fromX":200,"fromY":600,"toX":200,"toY":400,"pressDuration":0,"velocity":1000,"holdDuration":0.1}`, "swipe", 300},
		"drag pressed at first":  {"+/wda/pressAndDragWithVelocity", `{"fromX":200,"fromY":600,"toX":200,"toY":400,"pressDuration":1,"velocity":400,"holdDuration":0}`, "drag", 1500},
		"swipe":                  {"+/wda/swipe", `{"direction":"up"}`, "swipe", 0},
		"swipe from a point":     {"+/wda/swipe", `{"direction":"left","x":300,"y":300,"velocity":500}`, "swipe", 0},
		"scroll":                 {"+/wda/scroll", `{"direction":"down","distance":0.5}`, "swipe", 0},
		"pinch out":              {"+/wda/pinch", `{"scale":1.5,"velocity":1}`, "pinch", 0},
		"pinch in":               {"+/wda/pinch", `{"scale":0.5,"velocity":-1}`, "pinch", 0},
		"two fingers tap":        {"+/wda/twoFingerTap", `{}`, "pinch", 0},
		"two fingers turn":       {"+/wda/rotate", `{"rotation":0.5,"velocity":1}`, "pinch", 0},
		"scroll to a visible":    {"+/wda/scroll", `{"name":"row_bluetooth"}`, "", 0},
		"scroll to by predicate": {"+/wda/scroll", `{"predicateString":"label == 'Bluetooth'"}`, "", 0},
	}
	for name, k := range cases {
		t.Run(name, func(t *testing.T) {
			c := open(t, nil, settingsApp)
			c.s.Phone().SetValue("settings.query", "zzz") // nothing that a finger could open
			if name == "scroll to a visible" || name == "scroll to by predicate" {
				c.s.Phone().SetValue("settings.query", "")
			}
			c.ok("POST", k.path, k.body)
			var got string
			for _, e := range c.s.Phone().Log() {
				got += " " + e.Name
				if k.ms > 0 {
					require.InDelta(t, k.ms, e.Data["ms"], 2)
				}
			}
			if k.event != "" {
				k.event = " " + k.event
			}
			require.Equal(t, k.event, got)
		})
	}
}

func TestGestureArguments(t *testing.T) {
	c := open(t, nil, settingsApp)
	cases := []struct {
		path, body string
		code       errorCode
		message    string
	}{
		{"+/wda/swipe", `{}`, errArgument, "Missing 'direction' parameter"},
		{"+/wda/swipe", `{"direction":"away"}`, errArgument, "Unsupported swipe direction 'away'. Only the following directions are supported: ("},
		{"+/wda/scroll", `{}`, errArgument, "Unsupported scroll type"},
		{"+/wda/scroll", `{"name":"nobody"}`, errNoElement, "Failed to find"},
		{"+/wda/pinch", `{"scale":0.5,"velocity":1}`, errUnknown, "velocity"},
		{"+/wda/rotate", `{"rotation":1,"velocity":-1}`, errUnknown, "sign"},
		{"+/wda/tapWithNumberOfTaps", `{}`, errArgument, "numberOfTaps"},
		{"+/wda/dragfromtoforduration", `{"fromX":null}`, errUnknown, "-[NSNull doubleValue]: unrecognized selector"},
	}
	for _, k := range cases {
		require.Contains(t, c.refuse(k.code, "POST", k.path, k.body).message(), k.message)
	}
	require.Empty(t, c.log())
}

func TestSystemSwipes(t *testing.T) {
	drag := `{"fromX":%d,"fromY":%d,"toX":%d,"toY":%d,"pressDuration":0,"velocity":1000,"holdDuration":0}`
	t.Run("from the left edge goes back", func(t *testing.T) {
		c := open(t, nil, settingsApp)
		c.ok("POST", "+/element/"+c.find("accessibility id", "row_display")+"/click", "")
		require.Contains(t, c.ok("GET", "+/source", "").value, "BackButton")
		c.ok("POST", "+/wda/pressAndDragWithVelocity", fmt.Sprintf(drag, 2, 400, 250, 400))
		require.NotContains(t, c.ok("GET", "+/source", "").value, "BackButton")
	})
	t.Run("from the bottom goes home", func(t *testing.T) {
		c := open(t, nil, settingsApp)
		c.ok("POST", "+/wda/pressAndDragWithVelocity", fmt.Sprintf(drag, 200, 848, 200, 300))
		require.Equal(t, springboard, c.s.Phone().FocusedApp().ID)
	})
}

func TestBottomEdge(t *testing.T) {
	up := func(hold string) string {
		return `{"fromX":180,"fromY":%d,"toX":180,"toY":300,"pressDuration":0,"velocity":1000,"holdDuration":` + hold + `}`
	}
	t.Run("with a rest it opens the app switcher", func(t *testing.T) {
		c := open(t, nil, settingsApp)
		c.ok("POST", "+/wda/pressAndDragWithVelocity", fmt.Sprintf(up("0.5"), 848))
		c.find("accessibility id", "Settings")
		require.Equal(t, "Recents", c.s.Phone().Events("key")[0].Data["key"])
	})
	t.Run("a phone with a button shows the control centre", func(t *testing.T) {
		c := open(t, &Options{Profile: "iphone-se"}, settingsApp)
		c.ok("POST", "+/wda/pressAndDragWithVelocity", fmt.Sprintf(up("0"), 660))
		require.Equal(t, settingsApp, c.s.Phone().FocusedApp().ID)
		require.Equal(t, springboard, c.ok("GET", "+/wda/activeAppInfo", "").field("bundleId"))
	})
	t.Run("on the lock screen it unlocks", func(t *testing.T) {
		c := serve(t, nil, &sim.Options{Start: settingsApp, Locked: true})
		c.newSession(`{"capabilities":{}}`)
		c.ok("POST", "+/wda/pressAndDragWithVelocity", fmt.Sprintf(up("0.5"), 848))
		require.Equal(t, false, c.ok("GET", "/wda/locked", "").value)
	})
}

func TestDoubleTapIsOne(t *testing.T) {
	c := open(t, nil, browser)
	c.ok("POST", "+/wda/doubleTap", `{"x":200,"y":700}`)
	require.Contains(t, c.log(), "page_zoomed")
}

func TestHoldBeforeADragPicksUp(t *testing.T) {
	c := open(t, nil, clock)
	c.ok("POST", "+/element/"+c.find("link text", "label=World")+"/click", "")
	first, third := c.find("class chain", "**/XCUIElementTypeCell[1]"), c.find("class chain", "**/XCUIElementTypeCell[3]")
	y := func(id string) int { return int(c.ok("GET", "+/element/"+id+"/rect", "").field("y").(float64)) + 20 }
	c.ok("POST", "+/wda/dragfromtoforduration", fmt.Sprintf(`{"fromX":100,"fromY":%d,"toX":100,"toY":%d,"duration":0.6}`, y(first), y(third)))
	require.Contains(t, c.log(), "moved")
}

func TestFaultyTouches(t *testing.T) {
	t.Run("points of the portrait in landscape", func(t *testing.T) {
		c := serve(t, nil, &sim.Options{Start: settingsApp, Rotation: 1})
		c.newSession(`{"capabilities":{}}`)
		c.fault(FaultTapTurned)
		c.ok("POST", "+/wda/tap", `{"x":100,"y":200}`)
		require.Equal(t, image.Pt(600, (393-100)*3), c.at("tap"))
	})
	t.Run("no finite frame", func(t *testing.T) {
		c := open(t, nil, settingsApp)
		id := c.find("accessibility id", "row_bluetooth")
		c.fault(FaultInfinite)
		a := c.refuse(errUnknown, "POST", "+/element/"+id+"/click", "")
		require.Equal(t, "Invalid parameter not satisfying: point.x != INFINITY && point.y != INFINITY", a.message())
	})
	t.Run("asleep", func(t *testing.T) {
		c := serve(t, nil, &sim.Options{Start: settingsApp, Asleep: true})
		c.newSession(`{"capabilities":{}}`)
		c.ok("POST", "+/wda/tap", `{"x":100,"y":240}`)
		require.Equal(t, "true", c.s.Phone().Value("bluetooth"))
	})
}

// TestElementForms sends each gesture to an element, which it is inside of.
func TestElementForms(t *testing.T) {
	cases := map[string]struct{ path, body, event string }{
		"tap":        {"tap", `{"x":5,"y":5}`, "tap"},
		"hold":       {"touchAndHold", `{"duration":1}`, "long_press"},
		"double tap": {"doubleTap", `{}`, "tap tap"},
		"drag":       {"dragfromtoforduration", `{"fromX":10,"fromY":20,"toX":150,"toY":20,"duration":0}`, "swipe"},
		"velocity":   {"pressAndDragWithVelocity", `{"fromX":10,"fromY":20,"toX":150,"toY":20,"velocity":500}`, "swipe"},
		"swipe":      {"swipe", `{"direction":"right"}`, "swipe"},
		"pinch":      {"pinch", `{"scale":1.2,"velocity":1}`, "pinch"},
	}
	for name, k := range cases {
		t.Run(name, func(t *testing.T) {
			c := open(t, nil, settingsApp)
			id := c.find("class name", "XCUIElementTypeNavigationBar")
			c.ok("POST", "+/wda/element/"+id+"/"+k.path, k.body)
			require.Equal(t, k.event, joined(c.log()))
			y := c.s.Phone().Log()[0].Data["y"].(int)
			require.True(t, y >= 28*3 && y < 88*3, "%d is outside of the element", y)
		})
	}
	c := open(t, nil, settingsApp)
	bar, cell := c.find("class name", "XCUIElementTypeNavigationBar"), c.find("accessibility id", "row_airplane")
	c.ok("POST", "+/wda/element/"+bar+"/pressAndDragWithVelocity", `{"fromX":10,"fromY":20,"toElement":"`+cell+`","velocity":500}`)
	require.Greater(t, c.s.Phone().Log()[0].Data["y2"], 280*3)
	c.ok("POST", "+/wda/element/"+cell+"/scrollTo", "")
	c.ok("POST", "+/wda/element/"+cell+"/scroll", `{"toVisible":true}`)
}

func TestHomescreenFromTheLockScreen(t *testing.T) {
	c := serve(t, nil, &sim.Options{Start: settingsApp, Locked: true, Asleep: true})
	c.ok("POST", "/wda/homescreen", "")
	require.Equal(t, springboard, c.s.Phone().FocusedApp().ID)
	require.False(t, c.s.Phone().Power().Locked)
}
