package android_test

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
	"github.com/handset-go/handset/internal/phonefront/apk"
)

var fresh = apk.Manifest{Package: "com.example.fresh", Version: 7, Label: "Fresh", Activity: ".Main"}

// push puts a package on the phone.
func push(t *testing.T, d *android.Device, m apk.Manifest) (path string) {
	t.Helper()
	path = "/data/local/tmp/app.apk"
	require.NoError(t, d.FS().WriteFile(path, apk.Make(m), 0o644))
	return path
}

func TestInstall(t *testing.T) {
	d := newDevice(t, "")
	path := push(t, d, fresh)
	require.Equal(t, "Success\n", out(t, d, "pm install -r "+path))
	require.Equal(t, "package:com.example.fresh versionCode:7\n", out(t, d, "pm list packages -3 --show-versioncode fresh"))
	require.Contains(t, out(t, d, "am start -W -n com.example.fresh/.Main"), "Status: ok")
	require.Equal(t, "com.example.fresh", d.Phone().FocusedApp().ID)
	require.Contains(t, out(t, d, "cmd package query-activities -a android.intent.action.MAIN -c android.intent.category.LAUNCHER"), "nonLocalizedLabel=Fresh icon=")

	require.Equal(t, "Success\n", out(t, d, "pm uninstall com.example.fresh"))
	require.Len(t, d.Phone().Events("remove"), 1)
	require.NotContains(t, out(t, d, "pm list packages"), "fresh")
	r := run(t, d, "pm uninstall com.example.fresh")
	require.Equal(t, result{"Failure [not installed for 0]\n", "", 1}, r)
	require.Contains(t, run(t, d, "pm uninstall com.android.settings").stdout, "DELETE_FAILED_INTERNAL_ERROR")
}

// TestPackageFiles: what pm path names can be read, as adb pull does, and says the version that dumpsys does.
func TestPackageFiles(t *testing.T) {
	d := newDevice(t, "")
	named := fresh
	named.Name = "1.2-beta"
	require.Equal(t, "Success\n", out(t, d, "pm install "+push(t, d, named)))
	require.Contains(t, out(t, d, "dumpsys package com.example.fresh"), "versionName=1.2-beta\n")
	for _, pkg := range []string{"com.example.fresh", "com.android.settings", "com.handset.shop", "android"} {
		file := strings.TrimPrefix(strings.TrimSpace(out(t, d, "pm path "+pkg)), "package:")
		m, err := apk.Read([]byte(out(t, d, "cat "+file)))
		require.NoError(t, err, file)
		require.Equal(t, pkg, m.Package)
		require.NotEmpty(t, m.Name)
		require.NotEqual(t, 0, run(t, d, "rm -f "+file).status, "the shell may not write there")
	}
	require.Contains(t, run(t, d, "touch /system/app/x").stderr, "Read-only file system")
	require.Contains(t, out(t, d, "grep MemTotal /proc/meminfo; head -1 /proc/stat; cat /proc/version"), "\ncpu  31042 ")
	out(t, d, "pm uninstall com.example.fresh")
	require.Contains(t, run(t, d, "ls /data/app/com.example.fresh-1").stderr, "No such file")
}

func TestInstallStreamed(t *testing.T) {
	d := newDevice(t, "")
	file := string(apk.Make(fresh))
	r := feed(t, d, fmt.Sprintf("cmd package install -S %d", len(file)), file)
	require.Equal(t, result{"Success\n", "", 0}, r)
	r = feed(t, d, fmt.Sprintf("cmd package install -S %d", len(file)+1), file)
	require.Equal(t, 1, r.status)
	require.Contains(t, run(t, d, "pm install").stderr, "must either specify a package size or an APK file")
}

