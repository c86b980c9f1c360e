package hdc

import (
	"bytes"
	"context"
	"image"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/cmdrun"
	"github.com/handset-go/handset/internal/phonefront/phoneshell"
)

func TestParseTargets(t *testing.T) {
	tests := map[string]struct {
		text string
		want []target
	}{
		"none":         {"[Empty]\r\thdc\n", nil},
		"none, short":  {"[Empty]\r\n", nil},
		"one":          {"127.0.0.1:5555\t\tTCP\tConnected\tvm\thdc\n", []target{{"127.0.0.1:5555", "TCP", "Connected"}}},
		"unauthorized": {"127.0.0.1:5555\tUnauthorized\n", []target{{"127.0.0.1:5555", "", "Unauthorized"}}},
		"several": {
			"7001005458\t\tUSB\tConnected\tlocalhost\thdc\r\n10.9.0.2:5556\t\tTCP\tOffline\tunknown...\thdc\r\nX\t\tUSB\tUnauthorized\tvm\thdc\r\n",
			[]target{{"7001005458", "USB", "Connected"}, {"10.9.0.2:5556", "TCP", "Offline"}, {"X", "USB", "Unauthorized"}},
		},
		"a host named as a state": {"A\t\tUSB\tConnected\tOffline\thdc\n", []target{{"A", "USB", "Connected"}}},
		"a serial port":           {"COM1\t\tUART\tReady\tunknown...\thdc\n", nil},
		"the tool's log":          {"[I][2026-11-30 10:48:17] x\ty\tConnected\nA\t\tUSB\tConnected\tvm\thdc\n", []target{{"A", "USB", "Connected"}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, parseTargets(tt.text)) })
	}
}

func TestChoose(t *testing.T) {
	usb := target{"7001", "USB", "Connected"}
	net := target{"10.0.0.7:5555", "TCP", "Connected"}
	off := target{"10.0.0.8:5555", "TCP", "Offline"}
	shy := target{"SHY", "USB", "Unauthorized"}
	tests := map[string]struct {
		all  []target
		key  string
		want string
		err  error
	}{
		"by key":            {[]target{usb, net}, "7001", "7001", nil},
		"by host":           {[]target{usb, net}, "10.0.0.7", "10.0.0.7:5555", nil},
		"the only usable":   {[]target{off, usb, shy}, "", "7001", nil},
		"several":           {[]target{usb, net}, "", "", driver.ErrSeveralDevices},
		"none":              {nil, "", "", driver.ErrNoDevice},
		"another":           {[]target{usb}, "7002", "", driver.ErrNoDevice},
		"offline":           {[]target{usb, off}, "10.0.0.8:5555", "", driver.ErrOffline},
		"unauthorized":      {[]target{shy}, "", "", driver.ErrUnauthorized},
		"no prefix of keys": {[]target{usb}, "700", "", driver.ErrNoDevice},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := chooseFrom(tt.all, tt.key)
			require.ErrorIs(t, err, tt.err)
			if tt.err == nil {
				require.NoError(t, err)
				require.Equal(t, tt.want, got.key)
			}
		})
	}
	_, err := chooseFrom([]target{usb, net}, "")
	require.ErrorContains(t, err, "10.0.0.7:5555")
	require.Equal(t, driver.Device{Address: "hdc:SHY", Platform: "harmony", State: "unauthorized", Advice: cureUnauthorized}, shy.device())
	require.True(t, usb.device().Usable())
}

func TestMarked(t *testing.T) {
	const mark = "handset-X="
	tests := map[string]struct {
		out  string
		text string
		code int
		err  error
	}{
		"empty":                    {"\nhandset-X=0\n", "", 0, nil},
		"status":                   {"oops\n\nhandset-X=3\n", "oops\n", 3, nil},
		"no line end":              {"abc\nhandset-X=0\n", "abc", 0, nil},
		"Windows":                  {"a\r\r\nb\r\n\r\nhandset-X=7\r\n", "a\nb\n", 7, nil},
		"printed twice":            {"handset-X=9\n\nhandset-X=0\n", "handset-X=9\n", 0, nil},
		"cut off":                  {"start\n", "", 0, errBroken},
		"nothing":                  {"", "", 0, errBroken},
		"cut in the status":        {"start\n\nhandset-X=", "", 0, errBroken},
		"[Fail] of a program":      {"x\n[Fail]mine\n\nhandset-X=0\n", "x\n[Fail]mine\n", 0, nil},
		"[Fail] of a program, cut": {"x\n[Fail]Not match target founded\n", "", 0, errBroken},
		"in mid-line, cut":         {"see [Fail]Not match target founded\n", "", 0, errBroken},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			out, err := marked([]byte(tt.out), mark)
			if tt.err != nil {
				require.ErrorIs(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.text, out.text)
			require.Equal(t, tt.code, out.code)
		})
	}
}

