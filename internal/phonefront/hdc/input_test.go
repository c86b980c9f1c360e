package hdc_test

import (
	"fmt"
	"image"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/hdc"
)

// events lists the names of what was done to the phone since the log was cleared.
func events(d *hdc.Device) []string {
	var names []string
	for _, e := range d.Phone().Log() {
		names = append(names, e.Name)
	}
	return names
}

func TestUIInput(t *testing.T) {
	for name, c := range map[string]struct {
		args  string
		event string
		data  map[string]any
	}{
		"click":           {"click 500 900", "tap", map[string]any{"x": 500, "y": 900}},
		"click like atoi": {"click 500abc 900.7", "tap", map[string]any{"x": 500, "y": 900}},
		"long click":      {"longClick 500 900", "long_press", nil},
		"swipe":           {"swipe 540 1800 540 600 4000", "swipe", map[string]any{"ms": 300}},
		"slow swipe":      {"swipe 540 1800 540 600", "swipe", map[string]any{"ms": 2000}},
		"fling":           {"fling 540 1800 540 600 6000 50", "swipe", map[string]any{"ms": 200}},
		"drag":            {"drag 540 1800 540 600", "drag", nil},
		"back":            {"keyEvent Back", "key", map[string]any{"key": "Back"}},
		"recents":         {"keyEvent 10011", "key", map[string]any{"key": "Recents"}},
		"volume":          {"keyEvent 16", "key", map[string]any{"key": "VolumeUp"}},
		"enter":           {"keyEvent 2054", "key", map[string]any{"key": "Enter"}},
	} {
		t.Run(name, func(t *testing.T) {
			s, d := onePhone(t, "")
			start(t, d, "com.handset.wallet")
			d.Phone().ClearLog()
			require.Equal(t, "No Error\nRC=0\n", out(t, s, "shell", "uitest uiInput "+c.args+"; echo RC=$?"))
			got := d.Phone().Events(c.event)
			require.Len(t, got, 1, d.Phone().Log())
			for k, want := range c.data {
				require.Equal(t, fmt.Sprint(want), fmt.Sprint(got[0].Data[k]), "%s of %v", k, got[0].Data)
			}
		})
	}
}

func TestUIInputDoubleClick(t *testing.T) {
	s, d := onePhone(t, "")
	start(t, d, "com.handset.wallet")
	require.Equal(t, "No Error\n", out(t, s, "shell", "uitest uiInput doubleClick 500 900"))
	taps := d.Phone().Events("tap")
	require.Len(t, taps, 2)
	require.Less(t, taps[1].At-taps[0].At, 300*time.Millisecond)
}

func TestUIInputRefusals(t *testing.T) {
	s, d := onePhone(t, "")
	d.Phone().ClearLog()
	for args, want := range map[string]string{
		"":                            "Missing parameter. ",
		"click":                       "Missing parameter. ",
		"click 5":                     "Missing parameter. ",
		"click 0 5":                   "Please confirm that the coordinate values are correct. ",
		"click 5 -1":                  "Please confirm that the coordinate values are correct. ",
		"click abc 5":                 "Please confirm that the coordinate values are correct. ",
		"swipe 5 5 0 9":               "Please confirm that the coordinate values are correct. ",
		"click 1 2 3":                 " Too many parameters. ",
		"swipe 1 2 3 4 600 7":         " Too many parameters. ",
		"fling 10 10 10 500 600 4000": "The stepLen is out of range",
		"dircFling 7":                 "Invalid parameters. ",
		"keyEvent":                    "Missing parameter. ",
		"keyEvent Home Back":          "Invalid parameters. ",
		"inputText 5 5":               "The number of parameters is incorrect. ",
		"inputText 0 5 hi":            "Please confirm that the coordinate values are correct. ",
		"text":                        "The number of parameters is incorrect. ",
		"frob":                        "Illegal argument: frob",
	} {
		got := out(t, s, "shell", "uitest uiInput "+args+"; echo RC=$?")
		require.Contains(t, got, want+"\nUSAGE:\n", args)
		require.Contains(t, got, "RC=1\n", args)
	}
	require.Empty(t, events(d))
	old, _ := onePhone(t, "5.0")
	require.Contains(t, out(t, old, "shell", "uitest uiInput text hi"), "Illegal argument: text\n")
}

