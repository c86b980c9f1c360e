package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
)

func TestInputMethods(t *testing.T) {
	p := inChat(t)
	own := p.CurrentIME()
	require.Len(t, p.IMEs(), 2)
	require.False(t, p.SetIME(sim.ADBKeyboardIME), "it is not enabled yet")

	known, changed := p.EnableIME(sim.ADBKeyboardIME, true)
	require.True(t, known && changed)
	known, changed = p.EnableIME(sim.ADBKeyboardIME, true)
	require.True(t, known && !changed)
	known, _ = p.EnableIME("no.such/.IME", true)
	require.False(t, known)

	require.True(t, p.KeyboardShown())
	require.True(t, p.SetIME(sim.ADBKeyboardIME))
	require.Equal(t, sim.ADBKeyboardIME, p.CurrentIME())
	require.False(t, p.KeyboardShown(), "it has no keys")
	require.True(t, p.InsertText("committed"))

	p.EnableIME(sim.ADBKeyboardIME, false)
	require.Equal(t, own, p.CurrentIME(), "the first input method steps in")
	require.True(t, p.KeyboardShown())
	require.Equal(t, []string{sim.ADBKeyboardIME, own}, []string{p.Events("ime")[0].String("id"), p.Events("ime")[1].String("id")})
}

func TestInstallIME(t *testing.T) {
	p := sim.New(&sim.Options{NoADBKeyboard: true})
	require.Len(t, p.IMEs(), 1)
	p.InstallIME(sim.IME{ID: "x.y/.IME", Name: "X", Enabled: true})
	p.InstallIME(sim.IME{ID: "x.y/.IME", Name: "again"})
	require.Equal(t, []sim.IME{p.IMEs()[0], {ID: "x.y/.IME", Name: "X"}}, p.IMEs())
}
