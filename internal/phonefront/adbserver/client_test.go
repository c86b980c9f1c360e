package adbserver_test

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// newDevice makes a device of a fresh phone, whose clock stands still: no tap is a long one, however slow the computer is.
func newDevice(t *testing.T, profile string) *android.Device {
	t.Helper()
	noon := func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
	d, err := android.New(sim.New(nil), &android.Options{Profile: profile, Now: noon})
	require.NoError(t, err)
	return d
}

// start starts a server that ends with the test.
func start(t *testing.T, phones ...adbserver.Phone) *adbserver.Server {
	t.Helper()
	s, err := adbserver.Start(&adbserver.Options{Phones: phones})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// client is one connection to the server.
type client struct {
	t *testing.T
	net.Conn
}

func dial(t *testing.T, s *adbserver.Server) client {
	t.Helper()
	c, err := net.Dial("tcp", s.Addr())
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	require.NoError(t, c.SetDeadline(time.Now().Add(20*time.Second)))
	return client{t, c}
}

func (c client) send(request string) {
	c.t.Helper()
	_, err := fmt.Fprintf(c, "%04x%s", len(request), request)
	require.NoError(c.t, err)
}

func (c client) read(n int) string {
	c.t.Helper()
	buf := make([]byte, n)
	_, err := io.ReadFull(c, buf)
	require.NoError(c.t, err)
	return string(buf)
}

func (c client) text() string {
	c.t.Helper()
	n, err := strconv.ParseUint(c.read(4), 16, 32)
	require.NoError(c.t, err)
	return c.read(int(n))
}

// status reads OKAY, or FAIL with its text.
func (c client) status() string {
	c.t.Helper()
	if s := c.read(4); s != "FAIL" {
		return s
	}
	return "FAIL " + c.text()
}

// ask sends a request that is answered by a text, and returns it or the FAIL.
func ask(t *testing.T, s *adbserver.Server, request string) string {
	t.Helper()
	c := dial(t, s)
	c.send(request)
	if st := c.status(); st != "OKAY" {
		return st
	}
	return c.text()
}

// open opens a service of the only phone.
func open(t *testing.T, s *adbserver.Server, service string) client {
	t.Helper()
	c := dial(t, s)
	c.send("host:transport-any")
	require.Equal(t, "OKAY", c.status())
	c.send(service)
	require.Equal(t, "OKAY", c.status())
	return c
}

// result is what a shell v2 stream brought.
type result struct {
	stdout, stderr string
	status         int // -1 without an exit packet
}

func (c client) packets() result {
	c.t.Helper()
	r := result{status: -1}
	for {
		var head [5]byte
		if _, err := io.ReadFull(c, head[:]); err != nil {
			return r
		}
		data := c.read(int(binary.LittleEndian.Uint32(head[1:])))
		switch head[0] {
		case 1:
			r.stdout += data
		case 2:
			r.stderr += data
		case 3:
			r.status = int(data[0])
		}
	}
}

// shell runs a command with the shell protocol.
func shell(t *testing.T, s *adbserver.Server, command string) result {
	t.Helper()
	return open(t, s, "shell,v2,raw:"+command).packets()
}
