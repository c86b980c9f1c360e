package hdc_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	front "github.com/handset-go/handset/internal/phonefront/hdc"
)

// TestFilesAndShell moves files and runs commands.
func TestFilesAndShell(t *testing.T) {
	r := newRig(t, sim.Options{}, "")
	d := r.open()
	ctx := t.Context()
	data := bytes.Repeat([]byte("\x00\xff\r\nbinary 打"), 20_000)
	for _, name := range []string{"plain.bin", "with space 名前.txt", `quo"te.bin`, `it's $(x).bin`} {
		remote := "/data/local/tmp/" + name
		require.NoError(t, d.Push(ctx, bytes.NewReader(data), remote), name)
		got, err := r.device.FS().ReadFile(remote)
		require.NoError(t, err, name)
		require.Equal(t, data, got, name)
		var back bytes.Buffer
		require.NoError(t, d.Pull(ctx, remote, &back), name)
		require.Equal(t, data, back.Bytes(), name)
	}
	require.NoError(t, d.Push(ctx, strings.NewReader(""), "/data/local/tmp/empty"))
	require.NoError(t, d.Pull(ctx, "/data/local/tmp/empty", io.Discard))
	require.Empty(t, r.leftovers())

	require.ErrorIs(t, d.Pull(ctx, "/data/local/tmp/none", io.Discard), fs.ErrNotExist)
	require.ErrorIs(t, d.Push(ctx, strings.NewReader("x"), "/data/none/x"), fs.ErrNotExist)
	require.Error(t, d.Pull(ctx, "/data/local/tmp", io.Discard), "a folder")
	require.ErrorContains(t, d.Push(ctx, strings.NewReader("x"), "relative"), "absolute")
	r.set(front.FaultRecvCut)
	require.Error(t, d.Pull(ctx, "/data/local/tmp/plain.bin", io.Discard))
	require.Empty(t, r.leftovers())

	res, err := d.Shell(ctx, "sh", "-c", "echo out; echo err >&2; exit 3")
	require.NoError(t, err)
	require.Equal(t, &driver.ShellResult{Stdout: []byte("out\nerr\n"), Code: 3}, res)
	res, err = d.Shell(ctx, "exit", "7")
	require.NoError(t, err)
	require.Equal(t, 7, res.Code)
	res, err = d.Shell(ctx, "cat")
	require.NoError(t, err, "a program that reads its input ends")
	require.Empty(t, res.Stdout)
	res, err = d.Shell(ctx, "printf", "[Fail]mine\nno line end")
	require.NoError(t, err)
	require.Equal(t, "[Fail]mine\nno line end", string(res.Stdout))
	_, err = d.Shell(ctx, "echo", strings.Repeat("x", 61_500))
	require.ErrorIs(t, err, errors.ErrUnsupported, "hdc prints nothing for it, with status 0")
	res, err = d.Shell(ctx, "nosuchprogram")
	require.NoError(t, err)
	require.Equal(t, 127, res.Code)
}

func TestInstall(t *testing.T) {
	for _, profile := range []string{"6.0", "5.0"} {
		t.Run(profile, func(t *testing.T) {
			r := newRig(t, sim.Options{}, profile)
			d := r.open()
			ctx := t.Context()
			dir := t.TempDir()
			good, bad := filepath.Join(dir, "my app.hap"), filepath.Join(dir, "bad.hap")
			require.NoError(t, os.WriteFile(good, hap(t, "com.example.fresh"), 0o644))
			require.NoError(t, os.WriteFile(bad, []byte("no zip"), 0o644))
			require.NoError(t, d.Install(ctx, good))
			app, err := d.Resolve(ctx, "com.example.fresh")
			require.NoError(t, err)
			require.Equal(t, "com.example.fresh", app.ID)
			require.NoError(t, d.Uninstall(ctx, "com.example.fresh"))
			require.ErrorIs(t, d.Uninstall(ctx, "com.example.fresh"), driver.ErrAppNotFound)
			require.ErrorIs(t, d.Uninstall(ctx, "fresh"), driver.ErrAppNotFound, "a name is refused")
			err = d.Install(ctx, bad)
			require.ErrorContains(t, err, "9568320")
			require.False(t, driver.MaybeDone(err), "a refusal is a refusal")
			err = d.Uninstall(ctx, "com.huawei.hmos.settings")
			require.ErrorContains(t, err, "9568388")
			require.ErrorContains(t, err, "it came with the system")
			require.False(t, driver.MaybeDone(err), "a refusal is a refusal")
			err = d.Install(ctx, good, bad)
			require.Error(t, err)
			require.True(t, driver.MaybeDone(err), "one of the two may be there now")
			require.ErrorIs(t, d.Install(ctx, filepath.Join(dir, "none.hap")), fs.ErrNotExist)
			require.ErrorContains(t, d.Install(ctx, filepath.Join(dir, "x.apk")), ".hap")
			r.set(front.FaultInstallFail + "=9568322")
			require.ErrorContains(t, d.Install(ctx, good), "UDID")
		})
	}
}

func hap(t *testing.T, bundle string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("module.json")
	require.NoError(t, err)
	_, err = fmt.Fprintf(w, `{"app":{"bundleName":%q}}`, bundle)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

func TestLogs(t *testing.T) {
	r := newRig(t, sim.Options{}, "")
	d := r.open()
	require.NoError(t, d.Launch(t.Context(), "com.handset.notes"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w := &untilLine{want: "com.handset.notes", done: cancel}
	require.ErrorIs(t, d.Logs(ctx, w), context.Canceled)
	require.True(t, strings.HasSuffix(w.String(), "\n"), "whole lines")
	r.set(front.FaultOffline)
	require.ErrorIs(t, d.Logs(t.Context(), io.Discard), driver.ErrOffline)
}

// untilLine calls done once a text was written. A log that is cut off is still written to for a moment.
type untilLine struct {
	mu   sync.Mutex
	text strings.Builder
	want string
	done func()
}

func (w *untilLine) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text.Write(p)
	if strings.Contains(w.text.String(), w.want) {
		w.done()
	}
	return len(p), nil
}

func (w *untilLine) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}
