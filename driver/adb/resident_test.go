package adb_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// lockedBuffer takes a log from several goroutines.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// services counts what was asked of the phone since the count before.
func (f *front) services(t testing.TB, before int) []string {
	t.Helper()
	last, count := f.device.Requests()
	require.LessOrEqual(t, count-before, len(last))
	return last[len(last)-(count-before):]
}

func (f *front) count() int {
	_, n := f.device.Requests()
	return n
}

func taps(p *sim.Phone) int {
	n := 0
	for _, e := range p.Log() {
		if e.Name == "tap" || e.Name == "double_tap" { // two quick ones are the latter
			n++
		}
	}
	return n
}

func TestSmallCommandsShareAShell(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d := f.open(t)
	before := f.count()
	for range 5 {
		require.NoError(t, d.Tap(t.Context(), image.Pt(500, 500)))
		_, err := d.PowerState(t.Context())
		require.NoError(t, err)
	}
	require.Empty(t, f.services(t, before), "the shell that New opened serves them all")
	require.Equal(t, 5, taps(f.phone))
	require.NoError(t, d.Swipe(t.Context(), image.Pt(500, 900), image.Pt(500, 300), time.Millisecond))
	require.Len(t, f.services(t, before), 1, "what lasts ends with its connection")
}

func TestPlainShell(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d := f.openPlain(t)
	require.NoError(t, d.Tap(t.Context(), image.Pt(500, 500)))
	last, _ := f.device.Requests()
	require.NotContains(t, last, "shell,v2,raw:sh")
	require.Contains(t, last, "shell,v2,raw:input tap 500 500")
}

func TestOldPhonesHaveNoResidentShell(t *testing.T) {
	f := newFront(t, "a6", sim.Options{})
	require.NoError(t, f.open(t).Tap(t.Context(), image.Pt(500, 500)))
	last, _ := f.device.Requests()
	require.NotContains(t, strings.Join(last, "\n"), "sh\n")
	require.Equal(t, 1, taps(f.phone))
}

// TestResidentShellIsMadeAnew breaks the line between two calls: nothing was sent, so nothing is told.
func TestResidentShellIsMadeAnew(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d := f.open(t)
	for i := range 3 {
		f.server.SetState(f.device.Serial(), adbserver.Offline)
		f.server.SetState(f.device.Serial(), adbserver.Online)
		awaitLost(t, d)
		require.NoError(t, d.Tap(t.Context(), image.Pt(500, 500)))
		require.Equal(t, i+1, taps(f.phone))
	}
}

// TestResidentGestureIsSentOnce breaks the line after the tap was done.
func TestResidentGestureIsSentOnce(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d := f.open(t)
	require.NoError(t, f.device.SetFault(android.FaultDropAfterSend, true))
	err := d.Tap(t.Context(), image.Pt(500, 500))
	require.ErrorIs(t, err, driver.ErrOffline)
	require.True(t, driver.MaybeDone(err), "%v", err)
	require.Equal(t, 1, taps(f.phone))
	require.NoError(t, f.device.SetFault(android.FaultDropAfterSend, false))
	require.NoError(t, d.Tap(t.Context(), image.Pt(500, 500)))
	require.Equal(t, 2, taps(f.phone))
}

// TestHungResidentCommand is given up with its caller; the next gets a new shell.
func TestHungResidentCommand(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d, h := f.recorded(t)
	require.NoError(t, f.device.SetFault(android.FaultHang, true))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- d.Tap(ctx, image.Pt(500, 500)) }()
	require.Eventually(t, func() bool { return strings.Contains(h.said(), "input tap 500 500") }, 20*time.Second, time.Millisecond)
	cancel()
	err := <-done
	require.ErrorIs(t, err, context.Canceled)
	require.True(t, driver.MaybeDone(err))
	require.NoError(t, f.device.SetFault(android.FaultHang, false)) // perhaps before the phone has begun on it, and it is done
	require.NoError(t, d.Tap(t.Context(), image.Pt(300, 900)))
	others := slices.DeleteFunc(f.phone.Events("tap"), func(e sim.Event) bool { return fmt.Sprint(e.Data["x"]) == "500" })
	require.Len(t, others, 1)
}

// TestResidentAnswersAreApart runs many questions at once: each gets its own answer, whether it had
// the shell or not.
func TestResidentAnswersAreApart(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d := f.open(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 20 {
				word := fmt.Sprintf("answer-%d-%d", i, j)
				out, errs, code, err := adb.Ask(t.Context(), d, fmt.Sprintf("echo %s; echo %s >&2; exit %d", word, word, j))
				require.NoError(t, err)
				require.Equal(t, word+"\n", out)
				require.Equal(t, word+"\n", errs)
				require.Equal(t, j, code)
			}
		})
	}
	wg.Wait()
}

func TestResidentOutputs(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d := f.open(t)
	tests := []struct {
		name, line, out, err string
		code                 int
	}{
		{"nothing", "true", "", "", 0},
		{"no line end", "printf abc", "abc", "", 0},
		{"an input that is empty", "cat; echo end", "end\n", "", 0},
		{"a folder and a variable stay inside", "cd /sdcard; X=1; exit 7", "", "", 7},
		{"neither is there afterwards", "pwd; echo [$X]", "/\n[]\n", "", 0},
		{"an arithmetic look", "(echo a); (echo b)", "a\nb\n", "", 0},
		{"a comment at the end", "echo a # b", "a\n", "", 0},
		{"several lines", "echo a\necho b >&2", "a\n", "b\n", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := f.count()
			out, errs, code, err := adb.Ask(t.Context(), d, tt.line)
			require.NoError(t, err)
			require.Equal(t, []any{tt.out, tt.err, tt.code}, []any{out, errs, code})
			require.Empty(t, f.services(t, before))
		})
	}
	t.Run("long on both streams", func(t *testing.T) {
		line := "i=0; while [ $i -lt 3000 ]; do echo 'thirty bytes of standard output'; echo 'thirty bytes of standard error.' >&2; i=$((i+1)); done"
		out, errs, code, err := adb.Ask(t.Context(), d, line)
		require.NoError(t, err)
		require.Zero(t, code)
		require.Equal(t, strings.Repeat("thirty bytes of standard output\n", 3000), out)
		require.Equal(t, 64<<10, len(errs), "the rest is thrown away, and its end found all the same")
	})
}

// TestNoShellLives is a phone whose shell reads no commands.
func TestNoShellLives(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	h := newHolder(t, f.server.Addr())
	h.replace("shell,v2,raw:sh", "shell,v2,raw:ls")
	var log lockedBuffer
	d, err := adb.New(t.Context(), f.device.Serial(), &adb.Options{
		Server: h.listener.Addr().String(), NoStart: true, Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	require.NoError(t, err)
	for range 3 {
		require.NoError(t, d.Tap(t.Context(), image.Pt(500, 500)))
	}
	require.NoError(t, d.Close())
	require.Equal(t, 3, taps(f.phone))
	require.Equal(t, 1, strings.Count(log.String(), "\n"), "one line: %s", log.String())
	last, _ := f.device.Requests()
	shells := 0
	for _, service := range last {
		if service == "shell,v2,raw:ls" {
			shells++
		}
	}
	require.Equal(t, 2, shells)
}
