package android_test

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
)

const adbIME = sim.ADBKeyboardIME

func TestAmStart(t *testing.T) {
	d := newDevice(t, "a14")
	got := out(t, d, "am start -W -n com.android.settings/.Settings -a android.intent.action.MAIN -c android.intent.category.LAUNCHER -f 0x10200000")
	require.Regexp(t, `^Starting: Intent \{ act=android.intent.action.MAIN cat=\[android.intent.category.LAUNCHER\] flg=0x10200000 cmp=com.android.settings/.Settings \}
Status: ok
LaunchState: COLD
Activity: com.android.settings/.Settings
TotalTime: \d+
WaitTime: \d+
Complete
$`, got)
	require.Equal(t, "com.android.settings", d.Phone().Foreground().ID)

	again := run(t, d, "am start com.android.settings/.Settings")
	require.Equal(t, "Warning: Activity not started, intent has been delivered to currently running top-most instance.\n", again.stderr)
	require.Equal(t, 0, again.status)
	out(t, d, "input keyevent HOME")
	again = run(t, d, "am start -W com.android.settings/com.android.settings.Settings")
	require.Equal(t, "Warning: Activity not started, its current task has been brought to the front\n", again.stderr)
	require.Contains(t, again.stdout, "Status: ok\nLaunchState: HOT\n")

	out(t, d, "am force-stop com.android.settings; am force-stop no.such.app")
	require.Equal(t, "com.android.launcher3", d.Phone().Foreground().ID)
	require.NotContains(t, out(t, newDevice(t, "a9"), "am start -W com.android.settings/.Settings"), "LaunchState")
}

func TestAmStartRefusals(t *testing.T) {
	tests := []struct {
		name, fault, command, stdout, stderr string
		status                               int
	}{
		{"no class", "", "am start -W -n com.android.settings/.Nope", "Starting: Intent {", "Error type 3\nError: Activity class {com.android.settings/com.android.settings.Nope} does not exist.\n", 0},
		{"no app for it", "", "am start -a android.intent.action.VIEW -d foo://x", "Starting: Intent { act=android.intent.action.VIEW dat=foo://x flg=0x10000000 }\n", "Error: Activity not started, unable to resolve Intent { act=android.intent.action.VIEW dat=foo://x flg=0x10000000 }\n", 0},
		{"not exported", android.FaultStartDenied, "am start com.android.settings/.Settings", "Starting:", "\nException occurred while executing 'start':\njava.lang.SecurityException: Permission Denial: starting Intent {", 255},
		{"aborted", android.FaultStartAborted, "am start com.android.settings/.Settings", "Starting:", "Error: Activity not started, you requested to abort...\n", 0},
		{"bad component", "", "am start -n nonsense", "", "\nException occurred while executing 'start':\njava.lang.IllegalArgumentException: Bad component name: nonsense", 255},
		{"missing argument", "", "am start -n", "", "\nException occurred while executing 'start':\njava.lang.IllegalArgumentException: Argument expected after \"-n\"", 255},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := newDevice(t, "a14")
			if tt.fault != "" {
				set(t, d, tt.fault)
			}
			r := run(t, d, tt.command)
			require.True(t, strings.HasPrefix(r.stdout, tt.stdout), r.stdout)
			require.True(t, strings.HasPrefix(r.stderr, tt.stderr), r.stderr)
			require.Equal(t, tt.status, r.status)
			require.Equal(t, "com.android.launcher3", d.Phone().Foreground().ID)
		})
	}
	d := newDevice(t, "a14")
	set(t, d, android.FaultStartTimeout)
	require.Contains(t, out(t, d, "am start -W com.android.settings/.Settings"), "Status: timeout\n")
	d = newDevice(t, "a14")
	set(t, d, android.FaultStartIgnored)
	require.Contains(t, out(t, d, "am start -W com.android.settings/.Settings"), "Status: ok\n")
	require.Equal(t, "com.android.launcher3", d.Phone().Foreground().ID)
}

func TestOpenURL(t *testing.T) {
	d := newDevice(t, "a9")
	require.Equal(t, "Starting: Intent { act=android.intent.action.VIEW dat=http://x.org/?a=1&b=2 flg=0x10000000 }\n",
		out(t, d, "am start -a android.intent.action.VIEW -d 'http://x.org/?a=1&b=2'"))
	require.Equal(t, "http://x.org/?a=1&b=2", d.Phone().Events("url")[0].String("url"))
	d = newDevice(t, "a14")
	require.Contains(t, out(t, d, "am start -d http://x.org/path"), " dat=http://x.org/... ")
}

