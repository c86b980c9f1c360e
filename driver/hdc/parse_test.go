package hdc

import (
	"image"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/cmdrun"
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

func TestLockShown(t *testing.T) {
	row := "%           0         1453    27    2108 1    0    2202 0           [ 0    0    1320 117  ]"
	for name, shown := range map[string]bool{"SCBStatusBar24": false, "ScreenLockWindow": true, "SCBScreenLock10": true} {
		require.Equal(t, shown, lockShown(strings.Replace(windowsDump, "LOCK", strings.Replace(row, "%", name, 1), 1)), name)
	}
	byType := strings.Replace(strings.Replace(row, "%", "Keyguard0", 1), "2108", typeLock, 1)
	require.True(t, lockShown(strings.Replace(windowsDump, "LOCK", byType, 1)))
	require.False(t, lockShown("no such system ability"))
	require.Len(t, parseWindows(strings.Replace(windowsDump, "LOCK\n", "", 1)), 1, "what is below the line is not seen")
}

const missions = `User ID #100
  current mission lists:{
    Mission ID #368  mission name #[#com.example.old:entry:MainAbility]  lockedState #0  mission affinity #[]
      AbilityRecord ID #1
        app name [com.example.old]
        main name [MainAbility]
        bundle name [com.example.old]
        ability type [PAGE]
        state #BACKGROUND  start time [1]
        app state #FOREGROUND
        isKeepAlive: false
    Mission ID #369  mission name #[#com.example.video:entry:EntryAbility]  lockedState #0  mission affinity #[]
      AbilityRecord ID #179
        app name [com.example.video]
        main name [EntryAbility]
        bundle name [com.example.video]
        ability type [PAGE]
        state #STATE  start time [261181964]
        app state #FOREGROUND
        isKeepAlive: true
 }
  ExtensionRecords:
    uri [/com.ohos.sceneboard/engineservice/EngineServiceAbility1]
      AbilityRecord ID #18   state #FOREGROUND   start time [216722029]
      main name [EngineServiceAbility]
      bundle name [com.example.extension]
      state #FOREGROUND
`

func TestParseMissions(t *testing.T) {
	front, ok := parseMissions("start ability successfully.\nINFO: x\n" + strings.Replace(missions, "STATE", "FOREGROUND", 1))
	require.True(t, ok)
	require.Equal(t, driver.App{ID: "com.example.video", Page: "EntryAbility"}, front, "kept alive or not")
	front, ok = parseMissions(strings.Replace(missions, "STATE", "BACKGROUND", 1))
	require.True(t, ok)
	require.Equal(t, desktop, front.ID, "an extension in the foreground is no app")
	_, ok = parseMissions("usage: aa dump <options>\n")
	require.False(t, ok)
}

func TestParseBundle(t *testing.T) {
	const abilities = `"abilityInfos":[{"name":"com.example.a.DomainAbility","skills":[]},{"name":"com.example.a.MainAbility","skills":[
		{"entities":["entity.system.home"],"actions":["ohos.want.action.home"]}]}]`
	tests := map[string]struct {
		text string
		want entry
		err  error
	}{
		"short in one place":   {`{"mainEntry":"phone","hapModuleInfos":[{"moduleName":"wear","mainAbility":"X"},{"moduleName":"phone","mainAbility":"MainAbility",` + abilities + `}]}`, entry{"phone", "com.example.a.MainAbility"}, nil},
		"full in one place":    {`{"entryModuleName":"entry","hapModuleInfos":[{"name":"entry","mainElementName":"com.example.a.B","abilityInfos":[{"name":"B"}]}]}`, entry{"entry", "B"}, nil},
		"by what it can do":    {`{"hapModuleInfos":[{"name":"entry",` + abilities + `}]}`, entry{"entry", "com.example.a.MainAbility"}, nil},
		"abilities apart":      {`{"hapModuleInfos":[{"name":"entry"}],"abilityInfos":[{"name":"A","moduleName":"entry","skills":[{"entities":["entity.system.home"],"actions":["action.system.home"]}]}]}`, entry{"entry", "A"}, nil},
		"no list of abilities": {`{"mainEntry":"entry","hapModuleInfos":[{"moduleName":"entry","mainAbility":"EntryAbility"}]}`, entry{"entry", "EntryAbility"}, nil},
		"in another module":    {`{"mainEntry":"a","hapModuleInfos":[{"name":"a","mainAbility":""},{"name":"b","mainAbility":"B"}]}`, entry{"b", "B"}, nil},
		"a service":            {`{"mainEntry":"entry","hapModuleInfos":[{"moduleName":"entry","mainAbility":"","abilityInfos":[]}]}`, entry{}, errNoAbility},
		"no module":            {`{"name":"com.example.a"}`, entry{}, errNoAbility},
		"a name with syntax":   {`{"hapModuleInfos":[{"name":"entry","mainAbility":"A; reboot"}]}`, entry{}, errNoAbility},
		"unknown":              {"error: failed to get information and the parameters may be wrong.\n", entry{}, errNoBundle},
		"cut":                  {`{"mainEntry":"entry","hapMod`, entry{}, errNoBundle},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := parseBundle("com.example.a:\n" + tt.text)
			require.ErrorIs(t, err, tt.err)
			if tt.err == nil {
				require.NoError(t, err)
				require.Equal(t, tt.want, got)
			}
		})
	}
}

