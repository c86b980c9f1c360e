package driver_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

// devices numbers the addresses: a queue lives as long as the process, and each test has its own.
var devices atomic.Int64

func newAddress() string { return fmt.Sprintf("fake:%d", devices.Add(1)) }

func newCalls() *driver.Calls { return driver.NewCalls(newAddress()) }

func fine(context.Context) error { return nil }

// untilDone is the work of a tool that obeys its context.
func untilDone(ctx context.Context) error {
	<-ctx.Done()
	return errors.New("use of closed network connection")
}

// begin starts a call and returns what it will return.
func begin(c *driver.Calls, ctx context.Context, op driver.Op, f func(context.Context) error) <-chan error {
	done := make(chan error, 1)
	go func() { done <- c.Do(ctx, op, 0, f) }()
	synctest.Wait()
	return done
}

func TestTurnsAreSharedByTheDriversOfADevice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one := newCalls()
		two := driver.NewCalls(one.Device())
		release, second := make(chan struct{}), false
		first := begin(one, t.Context(), driver.OpTap, func(context.Context) error { <-release; return nil })
		waiting := begin(two, t.Context(), driver.OpSwipe, func(context.Context) error { second = true; return nil })
		require.False(t, second, "the second gesture waits for the first")
		close(release)
		require.NoError(t, <-first)
		require.NoError(t, <-waiting)
		require.True(t, second)
	})
}

func TestOtherDevicesAndReadsTakeNoTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, release := newCalls(), make(chan struct{})
		busy := begin(c, t.Context(), driver.OpTap, func(context.Context) error { <-release; return nil })
		require.NoError(t, newCalls().Do(t.Context(), driver.OpTap, 0, fine))
		require.NoError(t, c.Do(t.Context(), driver.OpScreenshot, 0, fine))
		close(release)
		require.NoError(t, <-busy)
	})
}

func TestWaitingForATurn(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  func(cancel func(), waiting *driver.Calls)
		want error
	}{
		{"obeys ctx", func(cancel func(), _ *driver.Calls) { cancel() }, context.Canceled},
		{"obeys Close", func(_ func(), c *driver.Calls) { _ = c.Close(nil) }, driver.ErrClosed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				one := newCalls()
				two := driver.NewCalls(one.Device())
				release, ran := make(chan struct{}), false
				busy := begin(one, t.Context(), driver.OpTap, func(context.Context) error { <-release; return nil })
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				waiting := begin(two, ctx, driver.OpTap, func(context.Context) error { ran = true; return nil })
				tt.end(cancel, two)
				err := <-waiting
				require.ErrorIs(t, err, tt.want)
				require.False(t, driver.MaybeDone(err))
				close(release)
				require.NoError(t, <-busy)
				require.False(t, ran)
				require.NoError(t, one.Do(t.Context(), driver.OpTap, 0, fine), "the queue goes on")
			})
		})
	}
}

func TestLimitIsErrTimeoutAndNoDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, start := newCalls(), time.Now()
		err := c.Do(t.Context(), driver.OpTree, 3*time.Second, untilDone)
		require.ErrorIs(t, err, driver.ErrTimeout)
		require.NotErrorIs(t, err, context.DeadlineExceeded)
		require.NotErrorIs(t, err, context.Canceled)
		require.Equal(t, 3*time.Second, time.Since(start))
		require.EqualError(t, err, "tree "+c.Device()+": "+driver.ErrTimeout.Error())
	})
}

func TestLimitDoesNotCountTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCalls()
		busy := begin(c, t.Context(), driver.OpTap, func(ctx context.Context) error { return nap.For(ctx, time.Minute) })
		err := c.Do(t.Context(), driver.OpTap, 2*time.Second, func(ctx context.Context) error { return nap.For(ctx, time.Second) })
		require.NoError(t, err)
		require.NoError(t, <-busy)
	})
}

func TestCallersDeadlineIsNoErrTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := newCalls().Do(ctx, driver.OpTree, time.Minute, untilDone)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotErrorIs(t, err, driver.ErrTimeout)
	})
}