// What prints No Error and does nothing.
func TestUIInputLies(t *testing.T) {
	for name, c := range map[string]struct{ fault, args string }{
		"four keys":        {"", "keyEvent 2072 2017 2055 2054"},
		"a name":           {"", "keyEvent RecentApps"},
		"an unknown key":   {"", "keyEvent 4999"},
		"the public 2210":  {"", "keyEvent 2210"},
		"far off":          {"", "click 99999 99999"},
		"a dark panel":     {hdc.FaultPanelOff, "click 135 250"},
		"a dozing panel":   {hdc.FaultDoze, "click 135 250"},
		"a locked phone":   {hdc.FaultLocked, "click 135 250"},
		"a lost injection": {hdc.FaultInputLost, "click 135 250"},
	} {
		t.Run(name, func(t *testing.T) {
			s, d := onePhone(t, "")
			if c.fault != "" {
				set(t, d, c.fault)
			}
			before := d.Phone().FocusedApp()
			require.Equal(t, "No Error\n", out(t, s, "shell", "uitest uiInput "+c.args))
			require.Equal(t, before, d.Phone().FocusedApp())
			require.Empty(t, d.Phone().Events("launch"))
			require.Empty(t, d.Phone().Events("key"))
		})
	}
}

func TestVelocityOutOfRange(t *testing.T) {
	s, d := onePhone(t, "")
	require.Equal(t, "The swipe velocity out of range, the default value will be used. \nNo Error\n", out(t, s, "shell", "uitest uiInput swipe 540 1800 540 1200 50"))
	require.Equal(t, "1000", fmt.Sprint(d.Phone().Events("swipe")[0].Data["ms"]))
}

// The finger of a directed fling ends at the centre: "left" moves it to the right.
func TestDirectedFling(t *testing.T) {
	s, d := onePhone(t, "")
	out(t, s, "shell", "uitest uiInput dircFling 0 600")
	e := d.Phone().Events("swipe")[0].Data
	require.Equal(t, "270 540", fmt.Sprint(e["x"], " ", e["x2"]))
}

// field returns a phone with an empty field of the notes focused.
func field(t *testing.T, profile string) (*hdc.Server, *hdc.Device, image.Point) {
	t.Helper()
	s, d := onePhone(t, profile)
	start(t, d, settings)
	at := center(bounds(t, parse(t, dump(t, s, "")).find("type", "TextInput")[0].Attributes["bounds"]))
	d.Phone().Tap(at)
	_, focused := d.Phone().Focused()
	require.True(t, focused)
	return s, d, at
}

func text(d *hdc.Device) string {
	f, _ := d.Phone().Focused()
	return f.Text
}

func TestText(t *testing.T) {
	const hard = `it's "quoted" $(reboot) ; rm -rf / | 你好 🙂`
	for name, c := range map[string]struct {
		profile, text string
		pasted        bool
	}{
		"letters":           {"5.0", "Hello1", false},
		"signs in the old":  {"5.0", "a-b", true},
		"signs in the new":  {"6.0", `a-b "c" $d`, false},
		"chinese":           {"6.0", "你好", true},
		"everything":        {"6.0", hard, true},
		"everything, older": {"5.0", hard, true},
	} {
		t.Run(name, func(t *testing.T) {
			s, d, at := field(t, c.profile)
			d.Phone().SetClipboard("mine")
			quoted := sq(c.text)
			require.Equal(t, "No Error\n", out(t, s, "shell", fmt.Sprintf("uitest uiInput inputText %d %d %s", at.X, at.Y, quoted)))
			require.Equal(t, c.text, text(d))
			require.Equal(t, map[bool]string{true: c.text, false: "mine"}[c.pasted], d.Phone().Clipboard())
			if c.profile != "5.0" {
				require.Equal(t, "No Error\n", out(t, s, "shell", "uitest uiInput text "+quoted))
				require.Equal(t, c.text+c.text, text(d), "it appends")
			}
		})
	}
}

