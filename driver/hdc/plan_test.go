package hdc

import (
	"image"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

func TestKeyCodes(t *testing.T) {
	for name, want := range map[driver.Key][]int{
		"Back": {2}, "home": {1}, "Recents": {10011}, "RecentApps": {10011}, "volume_up": {16}, "Paste": {2072, 2038}, "KEYCODE_F5": {2094},
		"F5": {2094}, "F13": {2816}, "A": {2017}, "z": {2042}, "KEYCODE_7": {2007}, "NUMPAD_9": {2112}, "2600": {2600}, "10011": {10011}, "0": {0},
		"KEYCODE_VIRTUAL_MULTITASK": {10011}, "backspace": {2055},
	} {
		got, err := keyCode(name)
		require.NoError(t, err, name)
		require.Equal(t, want, got, name)
	}
	for _, bad := range []driver.Key{"", "NoSuchKey", "F0", "F25", "F05", "+5", "5001", "-1", "99999999999999999999", "; reboot", "Back\nHome", "AA", "NUMPAD_10"} {
		_, err := keyCode(bad)
		require.Error(t, err, bad)
	}
	for _, k := range driver.Keys() {
		require.NotEmpty(t, keyCodes[k], "every portable key has a code: %s", k)
		require.LessOrEqual(t, len(keyCodes[k]), 3, "uitest takes three keys")
	}
	require.Equal(t, "uitest uiInput keyEvent Back", pressing(codeBack).line)
	require.Equal(t, "uitest uiInput keyEvent 10011", pressing(codeRecents).line, "no other name than Back, Home and Power does anything")
}

func TestSpeed(t *testing.T) {
	from := image.Pt(500, 2000)
	require.Equal(t, 1500, speed(from, image.Pt(500, 500), time.Second), "pixels a second, and no duration")
	require.Equal(t, 5000, speed(from, image.Pt(500, 500), 300*time.Millisecond))
	require.Equal(t, 200, speed(from, image.Pt(500, 1990), time.Second))
	require.Equal(t, 40_000, speed(from, image.Pt(500, 500), time.Millisecond))
}

func TestTextPlans(t *testing.T) {
	newer, middle, older := &Driver{info: info{api: 20}}, &Driver{info: info{api: 18}}, &Driver{info: info{api: 12}}
	for _, d := range []*Driver{newer, middle, older} {
		d.screen.sawRender(image.Pt(1000, 2000), 0)
	}
	bare := &Driver{info: info{api: 11}}
	bare.screen.sawRender(image.Pt(1000, 2000), 0)
	field := &driver.Node{Role: driver.RoleEdit, Bounds: image.Rect(100, 100, 300, 200)}
	long := strings.Repeat("x", 400)
	tests := map[string]struct {
		d    *Driver
		text string
		how  []string
		lost bool // the clipboard
	}{
		"letters":                 {middle, "abc", []string{byText}, false},
		"symbols by keys":         {newer, "a b; c!", []string{byText}, false},
		"symbols of 5.1":          {middle, "a b; c!", []string{byUinput}, false},
		"symbols of 5.0":          {older, "a b; c!", []string{byUinput}, false},
		"Chinese":                 {newer, "打开", []string{byText}, true},
		"Chinese of 5.0":          {older, "打开", []string{byPoint}, true},
		"lines":                   {newer, "a\n\nb", []string{byText, byKey, byKey, byText}, false},
		"lines of 5.0":            {older, "a\nb", []string{byUinput, byKey, byUinput}, false},
		"Chinese lines of 5.0":    {older, "打\n开", []string{byPoint}, true},
		"long letters stay keys":  {newer, long, []string{byText, byText, byText}, false},
		"letters without any way": {bare, "abc", []string{byPoint}, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			steps, err := tt.d.plan(field, tt.text)
			require.NoError(t, err)
			var how []string
			for _, s := range steps {
				how = append(how, s.how)
			}
			require.Equal(t, tt.how, how)
			require.Equal(t, tt.lost, hasPaste(steps))
		})
	}
	steps, err := older.plan(field, "打")
	require.NoError(t, err)
	require.Equal(t, "uitest uiInput inputText 200 150 '打'", steps[0].line)
	_, err = older.plan(nil, "打")
	require.ErrorIs(t, err, driver.ErrNoTextInput)
	_, err = older.plan(field, strings.Repeat("打", 5000))
	require.ErrorIs(t, err, driver.ErrNoTextInput)
}

func TestChunks(t *testing.T) {
	require.Equal(t, []string{"打", "开a", "b"}, chunks("打开ab", 4))
	require.Empty(t, chunks("", 4))
	require.Equal(t, []string{"ab"}, chunks("ab", 2))
}

