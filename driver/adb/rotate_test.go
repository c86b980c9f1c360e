package adb_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
)

func TestRotateOnEachRelease(t *testing.T) {
	for _, p := range android.Profiles() {
		if slices.Contains(p.Faults, android.FaultSecureSettings) {
			continue // TestRotateRefused
		}
		t.Run(p.Name, func(t *testing.T) {
			f := newFront(t, p.Name, sim.Options{})
			d := f.open(t)
			for _, turns := range []int{1, 3, 0} {
				require.NoError(t, driver.Rotate(t.Context(), d, turns))
				require.Equal(t, turns, f.phone.Rotation())
				got, err := d.Rotation(t.Context())
				require.NoError(t, err)
				require.Equal(t, turns%2, got%2)
			}
			require.NoError(t, d.AutoRotate(t.Context(), true))
			require.NoError(t, d.AutoRotate(t.Context(), false))
			require.ErrorContains(t, d.Rotate(t.Context(), 4), "0 to 3")
			require.ErrorContains(t, d.Rotate(t.Context(), -1), "0 to 3")
		})
	}
}

func TestRotateRefused(t *testing.T) {
	f := newFront(t, "a13-miui", sim.Options{})
	d := f.open(t)
	f.fault(t, android.FaultSecureSettings)
	err := d.Rotate(t.Context(), 1)
	require.ErrorContains(t, err, "USB debugging (Security settings)")
	require.ErrorIs(t, err, fs.ErrPermission)
	require.False(t, driver.MaybeDone(err))
	require.Zero(t, f.phone.Rotation())
}

func TestUnlock(t *testing.T) {
	for _, profile := range []string{"a6", "a9", "a14", "a16"} {
		for name, opts := range map[string]sim.Options{"awake": {}, "asleep": {Asleep: true}, "locked": {Locked: true}, "both": {Asleep: true, Locked: true}} {
			t.Run(profile+"/"+name, func(t *testing.T) {
				f := newFront(t, profile, opts)
				require.NoError(t, f.open(t).Unlock(t.Context(), ""))
				require.Equal(t, driver.Power{On: true}, f.phone.Power())
			})
		}
	}
}

func TestUnlockWithPIN(t *testing.T) {
	for _, profile := range []string{"a6", "a14"} {
		t.Run(profile, func(t *testing.T) {
			t.Parallel() // each way of unlocking is waited for
			f := newFront(t, profile, sim.Options{Locked: true, PIN: "2580"})
			d := f.open(t)
			require.ErrorContains(t, d.Unlock(t.Context(), "1;2"), "digits")
			require.NoError(t, d.Unlock(t.Context(), "2580"))
			require.Equal(t, driver.Power{On: true}, f.phone.Power())
			require.NoError(t, d.Unlock(t.Context(), "2580"), "one that is open stays so, and nothing is typed")
		})
	}
}

func TestUnlockWithAnotherPIN(t *testing.T) {
	t.Parallel()
	f := newFront(t, "a14", sim.Options{Locked: true, PIN: "2580"})
	err := f.open(t).Unlock(t.Context(), "1111")
	require.ErrorIs(t, err, driver.ErrLocked)
	require.ErrorContains(t, err, "the PIN did not open it")
	require.NotContains(t, err.Error(), "1111")
	require.Len(t, f.phone.Events("wrong_pin"), 1, "a phone counts the tries")
}

func TestPanels(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d := f.open(t)
	for _, show := range []func(context.Context) error{d.ShowNotifications, d.ShowQuickSettings} {
		require.NoError(t, show(t.Context()))
		app, err := d.Foreground(t.Context())
		require.NoError(t, err)
		require.Equal(t, "com.android.systemui", app.ID)
		require.NoError(t, d.CollapsePanels(t.Context()))
		app, err = d.Foreground(t.Context())
		require.NoError(t, err)
		require.NotEqual(t, "com.android.systemui", app.ID)
	}
	old := newFront(t, "a6", sim.Options{}).open(t)
	require.ErrorIs(t, old.ShowNotifications(t.Context()), errors.ErrUnsupported)
}

func TestBattery(t *testing.T) {
	b, err := newFront(t, "a14", sim.Options{}).open(t).Battery(t.Context())
	require.NoError(t, err)
	require.Equal(t, adb.Battery{Percent: 82, Charging: true, Plugged: "USB", Celsius: 26.4, Volts: 4.134}, b)
}

// collector keeps what was written, and says at each write that there is more.
type collector struct {
	mu   sync.Mutex
	buf  bytes.Buffer
	more chan struct{}
}

func (c *collector) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.buf.Write(p)
	select {
	case c.more <- struct{}{}:
	default:
	}
	return len(p), nil
}

func (c *collector) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.buf.String()
}

func TestLogs(t *testing.T) {
	for _, profile := range []string{"a6", "a14"} {
		t.Run(profile, func(t *testing.T) {
			f := newFront(t, profile, sim.Options{})
			d := f.open(t)
			_, err := d.Shell(t.Context(), "log", "it's 日志")
			require.NoError(t, err)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			c := &collector{more: make(chan struct{}, 1)}
			done := make(chan error, 1)
			go func() { done <- d.Logs(ctx, c) }()
			for !strings.Contains(c.text(), "it's 日志") {
				select {
				case <-c.more:
				case err := <-done:
					require.NoError(t, err, "the log ended by itself")
				}
			}
			require.NoError(t, d.Key(t.Context(), driver.KeyHome), "reading the log takes no turn")
			cancel()
			require.ErrorIs(t, <-done, context.Canceled)
			require.True(t, strings.HasSuffix(c.text(), "\n"))
			require.NotContains(t, c.text(), "\r")
		})
	}
}
