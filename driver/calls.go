package driver

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// undoLimit bounds how long an undo may take, and how long the next call and Close wait for one.
const undoLimit = 5 * time.Second

// Calls carries the duties that every driver has: turns per device, a limit for each call, cancel at
// once, Close in mid-call, the wait for undos, and the *Error around each failure. A driver holds one and
// runs each operation in Do.
type Calls struct {
	device string
	turn   chan struct{}   // holds a token while a call that changes the phone is at work
	ctx    context.Context // ends with Close
	end    context.CancelCauseFunc
	closed chan struct{} // closed when Close has done its work

	mu    sync.Mutex
	late  map[chan struct{}]bool // of calls that were given up on and still run, with their undos
	count sync.WaitGroup
}

// NewCalls returns the calls of one open driver. device is its address, such as adb:SERIAL; all Calls of
// one address in the process share the queue.
func NewCalls(device string) *Calls {
	ctx, end := context.WithCancelCause(context.Background())
	return &Calls{
		device: device, turn: turnOf(device), ctx: ctx, end: end,
		closed: make(chan struct{}), late: map[chan struct{}]bool{},
	}
}

// Device returns the address.
func (c *Calls) Device() string { return c.device }

// Do runs f as the operation op. An op that does not read waits for its turn first. limit bounds f, not
// the wait; zero or less is no limit. f runs in a goroutine of its own, and its ctx ends with the caller's, at the
// limit and with Close: Do returns then at once, while f, which holds the turn until it returns, puts back
// what it changed (see Undo). Do wraps a failure in *Error, and sets MaybeDone if f had called MarkSent.
//
// A Do inside f with f's ctx is a part of the same call: it takes no turn of its own.
func (c *Calls) Do(ctx context.Context, op Op, limit time.Duration, f func(context.Context) error) error {
	if st := stateOf(ctx); st != nil && st.calls == c {
		return c.wrap(op, st, c.inner(ctx, limit, f))
	}
	st := &callState{calls: c}
	if err := c.enter(ctx, op); err != nil {
		return c.wrap(op, st, err)
	}
	return c.wrap(op, st, c.run(ctx, op, st, limit, f))
}

// Value is Do for a function that returns something. It returns the zero value with an error.
func Value[T any](ctx context.Context, c *Calls, op Op, limit time.Duration, f func(context.Context) (T, error)) (T, error) {
	got := make(chan T, 1) // a call that was given up on may still put its value here
	err := c.Do(ctx, op, limit, func(ctx context.Context) error {
		v, err := f(ctx)
		if err == nil {
			got <- v
		}
		return err
	})
	if err != nil {
		var zero T
		return zero, err
	}
	return <-got, nil
}

// inner runs a nested operation within the outer one's turn and goroutine.
func (c *Calls) inner(ctx context.Context, limit time.Duration, f func(context.Context) error) error {
	in, cancel := limited(ctx, limit)
	defer cancel(nil)
	if err := f(in); err != nil {
		if in.Err() != nil {
			return ended(ctx, in)
		}
		return err
	}
	return nil
}

// enter waits for undos in progress and, for an op that changes the phone, for the turn.
func (c *Calls) enter(ctx context.Context, op Op) error {
	if err := c.ready(ctx); err != nil {
		return err
	}
	if err := c.awaitLate(ctx); err != nil || op.Reads() {
		return err
	}
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	case <-c.ctx.Done():
		return ErrClosed
	}
	if err := c.ready(ctx); err != nil {
		<-c.turn
		return err
	}
	return nil
}

func (c *Calls) ready(ctx context.Context) error {
	if c.ctx.Err() != nil {
		return ErrClosed
	}
	return ctx.Err()
}

// awaitLate waits, within the bound, for the undo of calls that were given up on.
func (c *Calls) awaitLate(ctx context.Context) error {
	for _, over := range c.lateCalls() {
		select {
		case <-over:
		case <-ctx.Done():
		case <-c.ctx.Done():
		}
	}
	return c.ready(ctx)
}

func (c *Calls) lateCalls() []chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Collect(maps.Keys(c.late))
}

// run starts f and waits for it, for the caller's ctx, for the limit and for Close.
func (c *Calls) run(ctx context.Context, op Op, st *callState, limit time.Duration, f func(context.Context) error) error {
	in, cancel := limited(context.WithValue(ctx, stateKey{}, st), limit)
	stop := context.AfterFunc(c.ctx, func() { cancel(ErrClosed) })
	free := func() {}
	if !op.Reads() {
		free = sync.OnceFunc(func() { <-c.turn })
	}
	defer func() { stop(); cancel(nil) }()
	done := make(chan error, 1)
	if !c.begin() {
		free()
		return ErrClosed
	}
	go func() {
		defer c.count.Done()
		err := f(in)
		free()
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil && in.Err() != nil {
			return ended(ctx, in)
		}
		return err
	case <-in.Done():
		c.giveUp(done, free)
		return ended(ctx, in)
	}
}