func TestStarted(t *testing.T) {
	tests := map[string]struct {
		text, want string
		is         error
	}{
		"ok":                    {"start ability successfully.\n", "", nil},
		"queued":                {"start ability successfully. waiting...\n", "", nil},
		"no such ability":       {"error: failed to start ability.\nError Code:10104001  Error Message:The specified ability does not exist\nError cause:x\n", "10104001: The specified ability does not exist", nil},
		"no such ability, old":  {"error: failed to start ability.\nerror: resolve ability err.\n" + missions, "resolve ability err", nil},
		"locked":                {"error: failed to start ability.\nError Code:10106102  Error Message:The device screen is locked\n", "unlock", driver.ErrLocked},
		"locked, old":           {"error: failed to start ability.\nerror: unlock screen failed in developer mode.\n", "unlock", driver.ErrLocked},
		"nobody takes the link": {"error: failed to start ability.\nError Code:10103101  Error Message:x\n", "no app", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := started(&output{text: tt.text})
			if tt.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tt.want)
			require.NotContains(t, err.Error(), "mission")
			if tt.is != nil {
				require.ErrorIs(t, err, tt.is)
			}
		})
	}
}

func TestInstallTexts(t *testing.T) {
	require.NoError(t, installOutcome("[Info]App install path:/x.hap msg:install bundle successfully. \r\nAppMod finish\r\n"))
	require.NoError(t, installOutcome("[Info]App install path:/x.hap, queuesize:0, msg:install bundle successfully. \nAppMod finish"))
	err := installOutcome("[Info]App install path:/x.hap msg:error: failed to install bundle. code:9568320 error: no signature file. \r\nAppMod finish\r\n")
	require.ErrorContains(t, err, "sign it")
	require.Error(t, installOutcome("[Info]App install path:/x.hap, queuesize:0, msg:error: failed to install bundle. code:9568322 error: x \nAppMod finish"))
	require.ErrorIs(t, installOutcome(""), errBroken)
}

func TestParam(t *testing.T) {
	require.Equal(t, "18", param("18 \n"))
	require.Equal(t, "18", param("INFO:             Vulkan Loader Version 1.3.250\n18 \n"))
	require.Empty(t, param("Get parameter \"const.x\" fail! errNum is:106!\n"))
	require.Equal(t, "5.0.0.102", versionOf("ALN-AL00 5.0.0.102(SP5C00E73R4P17)", ""))
	require.Equal(t, "5.0.0.71", versionOf("", "OpenHarmony-5.0.0.71"))
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"plain-1.2_/x": "plain-1.2_/x", "": "''", "it's": `'it'\''s'`, "$(reboot)": "'$(reboot)'", "a b": "'a b'", "a\nb": "'a\nb'", "打": "'打'",
	} {
		require.Equal(t, want, quote(in))
	}
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

func TestFromEnv(t *testing.T) {
	env := func(vars map[string]string) *Options { return FromEnv(func(name string) string { return vars[name] }) }
	require.Empty(t, env(nil).Server)
	require.Empty(t, env(map[string]string{"OHOS_HDC_SERVER_PORT": "9000"}).Server, "the tool reads it by itself")
	require.Equal(t, "10.0.0.1:8710", env(map[string]string{"HDC_SERVER_HOST": "10.0.0.1"}).Server)
	require.Equal(t, "9001", env(map[string]string{"HDC_SERVER_PORT": "9001"}).Server)
}

func TestServerArg(t *testing.T) {
	for in, want := range map[string]string{"8710": "8710", "10.0.0.1:8710": "10.0.0.1:8710", "localhost:18710": "127.0.0.1:18710"} {
		got, err := serverArg(t.Context(), in)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for _, bad := range []string{"x", "10.0.0.1:99999", "10.0.0.1:0", "a:b:c", "10.0.0.1:"} {
		_, err := serverArg(t.Context(), bad)
		require.Error(t, err, bad)
	}
}

func TestOptions(t *testing.T) {
	_, err := (&Options{Apps: map[string]string{"x": "not a bundle"}}).withDefaults()
	require.ErrorContains(t, err, "bundle")
	a, err := driver.ParseAddress("hdc:K?tool=/x/hdc&server=8710&png=true&unguarded=1&limit=3s")
	require.NoError(t, err)
	var o Options
	require.NoError(t, o.setAddress(a))
	require.Equal(t, Options{Tool: "/x/hdc", Server: "8710", PNG: true, Unguarded: true, Limit: 3 * time.Second}, o)
	a.Options["colour"] = "red"
	require.ErrorContains(t, o.setAddress(a), "limit, png")
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
	require.True(t, arrived("hello", "say hello"))
	require.True(t, arrived("  ", ""), "nothing that tells")
	require.False(t, arrived("打", "abc"))
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
