package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
)

func TestStartBackHomeRecents(t *testing.T) {
	p := sim.New(nil)
	require.Equal(t, launcher, p.Foreground().ID)
	tap(t, p, "Settings")
	require.Equal(t, driver.App{ID: settings, Name: "Settings", Page: "com.android.settings.Settings"}, p.Foreground())
	tap(t, p, "Display")
	require.Equal(t, "com.android.settings.SubSettings", p.Foreground().Page)

	p.Key(driver.KeyHome)
	require.Equal(t, launcher, p.Foreground().ID)
	cold, err := p.StartApp(settings)
	require.NoError(t, err)
	require.False(t, cold)
	require.True(t, shows(p, "Brightness"), "the task is where it was left")

	p.Key(driver.KeyBack)
	require.True(t, shows(p, "Bluetooth"))
	p.Key(driver.KeyBack)
	require.Equal(t, launcher, p.Foreground().ID)

	p.Key(driver.KeyRecents)
	require.True(t, shows(p, "Recent apps"))
	tap(t, p, "Settings")
	require.Equal(t, settings, p.Foreground().ID)
	tapsUp := node(t, p, driver.ByText("Bluetooth"))
	require.Equal(t, "android:id/title", tapsUp.ID)
}

func TestStopForgetsPagesAndKeepsValues(t *testing.T) {
	p := in(settings)
	tap(t, p, "Bluetooth")
	tap(t, p, "Display")
	require.NoError(t, p.StopApp(settings))
	require.Equal(t, launcher, p.Foreground().ID)
	require.NotContains(t, p.Running(), settings)
	cold, err := p.StartApp(settings)
	require.NoError(t, err)
	require.True(t, cold)
	require.True(t, shows(p, "Bluetooth"))
	require.Equal(t, "false", p.Value("bluetooth"))

	require.ErrorIs(t, p.StopApp("no.such"), driver.ErrAppNotFound)
	_, err = p.StartApp("no.such")
	require.ErrorIs(t, err, driver.ErrAppNotFound)
	require.NoError(t, p.StopApp(launcher))
	require.Equal(t, launcher, p.Running()[len(p.Running())-1])
}

func TestApps(t *testing.T) {
	apps := sim.New(&sim.Options{Lang: sim.LangZh}).Apps()
	require.IsIncreasing(t, ids(apps))
	require.Contains(t, apps, driver.App{ID: settings, Name: "设置", Page: "com.android.settings.Settings"})
}

func ids(apps []driver.App) []string {
	var out []string
	for _, a := range apps {
		out = append(out, a.ID)
	}
	return out
}

func TestSwitchIsLoggedAndSeenEverywhere(t *testing.T) {
	p := in(settings)
	require.True(t, p.Tree().Find(driver.ByRole(driver.RoleSwitch)).Is(driver.Checked))
	tap(t, p, "Bluetooth")
	require.Equal(t, "false", p.Value("bluetooth"))
	e := p.Events("switch")
	require.Len(t, e, 1)
	require.Equal(t, map[string]any{"app": "Settings", "name": "Bluetooth", "key": "bluetooth", "on": false}, e[0].Data)
	require.True(t, p.Tree().Find(driver.ByRole(driver.RoleSwitch)).Not(driver.Checked))

	tap(t, p, "Connected devices")
	require.True(t, shows(p, "Turn on Bluetooth to see devices."))
	tap(t, p, "Bluetooth")
	require.True(t, shows(p, "Headphones"))
}

func TestAirplaneModeTurnsOthersOff(t *testing.T) {
	p := in(settings)
	tap(t, p, "Airplane mode")
	require.Equal(t, []string{"true", "false", "false"}, []string{p.Value("airplane"), p.Value("bluetooth"), p.Value("wifi")})
	tap(t, p, "Network & internet")
	hotspot := node(t, p, driver.ByID("row_hotspot"))
	require.True(t, hotspot.Not(driver.Enabled))
	p.Tap(hotspot.Center())
	require.Equal(t, "false", p.Value("hotspot"))
}

