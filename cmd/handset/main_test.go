package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/android"
	hdcfront "github.com/handset-go/handset/internal/phonefront/hdc"
)

// tools are the programs that tests run, "" where there is none.
var tools = map[string]string{}

// testerEnv is the environment before TestMain changed it, for go build and its cache.
var testerEnv = os.Environ()

// closed holds the ports that closedPort gave out: a socket that nothing refers to is closed.
var closed []io.Closer

// closedPort returns an address at which every connection is refused. Its port is that of our end of a connection, so
// that no other program can listen there meanwhile.
func closedPort() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}}
	c, err := d.Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	closed = append(closed, l, c)
	return c.LocalAddr().String()
}

// TestMain takes away what the environment of the tester would change.
func TestMain(m *testing.M) {
	if code, ok := hdcfront.AsTool(os.Args, os.LookupEnv); ok {
		os.Exit(code) // the hdc that a test wrote
	}
	for _, line := range os.Environ() {
		name, _, _ := strings.Cut(line, "=")
		if strings.HasPrefix(name, "PHONE_AGENT_") || strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "ADB_") ||
			strings.HasPrefix(name, "ANDROID_") || name == "LANG" || strings.HasSuffix(strings.ToLower(name), "_proxy") {
			_ = os.Unsetenv(name)
		}
	}
	// No test meets a phone of the tester, or starts a server that it does not mean to start.
	for _, tool := range []string{"go", "adb"} {
		tools[tool], _ = exec.LookPath(tool)
	}
	_ = os.Setenv("PATH", "")
	_ = os.Setenv("ADB_SERVER_SOCKET", "tcp:"+closedPort())
	_ = os.Setenv("SCRCPY_SERVER_PATH", os.DevNull)
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		if built.dir != "" {
			_ = os.RemoveAll(built.dir)
		}
		os.Exit(code)
	}))
}

// result is what one command line did.
type result struct {
	status   int
	out, err string
}

// run runs one command line with nothing on stdin.
func run(t *testing.T, args ...string) result {
	t.Helper()
	return feed(t, "", args...)
}

func feed(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	return in(t.Context(), t, strings.NewReader(stdin), args...)
}

// in runs a command line in a context, which ends as a signal would end it.
func in(ctx context.Context, t *testing.T, stdin io.Reader, args ...string) result {
	t.Helper()
	var out, stderr buffer
	a := &app{ctx: ctx, stdin: stdin, stdout: &out, stderr: &stderr}
	status := a.main(args)
	return result{status, out.String(), stderr.String()}
}

// buffer is a bytes.Buffer that may be written and read by several goroutines.
type buffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// ok wants success and returns stdout.
func (r result) ok(t *testing.T) string {
	t.Helper()
	require.Equal(t, exitDone, r.status, "stdout: %s\nstderr: %s", r.out, r.err)
	return r.out
}

// fails wants a status, and all of texts on stderr.
func (r result) fails(t *testing.T, status int, texts ...string) {
	t.Helper()
	require.Equal(t, status, r.status, "stdout: %s\nstderr: %s", r.out, r.err)
	for _, text := range texts {
		require.Contains(t, r.err, text)
	}
}

// object reads a line of JSON.
func object(t *testing.T, line string) map[string]any {
	t.Helper()
	var v map[string]any
	require.NoError(t, json.Unmarshal([]byte(line), &v), line)
	return v
}

// attach puts a phone behind an adb server of its own, which the commands of the test find.
func attach(t *testing.T, o *sim.Options, faults ...string) (*android.Device, *adbserver.Server) {
	t.Helper()
	device, err := android.New(sim.New(o), nil)
	require.NoError(t, err)
	for _, f := range faults {
		require.NoError(t, device.SetFault(f, true))
	}
	return device, serve(t, adbserver.Phone{Device: device})
}

func serve(t *testing.T, phones ...adbserver.Phone) *adbserver.Server {
	t.Helper()
	server, err := adbserver.Start(&adbserver.Options{Phones: phones})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	t.Setenv("ADB_SERVER_SOCKET", "tcp:"+server.Addr())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	return server
}

// lines returns the lines of an output.
func lines(s string) []string { return strings.Split(strings.TrimSuffix(s, "\n"), "\n") }

func TestArgumentsThatAreNotUTF8(t *testing.T) {
	run(t, "-d", "sim:", "type", "a\xffb").fails(t, exitUsage, `"a\xffb"`, "not UTF-8")
	run(t, "-d", "sim:", "screenshot", "-o", t.TempDir()+"/\xff.png").fails(t, exitUsage, "not UTF-8")
}
