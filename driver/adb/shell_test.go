package adb

import (
	"errors"
	"image"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

func TestLongCommandsGoThroughStandardInput(t *testing.T) {
	f := newFake(t)
	f.on("echo", "said")
	d := f.open()
	long := strings.Repeat("x", 9000)
	got, err := d.Shell(t.Context(), "echo", long)
	require.NoError(t, err)
	require.Equal(t, "said", string(got.Stdout))
	lines := f.ran("")
	require.Equal(t, []string{"sh", "{ echo " + long + "\n} </dev/null\n"}, lines)
}

func TestShellSplitsStreams(t *testing.T) {
	f := newFake(t)
	f.on("ls", answer{out: "a\n", err: "b\n", code: 2})
	got, err := f.open().Shell(t.Context(), "ls")
	require.NoError(t, err)
	require.Equal(t, &driver.ShellResult{Stdout: []byte("a\n"), Stderr: []byte("b\n"), Code: 2}, got)
	f.on("ls", answer{out: "a\n", drop: true})
	_, err = f.open().Shell(t.Context(), "ls")
	require.ErrorIs(t, err, driver.ErrOffline, "an end without a status is a broken line")
	_, err = f.open().Shell(t.Context())
	require.Error(t, err)
	_, err = f.open().Shell(t.Context(), "a\x00b")
	require.Error(t, err)
}

// TestOldShell drives a phone without the shell protocol.
func TestOldShell(t *testing.T) {
	f := newFake(t)
	f.features = ""
	whole := picture(t, 1080, 2400, false)
	f.on("screencap", string(whole), "ls", answer{out: "a\r\nb\r\n", code: 2}, "gone", answer{out: "a", drop: true})
	d := f.open()
	got, err := d.Shell(t.Context(), "ls")
	require.NoError(t, err)
	require.Equal(t, "a\nb\n", string(got.Stdout))
	require.Equal(t, 2, got.Code)
	s, err := d.Screenshot(t.Context())
	require.NoError(t, err)
	require.Equal(t, image.Pt(1080, 2400), s.Size())
	require.NoError(t, d.Tap(t.Context(), image.Pt(1, 1)))
	_, err = d.Shell(t.Context(), "gone")
	require.ErrorIs(t, err, driver.ErrOffline)
	_, err = d.Shell(t.Context(), "ls", strings.Repeat("x", 5000))
	require.ErrorIs(t, err, errors.ErrUnsupported)
	require.Equal(t, -1, must(d.exec(t.Context(), "screencap -p")).code(), "exec carries no status")
}

type execResult []byte

func (execResult) code() int { return -1 }

func must(b []byte, err error) execResult {
	if err != nil {
		panic(err)
	}
	return b
}
