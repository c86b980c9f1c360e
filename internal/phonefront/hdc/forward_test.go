package hdc_test

import (
	"io"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/hdc"
)

// freePort returns a port that nobody listens on. It is below those that systems give away by themselves, so that it stays
// free.
func freePort(t *testing.T) string {
	t.Helper()
	for {
		port := strconv.Itoa(10_000 + rand.IntN(20_000))
		if ln, err := net.Listen("tcp", "127.0.0.1:"+port); err == nil {
			require.NoError(t, ln.Close())
			return port
		}
	}
}

func TestForward(t *testing.T) {
	d := newDevice(t, &hdc.Options{Key: lan})
	s := serve(t, nil, d)
	one, two := "tcp:"+freePort(t), "tcp:"+freePort(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"fport", "ls"}, "[Empty]\r\n"},
		{[]string{"fport", one, "tcp:7002"}, "Forwardport result:OK\r\n"},
		{[]string{"fport", one, "tcp:7002"}, "[Fail]TCP Port listen failed at " + one[4:] + "\r\n"},
		{[]string{"fport", "tcp:0", "tcp:7003"}, "[Fail]Forward parament failed\r\n"},
		{[]string{"fport", "tcp:99999", "tcp:1"}, "[Fail]Forward parament failed\r\n"},
		{[]string{"fport", "tcp:1"}, "[Fail]Forward parament failed\r\n"},
		{[]string{"fport", "foo:1", "tcp:1"}, "[Fail]Incorrect forward command\n"},
		{[]string{"rport", "ls"}, "[Fail]Incorrect forward command\n"},
		{[]string{"fport"}, "[Fail]Unknown command...\n"},
		{[]string{"-t", "x", "fport", "ls"}, lan + "    " + one + " tcp:7002    [Forward]\n"},
		{[]string{"fport", "rm", one}, "[Fail]Remove forward ruler failed, ruler is not exist " + one + "\r\n"},
		{[]string{"fport", "rm", one, "tcp:7002"}, "Remove forward ruler success, ruler:" + one + " tcp:7002\r\n"},
		{[]string{"fport", "rm", one, "tcp:7002"}, "[Fail]Remove forward ruler failed, ruler is not exist " + one + " tcp:7002\r\n"},
		{[]string{"fport", two, "localabstract:uitest_socket"}, "Forwardport result:OK\r\n"},
		{[]string{"rport", "tcp:7006", "tcp:7007"}, "Forwardport result:OK\r\n"},
		{[]string{"fport", "ls"}, lan + "    tcp:7006 tcp:7007    [Reverse]\n" + lan + "    " + two + " localabstract:uitest_socket    [Forward]\n"},
		{[]string{"fport", "rm", "tcp:7006", "tcp:7007"}, "Remove forward ruler success, ruler:tcp:7006 tcp:7007\r\n"},
	} {
		require.Equal(t, c.want, out(t, s, c.args...), c.args)
	}
	out(t, s, "tconn", lan, "-remove")
	require.Equal(t, "[Empty]\r\n", out(t, s, "fport", "ls"), "they go with the phone")
}

// Close may come while ports are being forwarded.
func TestCloseBesideForward(t *testing.T) {
	for range 20 {
		s, _ := onePhone(t, "")
		one, two := "tcp:"+freePort(t), "tcp:"+freePort(t)
		var calls sync.WaitGroup
		for _, port := range []string{one, two} {
			calls.Go(func() { run(t, s, "", "fport", port, "tcp:7002") })
		}
		require.NoError(t, s.Close())
		calls.Wait()
	}
}

func TestForwardCarries(t *testing.T) {
	s, d := onePhone(t, "")
	d.Listen("tcp:8012", func(conn io.ReadWriteCloser) {
		defer conn.Close()
		_, _ = io.Copy(conn, conn)
	})
	port := freePort(t)
	require.Equal(t, "Forwardport result:OK\r\n", out(t, s, "fport", "tcp:"+port, "tcp:8012"))
	conn, err := net.Dial("tcp", "127.0.0.1:"+port)
	require.NoError(t, err)
	defer conn.Close()
	_, err = conn.Write([]byte("ping"))
	require.NoError(t, err)
	got := make([]byte, 4)
	_, err = io.ReadFull(conn, got)
	require.NoError(t, err)
	require.Equal(t, "ping", string(got))

	d.Listen("tcp:8012", nil)
	dead, err := net.Dial("tcp", "127.0.0.1:"+port)
	require.NoError(t, err)
	defer dead.Close()
	_, err = dead.Read(got)
	require.Error(t, err, "nothing listens on the phone")
}