func TestGesturePlans(t *testing.T) {
	at := func(x, y int, ms time.Duration) driver.Waypoint {
		return driver.Waypoint{At: image.Pt(x, y), After: ms * time.Millisecond}
	}
	line := func(t *testing.T, strokes ...driver.Stroke) string {
		plan, _, err := planOf(strokes)
		require.NoError(t, err)
		var p []image.Point
		for _, s := range strokes {
			p = append(p, s[0].At, s[len(s)-1].At)
		}
		return plan(&Driver{}, p).line
	}
	require.Equal(t, "uinput -T -m 1 2 3 4 250", line(t, driver.Stroke{at(1, 2, 0), at(3, 4, 250)}))
	require.Equal(t, "uinput -T -d 1 2 -i 700 -u 1 2", line(t, driver.Stroke{at(1, 2, 0), at(1, 2, 700)}))
	require.Equal(t, "uinput -T -d 1 2 -i 100 -u 1 2", line(t, driver.Stroke{at(1, 2, 0)}))
	require.Equal(t, "uinput -T -g 1 2 3 4 600 1200", line(t, driver.Stroke{at(1, 2, 0), at(1, 2, 600), at(3, 4, 1200)}))
	require.Equal(t, "uinput -T -m 1 2 3 4 5 6 7 8 9 10 11 12 400",
		line(t, driver.Stroke{at(1, 2, 0), at(3, 4, 400)}, driver.Stroke{at(5, 6, 0), at(7, 8, 400)}, driver.Stroke{at(9, 10, 0), at(11, 12, 400)}))
	for name, strokes := range map[string][]driver.Stroke{
		"none":          {},
		"empty":         {{}},
		"four fingers":  {{at(1, 2, 0)}, {at(1, 2, 0)}, {at(1, 2, 0)}, {at(1, 2, 0)}},
		"late finger":   {{at(1, 2, 0), at(3, 4, 400)}, {at(5, 6, 100), at(7, 8, 400)}},
		"early finger":  {{at(1, 2, 0), at(3, 4, 400)}, {at(5, 6, 0), at(7, 8, 300)}},
		"a corner":      {{at(1, 2, 0), at(3, 4, 100), at(9, 9, 400)}},
		"a short rest":  {{at(1, 2, 0), at(1, 2, 100), at(9, 9, 400)}},
		"corner of two": {{at(1, 2, 0), at(3, 4, 100), at(9, 9, 400)}, {at(1, 2, 0), at(9, 9, 400)}},
	} {
		_, _, err := planOf(strokes)
		require.ErrorContains(t, err, "cannot make that gesture", name)
	}
}

func TestPinchLines(t *testing.T) {
	size, at := image.Pt(1000, 2000), image.Pt(500, 1000)
	apart := pinchLines(size, at, 2)
	require.Equal(t, 2*apart[1][0].Sub(at).X/10, apart[1][1].Sub(at).X/10)
	together := pinchLines(size, at, 0.5)
	require.Equal(t, apart[0][0], together[0][1])
	for _, l := range append(apart, together...) {
		for _, p := range l {
			require.True(t, p.In(image.Rectangle{Max: size}))
		}
	}
}

func TestGuardLine(t *testing.T) {
	require.Equal(t, "tap", guard{}.line("tap", "mark:"), "nothing to look at")
	keys := guard{awake: true}.line("tap", "mark:")
	require.NotContains(t, keys, "WindowManagerService", "keys go to a lock screen")
	require.Contains(t, guard{awake: true, unlocked: true, frame: image.Pt(480, 2848)}.line("tap", "mark:"), "' 480  2848 ]'")
}

func TestGeometry(t *testing.T) {
	var g geometry
	require.Equal(t, image.Pt(2520, 1152), g.sawRender(image.Pt(1152, 2520), 1))
	require.True(t, g.sawFrame(image.Pt(1152, 2520)), "turned back")
	require.False(t, g.sawFrame(image.Pt(1280, 2800)), "pixels of the panel: measured again")
	frame, input := g.last()
	require.Equal(t, image.Pt(1280, 2800), frame)
	require.Equal(t, image.Pt(1152, 2520), input)
	require.Equal(t, image.Pt(2800, 1280), g.sawRoot(image.Pt(2520, 1152)))
	require.Equal(t, image.Pt(700, 900), g.sawRoot(image.Pt(700, 900)), "unfolded: nothing of before holds")
	require.Equal(t, 1151, scale(1279, 1280, 1152))
	require.Zero(t, scale(0, 1280, 1152))
}
