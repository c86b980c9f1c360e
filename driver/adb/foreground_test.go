package adb

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

func TestParseFocus(t *testing.T) {
	tests := []struct {
		name, text string
		want       place
	}{
		{"Android 4", "  mCurrentFocus=Window{b4d2a948 com.example.sample/com.example.sample.MainActivity paused=false}\n" +
			"  mFocusedApp=AppWindowToken{b4d8bf80 token=Token{b4d3ab58 ActivityRecord{b4d3aa20 com.example.sample/.MainActivity}}}",
			place{"com.example.sample", "com.example.sample.MainActivity"}},
		{"Android 9", "  mCurrentFocus=Window{4330b6c0 u0 com.android.settings/com.android.settings.SubSettings}\n" +
			"  mFocusedApp=AppWindowToken{38600b56 token=Token{9ea1171 ActivityRecord{2c7c4318 u0 com.android.settings/.SubSettings t181}}}",
			place{"com.android.settings", "com.android.settings.SubSettings"}},
		{"only the app", "  mCurrentFocus=null\n  mFocusedApp=AppWindowToken{20fe217e token=Token{21 ActivityRecord{16425300 u0 com.example/.Main, isShadow:false t10}}}",
			place{}},
		{"no user number", "mFocusedApp=AppWindowToken{3 token=Token{9 ActivityRecord{2 u com.example/.Main t181}}}\nmCurrentFocus=Window{1fe81ff u0 PopupWindow:1fe81ff}",
			place{"com.example", "com.example.Main"}},
		{"a cover display", "  mFocusedApp=ActivityRecord{14d88c3 u0 com.android.systemui/.subscreen.SubHomeActivity t9}\n" +
			"  mFocusedApp=ActivityRecord{d72327 u0 com.example.universal/crc64.MainActivity t409}\n  mCurrentFocus=Window{aa u0 com.android.systemui/.subscreen.SubHomeActivity}\n" +
			"  mCurrentFocus=Window{2785a60 u0 com.example.universal/crc64.MainActivity}\n  mCurrentFocus=null", place{"com.example.universal", "crc64.MainActivity"}},
		{"a doubled brace, Android 13", "  mFocusedApp=null\n  mFocusedApp=ActivityRecord{a646676 u0 com.example.android/.activity.main.MainActivity} t285}\n" +
			"  mCurrentFocus=null\n  mCurrentFocus=Window{5e9b13b u0 com.example.android/com.example.android.activity.main.MainActivity}}",
			place{"com.example.android", "com.example.android.activity.main.MainActivity"}},
		{"they disagree", "  mCurrentFocus=Window{41b37570 u0 com.incall.apps.launcher/com.incall.apps.launcher.Launcher}\n" +
			"  mFocusedApp=AppWindowToken{4 token=Token{4 ActivityRecord{4 u0 com.example/.UI.play.PlayActivity t14}}}",
			place{"com.incall.apps.launcher", "com.incall.apps.launcher.Launcher"}},
		{"the shade", "  mCurrentFocus=Window{85a52f2 u0 NotificationShade}\n  mFocusedApp=ActivityRecord{d u0 com.example/.Main t4}", place{"com.android.systemui", "NotificationShade"}},
		{"not responding", "  mCurrentFocus=Window{5c1d0aa u0 Application Not Responding: com.example.app}\n  mFocusedApp=ActivityRecord{d u0 com.example.app/.Main t4}",
			place{"android", "Application Not Responding: com.example.app"}},
		{"a work profile", "  mCurrentFocus=Window{7b2c1de u10 com.example.app/com.example.app.MainActivity}", place{"com.example.app", "com.example.app.MainActivity"}},
		{"nothing", "  mCurrentFocus=null\n  mFocusedApp=null", place{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, parseFocus(strings.ReplaceAll(tt.text, "\n", "\r\n")).front)
		})
	}
	resumed := parseResumed("    mResumedActivity: ActivityRecord{80 u0 com.other/.Main t42}\n    topResumedActivity=ActivityRecord{1a u999 com.smile/com.yxcorp.HomeActivity} t6294}\n" +
		"  ResumedActivity: ActivityRecord{1a u0 com.third/.X} t1}")
	require.Equal(t, place{"com.smile", "com.yxcorp.HomeActivity"}, resumed.front)
}

