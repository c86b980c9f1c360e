package adbd_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
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
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	port := l.Addr().(*net.TCPAddr).Port
	require.NoError(t, l.Close())
	home := t.TempDir()
	a := stock{t, []string{"HOME=" + home, "TMPDIR=" + home, "PATH=" + os.Getenv("PATH"),
		fmt.Sprintf("ANDROID_ADB_SERVER_PORT=%d", port), "ADB_LOCAL_TRANSPORT_MAX_PORT=5553"}}
	t.Cleanup(func() { a.run("kill-server") })
	require.Equal(t, 0, a.run("start-server").status)
	return a
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
	require.Contains(t, a.run("devices", "-l").stdout, d.Addr()+"        device product:shiba model:Pixel_8 device:shiba transport_id:")
	require.Equal(t, output{"out\n", "err\n", 7}, a.run("shell", "echo out; echo err >&2; exit 7"))
	require.Equal(t, output{"Physical size: 1080x2400\n", "", 0}, a.run("shell", "wm", "size"))
}