// TestRefusals sorts what hdc says of each generation, none of which has reached the phone.
func TestRefusals(t *testing.T) {
	tests := map[string]struct {
		text string
		is   error
	}{
		"no key":                {"[Fail]ExecuteCommand need connect-key? please confirm a device by help info\r\n", driver.ErrNoDevice},
		"unknown key":           {"[Fail]Not match target founded, check connect-key please\r\n", driver.ErrNoDevice},
		"offline":               {"[Fail][E001005] Device not found or connected\r\n[Fail]ExecuteCommand need connect-key? please\r\n", driver.ErrOffline},
		"offline, old":          {"[Fail]Device not founded or connected\r\n", driver.ErrOffline},
		"denied":                {"[Fail][E000003]:The device unauthorized.\r\nThe user denied the access for the device.\r\n", driver.ErrUnauthorized},
		"asking":                {"[Fail][E000002]:The device unauthorized.\r\nThis server's public key is not set.\r\n", driver.ErrUnauthorized},
		"just plugged in":       {"[Fail][E000004]:The communication channel is being established.\r\n", errSettling},
		"just plugged in, old":  {"[Fail]The communication channel is being established.\r\n", errSettling},
		"daemon":                {"[Fail][E002106] Failed to communicate with daemon\r\n", driver.ErrOffline},
		"behind the tool's log": {"[I][2026-11-30 10:48:17] hello\n[Fail]Not match target founded\r\n", driver.ErrNoDevice},
		"long key":              {"Sizeo of of parament '-t' 40 is too long\n", nil},
		"another":               {"[Fail]Something new\r\n", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := marked([]byte(tt.text), "handset-X=")
			require.True(t, refused(err), "%v", err)
			if tt.is != nil {
				require.ErrorIs(t, err, tt.is)
			}
		})
	}
	err := serverless(&cmdrun.Result{Stderr: []byte("Connect server failed\n")})
	require.ErrorIs(t, err, ErrNoServer)
	require.True(t, refused(err))
	require.NoError(t, serverless(&cmdrun.Result{Stdout: []byte("Connect server failed\n")}), "a program may print it")
}

func TestParsePanel(t *testing.T) {
	tests := map[string]struct {
		text string
		want panel
		on   bool
	}{
		"older": {"screen[0]: id=0, powerstatus=POWER_STATUS_OFF, backlight=51, screenType=EXTERNAL_TYPE, render size: 1260x2720, " +
			"physical screen resolution: 1260x2720, isvirtual=false, skipFrameInterval_:1\n", panel{image.Pt(1260, 2720), "OFF"}, false},
		"newer, rendered smaller": {"screen[0]: id=0, powerStatus=POWER_STATUS_ON, backlight=1, render resolution=1152x2520, " +
			"physical resolution=1280x2800, isVirtual=false\n", panel{image.Pt(1152, 2520), "ON"}, true},
		"brighter":     {"screen[0]: id=0, powerStatus=POWER_STATUS_ON_ADVANCED, render resolution=10x20, isVirtual=false", panel{image.Pt(10, 20), "ON_ADVANCED"}, true},
		"dozing":       {"screen[0]: id=0, powerStatus=POWER_STATUS_DOZE, render resolution=10x20, isVirtual=false", panel{image.Pt(10, 20), "DOZE"}, false},
		"booting":      {"screen[0]: id=0, powerStatus=POWER_STATUS_ON, render resolution=0x0, isVirtual=false", panel{image.Point{}, "ON"}, true},
		"virtual":      {"screen[0]: powerStatus=POWER_STATUS_ON, render resolution=9x9, isVirtual=true\nscreen[1]: powerStatus=POWER_STATUS_OFF, render resolution=10x20, isVirtual=false", panel{image.Pt(10, 20), "OFF"}, false},
		"a foldable":   {"screen[0]: powerStatus=POWER_STATUS_OFF, render resolution=9x9, isVirtual=false\nscreen[1]: powerStatus=POWER_STATUS_ON, render resolution=10x20, isVirtual=false", panel{image.Pt(10, 20), "ON"}, true},
		"it tells not": {"no such system ability: RenderService\n", panel{}, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := parsePanel("INFO: Vulkan Loader Version 1.3.250\n\n-- ScreenInfo\n" + tt.text)
			require.Equal(t, tt.want, got)
			require.Equal(t, tt.on, got.on())
		})
	}
}

