package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
)

func TestInstallAndRemove(t *testing.T) {
	p := sim.New(nil)
	app := sim.App{ID: "com.example.new", Name: sim.T("Fresh", "新"), Values: map[string]string{"new.on": "false"},
		Screens: []sim.Screen{{ID: "main", Page: ".Main"}}}
	require.NoError(t, p.InstallApp(app))
	require.NotNil(t, p.Tree().Find(driver.ByText("Fresh")), "it has an icon")
	_, err := p.StartApp("com.example.new")
	require.NoError(t, err)
	p.SetValue("new.on", "true")

	require.NoError(t, p.ClearApp("com.example.new"))
	require.Equal(t, "false", p.Value("new.on"))
	require.NotContains(t, p.Running(), "com.example.new")

	app.Name = sim.T("Fresher", "")
	require.NoError(t, p.InstallApp(app), "in its own place")
	require.Nil(t, p.Tree().Find(driver.ByText("Fresh")))
	_, err = p.StartApp("com.example.new")
	require.NoError(t, err)
	require.NoError(t, p.RemoveApp("com.example.new"))
	require.Equal(t, "com.android.launcher3", p.FocusedApp().ID, "its page is gone")
	require.ErrorIs(t, p.RemoveApp("com.example.new"), driver.ErrAppNotFound)
	require.ErrorIs(t, p.ClearApp("com.example.new"), driver.ErrAppNotFound)

	require.Error(t, p.RemoveApp("com.android.launcher3"))
	require.Error(t, p.InstallApp(sim.App{ID: "com.android.launcher3", Screens: app.Screens}))
	require.Error(t, p.InstallApp(sim.App{ID: "com.example.empty"}))
	require.Len(t, p.Events("install"), 2)
}
