package driver_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

func TestCloseEndsCallsInProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCalls()
		tree := begin(c, t.Context(), driver.OpTree, untilDone)
		tap := begin(c, t.Context(), driver.OpTap, untilDone)
		require.NoError(t, c.Close(nil))
		require.ErrorIs(t, <-tree, driver.ErrClosed)
		require.ErrorIs(t, <-tap, driver.ErrClosed)
		require.True(t, c.Closed())
		for _, op := range []driver.Op{driver.OpTree, driver.OpTap} {
			err := c.Do(t.Context(), op, 0, func(context.Context) error { panic("it ran") })
			require.ErrorIs(t, err, driver.ErrClosed)
		}
	})
}

func TestCloseWaitsForUndosWithinABound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, left := newCalls(), new(atomic.Bool)
		typing := begin(c, t.Context(), driver.OpType, leaving(left))
		start := time.Now()
		require.NoError(t, c.Close(func(context.Context) error {
			require.False(t, left.Load(), "last comes after the undos")
			return nil
		}))
		require.Equal(t, time.Second, time.Since(start))
		require.ErrorIs(t, <-typing, driver.ErrClosed)

		c, release := newCalls(), make(chan struct{})
		defer close(release)
		deaf := begin(c, t.Context(), driver.OpTap, func(context.Context) error { <-release; return nil })
		start = time.Now()
		require.NoError(t, c.Close(nil))
		require.Equal(t, 5*time.Second, time.Since(start))
		require.ErrorIs(t, <-deaf, driver.ErrClosed)
	})
}

func TestCloseRunsLastOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, bad, runs := newCalls(), errors.New("the port is still forwarded"), 0
		last := func(ctx context.Context) error {
			runs++
			require.NoError(t, nap.For(ctx, time.Second))
			return bad
		}
		first := make(chan error, 1)
		go func() { first <- c.Close(last) }()
		synctest.Wait()
		start := time.Now()
		require.NoError(t, c.Close(last), "the second waits for the first")
		require.Equal(t, time.Second, time.Since(start))
		require.ErrorIs(t, <-first, bad)
		require.NoError(t, c.Close(last))
		require.Equal(t, 1, runs)

		require.ErrorIs(t, newCalls().Close(untilDone), driver.ErrTimeout, "last is bounded")
	})
}

func TestUndoMayCallAfterClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCalls()
		var undone error
		typing := begin(c, t.Context(), driver.OpType, func(ctx context.Context) error {
			defer func() {
				undone = driver.Undo(ctx, func(ctx context.Context) error { return c.Do(ctx, driver.OpShell, time.Second, fine) })
			}()
			return untilDone(ctx)
		})
		require.NoError(t, c.Close(nil))
		require.ErrorIs(t, <-typing, driver.ErrClosed)
		require.NoError(t, undone)
	})
}

// TestCallsFromManyGoroutines is for the race detector: calls, cancels and a Close side by side.
func TestCallsFromManyGoroutines(t *testing.T) {
	c := newCalls()
	inside, most := 0, 0
	var mu sync.Mutex
	count := func(n int) {
		mu.Lock()
		defer mu.Unlock()
		inside += n
		most = max(most, inside)
	}
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			for range 20 {
				ctx, cancel := context.WithCancel(t.Context())
				if i%4 == 0 {
					cancel()
				}
				err := c.Do(ctx, driver.OpTap, time.Minute, func(context.Context) error {
					count(1)
					defer count(-1)
					return nil
				})
				cancel()
				if err != nil {
					require.True(t, errors.Is(err, context.Canceled) || errors.Is(err, driver.ErrClosed), err)
				}
			}
		})
	}
	wg.Go(func() { require.NoError(t, c.Close(nil)) })
	wg.Wait()
	require.LessOrEqual(t, most, 1, "gestures take turns")
}