func TestCancelReturnsAtOnceWhateverTheToolDoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, release := newCalls(), make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context())
		deaf := begin(c, ctx, driver.OpTap, func(context.Context) error { <-release; return nil })
		start := time.Now()
		cancel()
		require.ErrorIs(t, <-deaf, context.Canceled)
		require.Zero(t, time.Since(start))

		next := begin(c, t.Context(), driver.OpTap, fine)
		require.Empty(t, next, "the next call waits for what goes on")
		close(release)
		require.NoError(t, <-next)
		require.Zero(t, time.Since(start))
	})
}

func TestNextCallDoesNotWaitForEver(t *testing.T) {
	for _, op := range []driver.Op{driver.OpTap, driver.OpScreenshot} {
		t.Run(string(op), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, release := newCalls(), make(chan struct{})
				defer close(release)
				ctx, cancel := context.WithCancel(t.Context())
				deaf := begin(c, ctx, driver.OpTap, func(context.Context) error { <-release; return nil })
				cancel()
				require.ErrorIs(t, <-deaf, context.Canceled)
				start := time.Now()
				require.NoError(t, c.Do(t.Context(), op, 0, fine))
				require.Equal(t, 5*time.Second, time.Since(start))
			})
		})
	}
}

// leaving does something that takes a second to put back.
func leaving(left *atomic.Bool) func(context.Context) error {
	return func(ctx context.Context) error {
		left.Store(true)
		defer func() {
			_ = driver.Undo(ctx, func(ctx context.Context) error {
				defer left.Store(false)
				return nap.For(ctx, time.Second)
			})
		}()
		return untilDone(ctx)
	}
}

func TestNextCallWaitsForTheUndo(t *testing.T) {
	for _, tt := range []struct {
		name string
		op   driver.Op
		same bool
	}{
		{"a gesture", driver.OpTap, true},
		{"a read", driver.OpTree, true},
		{"a gesture of another driver", driver.OpTap, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, left := newCalls(), new(atomic.Bool)
				ctx, cancel := context.WithCancel(t.Context())
				typing := begin(c, ctx, driver.OpType, leaving(left))
				cancel()
				require.ErrorIs(t, <-typing, context.Canceled)
				require.True(t, left.Load())
				next := c
				if !tt.same {
					next = driver.NewCalls(c.Device())
				}
				start := time.Now()
				require.NoError(t, next.Do(t.Context(), tt.op, 0, fine))
				require.False(t, left.Load())
				require.Equal(t, time.Second, time.Since(start))
			})
		})
	}
}

func TestWaitForTheUndoObeysCtx(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, left := newCalls(), new(atomic.Bool)
		ctx, cancel := context.WithCancel(t.Context())
		typing := begin(c, ctx, driver.OpType, leaving(left))
		cancel()
		require.ErrorIs(t, <-typing, context.Canceled)
		short, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		require.ErrorIs(t, c.Do(short, driver.OpTap, 0, fine), context.DeadlineExceeded)
		require.NoError(t, c.Close(nil))
		require.False(t, left.Load())
	})
}

func TestDoneContextDoesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, op := range []driver.Op{driver.OpTap, driver.OpTree} {
		err := newCalls().Do(ctx, op, 0, func(context.Context) error { panic("it ran") })
		require.ErrorIs(t, err, context.Canceled)
	}
}

func TestUndo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.NoError(t, driver.Undo(ctx, func(ctx context.Context) error { return nap.For(ctx, 4*time.Second) }))
		require.ErrorIs(t, driver.Undo(ctx, untilDone), driver.ErrTimeout)
		bad := errors.New("no such input method")
		require.ErrorIs(t, driver.Undo(ctx, func(context.Context) error { return bad }), bad)
	})
}

func TestNestedCallsAreOneCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCalls()
		err := c.Do(t.Context(), driver.OpSetText, 0, func(ctx context.Context) error {
			return errors.Join(c.Do(ctx, driver.OpClearText, 0, fine), c.Do(ctx, driver.OpType, time.Second, fine))
		})
		require.NoError(t, err)
	})
}

