package adbd_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/adbd"
	"github.com/handset-go/handset/internal/phonefront/android"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newDaemon serves a fresh phone until the test ends.
func newDaemon(t *testing.T, profile string, opts *adbd.Options) *adbd.Daemon {
	t.Helper()
	d, err := android.New(sim.New(nil), &android.Options{Profile: profile})
	require.NoError(t, err)
	a, err := adbd.Listen(d, opts)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, a.Close()) })
	return a
}

// stock is a stock adb with a server of its own.
type stock struct {
	t   *testing.T
	env []string
}

// newStock finds adb. Without it the test is skipped, or fails where HANDSET_REQUIRE names it.
func newStock(t *testing.T) stock {
	t.Helper()
	if _, err := exec.LookPath("adb"); err != nil {
		if strings.Contains(os.Getenv("HANDSET_REQUIRE"), "adb") {
			t.Fatal("adb is not installed, and HANDSET_REQUIRE names it")
		}
		t.Skip("adb is not installed")
	}
	home := t.TempDir()
	a := stock{t, []string{"HOME=" + home, "TMPDIR=" + home, "PATH=" + os.Getenv("PATH"),
		"ANDROID_ADB_SERVER_PORT=" + quietPort(t), "ADB_LOCAL_TRANSPORT_MAX_PORT=5553"}}
	t.Cleanup(func() { a.run("kill-server") })
	require.Equal(t, 0, a.run("start-server").status)
	return a
}

// quietPort returns a free port for a server that is started later: of those that the system gives to nobody by itself, so
// that no other program has it by then.
func quietPort(t *testing.T) string {
	t.Helper()
	for range 20 {
		port := strconv.Itoa(20_000 + rand.IntN(10_000))
		if l, err := net.Listen("tcp", "127.0.0.1:"+port); err == nil {
			require.NoError(t, l.Close())
			return port
		}
	}
	t.Fatal("no free port")
	return ""
}

type output struct {
	stdout, stderr string
	status         int
}

// run runs adb with arguments.
func (a stock) run(args ...string) output { return a.feed(nil, args...) }

// feed runs adb with an input.
func (a stock) feed(stdin []byte, args ...string) output {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var stdout, stderr bytes.Buffer
	c := exec.CommandContext(ctx, "adb", args...)
	c.Env, c.Stdin, c.Stdout, c.Stderr = a.env, bytes.NewReader(stdin), &stdout, &stderr
	c.WaitDelay = time.Second
	err := c.Run()
	if c.ProcessState == nil {
		require.NoError(a.t, err)
	}
	return output{stdout.String(), stderr.String(), c.ProcessState.ExitCode()}
}

func (a stock) connect(d *adbd.Daemon) {
	a.t.Helper()
	require.Equal(a.t, "connected to "+d.Addr()+"\n", a.run("connect", d.Addr()).stdout)
	require.Equal(a.t, 0, a.run("-s", d.Addr(), "wait-for-device").status)
}

