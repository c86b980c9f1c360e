package adbserver_test

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/android"
)

func TestStates(t *testing.T) {
	tests := []struct {
		state adbserver.State
		fail  string
	}{
		{adbserver.Offline, "device offline"},
		{adbserver.Unauthorized, "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set\nTry 'adb kill-server' if that seems wrong.\nOtherwise check for a confirmation dialog on your device."},
		{adbserver.Authorizing, "device still authorizing"},
		{adbserver.Connecting, "device still connecting"},
		{adbserver.NoPermission, "insufficient permissions for device: user in plugdev group; are your udev rules wrong?.\nSee [http://developer.android.com/tools/device.html] for more information"},
	}
	for _, tt := range tests {
		t.Run(string(tt.state[:7]), func(t *testing.T) {
			s := start(t, adbserver.Phone{Device: newDevice(t, "a14"), Serial: "S", USB: "1-4", State: tt.state})
			require.Equal(t, "S\t"+string(tt.state)+"\n", ask(t, s, "host:devices"))
			for _, request := range []string{"host:transport-any", "host:get-state", "host-serial:S:features", "host:tport:serial:S"} {
				require.Equal(t, "FAIL "+tt.fail, ask(t, s, request), request)
			}
			require.Equal(t, "S", ask(t, s, "host:get-serialno"), "needs no phone that answers")
		})
	}
}

func TestFaultsAreStates(t *testing.T) {
	d := newDevice(t, "a14")
	s := start(t, adbserver.Phone{Device: d, Serial: "S"})
	for _, fault := range []string{android.FaultUnauthorized, android.FaultOffline, android.FaultAuthorizing} {
		require.NoError(t, d.SetFault(fault, true))
		require.Equal(t, "S\t"+fault+"\n", ask(t, s, "host:devices"))
		require.NoError(t, d.SetFault(fault, false))
	}
	require.Equal(t, "S\tdevice\n", ask(t, s, "host:devices"))
}