func TestParseRotation(t *testing.T) {
	tests := map[string]struct {
		text  string
		turns int
		ok    bool
	}{
		"degrees":      {"Rotation:                     0\nScreenRotation:               270\n", 3, true},
		"quarters":     {"  Rotation:                     1\n", 1, true},
		"upright":      {"Rotation: 0\nScreenRotation:               0\n", 0, true},
		"only the old": {"Orientation: 0\nRotation: 90\nScreenRotation: 0\n", 1, true},
		"none":         {"Orientation: 0\nDeviceRotationOffset: 0\n", 0, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			turns, ok := parseRotation(tt.text)
			require.Equal(t, tt.turns, turns)
			require.Equal(t, tt.ok, ok)
		})
	}
}

const windowsDump = `
-------------------------------[ability]-------------------------------


----------------------------------WindowManagerService----------------------------------
-------------------------------------ScreenGroup 0-------------------------------------
WindowName           DisplayId Pid     WinId Type Mode Flag ZOrd Orientation [ x    y    w    h    ]
settings0            0         2494    197   1    1    0    3    0           [ 0    0    1276 2848 ]
LOCK
---------------------------------------------------------------------------------------
ScreenLockWindow     0         6628    200   2110 1    0    -1   0           [ 0    0    1276 2848 ]
Focus window: 197
`

// lockRows are rows of windows in front of everything, and whether one of them is the lock screen.
var lockRows = map[string]struct {
	row   string
	shown bool
}{
	"a status bar":             {"SCBStatusBar24       0         1453    27    2108 1    0    2202 0           [ 0    0    1320 117  ]", false},
	"by its name":              {"ScreenLockWindow     0         1453    27    2108 1    0    2202 0           [ 0    0    1320 117  ]", true},
	"by the newer name":        {"SCBScreenLock10      0         1453    27    2108 1    0    2202 0           [ 0    0    1320 117  ]", true},
	"by its type":              {"Keyguard0            0         1453    27    2110 1    0    2202 0           [ 0    0    1320 117  ]", true},
	"by type, with scales":     {"Keyguard0            0         1453    27    2110 1    0    2202 0           [ 0    0    1320 117  ] [ 0 0 ] [ 1 1 0 0 ]", true},
	"by type, a name of words": {"My guard * 24        0         1453    27    2110 1    0    2202 0           [ 0    0    1320 117  ]", true},
	"another process of 2110":  {"settings0            0         2110    27    1    1    0    2202 0           [ 0    0    1320 117  ]", false},
	"another window 2110":      {"settings0            0         1453    2110  1    1    0    2202 0           [ 0    0    1320 117  ]", false},
	"another layer 2110":       {"settings0            0         1453    27    1    1    0    2110 0           [ 0    0    1320 117  ]", false},
	"2110 pixels wide":         {"settings0            0         1453    27    1    1    0    2202 0           [ 0    0    2110 2110 ]", false},
	"a window named 2110":      {"2110 2110            0         1453    27    1    1    0    2202 0           [ 0    0    1320 117  ]", false},
}

func TestLockShown(t *testing.T) {
	for name, c := range lockRows {
		require.Equal(t, c.shown, lockShown(strings.Replace(windowsDump, "LOCK", c.row, 1)), name)
	}
	require.False(t, lockShown("no such system ability"))
	require.Len(t, parseWindows(strings.Replace(windowsDump, "LOCK\n", "", 1)), 1, "what is below the line is not seen")
}

// TestGuardSeesTheSameLock runs the guard's line in the language of the phone's shell: it must not let a touch through where
// PowerState says locked, nor the other way round.
func TestGuardSeesTheSameLock(t *testing.T) {
	dump, panel := "", "screen[0]: id=0, powerstatus=POWER_STATUS_ON, render size: 1276x2848, isvirtual=false"
	sys := &phoneshell.System{
		FS: phoneshell.NewFS(time.Now, "bin", phoneshell.Toybox()), Now: time.Now, Shell: "/bin/sh", NotFound: "not found", Bin: "/bin",
		Programs: map[string]phoneshell.Program{"hidumper": func(_ context.Context, p *phoneshell.Proc) int {
			p.Print("%s\n", map[bool]string{true: panel, false: dump}[p.Args[2] == "RenderService"])
			return 0
		}},
	}
	run := func(g guard) string {
		var out bytes.Buffer
		sys.Run(t.Context(), g.line("echo tapped", "mark:"), phoneshell.Stdio{Out: &out, Err: &out})
		return strings.TrimSpace(out.String())
	}
	for name, c := range lockRows {
		dump = strings.Replace(windowsDump, "LOCK", c.row, 1)
		want := map[bool]string{true: "mark:locked", false: "tapped"}[c.shown]
		require.Equal(t, want, run(guard{awake: true, unlocked: true}), name)
		require.Equal(t, want, run(guard{awake: true, unlocked: true, frame: image.Pt(1276, 2848)}), name)
		require.Equal(t, "tapped", run(guard{awake: true}), name)
	}
	dump = "no such system ability"
	require.Equal(t, "tapped", run(guard{awake: true, unlocked: true}), "a phone that does not tell is open")
	require.Equal(t, "mark:moved", run(guard{awake: true, unlocked: true, frame: image.Pt(5, 5)}))
	panel = strings.Replace(panel, "_ON", "_OFF", 1)
	require.Equal(t, "mark:asleep", run(guard{awake: true, unlocked: true}))
}

