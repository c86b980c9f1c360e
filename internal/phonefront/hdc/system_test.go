package hdc_test

import (
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/hdc"
)

const frame = "\n-------------------------------[ability]-------------------------------\n\n\n----------------------------------"

func TestRenderService(t *testing.T) {
	ask := "hidumper -s RenderService -a screen"
	s, d := onePhone(t, "6.0")
	got := out(t, s, "shell", ask)
	require.True(t, strings.HasPrefix(got, frame+"RenderService----------------------------------\n-- ScreenInfo\n"), got)
	require.Contains(t, got, "\nscreen[0]: id=0, powerStatus=POWER_STATUS_ON, backlight=16920, screenType=EXTERNAL_TYPE, render resolution=1080x2400, "+
		"physical resolution=1188x2640, isVirtual=false, skipFrameInterval=1, expectedRefreshRate=-1, skipFrameStrategy=0\n")
	set(t, d, hdc.FaultDoze)
	require.Contains(t, out(t, s, "shell", ask), "powerStatus=POWER_STATUS_DOZE,")
	set(t, d, hdc.FaultPanelOff, hdc.FaultRenderZero)
	got = out(t, s, "shell", ask)
	require.Contains(t, got, "powerStatus=POWER_STATUS_OFF,")
	require.Contains(t, got, "render resolution=0x0,")

	old, _ := onePhone(t, "5.1")
	require.Contains(t, out(t, old, "shell", ask), "\nscreen[0]: id=0, powerstatus=POWER_STATUS_ON, backlight=51, screenType=EXTERNAL_TYPE, "+
		"render size: 1080x2400, physical screen resolution: 1080x2400, isvirtual=false, skipFrameInterval_:1\n")
}

func TestWindowManager(t *testing.T) {
	ask := "hidumper -s WindowManagerService -a '-a'"
	s, d := onePhone(t, "6.0")
	got := out(t, s, "shell", ask)
	require.Contains(t, got, "\nWindowName           DisplayId Pid     WinId Type Mode Flag ZOrd Orientation [ x    y    w    h    ]")
	require.Regexp(t, `(?m)^EntryView            0         \d+ +2     2001 1    0    10   0           \[ 0    0    1080 2400 \]$`, got)
	require.Regexp(t, `(?m)^SCBStatusBar24       0         \d+ +30    2108 1    0    2202 0           \[ 0    0    1080 74   \]$`, got)
	require.Contains(t, got, "\nFocus window: 2\nAll Focus window:\nDisplayId: 0 WindowId: 2\nSingleHand: X[0] Y[0] scale[1]\nTotal window num: 3\nHighlighted windows: 2\n")
	start(t, d, settings)
	win := parse(t, dump(t, s, "")).Children[0].Attributes["hostWindowId"]
	got = out(t, s, "shell", ask)
	require.Contains(t, got, "\nFocus window: "+win+"\n")
	require.Contains(t, out(t, s, "shell", "hidumper -s WindowManagerService -a '-w "+win+"'"), "BundleName: "+settings+"\n")
	set(t, d, hdc.FaultLocked)
	require.Regexp(t, `(?m)^ScreenLockWindow .* 2110 `, out(t, s, "shell", ask))

	old, _ := onePhone(t, "5.0")
	require.NotContains(t, out(t, old, "shell", ask), "All Focus window")
}

func TestPower(t *testing.T) {
	s, d := onePhone(t, "")
	state := func() string {
		return out(t, s, "shell", "hidumper -s PowerManagerService -a -s | grep 'Current State'")
	}
	require.True(t, strings.HasPrefix(state(), "Current State: AWAKE  Reason: 20  Time: "), state())
	require.Equal(t, "SuspendDevice is called\n", out(t, s, "shell", "power-shell suspend"))
	require.False(t, d.Phone().Power().On)
	require.True(t, strings.HasPrefix(state(), "Current State: SLEEP "))
	require.Equal(t, "WakeupDevice is called\n", out(t, s, "shell", "power-shell wakeup"))
	require.True(t, d.Phone().Power().On && d.Phone().Power().Locked)
	require.Equal(t, "No Error\n", out(t, s, "shell", "uitest uiInput swipe 540 1900 540 400 5000"))
	require.False(t, d.Phone().Power().Locked, "a swipe up opens the lock")
	require.Equal(t, "No Error\n", out(t, s, "shell", "uitest uiInput keyEvent Power"))
	require.False(t, d.Phone().Power().On)
	require.Equal(t, "No Error\n", out(t, s, "shell", "uitest uiInput keyEvent 2802"))
	require.True(t, d.Phone().Power().On)
	require.Equal(t, "Set Mode: 602\nSet Mode Success!\n", out(t, s, "shell", "power-shell setmode 602"))
	set(t, d, hdc.FaultNotDeveloper)
	require.Empty(t, out(t, s, "shell", "power-shell suspend"))
	require.True(t, d.Phone().Power().On)
}

