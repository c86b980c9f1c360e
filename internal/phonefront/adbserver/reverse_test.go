package adbserver_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/scrcpy"
)

func TestReverseLeadsToTheComputer(t *testing.T) {
	s := start(t, adbserver.Phone{Device: newDevice(t, "")})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	local := fmt.Sprintf("tcp:%d", l.Addr().(*net.TCPAddr).Port)
	require.Equal(t, "OKAY", open(t, s, "reverse:forward:tcp:7000;"+local).status())
	c := open(t, s, "exec:echo hello | nc 127.0.0.1 7000")
	got, err := l.Accept()
	require.NoError(t, err)
	text := make([]byte, 6)
	_, err = io.ReadFull(got, text)
	require.NoError(t, err)
	require.Equal(t, "hello\n", string(text))
	_, err = io.WriteString(got, "from the computer")
	require.NoError(t, err)
	require.NoError(t, got.Close())
	reply, err := io.ReadAll(c)
	require.NoError(t, err)
	require.Equal(t, "from the computer", string(reply))

	again := open(t, s, "reverse:forward:norebind:tcp:7000;"+local)
	require.Equal(t, "FAIL cannot rebind existing socket", again.status())
	require.Equal(t, "OKAY", open(t, s, "reverse:killforward:tcp:7000").status())
	refused, err := io.ReadAll(open(t, s, "exec:echo hello | nc 127.0.0.1 7000"))
	require.NoError(t, err)
	require.Contains(t, string(refused), "Connection refused")
}

// TestScrcpyBehindTheServer starts scrcpy's server as a client does: push, shell, dial, and a tap.
func TestScrcpyBehindTheServer(t *testing.T) {
	d := newDevice(t, "")
	s := start(t, adbserver.Phone{Device: d})
	file := scrcpy.File("3.3.4")
	require.NoError(t, d.FS().WriteFile("/data/local/tmp/scrcpy-server.jar", file, 0o644))
	shell := open(t, s, "shell,v2,raw:CLASSPATH=/data/local/tmp/scrcpy-server.jar app_process / com.genymobile.scrcpy.Server 3.3.4 "+
		"scid=0000002a video=false audio=false tunnel_forward=true clipboard_autosync=false cleanup=false power_on=false")
	var control client
	require.Eventually(t, func() bool {
		control = dial(t, s)
		control.send("host:transport-any")
		require.Equal(t, "OKAY", control.status())
		control.send("localabstract:scrcpy_0000002a")
		return control.status() == "OKAY"
	}, 10*time.Second, 5*time.Millisecond)
	require.Equal(t, "\x00Pixel 8", strings.TrimRight(control.read(65), "\x00"), "the dummy byte and the meta")
	tap := append([]byte{2, 0}, make([]byte, 30)...)
	up := append([]byte{2, 1}, make([]byte, 30)...)
	tap[13], up[13] = 100, 100
	_, err := control.Write(bytes.Join([][]byte{tap, up, {9, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 'x'}}, nil))
	require.NoError(t, err)
	require.Equal(t, string(scrcpy.AckMessage(1)), control.read(9))
	require.Len(t, d.Phone().Events("tap"), 1)
	require.NoError(t, control.Close())
	end, err := io.ReadAll(shell)
	require.NoError(t, err)
	require.True(t, bytes.HasSuffix(end, []byte{3, 1, 0, 0, 0, 0}), "the exit packet follows: %q", end)
}