// sq quotes for a POSIX shell.
func sq(s string) string {
	out := "'"
	for _, r := range s {
		if r == '\'' {
			out += `'\''`
			continue
		}
		out += string(r)
	}
	return out + "'"
}

func TestTextKeys(t *testing.T) {
	s, d, _ := field(t, "")
	keys := func(args string) { require.Equal(t, "No Error\n", out(t, s, "shell", "uitest uiInput keyEvent "+args)) }
	keys("2017")
	keys("2047 2038")
	keys("2001")
	keys("2047 2001")
	keys("2043")
	require.Equal(t, "aV1!,", text(d))
	keys("2055")
	require.Equal(t, "aV1!", text(d))
	keys("2072 2017")
	keys("2055")
	require.Empty(t, text(d), "all was selected")
	d.Phone().SetClipboard("clip")
	keys("2072 2038")
	require.Equal(t, "clip", text(d))
	keys("2072 2017")
	require.Equal(t, "No Error\n", out(t, s, "shell", "uitest uiInput text new"))
	require.Equal(t, "new", text(d), "typing replaces what is selected")
	set(t, d, hdc.FaultStrayLetter)
	keys("2072 2017")
	keys("2055 2055")
	require.Equal(t, "ne", text(d), "the a and a letter")
	require.Equal(t, "No Error\n", out(t, s, "shell", "uitest uiInput text w"))
	set(t, d, hdc.FaultNoPaste)
	require.Equal(t, "No Error\n", out(t, s, "shell", "uitest uiInput text 你"))
	require.Equal(t, "new", text(d))
	require.Equal(t, "你", d.Phone().Clipboard())
}

func TestUinput(t *testing.T) {
	for name, c := range map[string]struct {
		args, printed, event string
		data                 map[string]any
	}{
		"click":       {"-T -c 500 900", "   click coordinate: (500, 900)\nclick interval time: 100ms\n", "tap", nil},
		"click at 0":  {"-T -c 0 900", "   click coordinate: (0, 900)\nclick interval time: 100ms\n", "tap", map[string]any{"x": 0}},
		"swipe":       {"-T -m 540 1800 540 600 450", "", "swipe", map[string]any{"ms": 450}},
		"swipe, slow": {"-T -m 540 1800 540 600", "", "swipe", map[string]any{"ms": 1000}},
		"hold":        {"-T -d 500 900 -i 3000 -u 500 900", "touch down 500 900\ntouch up 500 900\n", "long_press", map[string]any{"ms": 3000}},
		"drag":        {"-T -g 540 1800 540 600 600 1400", "", "drag", nil},
		"pinch":       {"-T -m 440 1200 240 1200 640 1200 840 1200 400", "", "pinch", nil},
		"key":         {"-K -d 2 -u 2", "", "key", map[string]any{"key": "Back"}},
		"display":     {"-D 0 -K -d 1 -u 1", "", "key", map[string]any{"key": "Home"}},
		"mouse":       {"-M -m 500 900 -c 0", "", "tap", map[string]any{"x": 500}},
	} {
		t.Run(name, func(t *testing.T) {
			s, d := onePhone(t, "")
			start(t, d, "com.handset.wallet")
			d.Phone().ClearLog()
			require.Equal(t, c.printed+"RC=0\n", out(t, s, "shell", "uinput "+c.args+"; echo RC=$?"))
			got := d.Phone().Events(c.event)
			require.Len(t, got, 1, d.Phone().Log())
			for k, want := range c.data {
				require.Equal(t, fmt.Sprint(want), fmt.Sprint(got[0].Data[k]), "%s of %v", k, got[0].Data)
			}
		})
	}
}