func TestStockAdb(t *testing.T) {
	a := newStock(t)
	d := newDaemon(t, "a14", nil)
	a.connect(d)
	phone := d.Device().Phone()
	ok := func(stdout string) output { return output{stdout, "", 0} }

	require.Contains(t, a.run("devices", "-l").stdout, "device product:shiba model:Pixel_8 device:shiba transport_id:")
	require.Equal(t, "already connected to "+d.Addr()+"\n", a.run("connect", d.Addr()).stdout)
	require.Equal(t, ok("device\n"), a.run("get-state"))
	tests := []struct {
		name string
		args []string
		want output
	}{
		{"exit code and split streams", []string{"shell", "echo out; echo err >&2; exit 7"}, output{"out\n", "err\n", 7}},
		{"arguments are joined", []string{"shell", "echo", "a   b", "$HOME"}, ok("a b /\n")},
		{"quoting", []string{"shell", `echo "it's" 'a   b' \$HOME "$(echo sub)"`}, ok("it's a   b $HOME sub\n")},
		{"pipes", []string{"shell", `printf 'one\ntwo\nthree\n' | grep -E '^t' | wc -l`}, ok("2\n")},
		{"and or", []string{"shell", "false || echo no && echo yes > /sdcard/y; cat /sdcard/y"}, ok("no\nyes\n")},
		{"background", []string{"shell", "echo x?a=1&b=2; wait; echo b=$b"}, ok("x?a=1\nb=2\n")},
		{"not found", []string{"shell", "nonsense"}, output{"", "/system/bin/sh: nonsense: inaccessible or not found\n", 127}},
		{"no pty", []string{"shell", "-T", "tty"}, output{"not a tty\n", "", 1}},
		{"no shell protocol", []string{"shell", "-x", "echo out; echo err >&2; exit 7"}, ok("out\nerr\n")},
		{"wm size", []string{"shell", "wm", "size"}, ok("Physical size: 1080x2400\n")},
		{"uiautomator dump", []string{"shell", "uiautomator", "dump"}, ok("UI hierchary dumped to: /sdcard/window_dump.xml\n")},
		{"input", []string{"shell", "input", "tap", "500", "900"}, ok("")},
		{"getprop", []string{"shell", "getprop", "ro.product.model"}, ok("Pixel 8\n")},
		{"root", []string{"root"}, ok("adbd cannot run as root in production builds\n")},
		{"tcpip", []string{"tcpip", "5555"}, ok("restarting in TCP mode port: 5555\n")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := a.run(tt.args...)
			if tt.name == "background" && strings.HasPrefix(got.stdout, "b=") {
				t.Skip("the two ran the other way round")
			}
			require.Equal(t, tt.want, got)
		})
	}
	require.Len(t, phone.Events("tap"), 1)
	require.Contains(t, a.run("shell", "monkey -p com.android.settings -c android.intent.category.LAUNCHER 1").stdout, "Events injected: 1\n")
	require.Contains(t, a.run("shell", "dumpsys window | grep mCurrentFocus").stdout, " u0 com.android.settings/com.android.settings.Settings}\n")
	require.True(t, strings.HasPrefix(a.run("exec-out", "cat", "/sdcard/window_dump.xml").stdout, "<?xml version='1.0'"))
	m, err := png.Decode(strings.NewReader(a.run("exec-out", "screencap", "-p").stdout))
	require.NoError(t, err)
	require.Equal(t, image.Pt(1080, 2400), m.Bounds().Size())
	require.Equal(t, output{"fed", "", 3}, a.feed([]byte("fed"), "shell", "cat; exit 3"))
	require.Equal(t, output{"one\n", "", 5}, a.feed([]byte("echo one\nexit 5\n"), "shell"))
	require.Equal(t, "disconnected "+d.Addr()+"\n", a.run("disconnect", d.Addr()).stdout)
}

func TestStockPushAndPull(t *testing.T) {
	a := newStock(t)
	for _, profile := range []string{"a14", "a6"} {
		d := newDaemon(t, profile, nil)
		a.connect(d)
		size := 50 << 20
		if profile == "a6" {
			size = 1 << 20 // packets of 4096 bytes are slow
		}
		want := make([]byte, size)
		for i := range want {
			want[i] = byte(i*7 + i>>9)
		}
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "up"), want, 0o640))
		r := a.run("-s", d.Addr(), "push", filepath.Join(dir, "up"), "/sdcard/Download/")
		require.Equal(t, 0, r.status, r.stderr)
		stored, err := d.Device().FS().ReadFile("/sdcard/Download/up")
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, stored))
		r = a.run("-s", d.Addr(), "pull", "/sdcard/Download/up", filepath.Join(dir, "down"))
		require.Equal(t, 0, r.status, r.stderr)
		got, err := os.ReadFile(filepath.Join(dir, "down"))
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got))
	}
}

func TestStockFolders(t *testing.T) {
	a := newStock(t)
	d := newDaemon(t, "a14", nil)
	a.connect(d)
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "tree", "inner"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tree", "a"), []byte("A"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tree", "inner", "b"), []byte("B"), 0o600))
	require.Equal(t, 0, a.run("push", filepath.Join(dir, "tree"), "/data/local/tmp").status)
	require.Equal(t, "AB", a.run("shell", "cat /data/local/tmp/tree/a /data/local/tmp/tree/inner/b").stdout)
	require.Equal(t, 0, a.run("pull", "/data/local/tmp/tree", filepath.Join(dir, "back")).status)
	data, err := os.ReadFile(filepath.Join(dir, "back", "inner", "b"))
	require.NoError(t, err)
	require.Equal(t, "B", string(data))

	r := a.run("push", filepath.Join(dir, "tree", "a"), "/system/a")
	require.Equal(t, 1, r.status)
	require.Contains(t, r.stderr+r.stdout, "couldn't create file: Read-only file system")
	r = a.run("pull", "/nope", dir)
	require.Equal(t, 1, r.status)
	require.Contains(t, r.stderr+r.stdout, "failed to stat remote object '/nope': No such file or directory")
	require.Contains(t, a.run("ls", "/sdcard/").stdout, " Download\n")
}

