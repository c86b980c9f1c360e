package wda

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
)

func bundle(id string) string { return `{"bundleId":"` + id + `"}` }

func TestApps(t *testing.T) {
	c := open(t, nil, "")
	state := func() any { return c.ok("POST", "+/wda/apps/state", bundle(shop)).value }
	require.Equal(t, 1.0, state())
	require.Equal(t, false, c.ok("POST", "+/wda/apps/terminate", bundle(shop)).value)
	require.Nil(t, c.ok("POST", "+/wda/apps/launch", bundle(shop)).value)
	require.Equal(t, 4.0, state())
	info := c.ok("GET", "/wda/activeAppInfo", "")
	require.Equal(t, shop, info.field("bundleId"))
	require.Equal(t, "Shop", info.field("name"))
	list := c.ok("GET", "+/wda/apps/list", "").value.([]any)
	require.Len(t, list, 1, "the apps on the screen, and not those that are installed")
	require.Equal(t, info.field("pid"), list[0].(map[string]any)["pid"])
	c.ok("POST", "/wda/homescreen", "")
	require.Equal(t, 3.0, state())
	require.Equal(t, springboard, c.ok("GET", "/wda/activeAppInfo", "").field("bundleId"))
	c.ok("POST", "+/wda/apps/activate", bundle(shop))
	require.Equal(t, 4.0, state())
	require.Equal(t, true, c.ok("POST", "+/wda/apps/terminate", bundle(shop)).value)
	require.Equal(t, 1.0, state())
	c.ok("POST", "/wda/apps/launchUnattached", bundle(clock))
	require.Equal(t, clock, c.s.Phone().FocusedApp().ID)
	c.ok("POST", "+/wda/deactivateApp", `{"duration":1}`)
	require.Equal(t, clock, c.s.Phone().FocusedApp().ID)
}

func TestAppRefusals(t *testing.T) {
	c := open(t, nil, "")
	c.refuse(errArgument, "POST", "+/wda/apps/launch", bundle("com.none"))
	c.refuse(errArgument, "POST", "+/wda/apps/launch", `{}`)
	a := c.refuse(errUnknown, "POST", "/wda/apps/launchUnattached", bundle("com.none"))
	require.Contains(t, a.message(), "LSApplicationWorkspace failed to launch app")
	c.fault(FaultLaunchFails)
	c.refuse(errUnknown, "POST", "+/wda/apps/launch", bundle(shop))
	c.heal(FaultLaunchFails)
	c.fault(FaultActiveUnknown)
	require.Contains(t, c.refuse(errUnknown, "GET", "+/wda/activeAppInfo", "").message(), "Failure getting list of active applications: (null)")
	c.heal(FaultActiveUnknown)
	c.s.Phone().Sleep()
	a = c.refuse(errArgument, "POST", "+/wda/apps/launch", bundle(shop))
	require.Equal(t, "Unable to launch "+shop+" because the device was not, or could not be, unlocked", a.message())
	require.Equal(t, springboard, c.ok("GET", "+/wda/activeAppInfo", "").field("bundleId"))
	require.Empty(t, c.s.Phone().Events("launch"))
}

func TestDefaultActiveApplication(t *testing.T) {
	c := serve(t, nil, nil)
	c.newSession(`{"capabilities":{"alwaysMatch":{"bundleId":"` + shop + `"}}}`)
	c.ok("POST", "+/wda/apps/launch", bundle(clock))
	require.Equal(t, clock, c.ok("GET", "+/wda/activeAppInfo", "").field("bundleId"), "the tested app is only in the background")
	c.ok("POST", "+/appium/settings", `{"settings":{"defaultActiveApplication":"`+clock+`"}}`)
	c.fault(FaultCrashApp)
	c.ok("POST", "+/wda/apps/launch", bundle(clock))
	c.ok("GET", "+/window/size", "")
}

func TestLock(t *testing.T) {
	c := open(t, nil, settingsApp)
	require.Equal(t, false, c.ok("GET", "+/wda/locked", "").value)
	c.ok("POST", "/wda/lock", "")
	require.Equal(t, true, c.ok("GET", "/wda/locked", "").value)
	c.ok("GET", "+/source", "")
	c.ok("GET", "/screenshot", "")
	c.ok("POST", "+/wda/unlock", "")
	require.Equal(t, false, c.ok("GET", "/wda/locked", "").value)
	require.True(t, c.s.Phone().Power().On)
	require.Equal(t, settingsApp, c.s.Phone().FocusedApp().ID)

	c.fault(FaultPasscode)
	c.ok("POST", "/wda/lock", "")
	a := c.refuse(errUnknown, "POST", "/wda/unlock", "")
	require.Contains(t, a.message(), "Timed out while waiting until the screen gets unlocked")
	require.True(t, c.s.Phone().Power().Locked)
	require.True(t, c.s.Phone().Power().On, "home has turned the display on")
	require.Contains(t, c.ok("GET", "/source", "").value, "Swipe up to unlock")
	c.ok("POST", "+/wda/dragfromtoforduration", `{"fromX":200,"fromY":800,"toX":200,"toY":100,"duration":0}`)
	require.True(t, c.s.Phone().Power().Locked, "a swipe passes no passcode")
}

