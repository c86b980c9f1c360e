package adb_test

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/adbd"
	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// TestTunnelsCarry sends bytes from this computer to the phone and back to this computer, through
// the simulated server and through a stock one.
func TestTunnelsCarry(t *testing.T) {
	ways := map[string]func(t *testing.T) way{
		"socket":    func(*testing.T) way { return &overSocket{servers: map[string]*adbserver.Server{}} },
		"stock adb": func(t *testing.T) way { return &overAdb{addr: stockServer(t), of: map[string]*adbd.Daemon{}} },
	}
	for name, make := range ways {
		t.Run(name, func(t *testing.T) {
			device, err := android.New(sim.New(nil), nil)
			require.NoError(t, err)
			serial, server := make(t).attach(t, device)
			d, err := adb.New(t.Context(), serial, &adb.Options{Server: server, NoStart: true})
			require.NoError(t, err)
			defer func() { require.NoError(t, d.Close()) }()

			device.Listen("localabstract:echo", func(_ context.Context, c io.ReadWriteCloser) { _, _ = io.Copy(c, c) })
			there, err := d.Forward(t.Context(), "localabstract:echo")
			require.NoError(t, err)
			c, err := net.Dial("tcp", there.Addr)
			require.NoError(t, err)
			roundTrip(t, c)
			c, err = d.Dial(t.Context(), "localabstract:echo")
			require.NoError(t, err)
			roundTrip(t, c)
			require.NoError(t, there.Close())
			require.False(t, echoes(there.Addr))

			back, err := d.Reverse(t.Context(), "tcp:7000", greeter(t))
			require.NoError(t, err)
			out, err := d.Shell(t.Context(), "sh", "-c", "echo hello | nc 127.0.0.1 7000")
			require.NoError(t, err)
			require.Equal(t, "from the computer", string(out.Stdout))
			require.NoError(t, back.Close())
			out, err = d.Shell(t.Context(), "sh", "-c", "echo hello | nc 127.0.0.1 7000")
			require.NoError(t, err)
			require.NotContains(t, string(out.Stdout), "computer")

			back, err = d.Reverse(t.Context(), "tcp:0", greeter(t))
			require.NoError(t, err)
			_, port, _ := strings.Cut(back.Addr, ":")
			require.NotEqual(t, "0", port, "the phone chooses one")
			out, err = d.Shell(t.Context(), "sh", "-c", "echo hello | nc 127.0.0.1 "+port)
			require.NoError(t, err)
			require.Equal(t, "from the computer", string(out.Stdout))
		})
	}
}

// greeter answers each connection with a text and ends it, until the test ends.
func greeter(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = io.ReadFull(c, make([]byte, len("hello\n")))
			_, _ = io.WriteString(c, "from the computer")
			_ = c.Close()
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	return l.Addr().String()
}

// echoes says that what is sent to an address comes back. Another program may listen there by now.
func echoes(addr string) bool {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return false
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	_, _ = io.WriteString(c, "there and back")
	got := make([]byte, len("there and back"))
	_, err = io.ReadFull(c, got)
	return err == nil && string(got) == "there and back"
}

func roundTrip(t *testing.T, c net.Conn) {
	t.Helper()
	require.NoError(t, c.SetDeadline(time.Now().Add(30*time.Second)))
	_, err := io.WriteString(c, "there and back")
	require.NoError(t, err)
	got := make([]byte, len("there and back"))
	_, err = io.ReadFull(c, got)
	require.NoError(t, err)
	require.Equal(t, "there and back", string(got))
	require.NoError(t, c.Close())
}

// TestConnectionsEndWithTheDriver holds that Close leaves no connection to the phone.
func TestConnectionsEndWithTheDriver(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d, err := adb.New(t.Context(), f.device.Serial(), &adb.Options{Server: f.server.Addr(), NoStart: true})
	require.NoError(t, err)
	f.device.Listen("localabstract:x", func(_ context.Context, c io.ReadWriteCloser) { _, _ = io.Copy(c, c) })
	c, err := d.Dial(t.Context(), "localabstract:x")
	require.NoError(t, err)
	read := make(chan error, 1)
	go func() { _, err := c.Read(make([]byte, 1)); read <- err }()
	require.NoError(t, d.Close())
	require.Error(t, <-read)
}

func TestTCPIPOfAFront(t *testing.T) {
	d := newFront(t, "a14", sim.Options{}).open(t)
	ip, err := d.IP(t.Context())
	require.NoError(t, err)
	at, err := d.TCPIP(t.Context(), 5556)
	require.NoError(t, err)
	require.Equal(t, ip.String()+":5556", at)
	require.NoError(t, d.USB(t.Context()))
}