func TestPaymentNeedsItsConfirmation(t *testing.T) {
	p := in(shop)
	tap(t, p, "Cart (0)")
	tap(t, p, "Pay")
	require.True(t, shows(p, "Your cart is empty."), "a disabled button does nothing")
	p.Key(driver.KeyBack)
	tapID(t, p, "add_button")
	tapID(t, p, "add_button")
	tap(t, p, "Cart (2)")
	require.True(t, shows(p, "Total ¥25.00"))
	tap(t, p, "Pay")
	tap(t, p, "Cancel")
	require.Empty(t, p.Events("payment"))
	tap(t, p, "Pay")
	tap(t, p, "Balance")
	tap(t, p, "Confirm payment")
	paid := p.Events("payment")
	require.Len(t, paid, 1)
	require.Equal(t, "25.00", paid[0].String("amount"))
	require.Equal(t, "balance", paid[0].String("method"))
	require.Empty(t, p.List("cart"))
	require.True(t, shows(p, "Paid ¥25.00. Thank you!"))
	tap(t, p, "Done")
	require.True(t, shows(p, "Cart (0)"))
}

func TestDialog(t *testing.T) {
	p := in(settings)
	for !shows(p, "Security & privacy") {
		p.Key(driver.KeyPageDown)
	}
	tap(t, p, "Security & privacy")
	reset := "Erase all data (factory reset)"
	tap(t, p, reset)
	require.True(t, shows(p, "Erase all data?"))
	require.False(t, shows(p, reset), "the dialog takes the place of the page in the tree")
	require.Equal(t, driver.WindowDialog, p.Tree().Root.Window)
	p.Key(driver.KeyBack)
	require.True(t, shows(p, reset))
	tap(t, p, reset)
	p.Tap(p.Size().Div(40)) // beside the dialog
	require.True(t, shows(p, reset))
	tap(t, p, reset)
	tap(t, p, "Cancel")
	require.Empty(t, p.Events("factory_reset"))
	tap(t, p, reset)
	tap(t, p, "Erase")
	require.Len(t, p.Events("factory_reset"), 1)
}

func TestPermissionDialogBelongsToTheSystem(t *testing.T) {
	p := in(camera)
	fg := p.Foreground()
	require.Equal(t, "com.google.android.permissioncontroller", fg.ID)
	require.Equal(t, camera, p.FocusedApp().ID)
	require.Equal(t, fg.ID, p.Tree().Root.Package)
	p.Tap(p.Size().Div(40)) // a permission dialog does not close so
	tap(t, p, "Don't allow")
	require.Equal(t, camera, p.Foreground().ID)
	require.True(t, shows(p, "The camera needs your permission."))
	require.NoError(t, p.StopApp(camera))
	_, err := p.StartApp(camera)
	require.NoError(t, err)
	tap(t, p, "While using the app")
	tap(t, p, "Take photo")
	require.Len(t, p.Events("photo_taken"), 1)
	require.Equal(t, "true", p.Events("permission")[1].String("granted"))
}

func TestSearchFiltersTheBodyOnly(t *testing.T) {
	p := in(settings)
	tapID(t, p, "search_src_text")
	require.True(t, p.InsertText("dark"))
	require.True(t, shows(p, "Display"), "its note says dark theme")
	require.True(t, shows(p, "Dark theme"))
	require.False(t, shows(p, "Battery"))
	require.NotNil(t, p.Tree().Find(driver.ByRole(driver.RoleEdit)))
	tap(t, p, "Dark theme")
	require.Equal(t, "true", p.Value("dark_theme"))
}

func TestOpenURL(t *testing.T) {
	p := sim.New(nil)
	require.NoError(t, p.OpenURL("https://example.org/?a=1&b=2"))
	require.Equal(t, browser, p.Foreground().ID)
	require.Equal(t, "https://example.org/?a=1&b=2", node(t, p, driver.ByID("url")).Text)
	require.Error(t, p.OpenURL("tel:1"))
	require.Error(t, p.OpenURL("nonsense"))
	require.Len(t, p.Events("url"), 1)
}