// begin counts a call in, unless the driver is closed.
func (c *Calls) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx.Err() != nil {
		return false
	}
	c.count.Add(1)
	return true
}

// giveUp lets a call that nobody waits for end in its own time. After the bound it has lost its turn.
func (c *Calls) giveUp(done chan error, free func()) {
	over := make(chan struct{})
	c.mu.Lock()
	c.late[over] = true
	c.mu.Unlock()
	go func() {
		t := time.NewTimer(undoLimit)
		defer t.Stop()
		select {
		case <-done:
		case <-t.C:
		}
		free()
		c.mu.Lock()
		delete(c.late, over)
		c.mu.Unlock()
		close(over)
	}()
}

// Undo runs f, which puts back what a call changed, with a context of its own that lasts 5 s whatever
// became of the call's. A driver defers it inside the function that it gave to Do.
func Undo(ctx context.Context, f func(context.Context) error) error {
	own, cancel := limited(context.WithoutCancel(ctx), undoLimit)
	defer cancel(nil)
	if err := f(own); err != nil {
		if own.Err() != nil {
			return ErrTimeout
		}
		return err
	}
	return nil
}

// Close ends every call in progress and waits up to 5 s for their undos. Then it runs last, once, with a
// context of 5 s, to put back what the driver itself holds; last may be nil. A second Close waits for the
// first and returns nil.
func (c *Calls) Close(last func(context.Context) error) error {
	if !c.shut() {
		<-c.closed
		return nil
	}
	defer close(c.closed)
	c.drain()
	if last == nil {
		return nil
	}
	return Undo(context.Background(), last)
}

// shut ends the calls in progress and lets no further one begin. It is false where that was done before.
func (c *Calls) shut() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx.Err() != nil {
		return false
	}
	c.end(ErrClosed)
	return true
}

// Closed says whether Close was called.
func (c *Calls) Closed() bool { return c.ctx.Err() != nil }

func (c *Calls) drain() {
	all := make(chan struct{})
	go func() {
		c.count.Wait()
		close(all)
	}()
	t := time.NewTimer(undoLimit)
	defer t.Stop()
	select {
	case <-all:
	case <-t.C:
	}
}

// wrap makes the *Error of a failure. An error that is one already, of this device, keeps its operation.
func (c *Calls) wrap(op Op, st *callState, err error) error {
	if err == nil {
		return nil
	}
	maybe := st.sent.Load() && !op.Reads()
	var e *Error
	if errors.As(err, &e) && e.Device == c.device {
		if maybe && !e.MaybeDone {
			return &Error{Op: e.Op, Device: e.Device, MaybeDone: true, Err: e.Err}
		}
		return err
	}
	return &Error{Op: op, Device: c.device, MaybeDone: maybe, Err: err}
}

// limited returns ctx with a limit whose end is ErrTimeout and not DeadlineExceeded.
func limited(ctx context.Context, limit time.Duration) (context.Context, context.CancelCauseFunc) {
	in, cancel := context.WithCancelCause(ctx)
	if limit <= 0 {
		return in, cancel
	}
	t := time.AfterFunc(limit, func() { cancel(ErrTimeout) })
	return in, func(cause error) {
		t.Stop()
		cancel(cause)
	}
}

// ended says what ended a call: the caller's context, the limit, or Close. A closed socket tells nobody
// anything, so this stands in for the error that f had.
func ended(caller, in context.Context) error {
	if err := caller.Err(); err != nil && stateOf(caller) == nil {
		return err
	}
	if cause := context.Cause(in); errors.Is(cause, ErrTimeout) || errors.Is(cause, ErrClosed) {
		return cause
	}
	return in.Err()
}

// callState is what one call knows about itself.
type callState struct {
	calls *Calls
	sent  atomic.Bool
}

type stateKey struct{}

func stateOf(ctx context.Context) *callState {
	st, _ := ctx.Value(stateKey{}).(*callState)
	return st
}

// MarkSent notes, just before a driver hands a gesture to its tool, that it may reach the phone from now on.
func MarkSent(ctx context.Context) {
	if st := stateOf(ctx); st != nil {
		st.sent.Store(true)
	}
}

// MarkRefused takes MarkSent back: the tool has answered that it did not do the gesture, or could not even be
// started or reached. Where one call does several gestures, it is for the first of them only.
func MarkRefused(ctx context.Context) {
	if st := stateOf(ctx); st != nil {
		st.sent.Store(false)
	}
}