// TestFocusOfRealPhones reads lines that were seen, where a folder with them is at hand.
func TestFocusOfRealPhones(t *testing.T) {
	dir := os.Getenv("HANDSET_SAMPLES")
	if dir == "" {
		t.Skip("HANDSET_SAMPLES names no folder with samples")
	}
	data, err := os.ReadFile(filepath.Join(dir, "adb", "dumpsys_focus_lines_by_version.txt"))
	require.NoError(t, err)
	for _, part := range strings.Split(string(data), "###")[1:] {
		title, lines, _ := strings.Cut(part, "\n")
		f := parseFocus(lines)
		if strings.Contains(lines, "Activity:") || strings.Contains(lines, "topResumed") {
			f = parseResumed(lines)
		}
		if strings.Contains(title, "no app") || strings.Contains(title, "Android 13 record form") {
			continue
		}
		require.NotEmpty(t, f.front.pkg, title)
		require.NotContains(t, f.front.page, "SubHome", title)
	}
}

func FuzzParseFocus(f *testing.F) {
	f.Add("  mCurrentFocus=Window{4330b6c0 u0 com.android.settings/com.android.settings.SubSettings}\nmFocusedApp=ActivityRecord{d u0 a.b/.c t4}")
	f.Add("topResumedActivity=ActivityRecord{1a70f4a u0 com.smile/com.y.H} t6294}")
	f.Fuzz(func(t *testing.T, text string) {
		for _, got := range []focus{parseFocus(text), parseResumed(text)} {
			if strings.Contains(got.front.pkg, " ") {
				t.Fatalf("package %q", got.front.pkg)
			}
		}
		parsePower(text)
		parseDisplay(text)
		parseField(text)
		parseDevices(text)
	})
}

func TestForegroundWaitsOutAMomentWithoutFocus(t *testing.T) {
	f := newFake(t)
	n := 0
	f.setShell(func(line string) answer {
		switch {
		case strings.Contains(line, "window displays") && strings.Contains(line, "mCurrentFocus"):
			if n++; n < 3 {
				return answer{out: "  mCurrentFocus=null\n  mFocusedApp=null\n"}
			}
			return answer{out: "  mCurrentFocus=Window{1 u0 com.android.settings/com.android.settings.Settings}\n"}
		}
		return answer{code: 1}
	})
	app, err := f.open().Foreground(t.Context())
	require.NoError(t, err)
	require.Equal(t, driver.App{ID: "com.android.settings", Name: "设置", Page: "com.android.settings.Settings"}, app)
}

func TestForegroundOfOtherReleases(t *testing.T) {
	f := newFake(t)
	f.on("window windows", "  mCurrentFocus=Window{1 u0 com.old/com.old.Main}\n")
	d := f.open()
	for range 2 {
		app, err := d.Foreground(t.Context())
		require.NoError(t, err)
		require.Equal(t, "com.old", app.ID)
	}
	require.Len(t, f.ran("window displays"), 1, "it remembers which words work")
	f.on("activity activities", "    topResumedActivity=ActivityRecord{1 u0 com.new/.Main} t6}\n")
	app, err := d.Foreground(t.Context())
	require.NoError(t, err)
	require.Equal(t, "com.new", app.ID)
	f.on()
	_, err = d.Foreground(t.Context())
	require.ErrorContains(t, err, "no window has the focus")
}