func TestMonkey(t *testing.T) {
	d := newDevice(t, "a14")
	require.Equal(t, "  bash arg: -p\n  bash arg: com.android.settings\n  bash arg: -c\n  bash arg: android.intent.category.LAUNCHER\n  bash arg: 1\n"+
		"Events injected: 1\n## Network stats: elapsed time=15ms (0ms mobile, 0ms wifi, 15ms not connected)\n",
		out(t, d, "monkey -p com.android.settings -c android.intent.category.LAUNCHER 1"))
	require.Equal(t, "com.android.settings", d.Phone().Foreground().ID)
	r := run(t, d, "monkey -p no.such.app -c android.intent.category.LAUNCHER 1")
	require.Contains(t, r.stdout, "** No activities found to run, monkey aborted.\n")
	require.Equal(t, 252, r.status)
	set(t, d, android.FaultMonkeySysKeys)
	r = run(t, d, "monkey -p com.android.deskclock 1")
	require.Equal(t, 251, r.status)
	require.Equal(t, "** SYS_KEYS has no physical keys but with factor 2.0%.\n", r.stderr)
	out(t, d, "monkey -p com.android.deskclock --pct-syskeys 0 1")
	require.Equal(t, "com.android.deskclock", d.Phone().Foreground().ID)
}

func TestPackages(t *testing.T) {
	d := newDevice(t, "a14")
	require.Contains(t, out(t, d, "pm list packages"), "package:com.android.settings\n")
	third := out(t, d, "cmd package list packages -3 --user 0")
	require.Contains(t, third, "package:com.android.adbkeyboard\n")
	require.NotContains(t, third, "com.android.settings")
	require.Equal(t, "package:com.android.settings versionCode:34\n", out(t, d, "pm list packages --show-versioncode android.settings"))
	require.Equal(t, "package:/data/app/com.android.adbkeyboard-1/base.apk\n", out(t, d, "pm path com.android.adbkeyboard"))
	require.Equal(t, result{"", "", 1}, run(t, d, "pm path no.such.app"))
	out(t, d, "pm grant no.such.app android.permission.CAMERA") // exits 0 all the same
	set(t, d, android.FaultNoADBKeyBoard)
	require.NotContains(t, out(t, d, "pm list packages"), "adbkeyboard")
}

func TestResolveActivity(t *testing.T) {
	d := newDevice(t, "a14")
	const head = "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false\n"
	require.Equal(t, head+"com.android.settings/.Settings\n", out(t, d, "cmd package resolve-activity --brief com.android.settings"))
	require.Equal(t, head+"com.android.settings/.Settings\n", out(t, d, "cmd package resolve-activity --brief -c android.intent.category.LAUNCHER com.android.settings"))
	require.Equal(t, "No activity found\n", out(t, d, "cmd package resolve-activity --brief no.such.app"))
	require.Equal(t, "priority=0 preferredOrder=0 match=0x0 specificIndex=-1 isDefault=false\n{}\n", out(t, d, "cmd package resolve-activity --brief com.android.shell"))
	list := out(t, d, "cmd package query-activities --brief -a android.intent.action.MAIN -c android.intent.category.LAUNCHER")
	require.Contains(t, list, "\n    com.android.settings/.Settings\n")
	require.NotContains(t, list, "launcher3")
	set(t, d, android.FaultResolver)
	require.Contains(t, out(t, d, "cmd package resolve-activity --brief com.android.settings"), "android/com.android.internal.app.ResolverActivity\n")
	require.Contains(t, run(t, newDevice(t, "a6"), "cmd package resolve-activity --brief com.android.settings").stderr, "Unknown command")
	require.Equal(t, 20, run(t, d, "cmd nonsense").status)
}

func TestIme(t *testing.T) {
	d := newDevice(t, "a14")
	latin := out(t, d, "settings get secure default_input_method")
	require.Equal(t, latin, out(t, d, "ime list -s"))
	require.Equal(t, latin+adbIME+"\n", out(t, d, "ime list -s -a"))
	require.Equal(t, result{"", "Unknown input method " + adbIME + " cannot be selected for user #0\n", 255}, run(t, d, "ime set "+adbIME), "not enabled yet")
	require.Equal(t, "Input method "+adbIME+": now enabled for user #0\n", out(t, d, "ime enable "+adbIME))
	require.Equal(t, "Input method "+adbIME+": already enabled for user #0\n", out(t, d, "ime enable "+adbIME))
	require.Equal(t, "Input method "+adbIME+" selected for user #0\n", out(t, d, "ime set "+adbIME))
	require.Equal(t, adbIME+"\n", out(t, d, "settings get secure default_input_method"))
	require.Contains(t, out(t, d, "dumpsys input_method"), "mCurMethodId="+adbIME)
	require.Equal(t, result{"", "Unknown input method no.such/.IME cannot be enabled for user #0\n", 255}, run(t, d, "ime enable no.such/.IME"))
	out(t, d, "ime reset")
	require.Equal(t, latin, out(t, d, "settings get secure default_input_method"))
	require.Equal(t, "Input method "+adbIME+": now enabled\n", out(t, newDevice(t, "a9"), "ime enable "+adbIME))

	set(t, d, android.FaultSecureSettings)
	for _, c := range []string{"ime list -s", "ime enable " + adbIME, "settings put secure default_input_method " + adbIME} {
		r := run(t, d, c)
		require.Contains(t, r.stderr, "java.lang.SecurityException:", c)
		require.Contains(t, r.stderr, "WRITE_SECURE_SETTINGS", c)
	}
	require.Equal(t, latin, out(t, d, "settings get secure enabled_input_methods"), "reading is allowed")
}

