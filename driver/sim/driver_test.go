package sim_test

import (
	"context"
	"errors"
	"image"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
)

func open(t *testing.T, p *sim.Phone) *sim.Driver {
	d := sim.Open(p, nil)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

func TestLaunchByNameOfEitherLanguage(t *testing.T) {
	for _, name := range []string{"Settings", "settings", "设置", settings} {
		p := sim.New(nil)
		require.NoError(t, open(t, p).Launch(t.Context(), name))
		require.Equal(t, settings, p.Foreground().ID)
	}
}

func TestLaunchRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		opts sim.Options
		app  string
		want error
		text string
	}{
		"unknown":   {sim.Options{}, "Setings", driver.ErrAppNotFound, "Settings"},
		"ambiguous": {sim.Options{}, "mail", driver.ErrAmbiguousApp, "com.handset.workmail"},
		"locked":    {sim.Options{Locked: true}, "Settings", driver.ErrLocked, "swipe up"},
		"asleep":    {sim.Options{Asleep: true}, "Settings", driver.ErrAsleep, "wake"},
	} {
		t.Run(name, func(t *testing.T) {
			p := sim.New(&c.opts)
			err := open(t, p).Launch(t.Context(), c.app)
			require.ErrorIs(t, err, c.want)
			require.ErrorContains(t, err, c.text)
			require.False(t, driver.MaybeDone(err))
			require.Empty(t, p.Log())
		})
	}
}

func TestLaunchBehindAPermissionDialogHasLaunched(t *testing.T) {
	p := sim.New(nil)
	require.NoError(t, open(t, p).Launch(t.Context(), "Camera"))
	app, err := driver.Foreground(t.Context(), open(t, p))
	require.NoError(t, err)
	require.Equal(t, "com.google.android.permissioncontroller", app.ID)
}

func TestAsleepIsRefused(t *testing.T) {
	p := sim.New(&sim.Options{Asleep: true})
	d, ctx := open(t, p), t.Context()
	require.ErrorIs(t, d.Tap(ctx, image.Pt(5, 5)), driver.ErrAsleep)
	require.ErrorIs(t, d.Key(ctx, driver.KeyHome), driver.ErrAsleep)
	_, err := d.Tree(ctx)
	require.ErrorIs(t, err, driver.ErrNoTree)
	s, err := d.Screenshot(ctx)
	require.NoError(t, err)
	require.Equal(t, driver.HealthAsleep, s.Health())
	require.NoError(t, d.Key(ctx, driver.KeyPower))
	require.NoError(t, d.Tap(ctx, image.Pt(5, 5)))
}

func TestTypeRefusals(t *testing.T) {
	p := in(messages)
	d, ctx := open(t, p), t.Context()
	require.ErrorIs(t, d.Type(ctx, "x"), driver.ErrNoTextInput)
	require.NoError(t, d.Type(ctx, ""))
	p = inChat(t)
	d = open(t, p)
	for _, text := range []string{"a\nb", "a\rb", "a\xffb"} {
		require.ErrorIs(t, d.Type(ctx, text), driver.ErrNoTextInput)
		require.ErrorIs(t, d.SetText(ctx, text), driver.ErrNoTextInput)
	}
	require.Empty(t, text(t, p))
	require.NoError(t, d.Type(ctx, "old"))
	require.NoError(t, d.SetText(ctx, "new"))
	require.Equal(t, "new", text(t, p))
	require.NoError(t, d.SetText(ctx, ""))
	require.Empty(t, text(t, p))
}

func TestGestureRefusals(t *testing.T) {
	p := in(messages)
	d, ctx := open(t, p), t.Context()
	at := image.Pt(10, 10)
	for name, strokes := range map[string][]driver.Stroke{
		"none": nil, "empty": {{}}, "back in time": {{{At: at, After: time.Second}, {At: at}}}, "early": {{{At: at, After: -1}}},
	} {
		require.Error(t, d.Gesture(ctx, strokes), name)
	}
	require.ErrorIs(t, d.Gesture(ctx, []driver.Stroke{{{At: at}}, {{At: image.Pt(-1, 0)}}}), driver.ErrOffScreen)
	require.Error(t, d.Pinch(ctx, at, 0, 0))
	require.Error(t, d.Pinch(ctx, at, -1, 0))
	require.Error(t, d.Rotate(ctx, 4))
	require.Empty(t, p.Log())
}

