package sim_test

import (
	"image"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
)

var note = sim.Notification{App: messages, Title: "Alice", Text: "Where are you?"}

func TestNotificationHangsOverThePage(t *testing.T) {
	p := in(settings)
	p.Notify(note)
	require.Equal(t, settings, p.Foreground().ID, "it does not take the input")
	require.True(t, shows(p, "Bluetooth"))
	w := window(t, p, driver.WindowNotification)
	p.Tap(w.Root.Center())
	require.Equal(t, messages, p.Foreground().ID)
	require.Empty(t, p.Notifications())
	require.Len(t, p.Events("notification_opened"), 1)
}

func TestNotificationIsSwipedAway(t *testing.T) {
	p := in(settings)
	p.Notify(note)
	at := window(t, p, driver.WindowNotification).Root.Center()
	p.Swipe(at, image.Pt(at.X, 5), 200*time.Millisecond)
	for _, w := range p.Windows() {
		require.NotEqual(t, driver.WindowNotification, w.Kind)
	}
	require.Equal(t, []sim.Notification{note}, p.Notifications(), "it waits in the shade")
}

func TestShade(t *testing.T) {
	p := in(settings)
	p.ShowShade(true)
	require.True(t, shows(p, "No notifications"))
	p.Notify(note)
	require.True(t, shows(p, "Where are you?"))
	require.True(t, node(t, p, driver.ByID("tile_bluetooth")).Is(driver.Checked))
	tap(t, p, "Bluetooth")
	require.Equal(t, "false", p.Value("bluetooth"))
	tap(t, p, "Clear all")
	require.Empty(t, p.Notifications())
	require.Equal(t, settings, p.Foreground().ID)
	p.ShowShade(true)
	p.Key(driver.KeyBack)
	require.Equal(t, settings, p.Foreground().ID)
}

func TestNotificationOnTheLockScreenOpensNothing(t *testing.T) {
	p := in(settings)
	p.Notify(note)
	p.Sleep()
	p.Wake()
	p.Tap(node(t, p, driver.ByText("Where are you?")).Center())
	require.True(t, p.Power().Locked)
	require.Empty(t, p.Events("notification_opened"))
}
