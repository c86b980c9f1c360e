package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/hdc"
)

func TestMain(m *testing.M) {
	if code, ok := hdc.AsTool(os.Args, os.LookupEnv); ok {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

func TestRun(t *testing.T) {
	phone := sim.New(&sim.Options{Platform: sim.PlatformHarmony, Lang: "zh", Asleep: true})
	device, err := hdc.New(phone, nil)
	require.NoError(t, err)
	server, err := hdc.Serve(nil, device)
	require.NoError(t, err)
	defer server.Close()
	dir := t.TempDir()
	_, err = server.WriteTool(dir, "")
	require.NoError(t, err)
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))

	var out bytes.Buffer
	require.NoError(t, run(t.Context(), "", &out))
	require.Contains(t, out.String(), "蓝牙")
	require.Equal(t, "com.ohos.sceneboard", phone.Foreground().ID)
}