func TestParam(t *testing.T) {
	s, d := onePhone(t, "")
	require.Equal(t, "20 \n", out(t, s, "shell", "param get const.ohos.apiversion"))
	require.Equal(t, "phone \n", out(t, s, "shell", "param get const.product.devicetype"))
	require.Equal(t, "Get parameter \"no.such\" fail! errNum is:106!\n", out(t, s, "shell", "param get no.such"))
	require.Equal(t, "Set parameter persist.ace.testmode.enabled 1 success\n", out(t, s, "shell", "param set persist.ace.testmode.enabled 1"))
	require.Equal(t, "1", d.Param("persist.ace.testmode.enabled"))
	require.Equal(t, "Set parameter const.x 1 fail! errNum is:107!\n", out(t, s, "shell", "param set const.x 1"))
	require.Contains(t, out(t, s, "shell", "param get"), "    const.product.brand = HUAWEI\n")
}

func TestHilog(t *testing.T) {
	s, _ := onePhone(t, "")
	out(t, s, "shell", "aa start -b com.handset.shop -a EntryAbility; reboot")
	got := out(t, s, "hilog", "-x")
	require.Contains(t, got, "AbilityManagerService: StartAbility com.handset.shop/EntryAbility\n")
	require.Equal(t, 1, strings.Count(out(t, s, "shell", "hilog -x -z 1"), "\n"))
	out(t, s, "shell", "hilog -r")
	require.Empty(t, out(t, s, "shell", "hilog -x"))
}

func TestOtherPrograms(t *testing.T) {
	s, _ := onePhone(t, "")
	for command, want := range map[string]string{
		"uitest --version":                      "6.0.2.1\n",
		"hidumper -s NoService":                 "no such system ability: NoService\n",
		"id -u":                                 "2000\n",
		"pwd":                                   "/\n",
		"which uitest":                          "/system/bin/uitest\n",
		"ls -d /data/local/tmp":                 "/data/local/tmp\n",
		"touch /data/app/x":                     "touch: /data/app/x: Permission denied\n",
		"echo YWJj | base64 -d":                 "abc",
		"cd /data/local/tmp && echo x>f; cat f": "x\n",
	} {
		require.Equal(t, want, out(t, s, "shell", command), command)
	}
	require.Contains(t, out(t, s, "shell", "ifconfig"), "inet addr:")
	require.Contains(t, out(t, s, "shell", "ps"), "com.ohos.sceneboard\n")
	require.Equal(t, "Override screen off time to 5000 success.\n", out(t, s, "shell", "power-shell timeout -o 5000"))
	require.Contains(t, out(t, s, "shell", "power-shell setmode 7"), "Set Mode Failed!\n")
	require.Equal(t, "error: failed to install bundle. code:9568257 error: install file path invalid.\n", out(t, s, "shell", "bm install -p /data/local/tmp/no.hap"))
	require.Equal(t, "error: failed to uninstall bundle. code:9568386 error: uninstall missing installed bundle.\n", out(t, s, "shell", "bm uninstall -n com.no"))
	require.Contains(t, out(t, s, "shell", "bm frob"), "usage: bm")
	require.Contains(t, out(t, s, "shell", "hidumper -s BatteryService -a -i"), "\ncapacity: 82 \n")
	require.Contains(t, out(t, s, "shell", "uitest frob"), "Illegal argument: frob\n")
	require.Contains(t, out(t, s, "shell", "uitest"), "USAGE :\n")
}

func TestNew(t *testing.T) {
	harmony := func() *sim.Phone { return sim.New(&sim.Options{Platform: sim.PlatformHarmony}) }
	_, err := hdc.New(harmony(), &hdc.Options{Profile: "9.9"})
	require.EqualError(t, err, `unknown profile "9.9", known are 6.0, 5.1, 5.0`)
	_, err = hdc.New(sim.New(nil), nil)
	require.ErrorContains(t, err, `want "harmony"`)
	_, err = hdc.New(harmony(), &hdc.Options{Key: strings.Repeat("k", 33)})
	require.ErrorContains(t, err, "at most 32 bytes")
	_, err = hdc.Serve(&hdc.ServerOptions{Listen: "nowhere:x"})
	require.ErrorContains(t, err, "listen for the hdc tool")
}

func TestSetFault(t *testing.T) {
	d := newDevice(t, nil)
	for _, f := range hdc.Faults() {
		require.NotEmpty(t, f.Doc, f.Name)
		require.NoError(t, d.SetFault(f.Name, true))
		require.True(t, d.Faults().On(f.Name), f.Name)
		require.NoError(t, d.SetFault(f.Name, false))
	}
	require.NoError(t, d.SetFault(sim.FaultFrozen, true), "the phone's own")
	require.ErrorContains(t, d.SetFault("nosuch", true), "unknown fault")
	require.ErrorContains(t, d.SetFault(hdc.FaultSlow+"=x", true), "duration")
	require.ErrorContains(t, d.SetFault(hdc.FaultDumpBig+"=x", true), "number")
	require.ErrorContains(t, d.SetFault(hdc.FaultHang+"=1", true), "no argument")
}

// Close waits for what a command left behind, and may come while one does.
func TestCloseBesideBackground(t *testing.T) {
	for range 30 {
		d := newDevice(t, nil)
		var calls sync.WaitGroup
		for range 4 {
			calls.Go(func() {
				for d.Shell("sleep 9 >/dev/null 2>&1 &", io.Discard) == 0 {
				}
			})
		}
		require.NoError(t, d.Close())
		calls.Wait()
	}
}
