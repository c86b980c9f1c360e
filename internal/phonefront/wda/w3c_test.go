package wda

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// finger is the body of actions with one finger.
func finger(items string) string {
	return `{"actions":[{"type":"pointer","id":"finger1","parameters":{"pointerType":"touch"},"actions":[` + items + `]}]}`
}

const (
	moveTo  = `{"type":"pointerMove","x":200,"y":400}`
	down    = `{"type":"pointerDown"}`
	up      = `{"type":"pointerUp"}`
	pause   = `{"type":"pause","duration":80}`
	longer  = `{"type":"pause","duration":900}`
	moveUp  = `{"type":"pointerMove","x":200,"y":200,"duration":400}`
	jumpUp  = `{"type":"pointerMove","x":200,"y":200}`
	cancel  = `{"type":"pointerCancel"}`
	further = `{"type":"pointerMove","x":0,"y":-200,"duration":400,"origin":"pointer"}`
)

func TestActions(t *testing.T) {
	cases := map[string]struct {
		body  string
		event string
		ms    int
	}{
		"tap":                    {finger(moveTo + "," + down + "," + pause + "," + up), "tap", 0},
		"tap without a pause":    {finger(moveTo + "," + down + "," + up), "tap", 0},
		"tap without an up":      {finger(moveTo + "," + down + "," + pause), "tap", 0},
		"hold":                   {finger(moveTo + "," + down + "," + longer + "," + up), "long_press", 900},
		"swipe":                  {finger(moveTo + "," + down + "," + moveUp + "," + up), "swipe", 400},
		"swipe with no duration": {finger(moveTo + "," + down + "," + jumpUp + "," + up), "swipe", 0},
		"drag":                   {finger(moveTo + "," + down + "," + longer + "," + moveUp + "," + up), "drag", 1300},
		"relative move":          {finger(moveTo + "," + down + "," + further + "," + up), "swipe", 400},
		"two taps":               {finger(moveTo + "," + down + "," + up + "," + pause + "," + down + "," + up), "tap tap", 0},
		"taps with no gap":       {finger(moveTo + "," + down + "," + pause + "," + up + "," + down + "," + pause + "," + up), "tap tap", 0},
		"canceled move":          {finger(moveTo + "," + moveUp + "," + cancel + "," + down + "," + up), "tap", 0},
		"leading pause":          {finger(pause + "," + moveTo + "," + down + "," + up), "tap", 0},
		"only moves":             {finger(moveTo + "," + moveUp), "", 0},
		"empty chain":            {finger(""), "", 0},
		"two fingers": {`{"actions":[
			{"type":"pointer","id":"a","parameters":{"pointerType":"touch"},"actions":[{"type":"pointerMove","x":180,"y":400},` + down + `,
				{"type":"pointerMove","x":100,"y":400,"duration":300},` + up + `]},
			{"type":"pointer","id":"b","parameters":{"pointerType":"touch"},"actions":[{"type":"pointerMove","x":220,"y":400},` + down + `,
				{"type":"pointerMove","x":300,"y":400,"duration":300},` + up + `]}]}`, "pinch", 0},
	}
	for name, k := range cases {
		t.Run(name, func(t *testing.T) {
			c := open(t, nil, settingsApp)
			c.s.Phone().SetValue("settings.query", "zzz")
			c.ok("POST", "+/actions", k.body)
			var got []string
			for _, e := range c.s.Phone().Log() {
				got = append(got, e.Name)
				if k.ms > 0 {
					require.EqualValues(t, k.ms, e.Data["ms"])
				}
			}
			require.Equal(t, k.event, joined(got))
		})
	}
}

func joined(s []string) string {
	out := ""
	for i, w := range s {
		if i > 0 {
			out += " "
		}
		out += w
	}
	return out
}

func TestActionsOnAnElement(t *testing.T) {
	c := open(t, nil, settingsApp)
	id := c.find("accessibility id", "row_bluetooth")
	for i, origin := range []string{`{"element-6066-11e4-a52e-4f735466cecf":"` + id + `"}`, `{"ELEMENT":"` + id + `"}`, `"` + id + `"`} {
		c.ok("POST", "+/actions", finger(`{"type":"pointerMove","origin":`+origin+`,"x":0,"y":0},`+down+`,`+pause+`,`+up))
		require.Equal(t, fmt.Sprint(i%2 == 1), c.s.Phone().Value("bluetooth"), "it is turned each time")
	}
}

