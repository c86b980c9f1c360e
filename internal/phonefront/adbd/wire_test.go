package adbd

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// peer is an adb server as far as the transport goes: it sends packets and looks at what comes.
type peer struct {
	t *testing.T
	net.Conn
}

func newPeer(t *testing.T, profile string, opts *Options) (peer, *Daemon) {
	t.Helper()
	d, err := android.New(sim.New(nil), &android.Options{Profile: profile})
	require.NoError(t, err)
	a, err := Listen(d, opts)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, a.Close()) })
	return dialPeer(t, a), a
}

func dialPeer(t *testing.T, a *Daemon) peer {
	t.Helper()
	c, err := net.Dial("tcp", a.Addr())
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	require.NoError(t, c.SetDeadline(time.Now().Add(20*time.Second)))
	return peer{t, c}
}

func (p peer) send(cmd, arg0, arg1 uint32, data string) {
	p.t.Helper()
	_, err := p.Write(packet{cmd, arg0, arg1, []byte(data)}.encode(false))
	require.NoError(p.t, err)
}

func (p peer) next() packet {
	p.t.Helper()
	got, err := readPacket(p)
	require.NoError(p.t, err)
	return got
}

func (p peer) greet() packet {
	p.t.Helper()
	p.send(cmdCnxn, 0x01000001, 1<<20, "host::features=shell_v2")
	return p.next()
}

// open opens a service and returns the id that the phone gave it.
func (p peer) open(local uint32, service string) uint32 {
	p.t.Helper()
	p.send(cmdOpen, local, 0, service+"\x00")
	got := p.next()
	require.Equal(p.t, packet{cmdOkay, got.arg0, local, nil}, got)
	return got.arg0
}

func TestBanner(t *testing.T) {
	p, _ := newPeer(t, "a9", nil)
	got := p.greet()
	require.Equal(t, packet{cmdCnxn, 0x01000001, 1 << 20, []byte("device::ro.product.name=walleye;ro.product.model=Pixel 2;ro.product.device=walleye;features=cmd,stat_v2,shell_v2")}, got)
}

func TestStream(t *testing.T) {
	p, _ := newPeer(t, "a14", nil)
	p.greet()
	id := p.open(7, "shell,v2,raw:echo hi; exit 3")
	require.Equal(t, packet{cmdWrte, id, 7, []byte("\x01\x03\x00\x00\x00hi\n")}, p.next())
	p.send(cmdOkay, 7, id, "")
	require.Equal(t, packet{cmdWrte, id, 7, []byte("\x03\x01\x00\x00\x00\x03")}, p.next())
	p.send(cmdOkay, 7, id, "")
	require.Equal(t, packet{cmdClse, id, 7, nil}, p.next(), "the exit packet first, then the end")
	p.send(cmdClse, 7, id, "")
	id = p.open(8, "exec:echo again")
	require.Equal(t, packet{cmdWrte, id, 8, []byte("again\n")}, p.next())
}

func TestStopAndWait(t *testing.T) {
	p, _ := newPeer(t, "a6", nil)
	banner := p.greet()
	require.Equal(t, uint32(4096), banner.arg1)
	id := p.open(1, "exec:cat /dev/zero")
	for range 3 {
		got := p.next()
		require.Equal(t, cmdWrte, got.cmd)
		require.Len(t, got.data, 4096, "no more than was agreed on")
		require.NoError(t, p.SetReadDeadline(time.Now().Add(30*time.Millisecond)))
		_, err := readPacket(p)
		require.Error(t, err, "nothing before the last one is acknowledged")
		require.NoError(t, p.SetReadDeadline(time.Now().Add(20*time.Second)))
		p.send(cmdOkay, 1, id, "")
	}
	p.send(cmdClse, 1, id, "")
	for got := p.next(); got.cmd != cmdClse; got = p.next() {
		require.Equal(t, cmdWrte, got.cmd)
	}
}

func TestInput(t *testing.T) {
	p, _ := newPeer(t, "a14", nil)
	p.greet()
	id := p.open(1, "exec:cat")
	p.send(cmdWrte, 1, id, "")
	require.Equal(t, packet{cmdOkay, id, 1, nil}, p.next(), "an empty one is acknowledged too")
	p.send(cmdWrte, 1, id, "abc")
	got := []packet{p.next(), p.next()}
	require.ElementsMatch(t, []packet{{cmdOkay, id, 1, nil}, {cmdWrte, id, 1, []byte("abc")}}, got)
}

func TestRefusals(t *testing.T) {
	p, _ := newPeer(t, "a14", nil)
	p.greet()
	p.send(cmdOpen, 5, 0, "nonsense:\x00")
	require.Equal(t, packet{cmdClse, 0, 5, nil}, p.next())
	p.send(cmdWrte, 5, 99, "to nobody")
	require.Equal(t, packet{cmdClse, 99, 5, nil}, p.next())
	p.send(cmdClse, 5, 99, "") // not answered
	p.send(cmdOkay, 5, 99, "") // nor this
	p.open(6, "exec:echo still here")
}

