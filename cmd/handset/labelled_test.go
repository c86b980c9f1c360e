package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
)

// A program finds the switch of a setting by the words beside it, on each kind of phone.
func TestLabelledOnEveryPlatform(t *testing.T) {
	for name, attach := range map[string]func(*testing.T) (*sim.Phone, string){
		"android": func(t *testing.T) (*sim.Phone, string) {
			device, _ := attach(t, nil)
			return device.Phone(), "adb:"
		},
		"harmony": func(t *testing.T) (*sim.Phone, string) { return attachHarmony(t, nil) },
		"iphone":  func(t *testing.T) (*sim.Phone, string) { return attachIPhone(t, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			p, address := attach(t)
			d, err := driver.Open(t.Context(), address)
			require.NoError(t, err)
			defer d.Close()
			require.NoError(t, d.Launch(t.Context(), "Settings"))
			row, err := driver.WaitFor(t.Context(), d, driver.ByRole(driver.RoleSwitch), driver.Labelled("Bluetooth"))
			require.NoError(t, err)
			before := p.Value("bluetooth")
			require.NoError(t, d.Tap(t.Context(), row.Center()))
			require.NotEqual(t, before, p.Value("bluetooth"))
		})
	}
}

// What dumps of real settings look like, in the shapes of each platform.
var settingsDumps = map[string]string{
	"android, a row with a switch in its frame": `<hierarchy rotation="0"><node class="android.widget.FrameLayout" bounds="[0,0][1080,2400]"><node class="androidx.recyclerview.widget.RecyclerView" scrollable="true" bounds="[0,200][1080,2400]">
<node class="android.widget.LinearLayout" clickable="true" bounds="[0,200][1080,400]"><node class="android.widget.RelativeLayout" bounds="[60,200][800,400]"><node class="android.widget.TextView" text="Wi-Fi" resource-id="android:id/title" bounds="[60,220][300,280]"/><node class="android.widget.TextView" text="Bluetooth is near" resource-id="android:id/summary" bounds="[60,290][500,350]"/></node><node class="android.widget.LinearLayout" resource-id="android:id/widget_frame" bounds="[860,200][1080,400]"><node class="android.widget.Switch" checkable="true" resource-id="android:id/switch_widget" bounds="[900,250][1040,350]"/></node></node>
<node class="android.widget.LinearLayout" clickable="true" bounds="[0,400][1080,600]"><node class="android.widget.RelativeLayout" bounds="[60,400][800,600]"><node class="android.widget.TextView" text="Bluetooth" resource-id="android:id/title" bounds="[60,420][300,480]"/><node class="android.widget.TextView" text="Off" resource-id="android:id/summary" bounds="[60,490][500,550]"/></node><node class="android.widget.LinearLayout" resource-id="android:id/widget_frame" bounds="[860,400][1080,600]"><node class="android.widget.Switch" checkable="true" resource-id="android:id/switch_widget" bounds="[900,450][1040,550]"/></node></node>
</node></node></hierarchy>`,
	"harmony, items of a list": `{"attributes":{"type":"root","bounds":"[0,0][1080,2400]"},"children":[{"attributes":{"bundleName":"b","type":"WindowScene","bounds":"[0,0][1080,2400]"},"children":[{"attributes":{"type":"List","scrollable":"true","bounds":"[0,200][1080,2400]"},"children":[
{"attributes":{"type":"ListItem","bounds":"[0,200][1080,400]"},"children":[{"attributes":{"type":"Row","bounds":"[0,200][1080,400]"},"children":[{"attributes":{"type":"Text","text":"Wi-Fi","bounds":"[60,250][300,350]"},"children":[]},{"attributes":{"type":"Toggle","checkable":"true","clickable":"true","bounds":"[900,250][1040,350]"},"children":[]}]}]},
{"attributes":{"type":"ListItem","bounds":"[0,400][1080,600]"},"children":[{"attributes":{"type":"Row","bounds":"[0,400][1080,600]"},"children":[{"attributes":{"type":"Text","text":"Bluetooth","bounds":"[60,450][300,550]"},"children":[]},{"attributes":{"type":"Toggle","checkable":"true","clickable":"true","bounds":"[900,450][1040,550]"},"children":[]}]}]}]}]}]}`,
	"iphone, cells of a table": `<XCUIElementTypeApplication type="XCUIElementTypeApplication" name="Settings" label="Settings" enabled="true" visible="true" x="0" y="0" width="1080" height="2400"><XCUIElementTypeTable type="XCUIElementTypeTable" enabled="true" visible="true" x="0" y="200" width="1080" height="2200">
<XCUIElementTypeCell type="XCUIElementTypeCell" enabled="true" visible="true" x="0" y="200" width="1080" height="200"><XCUIElementTypeStaticText type="XCUIElementTypeStaticText" value="Airplane Mode" name="Airplane Mode" label="Airplane Mode" enabled="true" visible="true" x="60" y="250" width="300" height="100"/><XCUIElementTypeSwitch type="XCUIElementTypeSwitch" value="0" enabled="true" visible="true" x="900" y="250" width="140" height="100"/></XCUIElementTypeCell>
<XCUIElementTypeCell type="XCUIElementTypeCell" enabled="true" visible="true" x="0" y="400" width="1080" height="200"><XCUIElementTypeStaticText type="XCUIElementTypeStaticText" value="Bluetooth" name="Bluetooth" label="Bluetooth" enabled="true" visible="true" x="60" y="450" width="300" height="100"/><XCUIElementTypeSwitch type="XCUIElementTypeSwitch" value="0" enabled="true" visible="true" x="900" y="450" width="140" height="100"/></XCUIElementTypeCell></XCUIElementTypeTable></XCUIElementTypeApplication>`,
}

func TestLabelledInDumps(t *testing.T) {
	for name, dump := range settingsDumps {
		t.Run(name, func(t *testing.T) {
			tree, _, err := parseTree([]byte(dump))
			require.NoError(t, err)
			require.Len(t, tree.FindAll(driver.ByRole(driver.RoleSwitch)), 2)
			found := tree.FindAll(driver.ByRole(driver.RoleSwitch), driver.Labelled("Bluetooth"))
			require.Len(t, found, 1)
			require.Equal(t, 450, found[0].Bounds.Min.Y)
			require.Nil(t, tree.Find(driver.ByRole(driver.RoleSwitch), driver.ByText("Bluetooth")), "the switch does not say so itself")
		})
	}
}
