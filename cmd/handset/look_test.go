package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/android"
)

func TestDevices(t *testing.T) {
	device := func(serial string) *android.Device {
		d, err := android.New(sim.New(nil), &android.Options{Serial: serial})
		require.NoError(t, err)
		return d
	}
	serve(t,
		adbserver.Phone{Device: device("GOOD1"), USB: "1-1"},
		adbserver.Phone{Device: device("SHY2"), State: adbserver.Unauthorized},
		adbserver.Phone{Device: device("GONE3"), State: adbserver.Offline},
		adbserver.Phone{Device: device("MY PHONE (4)")},
		adbserver.Phone{Device: device("ROOT5"), State: adbserver.NoPermission},
	)
	r := command(t, nil, "devices") // this process has simulated phones, too
	rows := strings.Split(r.ok(t), "\n")
	require.Len(t, rows, 6)
	require.Regexp(t, `^ADDRESS +STATE +MODEL +ADVICE$`, rows[0])
	require.Regexp(t, `^adb:GOOD1 +device +\S`, rows[1])
	require.Regexp(t, `^adb:SHY2 +unauthorized .*USB debugging`, rows[2])
	require.Regexp(t, `^adb:GONE3 +offline .*\w`, rows[3])
	require.Regexp(t, `^adb:MY PHONE \(4\) +device`, rows[4])
	require.Regexp(t, `^adb:ROOT5 +no permissions +\S.*udev`, rows[5])
	require.Empty(t, r.err)

	list := object(t, command(t, nil, "--json", "devices").ok(t))["devices"].([]any)
	require.Len(t, list, 5)
	shy := list[1].(map[string]any)
	require.Equal(t, "adb:SHY2", shy["address"])
	require.Equal(t, "unauthorized", shy["state"])
	require.NotEmpty(t, shy["advice"])

	// What the list says can be given to -d, and without it there are too many.
	require.Contains(t, run(t, "-d", "adb:MY PHONE (4)", "info").ok(t), "1080x2400")
	require.Contains(t, run(t, "-d", "MY PHONE (4)", "info").ok(t), "1080x2400")
	run(t, "info").fails(t, exitDevice, "several devices", "GOOD1", "MY PHONE (4)")
	run(t, "-d", "SHY2", "info").fails(t, exitDevice, "not authorized", "USB debugging")
	run(t, "-d", "adb:GONE3", "info").fails(t, exitDevice, "offline")
	run(t, "-d", "NOBODY", "info").fails(t, exitDevice, "no such device", "GOOD1")
}

func TestDevicesWithoutAny(t *testing.T) {
	serve(t)
	r := command(t, nil, "devices")
	require.Empty(t, r.ok(t))
	require.Contains(t, r.err, "handset sim")
	require.Contains(t, command(t, nil, "--lang", "zh", "devices").err, "没有手机")
	require.Contains(t, command(t, []string{"LANG=zh_CN.UTF-8"}, "devices").err, "没有手机")
	j := object(t, command(t, nil, "devices", "--json").ok(t))
	require.Empty(t, j["devices"])
	require.NotContains(t, j["errors"], "adb: ", "only the tools of other phones may be missing")
	run(t, "info").fails(t, exitDevice, "no such device", "USB debugging")
}

func TestDevicesWithoutADB(t *testing.T) {
	r := command(t, nil, "devices")
	r.fails(t, exitDevice, "adb is not installed", "platform-tools")
	require.Empty(t, r.out)
	j := command(t, nil, "devices", "--json")
	require.Equal(t, exitDevice, j.status)
	require.Contains(t, fmt.Sprint(object(t, j.out)["errors"]), "adb: no adb server answers")
	run(t, "tree").fails(t, exitDevice, "adb is not installed")
	run(t, "connect", "127.0.0.1:5").fails(t, exitDevice, "adb is not installed")
}

func TestInfo(t *testing.T) {
	device, _ := attach(t, &sim.Options{Start: "com.android.settings"})
	out := run(t, "info").ok(t)
	require.Regexp(t, `(?m)^address +adb:SIM0001$`, out)
	require.Regexp(t, `(?m)^platform +android$`, out)
	require.Regexp(t, `(?m)^size +1080x2400$`, out)
	require.Regexp(t, `(?m)^app .*com.android.settings`, out)
	require.Regexp(t, `(?m)^power +on=true locked=false$`, out)
	got := object(t, run(t, "--json", "info").ok(t))
	require.Equal(t, "adb:SIM0001", got["address"])
	require.Equal(t, []any{1080.0, 2400.0}, got["size"])
	require.Equal(t, 0.0, got["rotation"])
	require.Equal(t, "com.android.settings", got["app"].(map[string]any)["id"])
	require.Contains(t, got["operations"], "tap")

	device.Phone().Sleep()
	require.Regexp(t, `(?m)^power +on=false`, run(t, "info").ok(t))
}