func TestParam(t *testing.T) {
	require.Equal(t, "18", param("18 \n"))
	require.Equal(t, "18", param("INFO:             Vulkan Loader Version 1.3.250\n18 \n"))
	require.Empty(t, param("Get parameter \"const.x\" fail! errNum is:106!\n"))
	require.Equal(t, "5.0.0.102", versionOf("ALN-AL00 5.0.0.102(SP5C00E73R4P17)", ""))
	require.Equal(t, "5.0.0.71", versionOf("", "OpenHarmony-5.0.0.71"))
}

func TestBundleNames(t *testing.T) {
	require.True(t, isBundle("com.taobao.taobao4hmos"))
	for _, bad := range []string{"", "settings", "com.a;b", "-b.c", "com.a b", "com..a", "com.a/b", "com.a\n.b"} {
		require.False(t, isBundle(bad), bad)
	}
}

func TestSections(t *testing.T) {
	s := newSections()
	line := s.line("echo a", "printf b", "true")
	require.Equal(t, 3, strings.Count(line, s.mark))
	text := "\n" + s.mark + ":0\na\n\n" + s.mark + ":1\nb\n" + s.mark + ":2\n"
	require.Equal(t, []string{"a\n", "b", ""}, s.split(text))
	require.Equal(t, []string{"", "", ""}, s.split("nothing"))
}

func TestHealthOfPictures(t *testing.T) {
	black := image.NewGray(image.Rect(0, 0, 100, 100))
	require.True(t, mostlyBlack(black, black.Bounds(), 100))
	for i := range black.Pix[:2000] {
		black.Pix[i] = 200
	}
	require.False(t, mostlyBlack(black, black.Bounds(), 90))
	require.True(t, mostlyBlack(black, image.Rect(0, 50, 100, 100), 100))
	_, err := whole([]byte("\xff\xd8\xff half"))
	require.ErrorIs(t, err, errEmptyPicture)
	_, err = whole(nil)
	require.ErrorIs(t, err, errEmptyPicture)
	data, err := decoded("INFO:             Vulkan Loader Version 1.3.250\n/9j/2Q==\r\n")
	require.NoError(t, err)
	require.Equal(t, "\xff\xd8\xff\xd9", string(data))
	_, err = decoded("base64: /x: No such file or directory\n")
	require.Error(t, err)
}

func TestArrived(t *testing.T) {
	require.True(t, arrived("hello", "say ", "say hello"))
	require.True(t, arrived("  ", "", ""), "nothing that tells")
	require.False(t, arrived("打", "", "abc"))
	require.False(t, arrived("hello", "hello", "hello"), "what was there before does not count")
}

func FuzzTexts(f *testing.F) {
	f.Add(missions)
	f.Add(windowsDump)
	f.Add("screen[0]: powerStatus=POWER_STATUS_ON, render resolution=0x0, isVirtual=false\n{\"hapModuleInfos\":[]}")
	f.Add("127.0.0.1:5555\t\tTCP\tConnected\tvm\thdc\n[Fail][E000003]\n\nhandset-X=0\n")
	f.Fuzz(func(t *testing.T, text string) {
		parseTargets(text)
		parseMissions(text)
		parseWindows(text)
		parsePanel(text)
		parseRotation(text)
		param(text)
		_, _ = parseBundle(text)
		_, _ = (&Driver{}).installed(text)
		_, _ = marked([]byte(text), "handset-X=")
		_, _ = decoded(text)
		refusal([]byte(text))
	})
}

func TestComplaint(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "it printed nothing",
		" \r\n\t":                     "it printed nothing",
		"error:\n  no such thing\r\n": "error: no such thing",
		"\x1b[2Jred\x07 \u009b1m":     "[2Jred 1m",
		"cut \xe8\xa8":                "cut \ufffd",
		"设备\x00离线":                    "设备 离线",
	} {
		require.Equal(t, want, complaint(text))
	}
	require.LessOrEqual(t, len(complaint(strings.Repeat("言", 1000))), maxComplaint+len("…"))
}