func TestParsePower(t *testing.T) {
	tests := []struct {
		name, text string
		want       driver.Power
	}{
		{"on", "  mWakefulness=Awake\n  showing=false\n  mIsShowing=false\n mInputRestricted=false\n screenState=SCREEN_STATE_ON", driver.Power{On: true}},
		{"off", "  mWakefulness=Asleep\n screenState=SCREEN_STATE_OFF", driver.Power{}},
		{"ambient", "  mWakefulness=Dozing", driver.Power{}},
		{"screen saver", "  mWakefulness=Dreaming", driver.Power{On: true}},
		{"some makers", "  getWakefulnessLocked()=Awake", driver.Power{On: true}},
		{"locked", "mWakefulness=Awake\n showing=true\n mIsShowing=true\n mInputRestricted=true", driver.Power{On: true, Locked: true}},
		{"drawn and trusted", "mWakefulness=Awake\n mIsShowing=true\n mInputRestricted=false", driver.Power{On: true}},
		{"old", "mWakefulness=Awake\nmShowingLockscreen=true mShowingDream=false mDreamingLockscreen=false mTopIsFullscreen=false", driver.Power{On: true, Locked: true}},
		{"new", "mWakefulness=Awake\n    isKeyguardShowing=true", driver.Power{On: true, Locked: true}},
		{"only the policy", "screenState=SCREEN_STATE_ON", driver.Power{On: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, parsePower(tt.text)) })
	}
}

