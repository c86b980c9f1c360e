package sim_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
)

func on(t *testing.T, p *sim.Phone, fault string) {
	t.Helper()
	require.NoError(t, p.SetFault(fault, true))
}

func TestFaultNames(t *testing.T) {
	p := sim.New(nil)
	require.ErrorContains(t, p.SetFault("gremlin", true), sim.FaultFrozen)
	for name, doc := range sim.Faults() {
		require.NotEmpty(t, doc)
		require.NoError(t, p.SetFault(name, true))
		require.NoError(t, p.SetFault(name, false))
	}
	p.Tap(node(t, p, driver.ByText("Settings")).Center())
	require.Equal(t, settings, p.Foreground().ID)
}

func TestFrameBlack(t *testing.T) {
	p := in(settings)
	on(t, p, sim.FaultFrameBlack)
	f := p.Frame()
	require.Equal(t, driver.HealthOK, f.Health)
	require.Equal(t, 1, colours(f.Image))
}

func colours(m *image.Paletted) int {
	seen := map[uint8]bool{}
	for _, i := range m.Pix {
		seen[i] = true
	}
	return len(seen)
}

func TestFrozen(t *testing.T) {
	p := inChat(t)
	before, _ := p.PNG()
	on(t, p, sim.FaultFrozen)
	p.Key(driver.KeyHome)
	p.Tap(image.Pt(540, 1000))
	require.True(t, p.InsertText("lost"))
	require.True(t, p.ClearText())
	after, _ := p.PNG()
	require.Equal(t, before, after)
	require.Len(t, p.Events("key"), 1, "what was tried is in the log")
	require.NoError(t, p.SetFault(sim.FaultFrozen, false))
	require.Empty(t, text(t, p))
}

func TestTextLoss(t *testing.T) {
	p := inChat(t)
	on(t, p, sim.FaultTextLoss)
	p.InsertText("一二三四五六七八九十x")
	require.Equal(t, "一二三四六七八九x", text(t, p))
}

func TestRotateBetween(t *testing.T) {
	p := in(settings)
	on(t, p, sim.FaultRotateBetween)
	f := p.Frame()
	require.Equal(t, image.Pt(1080, 2400), f.Image.Bounds().Size())
	require.Equal(t, image.Pt(2400, 1080), p.Tree().Size)
}

func TestFocusNullNoTree(t *testing.T) {
	p := in(settings)
	on(t, p, sim.FaultFocusNull)
	on(t, p, sim.FaultNoTree)
	require.Equal(t, driver.App{}, p.Foreground())
	require.Equal(t, settings, p.FocusedApp().ID)
	require.Nil(t, p.Tree())
}

func TestPopup(t *testing.T) {
	p := sim.New(nil)
	on(t, p, sim.FaultPopup)
	tap(t, p, "Settings")
	require.True(t, shows(p, "Allow Settings to send you notifications?"))
	tap(t, p, "Don't allow")
	require.Equal(t, "false", p.Value("permission.notifications"))
	_, err := p.StartApp(messages)
	require.NoError(t, err)
	require.Equal(t, messages, p.Foreground().ID, "it comes once")
}

func TestSlowLaunch(t *testing.T) {
	p := sim.New(nil)
	on(t, p, sim.FaultSlowLaunch)
	_, err := p.StartApp(settings)
	require.NoError(t, err)
	require.Equal(t, launcher, p.Foreground().ID)
	require.Equal(t, launcher, p.Foreground().ID)
	require.Equal(t, settings, p.Foreground().ID)
	require.Equal(t, settings, p.Foreground().ID)
}