func TestUinputRefusals(t *testing.T) {
	s, d := onePhone(t, "")
	d.Phone().ClearLog()
	for args, want := range map[string]string{
		"-T -c -5 9":            "Coordinate value must be greater or equal than 0\n",
		"-T -c 5":               "wrong number of parameters:1\n",
		"-T -m 1 2 3":           "wrong number of parameters:3\n",
		"-T -m 1 2 3 4 20000":   "invalid total times\n",
		"-T -g 1 2 3 4 600 700": "invalid total times\n",
		"-T -x 1 2":             "parameter error, unable to run\n",
		"-X -c 1 2":             "parameter error, unable to run\n",
		"-K -d 5001":            "key code is out of range:5001\n",
		"-T -c 5 9 9999":        "click interval is out of range\n",
	} {
		require.Equal(t, want+"RC=1\n", out(t, s, "shell", "uinput "+args+"; echo RC=$?"), args)
	}
	require.Empty(t, events(d))
	require.Contains(t, out(t, s, "shell", "uinput -K -d 2047"), "you have a key 2047 not release\n")
}

func TestUinputText(t *testing.T) {
	s, d, _ := field(t, "")
	out(t, s, "shell", `uinput -K -t 'a b$c 你'`)
	require.Equal(t, "a b$c ", text(d))
	out(t, s, "shell", "uinput -K -d 2072 -d 2017 -u 2017 -u 2072; uinput -K -d 2055 -u 2055")
	require.Empty(t, text(d))
}

// Only one uitest at a time: the second gives up after a while. uinput needs no turn.
func TestOneUitestAtATime(t *testing.T) {
	const held = "Can not connect to AAMS, RET_ERR_CONNECTION_EXIST\n"
	for _, holder := range []string{"uitest dumpLayout", "uitest start-daemon singleness"} {
		d := newDevice(t, &hdc.Options{Latency: hdc.Latency{Busy: 10 * time.Millisecond}})
		s := serve(t, nil, d)
		dump(t, s, "")
		dump(t, s, "") // one after the other is fine
		set(t, d, hdc.FaultDumpSlow+"=1h")
		out(t, s, "shell", holder+" >/dev/null 2>&1 &")
		require.Eventually(t, func() bool { return run(t, s, "", "shell", "uitest uiInput click 5 5").out == held }, time.Minute, 5*time.Millisecond)
		require.Equal(t, "DumpLayout failed:"+held, out(t, s, "shell", "uitest dumpLayout -p "+layoutFile))
		require.Contains(t, out(t, s, "shell", "uinput -T -c 5 5"), "click coordinate")
	}
}

// Coordinates are those of the frame as it is turned.
func TestInputTurned(t *testing.T) {
	d, err := hdc.New(sim.New(&sim.Options{Platform: sim.PlatformHarmony, Rotation: 1}), nil)
	require.NoError(t, err)
	s := serve(t, nil, d)
	require.Equal(t, "[0,0][2400,1080]", parse(t, dump(t, s, "")).Attributes["bounds"])
	require.Contains(t, out(t, s, "shell", "snapshot_display -f "+picFile), "width: 2400, height: 1080")
	require.Contains(t, out(t, s, "shell", "hidumper -s RenderService -a screen"), "render resolution=1080x2400")
	require.Contains(t, out(t, s, "shell", "hidumper -s DisplayManagerService -a -a"), "ScreenRotation:               90\n")
	require.Equal(t, "No Error\n", out(t, s, "shell", "uitest uiInput click 2300 1000"))
	require.Equal(t, "2300", fmt.Sprint(d.Phone().Events("tap")[0].Data["x"]))
}