func TestInstallSession(t *testing.T) {
	d := newDevice(t, "")
	split := fresh
	split.Split, split.Activity = "config.en", ""
	base, part := string(apk.Make(fresh)), string(apk.Make(split))
	created := out(t, d, "pm install-create -S 99")
	require.Equal(t, "Success: created install session [1482030701]\n", created)
	r := feed(t, d, fmt.Sprintf("pm install-write -S %d 1482030701 base.apk -", len(base)), base)
	require.Equal(t, fmt.Sprintf("Success: streamed %d bytes\n", len(base)), r.stdout)
	r = feed(t, d, fmt.Sprintf("pm install-write -S %d 1482030701 split.apk", len(part)), part)
	require.Equal(t, 0, r.status, r.stderr)
	require.Equal(t, "Success\n", out(t, d, "pm install-commit 1482030701"))
	require.Equal(t, "package:/data/app/com.example.fresh-1/base.apk\npackage:/data/app/com.example.fresh-1/split_config.en.apk\n", out(t, d, "pm path com.example.fresh"))
	require.Contains(t, run(t, d, "pm install-commit 1482030701").stderr, "SecurityException", "a session ends with its commit")
	for file, want := range map[string]string{"base.apk": base, "split_config.en.apk": part} {
		require.Equal(t, want, out(t, d, "cat /data/app/com.example.fresh-1/"+file))
	}

	require.Contains(t, out(t, d, "pm install-create"), "1482030702")
	feed(t, d, fmt.Sprintf("pm install-write -S %d 1482030702 split.apk", len(part)), part)
	require.Contains(t, run(t, d, "pm install-commit 1482030702").stdout, "Full install must include a base package")
	require.Contains(t, out(t, d, "pm install-create"), "1482030703")
	require.Equal(t, "Success\n", out(t, d, "pm install-abandon 1482030703"))
}

func TestInstallRefusals(t *testing.T) {
	testOnly, older, system := fresh, fresh, fresh
	testOnly.TestOnly = true
	older.Version = 1
	system.Package = "com.android.settings"
	tests := []struct {
		name, profile, fault, command string
		before, app                   apk.Manifest
		want                          string
	}{
		{"test only", "", "", "pm install", apk.Manifest{}, testOnly, "INSTALL_FAILED_TEST_ONLY"},
		{"test only with -t", "", "", "pm install -t", apk.Manifest{}, testOnly, "Success"},
		{"older", "", "", "pm install -r", fresh, older, "INSTALL_FAILED_VERSION_DOWNGRADE"},
		{"older with -d", "", "", "pm install -r -d", fresh, older, "Success"},
		{"again on an old phone", "a6", "", "pm install", fresh, fresh, "INSTALL_FAILED_ALREADY_EXISTS"},
		{"again on a new phone", "a14", "", "pm install", fresh, fresh, "Success"},
		{"of the system", "", "", "pm install -r", apk.Manifest{}, system, "INSTALL_FAILED_UPDATE_INCOMPATIBLE"},
		{"no package", "", "", "pm install", apk.Manifest{}, apk.Manifest{}, "INSTALL_PARSE_FAILED_NOT_APK"},
		{"refused by the owner", "", android.FaultInstallDenied, "pm install", apk.Manifest{}, fresh, "INSTALL_FAILED_USER_RESTRICTED"},
		{"no room", "", android.FaultInstallFull, "pm install", apk.Manifest{}, fresh, "INSTALL_FAILED_INSUFFICIENT_STORAGE"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := newDevice(t, tt.profile)
			if tt.before.Package != "" {
				require.Contains(t, out(t, d, "pm install "+push(t, d, tt.before)), "Success")
			}
			if tt.fault != "" {
				set(t, d, tt.fault)
			}
			require.Contains(t, run(t, d, tt.command+" "+push(t, d, tt.app)).stdout, tt.want)
		})
	}
}

