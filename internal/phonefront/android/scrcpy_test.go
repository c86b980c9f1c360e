package android_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
	"github.com/handset-go/handset/internal/phonefront/scrcpy"
)

const serverPath = "/data/local/tmp/scrcpy-server.jar"

// scrcpyServer is a server that runs, seen from the computer.
type scrcpyServer struct {
	t      *testing.T
	d      *android.Device
	kill   context.CancelFunc
	ended  chan struct{}
	status int
	mu     sync.Mutex
	out    bytes.Buffer
	net.Conn
}

func (s *scrcpyServer) Write(p []byte) (int, error) { // of what the server prints
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Write(p)
}

func (s *scrcpyServer) printed() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.String()
}

// startServer pushes a server file and starts it, without waiting for anything.
func startServer(t *testing.T, d *android.Device, version, client string, options ...string) *scrcpyServer {
	t.Helper()
	require.NoError(t, d.FS().WriteFile(serverPath, scrcpy.File(version), 0o644))
	ctx, cancel := context.WithCancel(context.Background())
	s := &scrcpyServer{t: t, d: d, kill: cancel, ended: make(chan struct{})}
	command := "CLASSPATH=" + serverPath + " app_process / com.genymobile.scrcpy.Server " + client + " " + strings.Join(options, " ")
	go func() {
		defer close(s.ended)
		s.status = d.Shell(ctx, command, android.Stdio{Out: s, Err: s}).Status
	}()
	t.Cleanup(func() { cancel(); <-s.ended })
	return s
}

// connect dials a socket of the phone until it listens.
func (s *scrcpyServer) connect(name string) net.Conn {
	s.t.Helper()
	var dial android.Dialer
	require.Eventually(s.t, func() bool { dial = s.d.Socket(name); return dial != nil }, 10*time.Second, time.Millisecond, s.printed())
	return serveDialer(s.t, dial)
}

// serveDialer is a connection to what serves it.
func serveDialer(t *testing.T, dial android.Dialer) net.Conn {
	t.Helper()
	near, far := net.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer far.Close()
		dial(ctx, far)
	}()
	t.Cleanup(func() { _ = near.Close(); cancel(); <-done })
	require.NoError(t, near.SetDeadline(time.Now().Add(20*time.Second)))
	return near
}

// controlOnly are the options of a client that wants no pictures.
var controlOnly = []string{"scid=0000002a", "video=false", "audio=false", "tunnel_forward=true", "clipboard_autosync=false", "cleanup=false", "power_on=false"}

// control starts a server and connects its control socket.
func control(t *testing.T, d *android.Device, version string) *scrcpyServer {
	t.Helper()
	s := startServer(t, d, version, version, controlOnly...)
	s.Conn = s.connect("localabstract:scrcpy_0000002a")
	head := make([]byte, 65)
	_, err := io.ReadFull(s.Conn, head)
	require.NoError(t, err)
	require.Equal(t, byte(0), head[0])
	require.Equal(t, "Pixel 8", string(bytes.TrimRight(head[1:], "\x00")))
	return s
}

func (s *scrcpyServer) send(b ...byte) {
	s.t.Helper()
	_, err := s.Conn.Write(b)
	require.NoError(s.t, err)
}

// key is an inject keycode message.
func key(action byte, code uint32) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{0, action}, code), make([]byte, 8)...)
}

// touch is an inject touch message of 2.0 and later.
func touch(action byte, pointer int64, at, size image.Point) []byte {
	b := binary.BigEndian.AppendUint64([]byte{2, action}, uint64(pointer))
	b = binary.BigEndian.AppendUint32(b, uint32(at.X))
	b = binary.BigEndian.AppendUint32(b, uint32(at.Y))
	b = binary.BigEndian.AppendUint16(b, uint16(size.X))
	b = binary.BigEndian.AppendUint16(b, uint16(size.Y))
	return append(b, make([]byte, 10)...)
}

// setClipboard is a set clipboard message.
func setClipboard(sequence uint64, paste bool, text string) []byte {
	b := append(binary.BigEndian.AppendUint64([]byte{9}, sequence), 0)
	if paste {
		b[9] = 1
	}
	return append(binary.BigEndian.AppendUint32(b, uint32(len(text))), text...)
}

// settled waits until the server has done what was sent before: it answers one message after the other.
func (s *scrcpyServer) settled() {
	s.t.Helper()
	s.send(setClipboard(99, false, "settled")...)
	ack := make([]byte, 9)
	_, err := io.ReadFull(s.Conn, ack)
	require.NoError(s.t, err, s.printed())
	require.Equal(s.t, scrcpy.AckMessage(99), ack)
}

