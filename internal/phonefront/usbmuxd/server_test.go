package usbmuxd

import (
	"encoding/binary"
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const udid = "00008120-000A11112222333E"

// echo is what listens on the port of a phone.
func echo(t *testing.T) string {
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
			_, _ = io.Copy(c, c)
			_ = c.Close()
		}
	}()
	t.Cleanup(func() {
		require.NoError(t, l.Close())
		<-done
	})
	return l.Addr().String()
}

func start(t *testing.T, devices ...Device) *Server {
	s, err := Listen("unix", filepath.Join(t.TempDir(), "mux"), devices...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

type peer struct {
	t *testing.T
	net.Conn
}

func dial(t *testing.T, s *Server) *peer {
	c, err := net.Dial(s.Network(), s.Addr())
	require.NoError(t, err)
	require.NoError(t, c.SetDeadline(time.Now().Add(10*time.Second)))
	t.Cleanup(func() { _ = c.Close() })
	return &peer{t, c}
}

func (p *peer) raw(protocol, kind uint32, body []byte) {
	head := make([]byte, headSize)
	for i, n := range []uint32{uint32(headSize + len(body)), protocol, kind, 7} {
		binary.LittleEndian.PutUint32(head[4*i:], n)
	}
	_, err := p.Write(append(head, body...))
	require.NoError(p.t, err)
}

func (p *peer) receive() map[string]any {
	head := make([]byte, headSize)
	_, err := io.ReadFull(p, head)
	require.NoError(p.t, err)
	require.Equal(p.t, uint32(1), binary.LittleEndian.Uint32(head[4:]))
	require.Equal(p.t, uint32(7), binary.LittleEndian.Uint32(head[12:]), "an answer has the tag of its request")
	body := make([]byte, binary.LittleEndian.Uint32(head)-headSize)
	_, err = io.ReadFull(p, body)
	require.NoError(p.t, err)
	m, err := readPlist(body)
	require.NoError(p.t, err)
	return m
}

func (p *peer) ask(m map[string]any) map[string]any {
	p.raw(1, typePlist, writePlist(m))
	return p.receive()
}

func swap(port int) int { return port>>8&0xff | port&0xff<<8 }

func TestListDevices(t *testing.T) {
	s := start(t, Device{UDID: udid}, Device{UDID: "OTHER", Wi: true})
	list := dial(t, s).ask(map[string]any{"MessageType": "ListDevices"})["DeviceList"].([]any)
	require.Len(t, list, 2)
	one := list[0].(map[string]any)
	require.Equal(t, "Attached", one["MessageType"])
	props := one["Properties"].(map[string]any)
	require.Equal(t, udid, props["SerialNumber"])
	require.Equal(t, udid, props["UDID"])
	require.Equal(t, "USB", props["ConnectionType"])
	require.Equal(t, one["DeviceID"], props["DeviceID"])
	require.Equal(t, "Network", list[1].(map[string]any)["Properties"].(map[string]any)["ConnectionType"])
	s.Detach(udid)
	require.Len(t, dial(t, s).ask(map[string]any{"MessageType": "ListDevices"})["DeviceList"], 1)
}

func TestConnectRelays(t *testing.T) {
	s := start(t, Device{UDID: udid, Ports: map[int]string{8100: echo(t)}})
	p := dial(t, s)
	require.Equal(t, 0, p.ask(map[string]any{"MessageType": "Connect", "DeviceID": 1, "PortNumber": swap(8100)})["Number"])
	_, err := p.Write([]byte("GET /status"))
	require.NoError(t, err)
	back := make([]byte, 11)
	_, err = io.ReadFull(p, back)
	require.NoError(t, err)
	require.Equal(t, "GET /status", string(back))
}

func TestDetachBreaksConnections(t *testing.T) {
	s := start(t, Device{UDID: udid, Ports: map[int]string{8100: echo(t)}})
	p := dial(t, s)
	require.Equal(t, 0, p.ask(map[string]any{"MessageType": "Connect", "DeviceID": 1, "PortNumber": swap(8100)})["Number"])
	s.Detach(udid)
	_, err := p.Read(make([]byte, 1))
	require.Error(t, err)
	require.NotErrorIs(t, err, os.ErrDeadlineExceeded)
}

// A device may be pulled out at any moment of a Connect: then the connection breaks, or was never made.
func TestDetachBesideConnect(t *testing.T) {
	port := echo(t)
	s := start(t)
	for id := 1; id <= 30; id++ {
		s.Attach(Device{UDID: udid, Ports: map[int]string{8100: port}})
		p := dial(t, s)
		p.raw(1, typePlist, writePlist(map[string]any{"MessageType": "Connect", "DeviceID": id, "PortNumber": swap(8100)}))
		s.Detach(udid)
		_, err := p.Read(make([]byte, headSize)) // an answer, or the end of the connection
		require.NotErrorIs(t, err, os.ErrDeadlineExceeded)
		require.Eventually(t, func() bool {
			s.mu.Lock()
			defer s.mu.Unlock()
			return !s.relays(id)
		}, 20*time.Second, time.Millisecond, "a connection to a device that is gone")
	}
}

// What is sent after a device was pulled out goes nowhere: its connections do not linger.
func TestDetachIsOverWhenItReturns(t *testing.T) {
	port := echo(t)
	s := start(t)
	for id := 1; id <= 100; id++ {
		s.Attach(Device{UDID: udid, Ports: map[int]string{8100: port}})
		p := dial(t, s)
		require.Equal(t, 0, p.ask(map[string]any{"MessageType": "Connect", "DeviceID": id, "PortNumber": swap(8100)})["Number"])
		s.Detach(udid)
		_, err := p.Write([]byte("GET /status"))
		require.ErrorIs(t, err, syscall.EPIPE)
		require.NoError(t, p.Close())
	}
}

func TestRefusals(t *testing.T) {
	s := start(t, Device{UDID: udid, Ports: map[int]string{8100: "127.0.0.1:1"}})
	cases := map[string]struct {
		ask  map[string]any
		want int
	}{
		"unknown device":    {map[string]any{"MessageType": "Connect", "DeviceID": 9, "PortNumber": swap(8100)}, resultBadDevice},
		"closed port":       {map[string]any{"MessageType": "Connect", "DeviceID": 1, "PortNumber": swap(9100)}, resultRefused},
		"nobody listens":    {map[string]any{"MessageType": "Connect", "DeviceID": 1, "PortNumber": swap(8100)}, resultRefused},
		"port not swapped":  {map[string]any{"MessageType": "Connect", "DeviceID": 1, "PortNumber": 8100}, resultRefused},
		"unknown message":   {map[string]any{"MessageType": "Dance"}, resultBadCommand},
		"no pairing record": {map[string]any{"MessageType": "ReadPairRecord", "PairRecordID": udid}, resultBadDevice},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := dial(t, s).ask(c.ask)
			require.Equal(t, "Result", got["MessageType"])
			require.Equal(t, c.want, got["Number"])
		})
	}
}