func TestNestedErrorKeepsItsOperation(t *testing.T) {
	c := newCalls()
	err := c.Do(t.Context(), driver.OpSetText, 0, func(ctx context.Context) error {
		return c.Do(ctx, driver.OpType, 0, func(ctx context.Context) error {
			driver.MarkSent(ctx)
			return driver.ErrOffline
		})
	})
	require.EqualError(t, err, "type "+c.Device()+
		": device offline (it may have reached the phone: look before doing it again)")
}

func TestNestedLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCalls()
		err := c.Do(t.Context(), driver.OpSetText, time.Minute, func(ctx context.Context) error {
			return c.Do(ctx, driver.OpType, time.Second, untilDone)
		})
		require.ErrorIs(t, err, driver.ErrTimeout)

		err = c.Do(t.Context(), driver.OpSetText, time.Second, func(ctx context.Context) error {
			return c.Do(ctx, driver.OpType, time.Minute, untilDone)
		})
		require.ErrorIs(t, err, driver.ErrTimeout)
		require.NotErrorIs(t, err, context.Canceled)
	})
}

func TestNestedEndsWithTheOuterCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCalls()
		ctx, cancel := context.WithCancel(t.Context())
		var inner error
		outer := begin(c, ctx, driver.OpSetText, func(ctx context.Context) error {
			inner = c.Do(ctx, driver.OpType, 0, untilDone)
			return inner
		})
		cancel()
		require.ErrorIs(t, <-outer, context.Canceled)
		synctest.Wait()
		require.ErrorIs(t, inner, context.Canceled)
	})
}

func TestMaybeDone(t *testing.T) {
	bad := errors.New("broken pipe")
	for _, tt := range []struct {
		name string
		op   driver.Op
		f    func(context.Context)
		want bool
	}{
		{"not sent", driver.OpTap, func(context.Context) {}, false},
		{"sent", driver.OpTap, driver.MarkSent, true},
		{"refused", driver.OpTap, func(ctx context.Context) { driver.MarkSent(ctx); driver.MarkRefused(ctx) }, false},
		{"sent again", driver.OpTap, func(ctx context.Context) {
			driver.MarkSent(ctx)
			driver.MarkRefused(ctx)
			driver.MarkSent(ctx)
		}, true},
		{"a read", driver.OpTree, driver.MarkSent, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := newCalls().Do(t.Context(), tt.op, 0, func(ctx context.Context) error { tt.f(ctx); return bad })
			require.ErrorIs(t, err, bad)
			require.Equal(t, tt.want, driver.MaybeDone(err))
		})
	}
	driver.MarkSent(t.Context())    // outside of a call they do nothing
	driver.MarkRefused(t.Context()) //
	require.False(t, driver.MaybeDone(bad))
}

func TestMaybeDoneOfACancelledGesture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		tap := begin(newCalls(), ctx, driver.OpTap, func(ctx context.Context) error {
			driver.MarkSent(ctx)
			return untilDone(ctx)
		})
		cancel()
		err := <-tap
		require.ErrorIs(t, err, context.Canceled)
		require.True(t, driver.MaybeDone(err))
	})
}

func TestValue(t *testing.T) {
	c, bad := newCalls(), errors.New("no")
	v, err := driver.Value(t.Context(), c, driver.OpRotation, 0, func(context.Context) (int, error) { return 3, nil })
	require.NoError(t, err)
	require.Equal(t, 3, v)
	v, err = driver.Value(t.Context(), c, driver.OpRotation, 0, func(context.Context) (int, error) { return 3, bad })
	require.ErrorIs(t, err, bad)
	require.Zero(t, v)
}

func TestErrorOfAnotherDeviceIsWrapped(t *testing.T) {
	c := newCalls()
	other := &driver.Error{Op: driver.OpTree, Device: "fake:other", Err: driver.ErrOffline}
	err := c.Do(t.Context(), driver.OpTap, 0, func(context.Context) error { return other })
	require.EqualError(t, err, "tap "+c.Device()+": tree fake:other: device offline")
	mine := &driver.Error{Op: driver.OpTree, Device: c.Device(), Err: driver.ErrOffline}
	err = c.Do(t.Context(), driver.OpTap, 0, func(context.Context) error { return mine })
	require.Same(t, error(mine), err)
}
