//go:build unix

package cmdrun_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/handset-go/handset/internal/cmdrun"
	"github.com/handset-go/handset/internal/nap"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func sh(script string) cmdrun.Command {
	return cmdrun.Command{Path: "sh", Args: []string{"-c", script}}
}

func TestRunSplitsStreamsAndKeepsTheStatus(t *testing.T) {
	c := sh(`cat; printf "%s" "$HANDSET_TEST"; echo oops >&2; exit 3`)
	c.Stdin, c.Env = strings.NewReader("in "), []string{"HANDSET_TEST=a b"}
	r, err := cmdrun.Run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, "in a b", string(r.Stdout))
	require.Equal(t, 3, r.Code)
	require.Equal(t, "oops", r.Complaint())
}

func TestMissingTool(t *testing.T) {
	for _, path := range []string{"no-such-tool-of-handset", "/no/such/tool"} {
		_, err := cmdrun.Run(t.Context(), cmdrun.Command{Path: path})
		require.ErrorIs(t, err, cmdrun.ErrNotFound)
		_, err = cmdrun.Find(path)
		require.ErrorIs(t, err, cmdrun.ErrNotFound)
		require.ErrorContains(t, err, path)
	}
}

// TestCancelEndsTheWholeGroup holds that a shell's child goes with the shell: hdc and adb start some.
func TestCancelEndsTheWholeGroup(t *testing.T) {
	pidFile := filepath.Join(t.TempDir(), "pid")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := cmdrun.Run(ctx, sh(`sleep 300 & echo $! >`+pidFile+`.new; mv `+pidFile+`.new `+pidFile+`; wait`))
		done <- err
	}()
	var pid int
	for pid == 0 {
		require.NoError(t, nap.For(t.Context(), 5*time.Millisecond))
		if text, err := os.ReadFile(pidFile); err == nil {
			pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
			require.NoError(t, err)
		}
	}
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
	for runtime.GOOS == "linux" && alive(pid) {
		require.NoError(t, nap.For(t.Context(), 5*time.Millisecond))
	}
}

// TestCancelOfOneAlone holds that a server which a client started outlives the client.
func TestCancelOfOneAlone(t *testing.T) {
	var out syncBuffer
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	c := sh(`sleep 300 >/dev/null 2>&1 & echo $!; wait`)
	c.Alone, c.Stdout = true, &out
	go func() {
		_, err := cmdrun.Run(ctx, c)
		done <- err
	}()
	var pid int
	for pid == 0 {
		require.NoError(t, nap.For(t.Context(), 5*time.Millisecond))
		if text, ok := strings.CutSuffix(out.String(), "\n"); ok {
			var err error
			pid, err = strconv.Atoi(text)
			require.NoError(t, err)
		}
	}
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
	require.True(t, alive(pid))
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
}

// syncBuffer is a buffer that one goroutine may read while another writes.
type syncBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// alive says whether a process still runs: one that has ended and waits to be reaped does not.
func alive(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

func TestDeadlineIsTheContextsError(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := cmdrun.Run(ctx, sh("sleep 300"))
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

// TestGrandchildWithThePipes holds that a daemon that keeps the tool's pipes open does not keep Run.
func TestGrandchildWithThePipes(t *testing.T) {
	r, err := cmdrun.Run(t.Context(), sh(`sleep 3000 & echo $!`))
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(r.Stdout)))
	require.NoError(t, err)
	require.True(t, alive(pid))
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
}

// TestGrandchildThatGoesOnPrinting holds the same of one that is never quiet.
func TestGrandchildThatGoesOnPrinting(t *testing.T) {
	c := sh(`(while :; do echo more; sleep 0.1; done) & echo $!`)
	var out syncBuffer
	c.Stdout = &out
	_, err := cmdrun.Run(t.Context(), c)
	require.NoError(t, err)
	first, _, _ := strings.Cut(strings.ReplaceAll(out.String(), "more\n", ""), "\n")
	pid, err := strconv.Atoi(first)
	require.NoError(t, err)
	_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended of having nobody to print to
}

// slowReader takes its time for the first bytes.
type slowReader struct {
	syncBuffer
	wait func()
}

func (s *slowReader) Write(p []byte) (int, error) {
	s.wait()
	return s.syncBuffer.Write(p)
}

// TestNothingIsLostThatIsReadLate holds that all that a tool printed arrives, however long it has ended.
func TestNothingIsLostThatIsReadLate(t *testing.T) {
	c := sh(`head -c 98304 /dev/zero`)
	out := &slowReader{wait: func() { _ = nap.For(context.Background(), 700*time.Millisecond) }}
	c.Stdout = out
	_, err := cmdrun.Run(t.Context(), c)
	require.NoError(t, err)
	require.Len(t, out.String(), 98304)
}

// brokenWriter takes nothing.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

// TestWriterThatFails ends a tool whose output nobody can keep.
func TestWriterThatFails(t *testing.T) {
	c := sh(`trap '' PIPE; while echo more; do :; done 2>/dev/null; exit 0`)
	c.Stdout = brokenWriter{}
	_, err := cmdrun.Run(t.Context(), c)
	require.ErrorContains(t, err, "the disk is full")
}

func TestOutputIsBounded(t *testing.T) {
	c := sh(`while :; do echo 0123456789; done`)
	c.MaxOutput = 1000
	r, err := cmdrun.Run(t.Context(), c)
	require.ErrorIs(t, err, cmdrun.ErrOutputTooLong)
	require.Len(t, r.Stdout, 1000)
}

func TestComplaintIsBounded(t *testing.T) {
	r := &cmdrun.Result{Stderr: []byte(strings.Repeat("字", 500))}
	require.LessOrEqual(t, len(r.Complaint()), 310)
	require.True(t, strings.HasSuffix(r.Complaint(), "字"))
}