// TestInstallBadNames: a package or a split with a name that is no file name, or that leads elsewhere, is refused
// and leaves nothing on the phone.
func TestInstallBadNames(t *testing.T) {
	const text = "Failure [INSTALL_PARSE_FAILED_BAD_PACKAGE_NAME: Invalid manifest %s]\n"
	d := newDevice(t, "")
	require.Equal(t, "Success\n", out(t, d, "pm install "+push(t, d, apk.Manifest{Package: "a.b"})))
	before := out(t, d, "pm list packages; ls /; md5sum /data/app/a.b-1/base.apk")
	for name, want := range map[string]string{
		"a.b-1/base.apk/x": "package: bad character '-'", "../../x": "package: bad character '/'", "/": "package: bad character '/'",
		"a.b c": "package: bad character ' '", "a.1b": "package: bad character '1'", "_a.b": "package: bad character '_'", "a.é": "package: bad character 'é'",
		"..": "package: Invalid filename", strings.Repeat("a.", 128): "package: Invalid filename", "plain": "package: must have at least one '.' separator",
	} {
		r := run(t, d, "pm install "+push(t, d, apk.Manifest{Package: name}))
		require.Equal(t, result{fmt.Sprintf(text, want), "", 1}, r, name)
	}
	for name, want := range map[string]string{"../../x": "/", "a-b": "-", "x/base": "/"} {
		id := regexp.MustCompile(`\d+`).FindString(out(t, d, "pm install-create"))
		for _, split := range []string{"", name} {
			out(t, d, fmt.Sprintf("pm install-write %s x.apk %s", id, push(t, d, apk.Manifest{Package: "a.c", Split: split})))
		}
		r := run(t, d, "pm install-commit "+id)
		require.Equal(t, result{fmt.Sprintf(text, "split: bad character '"+want+"'"), "", 1}, r, name)
	}
	require.Equal(t, before, out(t, d, "pm list packages; ls /; md5sum /data/app/a.b-1/base.apk"))
	require.NotEqual(t, 0, run(t, d, "ls -d /data/app/-1").status)
	for _, name := range []string{"A.b_1", "a..b", "a.b.c"} {
		require.Equal(t, "Success\n", out(t, d, "pm install "+push(t, d, apk.Manifest{Package: name})))
		require.Equal(t, "package:/data/app/"+name+"-1/base.apk\n", out(t, d, "pm path "+name))
	}
}

func TestClear(t *testing.T) {
	d := newDevice(t, "")
	require.Equal(t, "Success\n", out(t, d, "pm clear com.android.settings"))
	require.Len(t, d.Phone().Events("clear_data"), 1)
	require.Equal(t, result{"", "Failed\n", 1}, run(t, d, "pm clear com.example.none"))
}

func TestWorkProfile(t *testing.T) {
	d := newDevice(t, "")
	set(t, d, android.FaultWorkProfile)
	require.Contains(t, run(t, d, "pm list packages -3").stderr, "Shell does not have permission to access user 10")
	require.Contains(t, out(t, d, "pm list packages --user 0"), "package:com.android.settings\n")
	require.Contains(t, out(t, d, "pm list users"), "UserInfo{10:Work profile:1030} running")
}

func TestTelevision(t *testing.T) {
	d := newDevice(t, "tv")
	require.Contains(t, out(t, d, "cmd package query-activities --brief -a android.intent.action.MAIN -c android.intent.category.LAUNCHER"), "No activities found")
	require.Contains(t, out(t, d, "cmd package query-activities --brief -a android.intent.action.MAIN -c android.intent.category.LEANBACK_LAUNCHER"), "com.android.settings/.Settings")
	require.Contains(t, out(t, d, "cmd package resolve-activity --brief -c android.intent.category.LAUNCHER com.android.settings"), "{}")
	require.Equal(t, 252, run(t, d, "monkey -p com.android.settings -c android.intent.category.LAUNCHER 1").status)
	require.Equal(t, 0, run(t, d, "monkey -p com.android.settings -c android.intent.category.LEANBACK_LAUNCHER 1").status)
	require.Contains(t, out(t, d, "pm list features"), "android.software.leanback\n")
	require.NotContains(t, out(t, d, "pm list features"), "touchscreen")
	require.NotContains(t, out(t, d, "dumpsys input"), "Surface")
	require.Contains(t, out(t, d, "dumpsys input"), "orientation=0")
}