func TestURL(t *testing.T) {
	c := open(t, nil, "")
	require.Equal(t, "URL is required", c.refuse(errArgument, "POST", "+/url", `{}`).message())
	require.Contains(t, c.refuse(errUnknown, "POST", "+/url", `{"url":"nonsense"}`).message(), "'nonsense' is not a valid URL")
	c.refuse(errArgument, "POST", "+/url", `{"url":"https://example.org/","bundleId":"com.none"}`)
	c.ok("POST", "+/url", `{"url":"https://example.org/a?b='c'"}`)
	require.Equal(t, "https://example.org/a?b='c'", c.s.Phone().Value("browser.url"))
	c.s.Phone().Sleep()
	c.refuse(errUnknown, "POST", "+/url", `{"url":"https://example.org/"}`)
}

func TestPasteboard(t *testing.T) {
	c := open(t, nil, settingsApp)
	encode := base64.StdEncoding.EncodeToString
	content := encode([]byte(hostile))
	c.ok("POST", "+/wda/setPasteboard", `{"contentType":"plaintext","content":"`+content+`"}`)
	require.Equal(t, hostile, c.s.Phone().Clipboard())
	require.Equal(t, "", c.ok("POST", "+/wda/getPasteboard", `{"contentType":"plaintext"}`).value, "nothing, and no error, from behind")
	c.ok("POST", "+/wda/apps/activate", bundle(RunnerID))
	require.Equal(t, content, c.ok("POST", "+/wda/getPasteboard", `{}`).value)
	a := c.refuse(errArgument, "POST", "+/wda/setPasteboard", `{"content":"abc"}`)
	require.Equal(t, "Cannot decode the pasteboard content from base64", a.message())
	c.ok("POST", "/wda/setPasteboard", `{"content":"aG_ké -="}`)
	require.Equal(t, "hi", c.s.Phone().Clipboard(), "what is no base64 is skipped")
	c.ok("POST", "/wda/setPasteboard", `{"content":"abcd"}`)
	require.Empty(t, c.s.Phone().Clipboard(), "bytes that are no text are nothing")
	c.ok("POST", "/wda/setPasteboard", `{"contentType":"image","content":"`+encode([]byte{1, 2})+`"}`)
	require.Equal(t, encode([]byte{1, 2}), c.ok("POST", "/wda/getPasteboard", `{"contentType":"image"}`).value)
	c.refuse(errArgument, "POST", "/wda/setPasteboard", `{"contentType":"video","content":""}`)
}

func TestBatteryAndDevice(t *testing.T) {
	c := serve(t, &Options{UDID: "UDID-1"}, &sim.Options{Battery: 40, Lang: "zh", Start: browser})
	c.newSession(`{"capabilities":{}}`)
	require.Equal(t, 0.4, c.ok("GET", "+/wda/batteryInfo", "").field("level"))
	require.Equal(t, 1.0, c.ok("GET", "+/wda/batteryInfo", "").field("state"))
	c.s.Phone().Sleep()
	require.Equal(t, 0.4, c.ok("GET", "+/wda/batteryInfo", "").field("level"), "as it was seen last")
	info := c.ok("GET", "/wda/device/info", "")
	require.Equal(t, "UDID-1", info.field("uuid"))
	require.Equal(t, "zh_CN", info.field("currentLocale"))
	require.Equal(t, "iPhone", info.field("name"))
	require.Equal(t, false, info.field("isSimulator"))
	c.ok("POST", "/wda/device/appearance", `{"name":"dark"}`)
	require.Equal(t, "dark", c.ok("GET", "/wda/device/info", "").field("userInterfaceStyle"))
	c.refuse(errArgument, "POST", "/wda/device/appearance", `{"name":"pink"}`)
}

func TestBatteryUnknown(t *testing.T) {
	c := serve(t, nil, &sim.Options{Asleep: true})
	c.newSession(`{"capabilities":{}}`)
	info := c.ok("GET", "+/wda/batteryInfo", "")
	require.Equal(t, -1.0, info.field("level"))
	require.Equal(t, 0.0, info.field("state"))
}

func TestExpectNotification(t *testing.T) {
	c := open(t, nil, "")
	c.refuse(errTimeout, "POST", "+/wda/expectNotification", `{"name":"x","timeout":1}`)
	c.refuse(errArgument, "POST", "+/wda/expectNotification", `{}`)
	c.refuse(errArgument, "POST", "+/wda/expectNotification", `{"name":"x","type":"y"}`)
}

func TestLocation(t *testing.T) {
	c := open(t, nil, "")
	for _, form := range []string{"", "+"} {
		require.Nil(t, c.ok("GET", form+"/wda/simulatedLocation", "").field("latitude"))
		c.refuse(errArgument, "POST", form+"/wda/simulatedLocation", `{"latitude":1}`)
		c.ok("POST", form+"/wda/simulatedLocation", `{"latitude":48.2,"longitude":"16.4"}`)
		require.Equal(t, 48.2, c.ok("GET", form+"/wda/simulatedLocation", "").field("latitude"))
		require.Equal(t, 16.4, c.ok("GET", form+"/wda/device/location", "").field("longitude"))
		c.ok("DELETE", form+"/wda/simulatedLocation", "")
	}
}
