package android_test

import (
	"image"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// events names what was done to the phone.
func events(d *android.Device) string {
	var names []string
	for _, e := range d.Phone().Log() {
		names = append(names, e.Name)
	}
	return strings.Join(names, " ")
}

// openField opens the notes and puts the cursor into a field.
func openField(t *testing.T, d *android.Device) {
	t.Helper()
	_, err := d.Phone().StartApp("com.android.settings")
	require.NoError(t, err)
	for n := range d.Phone().Tree().Root.All() {
		if n.Is(driver.Editable) {
			d.Phone().Tap(n.Center())
			break
		}
	}
	_, focused := d.Phone().Focused()
	require.True(t, focused, "no field in Settings")
	d.Phone().ClearLog()
}

// fieldText is what the focused field holds.
func fieldText(t *testing.T, d *android.Device) string {
	t.Helper()
	f, ok := d.Phone().Focused()
	require.True(t, ok)
	return f.Text
}

func TestInputMotion(t *testing.T) {
	tests := []struct{ name, command, event string }{
		{"tap", "input tap 10 20.7", "tap"},
		{"source and display", "input touchscreen -d 0 tap 10 20", "tap"},
		{"swipe", "input swipe 500 900 500 700 200", "swipe"},
		{"long press", "input swipe 10 20 10 20 800", "long_press"},
		{"drag", "input draganddrop 500 900 500 700 200", "drag"},
		{"two taps in a line", "input tap 10 20; input tap 10 20", "tap"},
		{"motion events", "input motionevent DOWN 500 900; input motionevent MOVE 500 800; input motionevent UP 500 700", "swipe"},
		{"cmd input", "cmd input tap 1 2", "tap"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := newDevice(t, "a14")
			require.Empty(t, out(t, d, tt.command))
			require.NotEmpty(t, d.Phone().Events(tt.event), events(d))
		})
	}
	d := newDevice(t, "a14")
	out(t, d, "input tap 10 20.7")
	e := d.Phone().Events("tap")[0]
	require.Equal(t, image.Pt(10, 20), image.Pt(e.Data["x"].(int), e.Data["y"].(int)))
}

func TestInputRefusals(t *testing.T) {
	tests := []struct {
		name, profile, command, stdout, stderr string
		status                                 int
	}{
		{"no arguments, new", "a14", "input", "Usage: input", "", 0},
		{"no arguments, old", "a9", "input", "", "Usage: input", 0},
		{"unknown, old", "a9", "input keycombination 1 2", "", "Error: Unknown command: keycombination", 0},
		{"unknown, new", "a14", "input wink", "Unknown command: wink", "", 255},
		{"bad numbers, old", "a9", "input tap x y", "", "Error: Invalid arguments for command: tap", 0},
		{"missing number, new", "a14", "input tap 1", "", "\nException occurred while executing 'tap':\njava.lang.IllegalArgumentException:", 255},
		{"non-ASCII, new", "a14", "input text 'é'", "", "\nException occurred while executing 'text':\njava.lang.NullPointerException: Attempt to get length of null array", 255},
		{"non-ASCII, old", "a9", "input text '你'", "", "java.lang.NullPointerException: Attempt to get length of null array\n\tat com.android.commands.input.Input.sendText", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := newDevice(t, tt.profile)
			r := run(t, d, tt.command)
			require.True(t, strings.HasPrefix(r.stdout, tt.stdout), r.stdout)
			require.True(t, strings.HasPrefix(r.stderr, tt.stderr), r.stderr)
			require.Equal(t, tt.status, r.status)
			require.Empty(t, events(d))
		})
	}
}

func TestInjectEventsDenied(t *testing.T) {
	for profile, text := range map[string]string{
		"a9":  "java.lang.SecurityException: Injecting to another application requires INJECT_EVENTS permission",
		"a14": "java.lang.SecurityException: Injecting input events requires the caller (or the source of the instrumentation, if any) to have the INJECT_EVENTS permission.",
	} {
		d := newDevice(t, profile)
		set(t, d, android.FaultInjectEvents)
		for _, c := range []string{"input tap 1 2", "input text x", "input keyevent 4", "input swipe 1 2 3 4"} {
			require.Contains(t, run(t, d, c).stderr, text)
		}
		require.Empty(t, events(d))
	}
}

func TestInputText(t *testing.T) {
	tests := []struct{ name, arg, want string }{
		{"plain", `hello`, "hello"},
		{"percent s is a space", `a%sb`, "a b"},
		{"a bare space", `'a b'`, "a b"},
		{"percent percent is no escape", `100%%safe`, "100% afe"},
		{"percent safe", `100%safe`, "100 afe"},
		{"quoted syntax", `'$(id); "x" && it`, "$(id); \"x\" && it"},
		{"percent at the end", `100%`, "100%"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "quoted syntax" {
				tt.arg += "'"
			}
			d := newDevice(t, "a14")
			openField(t, d)
			out(t, d, "input text "+tt.arg)
			require.Equal(t, tt.want, fieldText(t, d))
		})
	}
	d := newDevice(t, "a14")
	openField(t, d)
	set(t, d, android.FaultTextLoss+"=3")
	out(t, d, "input text abcdef")
	require.Equal(t, "abde", fieldText(t, d))
	require.Empty(t, out(t, newDevice(t, "a14"), "input text nobody"), "no field takes it, and nobody says so")
}