// isAsking says that a computer waits for the owner.
func (a *Daemon) isAsking() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for l := range a.links {
		l.mu.Lock()
		asking := l.asking
		l.mu.Unlock()
		if asking {
			return true
		}
	}
	return false
}

func TestNoStreamBeforeTheBanner(t *testing.T) {
	p, a := newPeer(t, "a14", &Options{Auth: true})
	token := p.greet()
	require.Equal(t, []uint32{cmdAuth, authToken}, []uint32{token.cmd, token.arg0})
	require.Len(t, token.data, 20)
	p.send(cmdOpen, 1, 0, "shell:input tap 1 2\x00")
	p.send(cmdAuth, authSignature, 0, strings.Repeat("s", 256))
	again := p.next()
	require.Equal(t, cmdAuth, again.cmd)
	require.NotEqual(t, token.data, again.data)
	p.send(cmdAuth, authPublicKey, 0, "key user@host\x00")
	require.Empty(t, a.Device().Phone().Log())
	require.Eventually(t, a.isAsking, 20*time.Second, time.Millisecond, "until the key has arrived")
	a.Allow()
	require.Equal(t, cmdCnxn, p.next().cmd)
	require.Equal(t, cmdCnxn, dialPeer(t, a).greet().cmd, "the owner has allowed it for good")
}

// TestKeyBehindTheTap holds that a computer whose key arrives after the owner has allowed it is let in, too.
func TestKeyBehindTheTap(t *testing.T) {
	p, a := newPeer(t, "a14", &Options{Auth: true})
	require.Equal(t, cmdAuth, p.greet().cmd)
	a.Allow()
	p.send(cmdAuth, authPublicKey, 0, "key user@host\x00")
	require.Equal(t, cmdCnxn, p.next().cmd)
}

// TestOpenedAndClosedAtOnce holds that the phone gets what a computer sent that has closed the stream by then.
func TestOpenedAndClosedAtOnce(t *testing.T) {
	p, _ := newPeer(t, "a14", nil)
	p.greet()
	p.open(1, "reverse:forward:tcp:7000;tcp:8000")
	require.Equal(t, cmdWrte, p.next().cmd)
	id := p.open(2, "exec:nc 127.0.0.1 7000")
	out := p.next()
	for out.cmd != cmdOpen { // the end of the first stream
		out = p.next()
	}
	require.Equal(t, "tcp:8000\x00", string(out.data))
	var answer []byte
	for _, a := range []packet{{cmdOkay, 9, out.arg0, nil}, {cmdWrte, 9, out.arg0, []byte("hi")}, {cmdClse, 9, out.arg0, nil}} {
		answer = append(answer, a.encode(false)...)
	}
	_, err := p.Write(answer)
	require.NoError(t, err)
	got := p.next()
	for got.arg1 != 2 { // what the phone says on the stream that it opened
		got = p.next()
	}
	require.Equal(t, packet{cmdWrte, id, 2, []byte("hi")}, got)
}

func TestFaultsOfTheLine(t *testing.T) {
	p, a := newPeer(t, "a14", nil)
	require.NoError(t, a.Device().SetFault(android.FaultUnauthorized, true))
	require.Equal(t, cmdAuth, p.greet().cmd)
	p.send(cmdAuth, authSignature, 0, "s")
	require.Equal(t, cmdAuth, p.next().cmd)
	require.NoError(t, a.Device().SetFault(android.FaultUnauthorized, false))

	require.NoError(t, a.Device().SetFault(android.FaultAuthorizing+"=10ms", true))
	p = dialPeer(t, a)
	require.Equal(t, cmdAuth, p.greet().cmd)
	require.Equal(t, cmdCnxn, p.next().cmd, "after a while, by itself")
	require.NoError(t, a.Device().SetFault(android.FaultAuthorizing, false))

	require.NoError(t, a.Device().SetFault(android.FaultDropAfterSend, true))
	p = dialPeer(t, a)
	p.greet()
	p.open(1, "shell,v2,raw:input tap 500 900")
	_, err := readPacket(p)
	require.Error(t, err)
	require.Len(t, a.Device().Phone().Events("tap"), 1)
}

func TestChecksumOfOldPhones(t *testing.T) {
	p, _ := newPeer(t, "a6", nil)
	p.send(cmdCnxn, 0x01000001, 1<<20, "host::")
	var head [headerSize]byte
	_, err := io.ReadFull(p, head[:])
	require.NoError(t, err)
	require.Equal(t, sum([]byte("device::ro.product.name=angler;ro.product.model=Nexus 6P;ro.product.device=angler;features=")),
		uint32(head[16])|uint32(head[17])<<8|uint32(head[18])<<16|uint32(head[19])<<24)
}