// TestBadActions: what is wrong with actions is an unknown error, and nothing is done.
func TestBadActions(t *testing.T) {
	mouse := `{"actions":[{"type":"pointer","id":"a","actions":[` + moveTo + `]}]}`
	cases := map[string]struct{ body, message string }{
		"no list":           {`{}`, "Actions list cannot be empty"},
		"empty list":        {`{"actions":[]}`, "Actions list cannot be empty"},
		"mouse":             {mouse, "Only pointer type 'touch' is supported. 'mouse' is given instead for action with id 'a'"},
		"no id":             {`{"actions":[{"type":"pointer","actions":[` + moveTo + `]}]}`, "id"},
		"same id twice":     {`{"actions":[{"type":"key","id":"a","actions":[]},{"type":"key","id":"a","actions":[]}]}`, "unique"},
		"no items":          {`{"actions":[{"type":"key","id":"a"}]}`, "at least one item"},
		"type none":         {`{"actions":[{"type":"none","id":"a","actions":[` + pause + `]}]}`, "'none' is given instead for action with id 'a'"},
		"down first":        {finger(down + "," + up), "The 'pointerDown' action item must be preceded by pointerMove item"},
		"up without down":   {finger(moveTo + "," + up), "pointerUp"},
		"down twice":        {finger(moveTo + "," + down + "," + down), "pointerDown"},
		"negative duration": {finger(moveTo + `,{"type":"pause","duration":-1}`), "non-negative"},
		"move to nowhere":   {finger(`{"type":"pointerMove"}`), "coordinates"},
		"unknown item":      {finger(moveTo + `,{"type":"wave"}`), "wave"},
		"relative to none":  {finger(`{"type":"pointerMove","x":1,"y":1,"origin":"pointer"}`), "pointer"},
		"key left down":     {`{"actions":[{"type":"key","id":"k","actions":[{"type":"keyDown","value":"a"}]}]}`, "keyDown"},
		"key up alone":      {`{"actions":[{"type":"key","id":"k","actions":[{"type":"keyUp","value":"a"}]}]}`, "keyUp"},
		"key without value": {`{"actions":[{"type":"key","id":"k","actions":[{"type":"keyDown"}]}]}`, "value"},
	}
	for name, k := range cases {
		t.Run(name, func(t *testing.T) {
			c := open(t, nil, settingsApp)
			require.True(t, json.Valid([]byte(k.body)))
			require.Contains(t, c.refuse(errUnknown, "POST", "+/actions", k.body).message(), k.message)
			require.Empty(t, c.log())
		})
	}
	t.Run("leading pause before 16.12.2", func(t *testing.T) {
		c := open(t, &Options{Version: "16.12.1"}, settingsApp)
		c.refuse(errUnknown, "POST", "+/actions", finger(pause+","+moveTo+","+down+","+up))
	})
	t.Run("an element that is gone", func(t *testing.T) {
		c := open(t, nil, settingsApp)
		c.refuse(errStale, "POST", "+/actions", finger(`{"type":"pointerMove","x":0,"y":0,"origin":{"ELEMENT":"x"}}`))
	})
	t.Run("an element that is not visible", func(t *testing.T) {
		c := open(t, nil, settingsApp)
		require.NoError(t, c.s.SetFault(FaultTreeBig+"=3", true))
		id := c.find("accessibility id", "Row 2 & <more>")
		c.refuse(errNotVisible, "POST", "+/actions", finger(`{"type":"pointerMove","x":0,"y":0,"origin":{"ELEMENT":"`+id+`"}}`))
	})
}

func TestKeyActions(t *testing.T) {
	c := open(t, nil, settingsApp)
	c.ok("POST", "+/element/"+c.find("class name", "XCUIElementTypeSearchField")+"/click", "")
	c.ok("POST", "+/actions", `{"actions":[{"type":"key","id":"k","actions":[{"type":"keyDown","value":"a"},{"type":"keyUp","value":"a"},
		{"type":"pause","duration":10},{"type":"keyDown","value":"b"},{"type":"keyUp","value":"b"},{"type":"keyDown","value":"\ue003"},
		{"type":"keyUp","value":"\ue003"}]}]}`)
	require.Equal(t, "a", c.s.Phone().Value("settings.query"))
}

func TestTouchPerform(t *testing.T) {
	chain := `[{"action":"press","options":{"x":200,"y":600}},{"action":"wait","options":{"ms":100}},{"action":"moveTo","options":{"x":200,"y":300}},{"action":"release"}]`
	for path, body := range map[string]string{
		"+/wda/touch/perform":       `{"actions":` + chain + `}`,
		"+/wda/touch/multi/perform": `{"actions":[` + chain + `]}`,
	} {
		c := open(t, &Options{Version: "6"}, settingsApp)
		c.ok("POST", path, body)
		require.Equal(t, []string{"swipe"}, c.log(), path)
		c.refuse(errUnknown, "POST", path, `{"actions":[]}`)
	}
	c := open(t, &Options{Version: "6"}, settingsApp)
	c.ok("POST", "+/wda/touch/multi/perform", `{"actions":[{"action":"tap","options":{"x":200,"y":500}}]}`)
	c.ok("POST", "+/wda/touch/perform", `{"actions":[{"action":"longPress","options":{"x":200,"y":20}}]}`)
	require.Equal(t, []string{"tap", "long_press"}, c.log())
}

func TestRealtime(t *testing.T) {
	c := open(t, &Options{Realtime: true}, settingsApp)
	done := c.later("POST", "+/wda/touchAndHold", `{"x":200,"y":20,"duration":3600}`)
	select {
	case <-done:
		t.Fatal("an hour has passed")
	case <-time.After(30 * time.Millisecond):
	}
	c.s.Evict()
	require.Equal(t, "invalid session id", (<-done).code())
}