func TestInfoOfOddPhones(t *testing.T) {
	cases := []struct {
		name    string
		options sim.Options
		faults  []string
		says    string
	}{
		{"locked", sim.Options{Locked: true}, nil, `power +on=true locked=true`},
		{"asleep", sim.Options{Asleep: true}, nil, `power +on=false`},
		{"no rest and slow to tell", sim.Options{}, []string{android.FaultDumpsysTimeout, android.FaultDumpIdle}, `app +com.android.launcher3`},
		{"no focus", sim.Options{}, []string{android.FaultFocusNull}, `app +com.android.launcher3`},
		{"no orientation", sim.Options{}, []string{android.FaultNoOrientation}, `size +1080x2400`},
		{"turned", sim.Options{Rotation: 1}, nil, `size +2400x1080`},
		{"small", sim.Options{Size: image.Pt(320, 480), Density: 160}, nil, `size +320x480`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			attach(t, &c.options, c.faults...)
			require.Regexp(t, `(?m)^`+c.says, run(t, "info").ok(t))
		})
	}
}

// A phone that cannot tell one thing still tells the others.
func TestInfoTellsWhatItCan(t *testing.T) {
	broken := errors.New("it is broken")
	d := sim.Open(sim.New(nil), &sim.DriverOptions{Before: func(_ context.Context, op driver.Op) error {
		if op == driver.OpForeground {
			return broken
		}
		return nil
	}, Without: []driver.Op{driver.OpPowerState}})
	defer d.Close()
	info, err := gather(t.Context(), d)
	require.ErrorIs(t, err, broken)
	require.Nil(t, info.App)
	require.Nil(t, info.Power)
	require.Equal(t, &[2]int{1080, 2400}, info.Size)
	require.Equal(t, 0, *info.Rotation)
}

func TestApps(t *testing.T) {
	attach(t, nil)
	out := run(t, "apps").ok(t)
	require.Regexp(t, `(?m)^ID +NAME$`, out)
	require.Regexp(t, `(?m)^com.android.settings +\S`, out)
	got := object(t, run(t, "--json", "apps").ok(t))["apps"].([]any)
	require.Len(t, got, strings.Count(out, "\n")-1)
	require.Contains(t, got[0], "id")
}

// --lang names apps in that language, and leaves the address as it is otherwise.
func TestAppsInALanguage(t *testing.T) {
	attach(t, nil)
	for lang, want := range map[string]string{"en": "Settings", "zh": "设置", "cn": "设置"} {
		require.Regexp(t, `(?m)^com.android.settings +`+want+`$`, run(t, "--lang", lang, "apps").ok(t))
		require.Contains(t, run(t, "--lang", lang, "launch", "com.android.settings").ok(t), want)
	}
	require.Regexp(t, `(?m)^com.android.settings +Settings$`, run(t, "--lang", "zh", "-d", "adb:SIM0001?lang=en", "apps").ok(t))
	rows := run(t, "tree").ok(t)
	run(t, "--lang", "zh", "tap", "--ref", refOf(t, rows, "Bluetooth")).ok(t)
	require.Regexp(t, `^address +adb:SIM0001\n`, run(t, "--lang", "zh", "info").ok(t))
}

// A full disk is no success, and neither is a reader that has gone.
func TestOutputThatCannotBeWritten(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full here")
	}
	defer full.Close()
	for _, args := range [][]string{{"info"}, {"info", "--json"}, {"tree"}, {"tree", "--format", "json"}, {"apps"}, {"screenshot", "-o", "-"}, {"sim", "--list"}} {
		var stderr buffer
		a := &app{ctx: t.Context(), stdin: strings.NewReader(""), stdout: full, stderr: &stderr}
		require.Equal(t, exitOther, a.main(append([]string{"-d", "sim:"}, args...)), "%v", args)
		require.Contains(t, stderr.String(), "no space left", "%v", args)
	}
}

// What an app writes on its screen cannot steer the terminal of the person who looks.
func TestTextOfThePhoneIsPlain(t *testing.T) {
	nasty := sim.App{ID: "com.nasty", Name: sim.T("\x1b[2J\u202egnp", ""), Screens: []sim.Screen{{
		ID: "main", Title: sim.T("a\x1b]0;owned\x07b\rc", ""), Body: []sim.Widget{{Kind: sim.KindButton, Text: sim.T("\x1b[31mred\u009b", "")}},
	}}}
	phone := sim.New(&sim.Options{Apps: []sim.App{nasty}, Start: "com.nasty"})
	for _, args := range [][]string{{"tree"}, {"info"}, {"apps"}, {"launch", "com.nasty"}, {"tap", "--text", "\x1b[5mx"}, {"launch", "\x1b[5mx"}} {
		r := run(t, append([]string{"-d", phone.Address()}, args...)...)
		require.NotRegexp(t, `[\x00-\x08\x0b-\x1f\x7f\x{80}-\x{9f}\x{202e}]`, r.out+r.err, "%v", args)
		require.NotEmpty(t, r.out+r.err)
	}
	require.NotEmpty(t, phone.Name(), "an address keeps no phone alive: the test does")
}
