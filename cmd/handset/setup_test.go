package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/adbserver"
)

func TestPairTellsWhatIsMissing(t *testing.T) {
	attach(t, nil)
	// adb 29, which the simulated server is, cannot pair; the code is nowhere told.
	r := run(t, "pair", "127.0.0.1:37125", "123456")
	r.fails(t, exitDevice, "adb 30")
	require.NotContains(t, r.err, "123456")
	feed(t, "123456\n", "pair", "127.0.0.1:37125", "-").fails(t, exitDevice, "adb 30")
	run(t, "pair", "127.0.0.1", "123456").fails(t, exitUsage, "HOST:PORT")
	run(t, "pair", "127.0.0.1:37125", "12 34").fails(t, exitUsage, "six digits")
	run(t, "pair", "127.0.0.1:1").fails(t, exitUsage, "<code>")
}

func TestTCPIPUsage(t *testing.T) {
	attach(t, nil)
	run(t, "tcpip", "0").fails(t, exitUsage, "1 to 65535")
	run(t, "-d", "sim:", "tcpip").fails(t, exitUsage, "no Android phone")
	run(t, "-d", "NONE", "tcpip").fails(t, exitDevice, "NONE is not attached")
}

func TestTrack(t *testing.T) {
	device, server := attach(t, nil)
	first := run(t, "track", "--count", "1").ok(t)
	require.Contains(t, first, "adb:"+device.Serial()+"  device")
	s := serveCommand(t, "--json", "track")
	require.Equal(t, "device", object(t, s.line)["devices"].([]any)[0].(map[string]any)["state"])
	server.SetState(device.Serial(), adbserver.Offline)
	run(t, "track", "--count", "1").ok(t)
	r := s.stop()
	require.Equal(t, exitDone, r.status, "a signal is how it ends")
	run(t, "track", "--count=-1").fails(t, exitUsage, "number of lists")
	server.Detach(device.Serial())
	require.Contains(t, run(t, "track", "--count", "1").ok(t), "no phones")
	require.Empty(t, object(t, run(t, "--json", "track", "--count", "1").ok(t))["devices"])
}

// Installing changes the phone for good: without an answer it is not done.
func TestInstallIsAskedAbout(t *testing.T) {
	device, _ := attach(t, nil)
	file := filepath.Join(t.TempDir(), "app.apk")
	require.NoError(t, os.WriteFile(file, []byte("no package"), 0o644))
	run(t, "install", file).fails(t, exitDenied, "--yes")
	last, _ := device.Requests()
	require.NotContains(t, strings.Join(last, "\n"), "pm install")
	run(t, "--yes", "install", file).fails(t, exitDevice, "the phone refuses it")
	run(t, "--yes", "install", file+".none").fails(t, exitDevice, "no such file")
	run(t, "install").fails(t, exitUsage, "<files>")
	run(t, "uninstall", "com.handset.notes").fails(t, exitDenied, "--yes")
	run(t, "--yes", "uninstall", "Notes").fails(t, exitDevice, "an app's id")
	run(t, "--yes", "uninstall", "com.example.none").fails(t, exitDevice, "com.example.none is not installed")
	run(t, "-d", "sim:", "--yes", "uninstall", "com.example.shop").fails(t, exitDevice, "handset: sim: this kind of phone, or its driver, has no operation \"uninstall\"")
}

func TestStop(t *testing.T) {
	device, _ := attach(t, nil)
	_, err := device.Phone().StartApp("com.handset.notes")
	require.NoError(t, err)
	require.Equal(t, map[string]any{"done": "stop", "app": "Notes"}, object(t, run(t, "--json", "stop", "Notes").ok(t)))
	require.NotContains(t, device.Phone().Running(), "com.handset.notes")
	run(t, "stop", "Solitaire").fails(t, exitDevice, "Solitaire")
}

func TestHelpOfSetup(t *testing.T) {
	for _, command := range []string{"pair", "tcpip", "track", "install", "uninstall", "stop"} {
		require.Contains(t, run(t, command, "--help").ok(t), "Usage: handset "+command)
	}
}