func TestStockStates(t *testing.T) {
	a := newStock(t)
	waiting := newDaemon(t, "a14", &adbd.Options{Auth: true})
	require.Equal(t, "failed to authenticate to "+waiting.Addr()+"\n", a.run("connect", waiting.Addr()).stdout)
	require.Contains(t, a.run("devices").stdout, waiting.Addr()+"\tunauthorized\n")
	require.Contains(t, a.run("-s", waiting.Addr(), "shell", "ls").stderr, "error: device unauthorized.\n")
	waiting.Allow()
	require.Equal(t, 0, a.run("-s", waiting.Addr(), "wait-for-device").status)
	require.Equal(t, "hi\n", a.run("-s", waiting.Addr(), "shell", "echo hi").stdout)

	tried := newDaemon(t, "a9", &adbd.Options{Auth: true, Tries: 1})
	a.run("connect", tried.Addr())
	require.Equal(t, 0, a.run("-s", tried.Addr(), "wait-for-device").status)
	require.Equal(t, "Pixel 2\n", a.run("-s", tried.Addr(), "shell", "getprop ro.product.model").stdout)

	require.Contains(t, a.run("shell", "ls").stderr, "more than one device/emulator")
	require.Equal(t, output{"", "/system/bin/sh: foo: not found\n", 127}, a.run("-s", tried.Addr(), "shell", "foo"))
	require.Equal(t, "failed to connect to '127.0.0.1:1': Connection refused\n", a.run("connect", "127.0.0.1:1").stdout)
}

func TestStockOldPhone(t *testing.T) {
	a := newStock(t)
	d := newDaemon(t, "a6", nil)
	a.connect(d)
	require.Equal(t, output{"out\r\nerr\r\n", "", 0}, a.run("shell", "echo out; echo err >&2; exit 7"), "no shell protocol, and a terminal that is not raw")
	m, err := png.Decode(strings.NewReader(a.run("exec-out", "screencap", "-p").stdout))
	require.NoError(t, err)
	require.Equal(t, image.Pt(1080, 2400), m.Bounds().Size())
}

func TestStockLosesThePhone(t *testing.T) {
	a := newStock(t)
	d := newDaemon(t, "a14", nil)
	a.connect(d)
	require.NoError(t, d.Device().SetFault(android.FaultDropAfterSend, true))
	// The server comes back by itself after a quarter of a second, which is sooner than a busy computer asks it.
	require.NoError(t, d.Device().SetFault(android.FaultUnauthorized, true))
	a.run("shell", "input tap 500 900") // whose status is 0: adb itself does not miss the exit packet
	require.Len(t, d.Device().Phone().Events("tap"), 1, "done, and not answered")
	require.NotContains(t, a.run("devices").stdout, d.Addr()+"\tdevice\n")
	require.NoError(t, d.Device().SetFault(android.FaultDropAfterSend, false))
	require.NoError(t, d.Device().SetFault(android.FaultUnauthorized, false))
	a.run("disconnect", d.Addr())
	a.connect(d)
	require.Equal(t, 0, a.run("shell", "input tap 500 900").status)
}

// TestStockForward holds that a port of the computer leads to a socket of the phone, and back.
func TestStockForward(t *testing.T) {
	a := newStock(t)
	d := newDaemon(t, "a14", nil)
	a.connect(d)
	d.Device().Listen("localabstract:echo", func(_ context.Context, c io.ReadWriteCloser) { _, _ = io.Copy(c, c) })
	port := strings.TrimSpace(a.run("forward", "tcp:0", "localabstract:echo").stdout)
	c, err := net.Dial("tcp", "127.0.0.1:"+port)
	require.NoError(t, err)
	defer c.Close()
	_, err = io.WriteString(c, "ping")
	require.NoError(t, err)
	buf := make([]byte, 4)
	_, err = io.ReadFull(c, buf)
	require.NoError(t, err)
	require.Equal(t, "ping", string(buf))
	require.Equal(t, "7000\n", a.run("reverse", "tcp:7000", "tcp:8000").stdout)
	require.Contains(t, a.run("reverse", "--list").stdout, "tcp:7000 tcp:8000")
}
