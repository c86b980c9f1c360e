package main

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/android"
)

func TestRun(t *testing.T) {
	phone := attach(t, "ONE")[0]
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), "", &out))
	require.Contains(t, out.String(), "app com.android.settings")
	require.Contains(t, out.String(), " switch Bluetooth on ")
	require.Contains(t, out.String(), "(1080,2400), ok: ")
	files, err := filepath.Glob(filepath.Join(tmp, "handset-*.png"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	data, err := os.ReadFile(files[0])
	require.NoError(t, err)
	_, err = png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	require.Len(t, phone.Events("swipe"), 1)
	require.Empty(t, phone.Events("switch"), "it changes nothing")
	require.Equal(t, "com.android.launcher3", phone.Foreground().ID)
}

func TestRunWithTwoPhones(t *testing.T) {
	phones := attach(t, "ONE", "TWO")
	t.Setenv("TMPDIR", t.TempDir())
	var out bytes.Buffer
	require.ErrorContains(t, run(t.Context(), "", &out), "usage: ")
	require.Empty(t, out.String())
	require.NoError(t, run(t.Context(), "TWO", &out))
	require.Empty(t, phones[0].Log())
	require.NotEmpty(t, phones[1].Log())
}

// attach puts phones behind an adb server of their own.
func attach(t *testing.T, serials ...string) []*sim.Phone {
	t.Helper()
	var phones []*sim.Phone
	var list []adbserver.Phone
	for _, serial := range serials {
		phone := sim.New(nil)
		device, err := android.New(phone, &android.Options{Serial: serial})
		require.NoError(t, err)
		phones, list = append(phones, phone), append(list, adbserver.Phone{Device: device})
	}
	server, err := adbserver.Start(&adbserver.Options{Phones: list})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	t.Setenv("ADB_SERVER_SOCKET", "tcp:"+server.Addr())
	return phones
}