func (s *scrcpyServer) end() string {
	s.t.Helper()
	select {
	case <-s.ended:
	case <-time.After(20 * time.Second):
		require.FailNow(s.t, "the server goes on", s.printed())
	}
	return s.printed()
}

func TestScrcpyMismatchTellsTheVersion(t *testing.T) {
	for version, want := range map[string]string{
		"3.3.4": "[server] ERROR: The server version (3.3.4) does not match the client (0)\njava.lang.IllegalArgumentException",
		"2.1":   "[server] ERROR: Exception on thread Thread[main,5,main]\njava.lang.IllegalArgumentException: The server version (2.1) does not match the client (0)",
	} {
		d := newDevice(t, "")
		s := startServer(t, d, version, "0", "cleanup=true")
		require.Contains(t, s.end(), want)
		require.Equal(t, 1, s.status)
		_, err := d.FS().Stat(serverPath, false)
		require.NoError(t, err, "the file stays")
	}
}

func TestScrcpyRefusals(t *testing.T) {
	d := newDevice(t, "")
	require.Contains(t, run(t, d, "CLASSPATH=/data/local/tmp/none app_process / com.genymobile.scrcpy.Server 3.3.4").stderr, "ClassNotFoundException")
	require.Equal(t, 134, run(t, d, "CLASSPATH=/data/local/tmp/none app_process / com.genymobile.scrcpy.Server 3.3.4").status)

	s := startServer(t, d, "3.3.4", "3.3.4", "nonsense")
	require.Contains(t, s.end(), `Invalid key=value pair: "nonsense"`)
	s = startServer(t, d, "3.3.4", "3.3.4", "scid=80000000")
	require.Contains(t, s.end(), "NumberFormatException")
	s = startServer(t, d, "3.3.4", "3.3.4", "what=ever", "video=false", "audio=false", "cleanup=true")
	text := s.end()
	require.Contains(t, text, "WARN: Unknown server option: what\n")
	require.Contains(t, text, "INFO: Device: [Google] google Pixel 8 (Android 14)")
	require.Contains(t, text, "ERROR: Connection refused\n", "there is no reverse forward")
	require.Equal(t, 1, s.status)
	_, err := d.FS().Stat(serverPath, false)
	require.Error(t, err, "cleanup has deleted the file")
}

func TestScrcpyServesOneClient(t *testing.T) {
	d := newDevice(t, "")
	s := control(t, d, "3.3.4")
	require.Nil(t, d.Socket("localabstract:scrcpy_0000002a"), "a second connection is refused")
	require.NoError(t, s.Conn.Close())
	s.end()
	require.Equal(t, 0, s.status)
	require.False(t, d.Listening("localabstract:scrcpy_0000002a"))
}

func TestScrcpyEndsWithItsShell(t *testing.T) {
	s := control(t, newDevice(t, ""), "3.3.4")
	s.kill()
	_, err := s.Conn.Read(make([]byte, 1))
	require.Error(t, err)
	s.end()
}

func TestScrcpyWaitingServerHoldsItsName(t *testing.T) {
	d := newDevice(t, "")
	s := startServer(t, d, "3.3.4", "3.3.4", controlOnly...)
	require.Eventually(t, func() bool { return d.Listening("localabstract:scrcpy_0000002a") }, 10*time.Second, time.Millisecond)
	second := startServer(t, d, "3.3.4", "3.3.4", controlOnly...)
	require.Contains(t, second.end(), "Address already in use")
	s.kill()
	s.end()
	require.False(t, d.Listening("localabstract:scrcpy_0000002a"))
}

func TestScrcpyTouches(t *testing.T) {
	tests := []struct {
		name, version string
		at, size      image.Point // of the message
		want          int         // taps
		text          string      // printed
	}{
		{"raw pixels, whatever the size", "3.3.4", image.Pt(500, 300), image.Pt(1, 1), 1, ""},
		{"3.0.1", "3.0.1", image.Pt(500, 300), image.Pt(1080, 2400), 1, ""},
		{"2.7 wants the size of the video", "2.7", image.Pt(500, 300), image.Pt(1080, 2400), 1, ""},
		{"2.1 ignores another size", "2.1", image.Pt(500, 300), image.Pt(1080, 2399), 0, "WARN: Ignore touch event, it was generated for a different device size"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := newDevice(t, "")
			s := control(t, d, tt.version)
			s.send(touch(scrcpy.ActionDown, 0, tt.at, tt.size)...)
			s.send(touch(scrcpy.ActionUp, 0, tt.at, tt.size)...)
			s.settled()
			require.Len(t, d.Phone().Events("tap"), tt.want)
			require.Contains(t, s.printed(), tt.text)
		})
	}
	t.Run("3.0 dies", func(t *testing.T) {
		d := newDevice(t, "")
		s := control(t, d, "3.0")
		s.send(key(scrcpy.ActionDown, 3)...)
		s.send(touch(scrcpy.ActionDown, 0, image.Pt(1, 1), image.Pt(1080, 2400))...)
		require.Contains(t, s.end(), "NullPointerException")
	})
}