func TestFoldedShowsTheSecondDisplay(t *testing.T) {
	d, err := android.New(sim.New(nil), &android.Options{Profile: "a14-folded"})
	require.NoError(t, err)
	displays := out(t, d, "cmd display get-displays")
	require.Contains(t, displays, `displayId 0, state ON, type INTERNAL, uniqueId "local:4619827551948147201"`)
	require.Contains(t, displays, `displayId 3, state OFF, type INTERNAL, uniqueId "local:4619827259835644672"`)
	without := run(t, d, "screencap -p | wc -c")
	require.Contains(t, without.stderr, "[Warning] Multiple displays were found")
	on := out(t, d, "screencap -p -d 4619827551948147201")
	want, _ := d.Phone().PNG()
	require.Equal(t, string(want), on)
	off := out(t, d, "screencap -p -d 4619827259835644672")
	require.NotEqual(t, on, off)
	require.Equal(t, fmt.Sprint(len(off)), strings.TrimSpace(without.stdout), "without an id it is the dark one")
}

func TestDumpSizes(t *testing.T) {
	d := newDevice(t, "")
	set(t, d, android.FaultDumpBig+"=20000", android.FaultDumpDeep)
	xml := out(t, d, "uiautomator dump >/dev/null; cat /sdcard/window_dump.xml")
	require.Greater(t, strings.Count(xml, "<node"), 20100)
	require.Contains(t, xml, `text="Deep 100"`)
}

func TestDumpsExcludeEachOther(t *testing.T) {
	d := newDevice(t, "")
	set(t, d, android.FaultDumpExclusive, android.FaultDumpSlow+"=1h")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var printed syncBuffer
	var dumps sync.WaitGroup
	ended := make(chan struct{}, 2)
	for range 2 { // the second one ends at once, the first goes on
		dumps.Go(func() {
			d.Shell(ctx, "uiautomator dump", android.Stdio{Out: &printed, Err: &printed})
			ended <- struct{}{}
		})
	}
	<-ended
	require.Contains(t, printed.String(), "already registered!")
	require.Empty(t, ended)
	cancel()
	dumps.Wait()
}

func TestBatteryAndNetwork(t *testing.T) {
	d := newDevice(t, "")
	require.Contains(t, out(t, d, "dumpsys battery"), "  level: 82\n")
	out(t, d, "dumpsys battery set level 7; dumpsys battery unplug")
	require.Contains(t, out(t, d, "dumpsys battery"), "USB powered: false")
	require.Contains(t, out(t, d, "dumpsys battery"), "  level: 7\n")
	out(t, d, "dumpsys battery reset")
	require.Contains(t, out(t, d, "dumpsys battery"), "  level: 82\n")

	require.Equal(t, "192.168.12.0/24 dev wlan0 proto kernel scope link src 192.168.12.34 \n", out(t, d, "ip route"))
	require.Contains(t, out(t, d, "ip -f inet addr show wlan0"), "inet 192.168.12.34/24")
	require.Contains(t, out(t, d, "ifconfig wlan0"), "inet addr:192.168.12.34")
	d.Phone().SetValue("wifi", "false")
	require.Empty(t, out(t, d, "ip route"))
	require.NotContains(t, out(t, d, "ifconfig"), "192.168")
}

func TestLogcatFollows(t *testing.T) {
	d := newDevice(t, "")
	out(t, d, "log -t before one")
	require.Contains(t, out(t, d, "logcat -d"), "one")
	var got syncBuffer
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		d.Shell(ctx, "logcat -v time", android.Stdio{Out: &got, Err: &got})
	}()
	require.Eventually(t, func() bool { return strings.Contains(got.String(), "one") }, 10*time.Second, time.Millisecond)
	out(t, d, "log -t after two")
	require.Eventually(t, func() bool { return strings.Contains(got.String(), "two") }, 10*time.Second, time.Millisecond)
	cancel()
	<-ended
	require.NotContains(t, out(t, d, "logcat -d -t 1"), "one")
	out(t, d, "logcat -c")
	require.NotContains(t, out(t, d, "logcat -d"), "two")
}

// syncBuffer is a buffer that is written and read at the same time.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
