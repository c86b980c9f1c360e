package android_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// noon is a clock that stands still: on a busy computer a finger would otherwise be down for as long as the test has to
// wait, and a tap be a long press.
func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// newDevice makes a device of a fresh phone.
func newDevice(t *testing.T, profile string) *android.Device {
	t.Helper()
	d, err := android.New(sim.New(nil), &android.Options{Profile: profile, Now: noon})
	require.NoError(t, err)
	return d
}

// result is how a command ended.
type result struct {
	stdout, stderr string
	status         int
}

// run runs a command line with split streams and no terminal.
func run(t *testing.T, d *android.Device, command string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	end := d.Shell(context.Background(), command, android.Stdio{Out: &stdout, Err: &stderr})
	return result{stdout.String(), stderr.String(), end.Status}
}

// out runs a command that must succeed silently on stderr, and returns what it printed.
func out(t *testing.T, d *android.Device, command string) string {
	t.Helper()
	r := run(t, d, command)
	require.Equal(t, 0, r.status, "%s: %s", command, r.stderr)
	require.Empty(t, r.stderr, command)
	return r.stdout
}

// feed runs a command with an input.
func feed(t *testing.T, d *android.Device, command, input string) result {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.WriteString(w, input)
		_ = w.Close()
	}()
	var stdout, stderr bytes.Buffer
	end := d.Shell(context.Background(), command, android.Stdio{In: r, Out: &stdout, Err: &stderr})
	_ = r.Close()
	<-done
	return result{stdout.String(), stderr.String(), end.Status}
}

// set switches faults on.
func set(t *testing.T, d *android.Device, faults ...string) {
	t.Helper()
	for _, f := range faults {
		require.NoError(t, d.SetFault(f, true))
	}
}