func TestSeveralPhones(t *testing.T) {
	const spaced = "adb-0123 (2)._adb-tls-connect._tcp"
	s := start(t, adbserver.Phone{Device: newDevice(t, "a9"), Serial: "U1", USB: "1-4"},
		adbserver.Phone{Device: newDevice(t, "a14"), Serial: spaced},
		adbserver.Phone{Device: newDevice(t, "a14"), Serial: "127.0.0.1:5555", State: adbserver.Unauthorized})
	tests := []struct{ name, request, want string }{
		{"any", "host:get-state", "FAIL more than one device/emulator"},
		{"usb", "host-usb:get-serialno", "U1"},
		{"local", "host-local:get-state", "FAIL more than one emulator"},
		{"spaces", "host-serial:" + spaced + ":get-state", "device"},
		{"port in the serial", "host-serial:127.0.0.1:5555:get-serialno", "127.0.0.1:5555"},
		{"host of the serial", "host-serial:127.0.0.1:get-serialno", "127.0.0.1:5555"},
		{"devpath", "host-serial:usb:1-4:get-serialno", "U1"},
		{"model", "host-serial:model:Pixel_2:get-serialno", "U1"},
		{"empty serial means any", "host-serial::get-state", "FAIL more than one device/emulator"},
		{"unknown", "host-serial:10.0.0.1:5555:get-state", "FAIL device '10.0.0.1:5555' not found"},
		{"features are the device's", "host-serial:U1:features", "cmd,stat_v2,shell_v2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, ask(t, s, tt.request)) })
	}
	lines := strings.Split(ask(t, s, "host:devices-l"), "\n")
	require.Equal(t, spaced+" device product:shiba model:Pixel_8 device:shiba transport_id:2", lines[1])
	require.Equal(t, "127.0.0.1:5555         unauthorized transport_id:3", lines[2])
}

func TestTransportPort(t *testing.T) {
	s := start(t, adbserver.Phone{Device: newDevice(t, "a14"), Serial: "S"})
	c := dial(t, s)
	c.send("host:tport:serial:S")
	require.Equal(t, "OKAY", c.status())
	require.Equal(t, uint64(1), binary.LittleEndian.Uint64([]byte(c.read(8))))
	c.send("shell,v2,raw:echo hi")
	require.Equal(t, "OKAY", c.status())
	require.Equal(t, result{"hi\n", "", 0}, c.packets())
}

func TestBadRequestsAreCutWithoutAReply(t *testing.T) {
	s := start(t)
	for _, request := range []string{"0000", "zzzz", "-001", "00"} {
		c := dial(t, s)
		_, err := io.WriteString(c, request)
		require.NoError(t, err)
		require.NoError(t, c.Conn.(*net.TCPConn).CloseWrite())
		data, _ := io.ReadAll(c)
		require.Empty(t, data, request)
	}
	require.Equal(t, "0029", ask(t, s, "host:version"))
}

func TestTrackDevices(t *testing.T) {
	s := start(t)
	c := dial(t, s)
	c.send("host:track-devices")
	require.Equal(t, "OKAY", c.status())
	require.Empty(t, c.text())
	s.Attach(adbserver.Phone{Device: newDevice(t, "a14"), Serial: "S"})
	require.Equal(t, "S\tdevice\n", c.text())
	s.SetState("S", adbserver.Offline)
	require.Equal(t, "S\toffline\n", c.text())
	s.Detach("S")
	require.Empty(t, c.text())
}

func TestWaitFor(t *testing.T) {
	s := start(t)
	c := dial(t, s)
	c.send("host:wait-for-any-device")
	require.Equal(t, "OKAY", c.status())
	s.Attach(adbserver.Phone{Device: newDevice(t, "a14"), Serial: "S"})
	require.Equal(t, "OKAY", c.status())
	gone := dial(t, s)
	gone.send("host-serial:S:wait-for-any-disconnect")
	require.Equal(t, "OKAY", gone.status())
	s.Detach("S")
	require.Equal(t, "OKAY", gone.status())
}

func TestConnect(t *testing.T) {
	s := start(t, adbserver.Phone{Device: newDevice(t, "a14"), Serial: "127.0.0.1:6000", Away: true},
		adbserver.Phone{Device: newDevice(t, "a14"), Serial: "127.0.0.1:6001", Away: true, State: adbserver.Unauthorized},
		adbserver.Phone{Device: newDevice(t, "a14"), Serial: "127.0.0.1:6002", Away: true, State: adbserver.Offline})
	require.Empty(t, ask(t, s, "host:devices"))
	for request, want := range map[string]string{"6000": "connected to 127.0.0.1:6000", "6001": "failed to authenticate to 127.0.0.1:6001",
		"6002": "failed to connect to 127.0.0.1:6002"} {
		require.Equal(t, want, ask(t, s, "host:connect:127.0.0.1:"+request))
	}
	require.Equal(t, "already connected to 127.0.0.1:6000", ask(t, s, "host:connect:127.0.0.1:6000"))
	require.Equal(t, "127.0.0.1:6000\tdevice\n127.0.0.1:6001\tunauthorized\n127.0.0.1:6002\toffline\n", ask(t, s, "host:devices"))
	require.Equal(t, "disconnected 127.0.0.1:6000", ask(t, s, "host:disconnect:127.0.0.1:6000"))
	require.Equal(t, "FAIL no such device '127.0.0.1:6000'", ask(t, s, "host:disconnect:127.0.0.1:6000"))
	require.Equal(t, "disconnected everything", ask(t, s, "host:disconnect:"))
	require.Empty(t, ask(t, s, "host:devices"))
}

func TestForward(t *testing.T) {
	d := newDevice(t, "a14")
	d.Listen("localabstract:echo", func(_ context.Context, c io.ReadWriteCloser) { _, _ = io.Copy(c, c) })
	s := start(t, adbserver.Phone{Device: d, Serial: "S"})
	c := dial(t, s)
	c.send("host-serial:S:forward:tcp:0;localabstract:echo")
	require.Equal(t, "OKAY", c.status())
	require.Equal(t, "OKAY", c.status())
	port := c.text()
	require.Equal(t, "S tcp:"+port+" localabstract:echo\n", ask(t, s, "host:list-forward"))
	conn, err := net.Dial("tcp", "127.0.0.1:"+port)
	require.NoError(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, "ping")
	require.NoError(t, err)
	buf := make([]byte, 4)
	_, err = io.ReadFull(conn, buf)
	require.NoError(t, err)
	require.Equal(t, "ping", string(buf))
	require.Equal(t, "FAIL listener 'tcp:1' not found", ask(t, s, "host:killforward:tcp:1"))
	require.Equal(t, "FAIL bad forward: tcp:1", ask(t, s, "host:forward:tcp:1"))
	require.Equal(t, "FAIL cannot bind listener: unknown socket specification:junk", ask(t, s, "host:forward:junk;tcp:1"))
	require.Equal(t, "FAIL cannot rebind existing socket", ask(t, s, "host:forward:norebind:tcp:"+port+";tcp:1"))
	kill := dial(t, s)
	kill.send("host:killforward-all")
	require.Equal(t, "OKAY", kill.status())
	require.Empty(t, ask(t, s, "host:list-forward"))

	direct := open(t, s, "localabstract:echo")
	_, err = io.WriteString(direct, "pong")
	require.NoError(t, err)
	require.Equal(t, "pong", direct.read(4))
}

// A port that is forwarded again leads to the new socket, and is the same all the while.
func TestForwardAgain(t *testing.T) {
	d := newDevice(t, "a14")
	for _, name := range []string{"one", "two"} {
		d.Listen("localabstract:"+name, func(_ context.Context, c io.ReadWriteCloser) { _, _ = io.WriteString(c, name) })
	}
	s := start(t, adbserver.Phone{Device: d, Serial: "S"})
	c := dial(t, s)
	c.send("host:forward:tcp:0;localabstract:one")
	require.Equal(t, "OKAYOKAY", c.read(8))
	port := c.text()
	said := func() string {
		c, err := net.Dial("tcp", "127.0.0.1:"+port)
		require.NoError(t, err)
		defer c.Close()
		data, err := io.ReadAll(c)
		require.NoError(t, err)
		return string(data)
	}
	require.Equal(t, "one", said())
	again := dial(t, s)
	again.send("host:forward:tcp:" + port + ";localabstract:two")
	data, err := io.ReadAll(again)
	require.NoError(t, err)
	require.Equal(t, "OKAYOKAY", string(data), "the port is not told again")
	require.Equal(t, "two", said())
	require.Equal(t, "S tcp:"+port+" localabstract:two\n", ask(t, s, "host:list-forward"))
}

// Close may come while ports are being forwarded, and leaves none.
func TestCloseBesideForwards(t *testing.T) {
	for range 30 {
		s, err := adbserver.Start(&adbserver.Options{Phones: []adbserver.Phone{{Device: newDevice(t, "a14"), Serial: "S"}}})
		require.NoError(t, err)
		ctx, closed := context.WithCancel(t.Context())
		var calls sync.WaitGroup
		asked := make(chan struct{}, 1)
		for range 4 {
			calls.Go(func() {
				for ctx.Err() == nil {
					c, err := net.Dial("tcp", s.Addr())
					if err != nil {
						return
					}
					_, _ = io.WriteString(c, "0022host:forward:tcp:0;localabstract:x")
					_, _ = io.ReadAll(c)
					_ = c.Close()
					select {
					case asked <- struct{}{}:
					default:
					}
				}
			})
		}
		<-asked
		require.NoError(t, s.Close())
		closed()
		calls.Wait()
	}
}

func TestKillRequest(t *testing.T) {
	s := start(t, adbserver.Phone{Device: newDevice(t, "a14"), Serial: "S"})
	c := dial(t, s)
	c.send("host:kill")
	require.Equal(t, "OKAY", c.read(4))
	_, _ = io.ReadAll(c) // until the server has closed it
	_, err := net.Dial("tcp", s.Addr())
	require.Error(t, err)
	require.True(t, s.Killed())
	require.NoError(t, s.Restart())
	require.Equal(t, "S\tdevice\n", ask(t, s, "host:devices"))
}