func TestInputKeys(t *testing.T) {
	d := newDevice(t, "a14")
	openField(t, d)
	out(t, d, "input keyevent KEYCODE_A 30 KEYCODE_1; input keyevent DEL; input keyevent --longpress 31")
	require.Equal(t, "abc", fieldText(t, d))
	out(t, d, "input keyevent KEYCODE_HOME")
	require.Equal(t, "com.android.launcher3", d.Phone().Foreground().ID)
	out(t, d, "input keyevent SLEEP")
	require.False(t, d.Phone().Power().On)
	out(t, d, "input keyevent 223 224")
	require.True(t, d.Phone().Power().On)
	out(t, d, "input keyevent NONSENSE") // injects the key 0
	require.Equal(t, 255, run(t, d, "input keyevent").status)
}

func TestDoubleTapWithinItsTime(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	d, err := android.New(sim.New(nil), &android.Options{Now: func() time.Time { return now }})
	require.NoError(t, err)
	out(t, d, "input motionevent DOWN 500 900")
	now = now.Add(900 * time.Millisecond)
	out(t, d, "input motionevent UP 500 900")
	require.Len(t, d.Phone().Events("long_press"), 1, "the finger was down for as long as the clock went on")
}

func TestOverriddenSize(t *testing.T) {
	d := newDevice(t, "a14")
	require.Equal(t, "Physical size: 1080x2400\n", out(t, d, "wm size"))
	out(t, d, "wm size 540x1200; wm density 210")
	require.Equal(t, "Physical size: 1080x2400\nOverride size: 540x1200\n", out(t, d, "wm size"))
	require.Equal(t, "Physical density: 420\nOverride density: 210\n", out(t, d, "wm density"))
	require.Contains(t, out(t, d, "dumpsys window displays"), "init=1080x2400 420dpi base=540x1200 210dpi cur=540x1200 ")
	out(t, d, "input tap 270 600")
	require.Equal(t, 540, d.Phone().Events("tap")[0].Data["x"])
	require.Equal(t, image.Pt(540, 1200), d.Capture().Rect.Size())
	out(t, d, "uiautomator dump /sdcard/x.xml")
	require.Contains(t, out(t, d, "cat /sdcard/x.xml"), `bounds="[0,0][540,1200]"`)
	out(t, d, "wm size reset; wm density reset")
	require.Equal(t, "Physical size: 1080x2400\nPhysical density: 420\n", out(t, d, "wm size; wm density"))
}

func TestRotation(t *testing.T) {
	for profile, orientation := range map[string]string{"a9": "SurfaceOrientation: 1", "a14": "InputDeviceOrientation: Rotation90"} {
		d := newDevice(t, profile)
		out(t, d, "settings put system user_rotation 1")
		require.Equal(t, 1, d.Phone().Rotation())
		require.Equal(t, "Physical size: 1080x2400\n", out(t, d, "wm size"), "never turned")
		require.Contains(t, out(t, d, "dumpsys window displays"), "cur=2400x1080")
		require.Contains(t, out(t, d, "dumpsys input"), orientation)
		require.Contains(t, out(t, d, "dumpsys display"), "mCurrentOrientation=1")
		require.Contains(t, out(t, d, "uiautomator dump; cat /sdcard/window_dump.xml"), `<hierarchy rotation="1">`)
		set(t, d, android.FaultNoOrientation)
		require.NotContains(t, out(t, d, "dumpsys input"), "rientation")
	}
	d := newDevice(t, "a14")
	out(t, d, "wm user-rotation lock 3")
	require.Equal(t, 3, d.Phone().Rotation())
	out(t, d, "wm user-rotation free; settings put system user_rotation 0")
	require.Equal(t, 3, d.Phone().Rotation(), "a wish only, while the sensor decides")
}

func TestPowerAndLock(t *testing.T) {
	d := newDevice(t, "a14")
	state := func() string {
		return out(t, d, "dumpsys power | grep mWakefulness=; dumpsys window policy | grep -E 'screenState|mIsShowing|mInputRestricted'")
	}
	require.Equal(t, "  mWakefulness=Awake\n      screenState=SCREEN_STATE_ON\n        mIsShowing=false\n        mInputRestricted=false\n", state())
	out(t, d, "input keyevent 26")
	require.Equal(t, "  mWakefulness=Asleep\n      screenState=SCREEN_STATE_OFF\n        mIsShowing=true\n        mInputRestricted=true\n", state())
	out(t, d, "input keyevent 224")
	require.Contains(t, out(t, d, "dumpsys window displays"), "mCurrentFocus=Window{")
	require.Contains(t, out(t, d, "dumpsys window displays"), " NotificationShade}")
	out(t, d, "wm dismiss-keyguard")
	require.False(t, d.Phone().Power().Locked)
}

func TestKeycodesOfEveryPortableKey(t *testing.T) {
	d := newDevice(t, "a14")
	for code := range 300 {
		run(t, d, "input keyevent "+strconv.Itoa(code))
	}
	pressed := map[string]bool{}
	for _, e := range d.Phone().Events("key") {
		pressed[e.String("key")] = true
	}
	for _, k := range driver.Keys() {
		require.True(t, pressed[string(k)] || k == driver.KeyPower, "%s has no keycode", k)
	}
}