func TestHooks(t *testing.T) {
	p := in(messages)
	broken := errors.New("the line broke")
	var ops []driver.Op
	d := sim.Open(p, &sim.DriverOptions{
		Before: func(_ context.Context, op driver.Op) error { ops = append(ops, op); return nil },
		After: func(_ context.Context, op driver.Op) error {
			if op == driver.OpTap {
				return broken
			}
			return nil
		},
		Without: []driver.Op{driver.OpDrag, driver.OpTree},
	})
	defer d.Close()
	err := d.Tap(t.Context(), image.Pt(5, 5))
	require.ErrorIs(t, err, broken)
	require.True(t, driver.MaybeDone(err))
	require.ErrorIs(t, d.Drag(t.Context(), image.Pt(5, 5), image.Pt(9, 9), 0, 0), errors.ErrUnsupported)
	_, err = d.Tree(t.Context())
	require.ErrorIs(t, err, errors.ErrUnsupported)
	desc, err := d.Describe(t.Context())
	require.NoError(t, err)
	require.NotContains(t, desc.Ops, driver.OpDrag)
	require.Contains(t, desc.Ops, driver.OpTap)
	require.Equal(t, []driver.Op{driver.OpTap, driver.OpDescribe}, ops)
}

func TestGivenUpCallDoesNotActLater(t *testing.T) {
	p := in(messages)
	gate := make(chan struct{})
	d := sim.Open(p, &sim.DriverOptions{Before: func(context.Context, driver.Op) error { <-gate; return nil }})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- d.Tap(ctx, image.Pt(5, 5)) }()
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
	close(gate)
	require.NoError(t, d.Close())
	require.Empty(t, p.Log())
}

func TestAddresses(t *testing.T) {
	p := sim.New(&sim.Options{Name: "on the desk"})
	d, err := driver.Open(t.Context(), p.Address())
	require.NoError(t, err)
	defer d.Close()
	require.NoError(t, d.Launch(t.Context(), "Clock"))
	require.Equal(t, clock, p.Foreground().ID, "the address leads to the phone of that name")
	devices, err := driver.Devices(t.Context())
	require.NoError(t, err)
	require.Contains(t, devices, driver.Device{Address: "sim:on the desk", Platform: "sim", State: driver.StateReady, Model: "Sim One"})

	d, err = driver.Open(t.Context(), "sim:?size=720x1280&density=320&lang=zh&rotation=1&start="+settings)
	require.NoError(t, err)
	defer d.Close()
	s, err := d.Screenshot(t.Context())
	require.NoError(t, err)
	require.Equal(t, image.Pt(1280, 720), s.Size())
	n, err := driver.Find(t.Context(), d, driver.ByText("设置"))
	require.NoError(t, err)
	require.NotNil(t, n)
}

func TestBadAddresses(t *testing.T) {
	sim.New(&sim.Options{Name: "taken"})
	for address, want := range map[string]string{
		"sim:?size=big":              "WIDTHxHEIGHT",
		"sim:?size=100x100":          "160 to 8192",
		"sim:?size=0x0":              "WIDTHxHEIGHT",
		"sim:?density=0":             "100 to 800",
		"sim:?size=1080x2400x3":      "WIDTHxHEIGHT",
		"sim:?density=many":          "want a number",
		"sim:?lang=fr":               "want en or zh",
		"sim:?locked=perhaps":        "true or false",
		"sim:?colour=red":            "known: asleep, density",
		"sim:?start=no.such":         "no such app",
		"sim:?platform=symbian":      "android, harmony, ios",
		"sim:?rotation=9":            "0 to 3",
		"sim:taken-2?start=no.such2": "no such app",
	} {
		_, err := driver.Open(t.Context(), address)
		require.ErrorContains(t, err, want, address)
	}
	p := sim.New(&sim.Options{Name: "here"})
	_, err := driver.Open(t.Context(), p.Address()+"?lang=zh")
	require.ErrorContains(t, err, "takes no options")
	require.Equal(t, "here", p.Name(), "an address keeps no phone alive: the test does")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = driver.Open(ctx, "sim:")
	require.ErrorIs(t, err, context.Canceled)
}

func TestDescribe(t *testing.T) {
	p := sim.New(&sim.Options{Model: "M", Rotation: 1})
	desc, err := driver.Describe(t.Context(), open(t, p))
	require.NoError(t, err)
	require.Equal(t, image.Pt(2400, 1080), desc.Size)
	require.Equal(t, "M", desc.Model)
	require.Equal(t, driver.Keys(), desc.Keys)
	require.True(t, strings.HasPrefix(desc.Address, "sim:phone"))
	require.NotContains(t, desc.Ops, driver.OpShell)
}
