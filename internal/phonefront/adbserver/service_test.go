package adbserver_test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/adbserver"
)

func TestShellServices(t *testing.T) {
	s := start(t, adbserver.Phone{Device: newDevice(t, "a14")})
	all := func(service string) string {
		data, err := io.ReadAll(open(t, s, service))
		require.NoError(t, err)
		return string(data)
	}
	require.Equal(t, "out\nerr\n", all("shell:echo out; echo err >&2; exit 3"))
	require.Equal(t, "out\nerr\n", all("exec:echo out; echo err >&2"))
	require.Equal(t, "Physical size: 1080x2400\n", all("abb_exec:window\x00size"))
	require.Equal(t, result{"", "cmd: Can't find service: nope\n", 20}, open(t, s, "abb:nope\x00x").packets())
	require.Equal(t, result{"out\r\nerr\r\n", "", 3}, open(t, s, "shell,v2,pty:echo out; echo err >&2; exit 3").packets(), "one stream on a terminal that is not raw")
	require.Equal(t, result{"x\n", "", 0}, open(t, s, "shell,v2,TERM=xterm-256color,raw:echo x").packets())
	require.Contains(t, all("exec:uiautomator dump /dev/tty"), "</hierarchy>UI hierchary dumped to: /dev/tty\n")
	require.Equal(t, "restarting in TCP mode port: 5555\n", all("tcpip:5555"))
	require.Equal(t, "adbd cannot run as root in production builds\n", all("root:"))
	require.Equal(t, "restarting in USB mode\n", all("usb:"))
	fb := all("framebuffer:")
	require.Len(t, fb, 56+1080*2400*4)
	require.Equal(t, uint32(1080), binary.LittleEndian.Uint32([]byte(fb[16:])))
}

func TestRefusedServices(t *testing.T) {
	s := start(t, adbserver.Phone{Device: newDevice(t, "a6")})
	for _, service := range []string{"nonsense:", "tcp:1", "localabstract:nobody", "shell,v2,raw:ls", "abb_exec:package", ""} {
		c := dial(t, s)
		c.send("host:transport-any")
		require.Equal(t, "OKAY", c.status())
		if service == "" {
			continue
		}
		c.send(service)
		require.Equal(t, "FAIL closed", c.status(), service)
	}
}

// TestOldTerminal holds that the terminal of Android 6 is not raw, and that exec: is.
func TestOldTerminal(t *testing.T) {
	s := start(t, adbserver.Phone{Device: newDevice(t, "a6")})
	data, err := io.ReadAll(open(t, s, "shell:echo a; echo b"))
	require.NoError(t, err)
	require.Equal(t, "a\r\nb\r\n", string(data))
	data, err = io.ReadAll(open(t, s, "exec:echo a"))
	require.NoError(t, err)
	require.Equal(t, "a\n", string(data))
}

func (c client) packet(id byte, data string) {
	c.t.Helper()
	_, err := c.Write(append(binary.LittleEndian.AppendUint32([]byte{id}, uint32(len(data))), data...))
	require.NoError(c.t, err)
}

func TestShellV2Input(t *testing.T) {
	s := start(t, adbserver.Phone{Device: newDevice(t, "a14")})
	c := open(t, s, "shell,v2,raw:cat; echo end >&2")
	c.packet(0, "some ")
	c.packet(5, "24x80,0x0")
	c.packet(0, "text")
	c.packet(4, "")
	require.Equal(t, result{"some text", "end\n", 0}, c.packets())

	c = open(t, s, "shell,v2,raw:sh")
	c.packet(0, "echo one\n")
	require.Equal(t, "\x01\x04\x00\x00\x00one\n", c.read(9), "answered before the next line is sent")
	c.packet(0, "exit 6\n")
	require.Equal(t, result{"", "", 6}, c.packets())
}

func TestExecIn(t *testing.T) {
	d := newDevice(t, "a14")
	s := start(t, adbserver.Phone{Device: d})
	c := open(t, s, "exec:cat > /sdcard/in && echo stored")
	_, err := io.WriteString(c, strings.Repeat("z", 200_000))
	require.NoError(t, err)
	require.NoError(t, c.Conn.(*net.TCPConn).CloseWrite())
	answer, err := io.ReadAll(c)
	require.NoError(t, err)
	require.Equal(t, "stored\n", string(answer))
	info, err := d.FS().Stat("/sdcard/in", true)
	require.NoError(t, err)
	require.Equal(t, int64(200_000), info.Size())
}

