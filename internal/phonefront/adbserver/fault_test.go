package adbserver_test

import (
	"bytes"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// broken starts a server with one phone that has a fault.
func broken(t *testing.T, fault string) (*adbserver.Server, *android.Device) {
	t.Helper()
	d := newDevice(t, "a14")
	require.NoError(t, d.SetFault(fault, true))
	return start(t, adbserver.Phone{Device: d, Serial: "S"}), d
}

func TestDropAfterSend(t *testing.T) {
	s, d := broken(t, android.FaultDropAfterSend)
	require.Equal(t, result{"", "", -1}, shell(t, s, "input tap 10 20"), "no exit packet")
	require.Len(t, d.Phone().Events("tap"), 1, "and yet it was done")
	require.Equal(t, 0, shell(t, s, "wm size").status, "what does nothing to the phone is answered")
	require.NoError(t, d.SetFault(android.FaultDropAfterSend, false))
	require.Equal(t, 0, shell(t, s, "input tap 10 20").status)
}

func TestDropMidWrite(t *testing.T) {
	s, d := broken(t, android.FaultDropMidWrite)
	data, _ := io.ReadAll(open(t, s, "exec:screencap -p"))
	require.NoError(t, d.SetFault(android.FaultDropMidWrite, false))
	whole, err := io.ReadAll(open(t, s, "exec:screencap -p"))
	require.NoError(t, err)
	require.Less(t, len(data), len(whole))
	require.True(t, bytes.HasPrefix(whole, data))
}

func TestNoExitPacket(t *testing.T) {
	s, _ := broken(t, android.FaultNoExitPacket)
	require.Equal(t, result{"hi\n", "", -1}, shell(t, s, "echo hi"))
}

func TestClosed(t *testing.T) {
	s, _ := broken(t, android.FaultClosed)
	c := dial(t, s)
	c.send("host:transport-any")
	require.Equal(t, "OKAY", c.status())
	c.send("shell,v2,raw:ls")
	require.Equal(t, "FAIL closed", c.status())
}

func TestServerDies(t *testing.T) {
	s, d := broken(t, android.FaultServerDies)
	c := open(t, s, "shell,v2,raw:input tap 1 2")
	_, err := io.ReadAll(c)
	require.Error(t, err, "a reset, not an end")
	require.True(t, s.Killed())
	require.Empty(t, d.Phone().Log())
	require.NoError(t, d.SetFault(android.FaultServerDies, false))
	require.NoError(t, s.Restart())
	require.Equal(t, 0, shell(t, s, "true").status)
}

func TestKillInMidCall(t *testing.T) {
	s := start(t, adbserver.Phone{Device: newDevice(t, "a14"), Serial: "S"})
	c := open(t, s, "shell,v2,raw:echo begun; sleep 1000")
	require.Equal(t, "\x01\x06\x00\x00\x00begun\n", c.read(11))
	s.Kill()
	_, err := io.ReadAll(c)
	require.Error(t, err)
}

func TestDetachInMidCall(t *testing.T) {
	s := start(t, adbserver.Phone{Device: newDevice(t, "a14"), Serial: "S"})
	c := open(t, s, "shell,v2,raw:echo begun; sleep 1000")
	c.read(11)
	s.Detach("S")
	require.Equal(t, result{"", "", -1}, c.packets())
	require.Equal(t, "FAIL no devices/emulators found", ask(t, s, "host:get-state"))
}

func TestServerFaults(t *testing.T) {
	s, _ := broken(t, android.FaultProtocol)
	c := dial(t, s)
	c.send("host:version")
	data, err := io.ReadAll(c)
	require.NoError(t, err)
	require.Empty(t, data)

	s, _ = broken(t, android.FaultBadLength)
	c = dial(t, s)
	c.send("host:devices")
	require.Equal(t, "OKAYzzzz", c.read(8))

	s, _ = broken(t, android.FaultSilentServer)
	c = dial(t, s)
	c.send("host:version")
	require.NoError(t, c.Conn.(*net.TCPConn).CloseWrite())
	data, _ = io.ReadAll(c)
	require.Empty(t, data)
}

// TestTooLongARequest holds that a request which does not fit the device ends the whole server, as its CHECK does.
func TestTooLongARequest(t *testing.T) {
	d := newDevice(t, "a6")
	s := start(t, adbserver.Phone{Device: d, Serial: "S"})
	c := dial(t, s)
	c.send("host:transport-any")
	require.Equal(t, "OKAY", c.status())
	c.send("exec:echo " + strings.Repeat("x", 4094-10))
	require.Equal(t, "OKAY", c.status(), "4094 bytes and the NUL fit")
	require.Len(t, d.LongestRequest(), 4094)
	c = dial(t, s)
	c.send("host:transport-any")
	require.Equal(t, "OKAY", c.status())
	c.send("exec:echo " + strings.Repeat("x", 4096-10))
	_, err := io.ReadAll(c)
	require.Error(t, err)
	require.True(t, s.Killed())
	require.Len(t, s.Aborted(), 4096)
	require.Len(t, d.LongestRequest(), 4096, "it is remembered")
}

// TestNoticesAClientThatGoes holds that a command ends when its client does.
func TestNoticesAClientThatGoes(t *testing.T) {
	d := newDevice(t, "a14")
	s := start(t, adbserver.Phone{Device: d, Serial: "S"})
	for _, service := range []string{"shell,v2,raw:echo begun; sleep 1000", "shell:echo begun; sleep 1000", "exec:echo begun; sleep 1000",
		"exec:cat /dev/zero"} {
		c := open(t, s, service)
		c.read(5)
		require.NoError(t, c.Close())
	}
	require.NoError(t, s.Close(), "returns only when every command has ended")
}
