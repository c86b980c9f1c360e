package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
	hdcfront "github.com/handset-go/handset/internal/phonefront/hdc"
	wdafront "github.com/handset-go/handset/internal/phonefront/wda"
)

// attachHarmony puts a phone behind a program named hdc, which is this test binary, and returns its address.
func attachHarmony(t *testing.T, o *sim.Options) (*sim.Phone, string) {
	t.Helper()
	if o == nil {
		o = &sim.Options{}
	}
	o.Platform = sim.PlatformHarmony
	device, err := hdcfront.New(sim.New(o), nil)
	require.NoError(t, err)
	server, err := hdcfront.Serve(nil, device)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	dir := t.TempDir()
	_, err = server.WriteTool(dir, "")
	require.NoError(t, err)
	t.Setenv("PATH", dir)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	return device.Phone(), "hdc:"
}

// attachIPhone puts a phone behind WebDriverAgent's interface and returns its address.
func attachIPhone(t *testing.T, o *sim.Options) (*sim.Phone, string) {
	t.Helper()
	if o == nil {
		o = &sim.Options{}
	}
	phone, err := wdafront.NewPhone("", o)
	require.NoError(t, err)
	server, err := wdafront.Listen("127.0.0.1:0", phone, nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	return phone, "wda://" + server.Addr()
}