func TestADBKeyBoard(t *testing.T) {
	const text = "héllo 你好 😀 $(id) 'q'"
	b64 := "am broadcast -a ADB_INPUT_B64 --es msg " + base64.StdEncoding.EncodeToString([]byte(text)) + " -p com.android.adbkeyboard"
	const answer = "Broadcasting: Intent { act=ADB_INPUT_B64 flg=0x400000 pkg=com.android.adbkeyboard (has extras) }\nBroadcast completed: result=0\n"

	d := newDevice(t, "a14")
	openField(t, d)
	require.Equal(t, answer, out(t, d, b64))
	require.Empty(t, fieldText(t, d), "it is not the current input method, and the broadcast says the same")
	out(t, d, "ime enable "+adbIME+"; ime set "+adbIME)
	require.Equal(t, answer, out(t, d, b64))
	require.Equal(t, text, fieldText(t, d))
	out(t, d, "am broadcast -a ADB_CLEAR_TEXT")
	require.Empty(t, fieldText(t, d))
	out(t, d, "am broadcast -a ADB_INPUT_TEXT --es msg 'two words'; am broadcast -a ADB_INPUT_CODE --ei code 67; am broadcast -a ADB_INPUT_CHARS --eia chars 128512,97")
	require.Equal(t, "two word😀a", fieldText(t, d))
	require.Equal(t, answer, strings.ReplaceAll(out(t, d, strings.ReplaceAll(b64, "adbkeyboard", "other")), "com.android.other", "com.android.adbkeyboard"))
	require.Equal(t, "two word😀a", fieldText(t, d), "it was for somebody else")

	r := run(t, d, "am broadcast -a ADB_INPUT_B64 --es msg")
	require.Equal(t, 255, r.status)
	require.Contains(t, r.stderr, "java.lang.IllegalArgumentException: Argument expected after \"msg\"")
	set(t, d, android.FaultNoReceiver)
	require.Equal(t, answer, out(t, d, b64))
	require.Equal(t, "two word😀a", fieldText(t, d))
}

func TestADBKeyBoardNeedsTimeToSettle(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	d, err := android.New(sim.New(nil), &android.Options{Now: func() time.Time { return now }})
	require.NoError(t, err)
	openField(t, d)
	set(t, d, android.FaultIMESettle+"=500ms")
	out(t, d, "ime enable "+adbIME+"; ime set "+adbIME+"; am broadcast -a ADB_INPUT_TEXT --es msg lost")
	require.Empty(t, fieldText(t, d))
	now = now.Add(600 * time.Millisecond)
	out(t, d, "am broadcast -a ADB_INPUT_TEXT --es msg heard")
	require.Equal(t, "heard", fieldText(t, d))
}

func TestSettings(t *testing.T) {
	d := newDevice(t, "a14")
	require.Equal(t, "null\n", out(t, d, "settings get secure no_such_key"))
	out(t, d, "settings put global window_animation_scale 0")
	require.Equal(t, "0\n", out(t, d, "settings get --user 0 global window_animation_scale"))
	require.Contains(t, out(t, d, "settings list global"), "window_animation_scale=0\n")
	require.Equal(t, "Deleted 1 rows\n", out(t, d, "settings delete global window_animation_scale"))
	require.Equal(t, "null\n", out(t, d, "settings get global window_animation_scale"))
	require.Equal(t, 255, run(t, d, "settings get nonsense x").status)
}

// focusOf are the lines that name what is in front.
func focusOf(t *testing.T, d *android.Device, command string) string {
	t.Helper()
	return run(t, d, command+" | grep -E 'mCurrentFocus|mFocusedApp|esumedActivity|mFocusedActivity' | sed 's/^ *//; s/{[0-9a-f]* /{H /g; s/token=Token{[0-9a-f]* /token=Token{H /; s/ t[0-9]*}/ tN}/'").stdout
}

