package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

func TestTreeLooksLikeAndroids(t *testing.T) {
	p := in(settings)
	row := node(t, p, driver.ByID("row_bluetooth"))
	require.Equal(t, "android.widget.LinearLayout", row.Class)
	require.Equal(t, settings+":id/row_bluetooth", row.ID)
	require.True(t, row.Is(driver.Clickable|driver.Enabled|driver.Focusable|driver.Visible))
	require.True(t, row.Not(driver.Scrollable|driver.Password))
	require.Equal(t, []string{"android:id/title", "android:id/switch_widget"}, []string{row.Children[0].ID, row.Children[1].ID})
	sw := row.Children[1]
	require.Equal(t, driver.RoleSwitch, sw.Role)
	require.True(t, sw.Is(driver.Checkable|driver.Checked))
	require.True(t, sw.Not(driver.Clickable))
	list := node(t, p, driver.ByRole(driver.RoleList))
	require.Equal(t, "androidx.recyclerview.widget.RecyclerView", list.Class)
	for n := range p.Tree().Root.All() {
		require.Equal(t, settings, n.Package)
		require.Equal(t, driver.WindowApp, n.Window)
		require.NotEmpty(t, n.Class)
		require.False(t, n.Bounds.Empty())
		require.Zero(t, n.Flags&^n.Known)
	}
}

func TestCanvasHasNoTreeInside(t *testing.T) {
	p := in(browser)
	web := node(t, p, driver.ByRole(driver.RoleWeb))
	require.Empty(t, web.Children)
	require.Equal(t, "android.webkit.WebView", web.Class)
	require.False(t, shows(p, "Accept cookies"))
	for y := web.Bounds.Min.Y; y < web.Bounds.Max.Y && len(p.Events("cookies_accepted")) == 0; y += 60 {
		at := web.Center()
		at.Y = y
		p.Tap(at)
	}
	require.Len(t, p.Events("cookies_accepted"), 1, "what it draws takes touches")
}

func TestWindows(t *testing.T) {
	p := inChat(t)
	var kinds []string
	active := 0
	for i, w := range p.Windows() {
		kinds = append(kinds, w.Kind)
		require.Equal(t, i, w.Layer)
		if w.Active {
			active++
			require.Equal(t, messages+"/com.android.messaging.ui.conversation.ConversationActivity", w.Title)
		}
	}
	require.Equal(t, []string{driver.WindowApp, driver.WindowKeyboard, driver.WindowSystem}, kinds)
	require.Equal(t, 1, active)
}

func TestTreeIsNotChangedLater(t *testing.T) {
	p := in(settings)
	before := p.Tree()
	sw := before.Find(driver.ByRole(driver.RoleSwitch))
	tap(t, p, "Bluetooth")
	require.True(t, sw.Is(driver.Checked))
}

func TestTreeWithKeyboard(t *testing.T) {
	p := inChat(t)
	tree := p.TreeWithKeyboard()
	require.Equal(t, messages, tree.App.ID)
	require.NotNil(t, tree.Find(driver.ByRole(driver.RoleKey)))
	require.Nil(t, tree.Find(driver.ByID("status_bar")))
	p.Notify(note)
	require.NotNil(t, p.TreeWithKeyboard().Find(driver.ByText("Where are you?")))
	p.ShowShade(true)
	tree = p.TreeWithKeyboard()
	require.Equal(t, "com.android.systemui", tree.App.ID)
	require.Nil(t, tree.Find(driver.ByRole(driver.RoleKey)))
}
