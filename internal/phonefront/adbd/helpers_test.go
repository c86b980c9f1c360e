package adbd_test

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/scrcpy"
)

func TestStockReverse(t *testing.T) {
	a := newStock(t)
	d := newDaemon(t, "", nil)
	a.connect(d)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	done := make(chan string, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		buf := make([]byte, 100_000)
		n, _ := io.ReadFull(c, buf[:6])
		done <- string(buf[:n])
		_, _ = c.Write(buf) // many packets
	}()
	out := a.run("reverse", "tcp:7000", fmt.Sprintf("tcp:%d", l.Addr().(*net.TCPAddr).Port))
	require.Equal(t, 0, out.status, out.stderr)
	require.Contains(t, a.run("reverse", "--list").stdout, "tcp:7000")
	got := a.run("shell", "echo hello | nc 127.0.0.1 7000 | wc -c")
	require.Equal(t, "100000\n", strings.TrimLeft(got.stdout, " "), got.stderr)
	require.Equal(t, "hello\n", <-done)
	require.Equal(t, 0, a.run("reverse", "--remove-all").status)
	require.Contains(t, a.run("shell", "echo x | nc 127.0.0.1 7000").stderr, "Connection refused")
}

func TestStockScrcpy(t *testing.T) {
	a := newStock(t)
	d := newDaemon(t, "", nil)
	a.connect(d)
	file := filepath.Join(t.TempDir(), "server")
	require.NoError(t, os.WriteFile(file, scrcpy.File("3.3.4"), 0o600))
	require.Equal(t, 0, a.run("push", file, "/data/local/tmp/scrcpy-server.jar").status)
	ended := make(chan output, 1)
	go func() {
		ended <- a.run("shell", "CLASSPATH=/data/local/tmp/scrcpy-server.jar app_process / com.genymobile.scrcpy.Server 3.3.4 scid=2a "+
			"video=false audio=false tunnel_forward=true cleanup=false power_on=false")
	}()
	require.Eventually(t, func() bool { return d.Device().Listening("localabstract:scrcpy_0000002a") }, 10*time.Second, 5*time.Millisecond)
	port := strings.TrimSpace(a.run("forward", "tcp:0", "localabstract:scrcpy_0000002a").stdout)
	c, err := net.Dial("tcp", "127.0.0.1:"+port)
	require.NoError(t, err)
	defer c.Close()
	require.NoError(t, c.SetDeadline(time.Now().Add(20*time.Second)))
	head := make([]byte, 65)
	_, err = io.ReadFull(c, head)
	require.NoError(t, err)
	for i := range 50 { // in pieces, and one after the other
		text := fmt.Sprintf("text %d", i)
		message := append([]byte{9, 0, 0, 0, 0, 0, 0, 0, byte(i + 1), 0, 0, 0, 0, byte(len(text))}, text...)
		_, err = c.Write(message[:3])
		require.NoError(t, err)
		_, err = c.Write(message[3:])
		require.NoError(t, err)
		ack := make([]byte, 9)
		_, err = io.ReadFull(c, ack)
		require.NoError(t, err)
		require.Equal(t, scrcpy.AckMessage(uint64(i+1)), ack)
	}
	require.Equal(t, "text 49", d.Device().Phone().Clipboard())
	require.NoError(t, c.Close())
	out := <-ended
	require.Equal(t, 0, out.status)
	require.Contains(t, out.stdout, "INFO: Device: [Google]")
}