func TestFocusByRelease(t *testing.T) {
	tests := []struct{ profile, command, want string }{
		{"a9", "dumpsys window windows", "mCurrentFocus=Window{H u0 com.android.settings/com.android.settings.Settings}\n" +
			"mFocusedApp=AppWindowToken{H token=Token{H ActivityRecord{H u0 com.android.settings/.Settings tN}}}\n"},
		{"a9", "dumpsys window displays", ""},
		{"a9", "dumpsys activity activities", "mResumedActivity: ActivityRecord{H u0 com.android.settings/.Settings tN}\n" +
			"mResumedActivity: ActivityRecord{H u0 com.android.settings/.Settings tN}\nmFocusedActivity: ActivityRecord{H u0 com.android.settings/.Settings tN}\n"},
		{"a11", "dumpsys window windows", ""},
		{"a11", "dumpsys window displays", "mCurrentFocus=Window{H u0 com.android.settings/com.android.settings.Settings}\n" +
			"mFocusedApp=ActivityRecord{H u0 com.android.settings/.Settings tN}\n"},
		{"a14", "dumpsys window windows", ""},
		{"a14", "dumpsys window displays", "mCurrentFocus=Window{H u0 com.android.settings/com.android.settings.Settings}\n" +
			"mFocusedApp=ActivityRecord{H u0 com.android.settings/.Settings} tN}\n"},
		{"a14", "dumpsys window", "mCurrentFocus=Window{H u0 com.android.settings/com.android.settings.Settings}\n" +
			"mFocusedApp=ActivityRecord{H u0 com.android.settings/.Settings} tN}\n"},
		{"a14", "dumpsys activity activities", "topResumedActivity=ActivityRecord{H u0 com.android.settings/.Settings} tN}\n" +
			"ResumedActivity: ActivityRecord{H u0 com.android.settings/.Settings} tN}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.profile+" "+tt.command, func(t *testing.T) {
			d := newDevice(t, tt.profile)
			_, err := d.Phone().StartApp("com.android.settings")
			require.NoError(t, err)
			require.Equal(t, tt.want, focusOf(t, d, tt.command))
		})
	}
}

func TestFocusFaults(t *testing.T) {
	tests := []struct{ fault, want string }{
		{android.FaultFocusPopup, "mCurrentFocus=Window{H u0 PopupWindow:"},
		{android.FaultFocusANR, "mCurrentFocus=Window{H u0 Application Not Responding: com.android.launcher3}"},
		{android.FaultFocusCover, "mCurrentFocus=null\nmFocusedApp=ActivityRecord{H u0 com.android.systemui/.subscreen.SubHomeActivity} tN}\nmCurrentFocus=Window{H u0 com.android.launcher3"},
		{android.FaultWorkProfile, "mCurrentFocus=Window{H u10 com.android.launcher3/"},
	}
	for _, tt := range tests {
		d := newDevice(t, "a14")
		set(t, d, tt.fault)
		require.Contains(t, focusOf(t, d, "dumpsys window displays"), tt.want, tt.fault)
	}
	now := time.Unix(1_700_000_000, 0)
	d, err := android.New(sim.New(nil), &android.Options{Now: func() time.Time { return now }})
	require.NoError(t, err)
	set(t, d, android.FaultFocusNull+"=300ms")
	out(t, d, "am start com.android.settings/.Settings")
	require.Contains(t, focusOf(t, d, "dumpsys window displays"), "mCurrentFocus=null\nmFocusedApp=ActivityRecord{H u0 com.android.settings/.Settings} tN}")
	now = now.Add(time.Second)
	require.Contains(t, focusOf(t, d, "dumpsys window displays"), "mCurrentFocus=Window{H u0 com.android.settings/")
	set(t, d, android.FaultDumpsysTimeout)
	require.Contains(t, out(t, d, "dumpsys window displays"), "*** SERVICE 'window' DUMP TIMEOUT (10000ms) EXPIRED ***")
	require.Equal(t, result{"", "Can't find service: nonsense\n", 0}, run(t, d, "dumpsys nonsense"))
}

// TestRunningProcesses: the numbers are those of pidof, and an app that was stopped has none.
func TestRunningProcesses(t *testing.T) {
	d := newDevice(t, "")
	out(t, d, "am start -n com.android.settings/.Settings")
	pid := strings.TrimSpace(out(t, d, "pidof com.android.settings"))
	require.Regexp(t, `ProcessRecord\{\w+ `+pid+`:com\.android\.settings/`, out(t, d, "dumpsys activity processes"))
	out(t, d, "am force-stop com.android.settings")
	require.NotContains(t, out(t, d, "dumpsys activity p"), "com.android.settings")
}
