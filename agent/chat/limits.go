package chat

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"
)

const (
	idleConnection = 90 * time.Second
	// afterFinish is how long a reply that is whole waits for its usage and its end.
	afterFinish = 5 * time.Second
	// afterDone is how long the end of the connection's stream is waited for, so that the
	// connection can be used again.
	afterDone = 100 * time.Millisecond
)

// limitError says which limit of a call ran out. It is no context error.
type limitError struct {
	what string
	d    time.Duration
}

func (e *limitError) Error() string { return fmt.Sprintf("%s within %v", e.what, e.d) }

// watch ends a call whose limit runs out: one limit for the whole and one for what is being waited
// for now.
type watch struct {
	cancel context.CancelCauseFunc
	total  *time.Timer
	mu     sync.Mutex
	phase  *time.Timer
	limit  time.Duration
}

// newWatch returns a context that the watch ends. The caller calls stop.
func newWatch(ctx context.Context, total time.Duration) (context.Context, *watch) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watch{cancel: cancel}
	w.total = w.after("no whole reply", total)
	return ctx, w
}

func (w *watch) after(what string, d time.Duration) *time.Timer {
	if d <= 0 {
		return nil
	}
	return time.AfterFunc(d, func() { w.cancel(&limitError{what, d}) })
}

// expect starts to wait for something for at most d; a d of zero or less is no limit.
func (w *watch) expect(what string, d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	stop(w.phase)
	w.phase, w.limit = w.after(what, d), d
}

// alive starts the time of what is being waited for anew.
func (w *watch) alive() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.phase != nil && w.phase.Stop() {
		w.phase.Reset(w.limit)
	}
}

func (w *watch) stop() {
	w.expect("", 0)
	stop(w.total)
	w.cancel(nil)
}

func stop(t *time.Timer) {
	if t != nil {
		t.Stop()
	}
}

// watched is a body that tells a watch of each byte, and whose first byte ends the wait for it.
type watched struct {
	io.Reader
	watch *watch
	idle  time.Duration
	begun bool
}

// Read reads and tells the watch.
func (r *watched) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	switch {
	case n > 0 && !r.begun:
		r.begun = true
		r.watch.expect("no further byte", r.idle)
	case n > 0:
		r.watch.alive()
	}
	return n, err
}