func TestScrcpyOddSizesAreScaled(t *testing.T) {
	d, err := android.New(sim.New(&sim.Options{Size: image.Pt(1084, 2404)}), &android.Options{Now: noon})
	require.NoError(t, err)
	s := control(t, d, "2.7")
	at := image.Pt(1079, 1200) // the last column of the video is nearly the last one of the panel
	s.send(touch(scrcpy.ActionDown, 0, at, image.Pt(1080, 2400))...)
	s.send(touch(scrcpy.ActionUp, 0, at, image.Pt(1080, 2400))...)
	s.settled()
	taps := d.Phone().Events("tap")
	require.Len(t, taps, 1)
	require.Equal(t, 1079*1084/1080, taps[0].Data["x"])
	require.Equal(t, 1200*2404/2400, taps[0].Data["y"])
}

func TestScrcpyCancelSpoilsTheTable(t *testing.T) {
	d := newDevice(t, "")
	s := control(t, d, "3.3.4")
	size, at := image.Pt(1080, 2400), image.Pt(500, 300)
	s.send(touch(scrcpy.ActionDown, 5, at, size)...)
	s.send(touch(scrcpy.ActionCancel, 5, at, size)...)
	for i := range int64(2) {
		s.send(touch(scrcpy.ActionDown, i, at, size)...)
		s.send(touch(scrcpy.ActionUp, i, at, size)...)
	}
	s.settled()
	require.Empty(t, d.Phone().Events("tap"), "a pointer is still in the table")
	for i := range int64(10) {
		s.send(touch(scrcpy.ActionDown, 20+i, at, size)...)
	}
	s.settled()
	require.Contains(t, s.printed(), "WARN: Too many pointers for touch event")
}

func TestScrcpyText(t *testing.T) {
	d := newDevice(t, "")
	openField(t, d)
	s := control(t, d, "3.3.4")
	text := "caf\u00e9 ok \u4f60😀!"
	s.send(append(binary.BigEndian.AppendUint32([]byte{1}, uint32(len(text))), text...)...)
	s.settled()
	f, _ := d.Phone().Focused()
	require.Equal(t, "café ok !", f.Text)
	require.Equal(t, 3, strings.Count(s.printed(), "Could not inject char u+"), "an emoji is two")

	s.send(setClipboard(0, true, " 你好😀")...)
	s.settled()
	f, _ = d.Phone().Focused()
	require.Equal(t, "café ok ! 你好😀", f.Text)
	require.Equal(t, "settled", d.Phone().Clipboard())
}

func TestScrcpyClipboard(t *testing.T) {
	d := newDevice(t, "")
	s := control(t, d, "3.3.4")
	s.send(8, 0) // an empty clipboard is not answered
	s.settled()
	d.Phone().SetClipboard("of the user")
	s.send(8, 0)
	want := scrcpy.ClipboardMessage("of the user")
	got := make([]byte, len(want))
	_, err := io.ReadFull(s.Conn, got)
	require.NoError(t, err)
	require.Equal(t, want, got)

	set(t, d, android.FaultClipLocked)
	s.send(8, 0)
	s.settled()
	require.Equal(t, 2, strings.Count(s.printed(), "INFO: Device clipboard set"))
	s.settled()
	require.Equal(t, 2, strings.Count(s.printed(), "INFO: Device clipboard set"), "it held that text")
}