func TestManyStreamsAtOnce(t *testing.T) {
	s := start(t, adbserver.Phone{Device: newDevice(t, "a14")})
	var all sync.WaitGroup
	for i := range 40 {
		c := open(t, s, fmt.Sprintf("shell,v2,raw:seq %d | tail -1; exit %d", i+1, i))
		all.Go(func() {
			if got := c.packets(); got != (result{fmt.Sprintln(i + 1), "", i}) {
				t.Errorf("stream %d: %v", i, got)
			}
		})
	}
	all.Wait()
}

// sync is a client of the sync service.
func (c client) syncRequest(id, arg string) {
	c.t.Helper()
	_, err := c.Write(append(binary.LittleEndian.AppendUint32([]byte(id), uint32(len(arg))), arg...))
	require.NoError(c.t, err)
}

func (c client) u32() uint32 { return binary.LittleEndian.Uint32([]byte(c.read(4))) }

func (c client) syncFail() string {
	c.t.Helper()
	require.Equal(c.t, "FAIL", c.read(4))
	return c.read(int(c.u32()))
}

func (c client) syncReceive() string {
	c.t.Helper()
	var b strings.Builder
	for {
		switch id := c.read(4); id {
		case "DATA":
			b.WriteString(c.read(int(c.u32())))
		case "DONE":
			c.u32()
			return b.String()
		default:
			require.Fail(c.t, "unexpected "+id)
		}
	}
}

func TestSync(t *testing.T) {
	d := newDevice(t, "a14")
	s := start(t, adbserver.Phone{Device: d})
	c := open(t, s, "sync:")
	text := strings.Repeat("0123456789abcdef", 20_000)
	c.syncRequest("SEND", "/sdcard/new/dir/file,33188")
	for at := 0; at < len(text); at += 64 << 10 {
		c.syncRequest("DATA", text[at:min(at+64<<10, len(text))])
	}
	_, err := c.Write(binary.LittleEndian.AppendUint32([]byte("DONE"), 1_600_000_000))
	require.NoError(t, err)
	require.Equal(t, "OKAY\x00\x00\x00\x00", c.read(8))

	c.syncRequest("STAT", "/sdcard/new/dir/file")
	require.Equal(t, "STAT", c.read(4))
	require.Equal(t, []uint32{0o100644, uint32(len(text)), 1_600_000_000}, []uint32{c.u32(), c.u32(), c.u32()})
	c.syncRequest("STA2", "/sdcard/new/dir/file")
	stat := c.read(72)
	require.Equal(t, "STA2\x00\x00\x00\x00", stat[:8])
	require.Equal(t, uint64(len(text)), binary.LittleEndian.Uint64([]byte(stat[40:])))
	c.syncRequest("STAT", "/nope")
	require.Equal(t, "STAT"+strings.Repeat("\x00", 12), c.read(16))
	c.syncRequest("LST2", "/nope")
	require.Equal(t, "LST2\x02"+strings.Repeat("\x00", 67), c.read(72), "ENOENT")
	c.syncRequest("LST2", "/sdcard")
	require.Equal(t, uint32(0o120777), binary.LittleEndian.Uint32([]byte(c.read(72)[24:])), "a link")
	c.syncRequest("STA2", "/sdcard")
	require.Equal(t, uint32(0o040771), binary.LittleEndian.Uint32([]byte(c.read(72)[24:])), "a folder")

	require.NoError(t, d.FS().WriteSparse("/sdcard/movie", 5<<30))
	c.syncRequest("STA2", "/sdcard/movie")
	require.Equal(t, uint64(5<<30), binary.LittleEndian.Uint64([]byte(c.read(72)[40:])))
	c.syncRequest("STAT", "/sdcard/movie")
	require.Equal(t, uint32(1<<30), binary.LittleEndian.Uint32([]byte(c.read(16)[8:])), "the old stat has 32 bits")

	c.syncRequest("RECV", "/sdcard/new/dir/file")
	require.Equal(t, sha256.Sum256([]byte(text)), sha256.Sum256([]byte(c.syncReceive())))
	c.syncRequest("RCV2", "/sdcard/new/dir/file")
	_, err = c.Write(binary.LittleEndian.AppendUint32([]byte("RCV2"), 0))
	require.NoError(t, err)
	require.Len(t, c.syncReceive(), len(text))

	c.syncRequest("LIST", "/sdcard/new/dir")
	require.Equal(t, "DENT", c.read(4))
	c.read(12)
	require.Equal(t, "file", c.read(int(c.u32())))
	require.Equal(t, "DONE"+strings.Repeat("\x00", 16), c.read(20))
	c.syncRequest("LIS2", "/sdcard/new/dir")
	require.Equal(t, "DNT2", c.read(4))
	c.read(68)
	require.Equal(t, "file", c.read(int(c.u32())))
	require.Equal(t, "DONE"+strings.Repeat("\x00", 72), c.read(76))
	c.syncRequest("QUIT", "")
	_, err = io.ReadAll(c)
	require.NoError(t, err)
}