func TestParseRotation(t *testing.T) {
	tests := []struct {
		name, displays, input, wm string
		want                      int
	}{
		{"window manager", "mDisplayId=0\n cur=1080x1920\n mCurrentRotation=ROTATION_270", "", "", 3},
		{"old window manager", "mRotation=1 mAltOrientation=false", "", "", 1},
		{"of the first display", "mDisplayId=0\n mCurrentRotation=ROTATION_0\nmDisplayId=2\n mCurrentRotation=ROTATION_90", "", "", 0},
		{"touch screen", "", "      SurfaceOrientation: 1", "", 1},
		{"touch screen, Android 14", "", "      InputDeviceOrientation: Rotation180", "", 2},
		{"sizes", "mDisplayId=0\n cur=1920x1080", "", "Physical size: 1080x1920", 1},
		{"sizes, upright", "cur=1080x1920", "", "Physical size: 1080x1920", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseRotation(tt.displays, tt.input, tt.wm)
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
	_, err := parseRotation("", "", "")
	require.Error(t, err)
}

func TestParseWmSize(t *testing.T) {
	for text, want := range map[string]string{
		"Physical size: 1080x1920\r\n":                        "(1080,1920)",
		"Physical size: 1080x1920\nOverride size: 480x1024\n": "(480,1024)",
		"WARNING: linker: x\nPhysical size: 1080x1920":        "(1080,1920)",
		"Physical size: 0x0":                                  "",
		"Physical size: 99999999999999999999x1":               "",
		"/system/bin/sh: wm: not found":                       "",
	} {
		got, ok := parseWmSize(text)
		require.Equal(t, want != "", ok, text)
		if ok {
			require.Equal(t, want, got.String())
		}
	}
}

func TestSecureFlag(t *testing.T) {
	old := "  Window #2 Window{bb u0 com.bank/.Main}:\n    mAttrs=WM.LayoutParams{(0,0)(fillxfill) sim=#20 ty=1 fl=%s fmt=-3 wanim=0x10}\n mCurrentFocus=Window{bb u0 com.bank/.Main}"
	require.True(t, focusIsSecure(strings.Replace(old, "%s", "#81812100", 1)))
	require.False(t, focusIsSecure(strings.Replace(old, "%s", "#81810100", 1)))
	require.False(t, focusIsSecure("  Window #1 Window{aa u0 x}:\n fl=SECURE\n  Window #2 Window{bb u0 y}:\n fl=NONE\n mCurrentFocus=Window{bb u0 y}"))
	require.False(t, focusIsSecure(""))
}

// apps answers pm path for the installed ones, and lists the launchable ones.
func installed(ids ...string) func(line string) (answer, bool) {
	return func(line string) (answer, bool) {
		switch {
		case strings.Contains(line, "pm path"):
			var b strings.Builder
			for i, part := range strings.Split(line, "pm path ")[1:] {
				id, _, _ := strings.Cut(part, ";")
				b.WriteString(sectionLabel(i) + "\n")
				for _, have := range ids {
					if have == id {
						b.WriteString("package:/data/app/" + id + "/base.apk\n")
					}
				}
			}
			return answer{out: b.String()}, true
		case strings.HasPrefix(line, "cmd package query-activities"):
			return answer{out: "2 activities found:\n  priority=0 x\n  " + strings.Join(ids, "/.Main\n  ") + "/.Main\n"}, true
		}
		return answer{}, false
	}
}

func TestResolve(t *testing.T) {
	f := newFake(t)
	have := installed("com.android.settings", "com.google.android.calculator", "com.miui.calculator", "com.example.shop", "com.example.clock", "com.hidden")
	f.setShell(func(line string) answer { a, _ := have(line); return a })
	d := f.open(func(o *Options) {
		o.Apps = map[string]string{"My Shop": "com.example.shop", "Gone": "com.example.gone"}
	})
	tests := []struct {
		name, app, want string
		err             error
		text            string
	}{
		{"an id", "com.hidden", "com.hidden", nil, ""},
		{"a name of the table", "设置", "com.android.settings", nil, ""},
		{"a name of the options", "my shop", "com.example.shop", nil, ""},
		{"a name of the options that is not there", "Gone", "", driver.ErrAppNotFound, ""},
		{"a part of an id", "Clock", "com.example.clock", nil, ""},
		{"several", "Calculator", "", driver.ErrAmbiguousApp, "com.google.android.calculator, com.miui.calculator"},
		{"an id that is not there", "com.example.none", "", driver.ErrAppNotFound, ""},
		{"a near miss", "My Shap", "", driver.ErrAppNotFound, "com.example.shop"},
		{"syntax", "$(reboot); x", "", driver.ErrAppNotFound, ""},
		{"nothing", " ", "", driver.ErrAppNotFound, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := d.Resolve(t.Context(), tt.app)
			for _, line := range f.ran("") {
				require.NotContains(t, line, "reboot")
			}
			if tt.err != nil {
				require.ErrorIs(t, err, tt.err)
				require.ErrorContains(t, err, tt.text)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, got.ID)
		})
	}
	all, err := d.Apps(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 6)
	require.Equal(t, driver.App{ID: "com.example.shop", Name: "My Shop"}, all[2])
}

func TestAppsOfAnOldPhone(t *testing.T) {
	f := newFake(t)
	f.on("query-activities", answer{out: "Unknown command: query-activities\n", code: 1}, "pm list", "package:com.b versionCode:3\npackage:/data/app/x.apk=com.a\n")
	all, err := f.open().Apps(t.Context())
	require.NoError(t, err)
	require.Equal(t, []driver.App{{ID: "com.a"}, {ID: "com.b"}}, all)
	f.on()
	_, err = f.open().Apps(t.Context())
	require.ErrorContains(t, err, "lists no apps")
}

func TestLaunch(t *testing.T) {
	const ok, exported = "Starting: Intent { cmp=x }\nStatus: ok\nLaunchState: COLD\nActivity: x\nComplete\n", "java.lang.SecurityException: Permission Denial: starting Intent { } not exported"
	const injected = "  bash arg: -p\nEvents injected: 1\n"
	const front, none = "  mCurrentFocus=Window{1 u0 com.example.shop/com.example.shop.ErrorMain}\n", "** No activities found to run, monkey aborted.\n"
	shade := "  mCurrentFocus=Window{1 u0 NotificationShade}\n  mFocusedApp=ActivityRecord{1 u0 com.example.shop/.Main t1}\n"
	locked := sectionLabel(0) + "\n mWakefulness=Awake\n" + sectionLabel(1) + "\n mIsShowing=true\n mInputRestricted=true\n"
	tests := []struct {
		name                                string
		resolve, start, monkey, focus, lock string
		monkeys                             int
		err                                 error
		text                                string
	}{
		{"by name", "priority=0\ncom.example.shop/.ErrorMain\n", ok, "", front, "", 0, nil, ""},
		{"brought to the front", "com.example.shop/.M\n", "Warning: Activity not started, its current task has been brought to the front\n", "", front, "", 0, nil, ""},
		{"no launcher", "No activity found\n", "", injected, front, "", 1, nil, ""},
		{"the chooser", "android/com.android.internal.app.ResolverActivity\n", "", injected, front, "", 1, nil, ""},
		{"not exported", "com.example.shop/.Inner$M\n", exported, injected, front, "", 1, nil, ""},
		{"cannot be started", "com.example.shop/.M\n", "Error type 3\nError: Activity class {x} does not exist.\n", none, front, "", 2, nil, "No activities found"},
		{"status null", "com.example.shop/.M\n", "Status: null\n", none, front, "", 2, nil, "Status: null"},
		{"asks for a permission", "com.example.shop/.M\n", ok, "", "  mCurrentFocus=Window{1 u0 com.google.android.permissioncontroller/com.android.permissioncontroller.permission.ui.GrantPermissionsActivity}\n", "", 0, nil, ""},
		{"locked", "com.example.shop/.M\n", ok, "", shade, locked, 0, driver.ErrLocked, "unlock"},
		{"asleep", "com.example.shop/.M\n", ok, "", shade, strings.Replace(locked, "Awake", "Asleep", 1), 0, driver.ErrAsleep, "wake"},
		{"does not come", "com.example.shop/.M\n", ok, "", "  mCurrentFocus=Window{1 u0 com.other/.Main}\n", "", 0, nil, "com.other"},
	}
	have := installed("com.example.shop")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.setShell(func(line string) answer {
				if a, ok := have(line); ok {
					return a
				}
				for part, say := range map[string]string{"resolve-activity": tt.resolve, "am start": tt.start, "monkey": tt.monkey, "mWakefulness": tt.lock, "mCurrentFocus": tt.focus} {
					if strings.Contains(line, part) {
						return answer{out: say}
					}
				}
				return answer{}
			})
			d := f.open()
			d.frontLimit = 400 * time.Millisecond
			err := d.Launch(t.Context(), "com.example.shop")
			require.Len(t, f.ran("monkey"), tt.monkeys)
			if tt.err == nil && tt.text == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tt.text)
			if tt.err != nil {
				require.ErrorIs(t, err, tt.err)
			}
		})
	}
}