func TestScrcpyAutosync(t *testing.T) {
	d := newDevice(t, "")
	s := startServer(t, d, "2.4", "2.4", "video=false", "audio=false", "tunnel_forward=true", "send_dummy_byte=false", "send_device_meta=false")
	s.Conn = s.connect("localabstract:scrcpy")
	s.send(setClipboard(1, false, "mine")...)
	ack := make([]byte, 9)
	_, err := io.ReadFull(s.Conn, ack)
	require.NoError(t, err)
	d.Phone().SetClipboard("theirs")
	want := scrcpy.ClipboardMessage("theirs")
	got := make([]byte, len(want))
	_, err = io.ReadFull(s.Conn, got)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestScrcpyKeysAndPanel(t *testing.T) {
	d := newDevice(t, "")
	s := control(t, d, "3.3.4")
	s.send(10, 0)
	s.settled()
	require.True(t, d.PanelDark())
	s.send(10, 1)
	s.send(11)
	s.settled()
	require.False(t, d.PanelDark())
	require.Equal(t, 1, d.Phone().Rotation())
	d.Phone().Sleep()
	s.send(4, 0)
	s.send(4, 1)
	s.settled()
	require.True(t, d.Phone().Power().On)
	s.send(append([]byte{16, 22}, "?+"[:0]...)...)
	s.send([]byte("com.android.settings\x20\x20")[:22]...)
	s.settled()
	require.Contains(t, s.printed(), "No app found for package")
	s.send(append([]byte{16, 20}, "com.android.settings"...)...)
	s.settled()
	require.Equal(t, "com.android.settings", d.Phone().FocusedApp().ID)
	require.Equal(t, scrcpy.KindDisplayPower, d.ScrcpyMessages()[0].Kind)
}

func TestScrcpyInjectRefused(t *testing.T) {
	for version, want := range map[string]int{"3.2": 2, "3.3.4": 1} {
		d := newDevice(t, "")
		set(t, d, android.FaultInjectEvents)
		s := control(t, d, version)
		s.send(key(0, 4)...)
		s.send(key(0, 4)...)
		s.settled()
		require.Equal(t, want, strings.Count(s.printed(), "INJECT_EVENTS permission."), version)
		require.Empty(t, d.Phone().Events("key"))
	}
}

func TestScrcpyUnknownType(t *testing.T) {
	t.Run("2.6 stalls until its buffer is full", func(t *testing.T) {
		s := control(t, newDevice(t, ""), "2.6")
		s.send(99)
		s.send(key(0, 4)...)
		require.Eventually(t, func() bool { return strings.Contains(s.printed(), "WARN: Unknown event type: 99") }, 10*time.Second, time.Millisecond)
		_, _ = s.Conn.Write(make([]byte, scrcpy.MaxMessage)) // the server ends in the middle of it
		require.Contains(t, s.end(), "Buffer full")
		require.Empty(t, s.d.Phone().Events("key"))
	})
	t.Run("2.7 ends", func(t *testing.T) {
		s := control(t, newDevice(t, ""), "2.7")
		s.send(99)
		s.end()
	})
}

func TestScrcpyFaults(t *testing.T) {
	t.Run("dies before", func(t *testing.T) {
		d := newDevice(t, "")
		s := control(t, d, "3.3.4")
		set(t, d, android.FaultScrcpyDies)
		s.send(key(0, 3)...)
		s.end()
		require.Empty(t, d.Phone().Events("key"))
	})
	t.Run("dies after", func(t *testing.T) {
		d := newDevice(t, "")
		s := control(t, d, "3.3.4")
		set(t, d, android.FaultScrcpyDiesAfter)
		s.send(key(0, 3)...)
		s.end()
		require.Len(t, d.Phone().Events("key"), 1)
	})
	t.Run("root", func(t *testing.T) {
		d := newDevice(t, "")
		set(t, d, android.FaultScrcpyRoot)
		s := control(t, d, "3.3.4")
		s.send(setClipboard(1, true, "x")...)
		require.Contains(t, s.end(), "Calling uid 0 does not own package com.android.shell")
		s = control(t, d, "3.2")
		s.settled()
		require.Empty(t, d.Phone().Clipboard())
	})
	t.Run("3.3 has no looper", func(t *testing.T) {
		s := control(t, newDevice(t, ""), "3.3")
		s.send(8, 0)
		require.Contains(t, s.end(), "Can't create handler inside thread")
	})
	t.Run("crash, flood and a slow start", func(t *testing.T) {
		d := newDevice(t, "")
		set(t, d, android.FaultScrcpyCrash)
		require.Contains(t, startServer(t, d, "3.3.4", "3.3.4", controlOnly...).end(), "simulated crash")
		require.NoError(t, d.SetFault(android.FaultScrcpyCrash, false))
		set(t, d, android.FaultScrcpyFlood, android.FaultScrcpySlow+"=1ms")
		s := control(t, d, "3.3.4")
		require.Greater(t, len(s.printed()), 1<<20)
	})
	t.Run("no ack, no paste, deaf", func(t *testing.T) {
		d := newDevice(t, "")
		openField(t, d)
		set(t, d, android.FaultScrcpyNoPaste)
		s := control(t, d, "3.3.4")
		s.send(setClipboard(0, true, "lost")...)
		s.settled()
		f, _ := d.Phone().Focused()
		require.Empty(t, f.Text)
		set(t, d, android.FaultScrcpyDeaf)
		s.send(setClipboard(5, true, "lost")...)
		require.Eventually(t, func() bool { return len(d.ScrcpyMessages()) == 3 }, 10*time.Second, time.Millisecond)
		require.Equal(t, "settled", d.Phone().Clipboard())
	})
}