func TestSyncV2Send(t *testing.T) {
	d := newDevice(t, "a14")
	s := start(t, adbserver.Phone{Device: d})
	c := open(t, s, "sync:")
	for _, flags := range []uint32{0x80000000, 0} {
		c.syncRequest("SND2", "/data/local/tmp/v2")
		setup := binary.LittleEndian.AppendUint32([]byte("SND2"), 0o100600)
		_, err := c.Write(binary.LittleEndian.AppendUint32(setup, flags))
		require.NoError(t, err)
		c.syncRequest("DATA", "hello")
		_, err = c.Write([]byte("DONE\x01\x00\x00\x00"))
		require.NoError(t, err)
		require.Equal(t, "OKAY", c.read(4))
		c.u32()
		_, err = d.FS().Stat("/data/local/tmp/v2", true)
		require.Equal(t, flags != 0, err != nil, "a dry run writes nothing")
	}
	data, err := d.FS().ReadFile("/data/local/tmp/v2")
	require.NoError(t, err)
	require.Equal(t, "hello", string(data))
}

func TestSyncRefusals(t *testing.T) {
	s := start(t, adbserver.Phone{Device: newDevice(t, "a14")})
	send := func(c client) {
		c.syncRequest("DATA", "x")
		_, err := c.Write([]byte("DONE\x00\x00\x00\x00"))
		require.NoError(t, err)
	}
	c := open(t, s, "sync:")
	for path, want := range map[string]string{
		"/system/x,33188":     "couldn't create file: Read-only file system",
		"/data/x,33188":       "couldn't create file: Permission denied",
		"/sdcard,33188":       "couldn't create file: Is a directory",
		"/data/new/dir,33188": "secure_mkdirs() failed: Permission denied",
	} {
		c.syncRequest("SEND", path)
		send(c)
		require.Equal(t, want, c.syncFail(), path)
	}
	c.syncRequest("RECV", "/nope")
	require.Equal(t, "open failed: No such file or directory", c.syncFail())
	c.syncRequest("RECV", "/sdcard")
	require.Equal(t, "read failed: Is a directory", c.syncFail())
	c.syncRequest("SEND", "no comma")
	require.Equal(t, "missing , in ID_SEND_V1", c.syncFail())

	for request, want := range map[string]string{"NOPE": "unknown command 45504f4e"} {
		c = open(t, s, "sync:")
		c.syncRequest(request, "x")
		require.Equal(t, want, c.syncFail())
	}
	c = open(t, s, "sync:")
	c.syncRequest("STAT", strings.Repeat("x", 1025))
	require.Equal(t, "path too long", c.syncFail())
	c = open(t, s, "sync:")
	c.syncRequest("SEND", "/sdcard/x,33188")
	c.syncRequest("WHAT", "x")
	require.Equal(t, "invalid data message", c.syncFail())
}

func TestReverse(t *testing.T) {
	s := start(t, adbserver.Phone{Device: newDevice(t, "a14")})
	reverse := func(request string) client { return open(t, s, "reverse:"+request) }
	c := reverse("forward:tcp:7000;tcp:8000")
	require.Equal(t, "OKAY", c.status())
	require.Equal(t, "7000", c.text())
	require.Equal(t, "(reverse) tcp:7000 tcp:8000\n", reverse("list-forward").text())
	require.Equal(t, "FAIL listener 'tcp:1' not found", reverse("killforward:tcp:1").status())
	require.Equal(t, "OKAY", reverse("killforward-all").status())
}
