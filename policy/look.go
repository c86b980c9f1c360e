package policy

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/handset-go/handset/driver"
)

const (
	// After so many failures in a row the guard stops asking the phone for trees for a while: on a
	// page that never comes to rest each attempt would cost seconds.
	maxTreeFails  = 2
	treeFailPause = 15 * time.Second
)

// looks keeps what was last seen of a phone. seq counts what was done to it: a tree is good for as long as
// its seq is the present one.
type looks struct {
	mu       sync.Mutex
	seq      int
	acting   int // calls at work that change something
	tree     *driver.Tree
	treeSeq  int
	treeAt   time.Time
	flight   *flight
	screen   *driver.Screen
	frameSeq int
	fails    int // in a row
	failSeq  int
	failedAt time.Time
	never    bool // this phone has no trees
}

// flight is a tree that is being read.
type flight struct {
	seq  int
	done chan struct{}
	tree *driver.Tree // set before done is closed
}

func (l *looks) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seq++
	l.acting++
}

func (l *looks) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seq++
	l.acting--
}

// takeOff notes that a tree is being read.
func (l *looks) takeOff() *flight {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := &flight{seq: l.seq, done: make(chan struct{})}
	if l.acting > 0 {
		f.seq = -1
	}
	l.flight = f
	return f
}

// land notes what became of it.
func (l *looks) land(f *flight, t *driver.Tree, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f.tree = t
	close(f.done)
	if l.flight == f {
		l.flight = nil
	}
	switch {
	case err == nil:
		l.tree, l.treeSeq, l.treeAt, l.fails = t, f.seq, time.Now(), 0
	case errors.Is(err, errors.ErrUnsupported):
		l.never = true
	case !errors.Is(err, context.Canceled):
		l.fails++
		l.failSeq, l.failedAt = f.seq, time.Now()
	}
}

func (l *looks) frame(s *driver.Screen, seq int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.screen, l.frameSeq = s, seq
}

func (l *looks) now() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.acting > 0 {
		return -1
	}
	return l.seq
}

// known returns the tree that is still good, or the flight that will bring one, or neither.
func (l *looks) known(maxAge time.Duration) (*driver.Tree, *flight) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.tree != nil && l.treeSeq == l.seq && time.Since(l.treeAt) <= maxAge {
		return l.tree, nil
	}
	if l.flight != nil && l.flight.seq == l.seq {
		return nil, l.flight
	}
	return nil, nil
}

// worthwhile says whether reading a tree has a chance: not where that has just failed on the same screen.
func (l *looks) worthwhile(maxAge time.Duration) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	since := time.Since(l.failedAt)
	if l.never || l.fails >= maxTreeFails && since <= treeFailPause {
		return false
	}
	return l.fails == 0 || l.failSeq != l.seq || since > maxAge
}

func (l *looks) lastFrame() *driver.Screen {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.frameSeq != l.seq {
		return nil
	}
	return l.screen
}

var errNoTreeNow = errors.New("the phone gave no tree to judge on")

// tree returns the tree to judge a call on. fresh asks for a new one whatever is known.
func (w *guard) tree(ctx context.Context, fresh bool) (*driver.Tree, error) {
	limited, cancel := context.WithTimeout(ctx, w.gate.opt.TreeLimit)
	defer cancel()
	if !fresh {
		t, f := w.looks.known(w.gate.opt.MaxAge)
		if t != nil {
			return t, nil
		}
		if f != nil {
			select {
			case <-f.done:
				if f.tree != nil {
					return f.tree, nil
				}
			case <-limited.Done():
				return nil, errors.Join(errNoTreeNow, ctx.Err())
			}
		}
	}
	if !w.looks.worthwhile(w.gate.opt.MaxAge) {
		return nil, errNoTreeNow
	}
	f := w.looks.takeOff()
	t, err := w.inner.Tree(limited)
	w.looks.land(f, t, err)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return t, err
}