func TestBinaryProtocolIsRefused(t *testing.T) {
	s := start(t)
	p := dial(t, s)
	p.raw(0, 3, nil)
	require.Equal(t, resultBadVersion, p.receive()["Number"])
}

func TestListenTellsOfDevices(t *testing.T) {
	s := start(t, Device{UDID: udid})
	p := dial(t, s)
	require.Equal(t, resultOK, p.ask(map[string]any{"MessageType": "Listen"})["Number"])
	require.Equal(t, "Attached", p.receive()["MessageType"])
	s.Attach(Device{UDID: "SECOND"})
	require.Equal(t, "SECOND", p.receive()["Properties"].(map[string]any)["UDID"])
	s.Detach("SECOND")
	got := p.receive()
	require.Equal(t, "Detached", got["MessageType"])
	require.Equal(t, 2, got["DeviceID"])
}

func TestSilence(t *testing.T) {
	s := start(t, Device{UDID: udid})
	s.SetSilent(true)
	p := dial(t, s)
	p.raw(1, typePlist, writePlist(map[string]any{"MessageType": "ListDevices"}))
	require.NoError(t, p.SetReadDeadline(time.Now().Add(50*time.Millisecond)))
	_, err := p.Read(make([]byte, 1))
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
}

func TestTCPAndClose(t *testing.T) {
	s, err := Listen("tcp", "127.0.0.1:0", Device{UDID: udid})
	require.NoError(t, err)
	p := dial(t, s)
	require.NotEmpty(t, p.ask(map[string]any{"MessageType": "ReadBUID"})["BUID"])
	require.NoError(t, s.Close())
	require.NoError(t, s.Close())
	_, err = p.Read(make([]byte, 1))
	require.Error(t, err)
	require.NotErrorIs(t, err, os.ErrDeadlineExceeded)
}