// TestLaunchBehindAnotherQuestion has the system ask for another app's permission when the app is
// started: that is not the app.
func TestLaunchBehindAnotherQuestion(t *testing.T) {
	const asks = "  mCurrentFocus=Window{1 u0 com.google.android.permissioncontroller/com.android.permissioncontroller.permission.ui.GrantPermissionsActivity}\n"
	have := installed("com.example.shop")
	f, looks := newFake(t), 0
	f.setShell(func(line string) answer {
		if a, ok := have(line); ok {
			return a
		}
		switch {
		case strings.Contains(line, "resolve-activity"):
			return answer{out: "com.example.shop/.M\n"}
		case strings.Contains(line, "am start"):
			return answer{out: "Status: ok\n"}
		case strings.Contains(line, "mCurrentFocus"):
			if looks++; looks == 1 {
				return answer{out: asks}
			}
			return answer{out: "  mCurrentFocus=Window{1 u0 com.example.shop/.M}\n"}
		}
		return answer{}
	})
	d := f.open()
	require.NoError(t, d.Launch(t.Context(), "com.example.shop"))
	require.Greater(t, looks, 1)
}

// TestLaunchThatHangs holds that an app counts that came to the front, whatever am start -W waits for.
func TestLaunchThatHangs(t *testing.T) {
	have := installed("com.example.shop")
	f := newFake(t)
	f.setShell(func(line string) answer {
		if a, ok := have(line); ok {
			return a
		}
		switch {
		case strings.Contains(line, "resolve-activity"):
			return answer{out: "com.example.shop/.M\n"}
		case strings.Contains(line, "am start"):
			return answer{hang: true}
		}
		return answer{out: "  mCurrentFocus=Window{1 u0 com.example.shop/.M}\n"}
	})
	d := f.open()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- d.Launch(ctx, "com.example.shop") }()
	for len(f.ran("am start")) == 0 {
		require.NoError(t, nap.For(t.Context(), time.Millisecond))
	}
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
	require.Empty(t, f.ran("am start"))
}
