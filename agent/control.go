package agent

import (
	"context"
	"sync"
)

// control says who has the phone: the run, or the person who paused it.
type control struct {
	mu      sync.Mutex
	paused  bool
	uses    int           // parts of the run that may touch the phone now
	epoch   int           // grows with every pause: what was seen before is old
	changed chan struct{} // closed and replaced at each change

	live context.Context // ends with the next pause
	kill context.CancelFunc
}

func newControl() *control {
	c := &control{changed: make(chan struct{})}
	c.live, c.kill = context.WithCancel(context.Background())
	return c
}

func (c *control) signal() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// take waits until the run is not paused and then has the phone, until give. Where it has to wait, it calls
// paused before and resumed after.
func (c *control) take(ctx context.Context, paused, resumed func()) (epoch int, err error) {
	for waited := false; ; {
		c.mu.Lock()
		if !c.paused && !waited {
			c.uses++
			defer c.mu.Unlock()
			return c.epoch, nil
		}
		stillPaused, changed := c.paused, c.changed
		c.mu.Unlock()
		switch {
		case !stillPaused:
			waited = false
			resumed()
			continue
		case !waited:
			waited = true
			paused()
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

// retake has the phone again if nobody has paused since epoch.
func (c *control) retake(epoch int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.paused || c.epoch != epoch {
		return false
	}
	c.uses++
	return true
}

func (c *control) give() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.uses--
	c.signal()
}

// lend gives the phone away for the time of a question, inside of a take.
func (c *control) lend() (epoch int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.uses--
	c.signal()
	return c.epoch
}

// takeBack ends a lend and says whether nobody has paused meanwhile. If somebody has, nothing may be done
// but give.
func (c *control) takeBack(epoch int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.uses++
	return !c.paused && c.epoch == epoch
}

// pause keeps the run from the phone and waits until nothing of it is at work. begin is called if the run was
// not paused before.
func (c *control) pause(ctx context.Context, begin func()) error {
	c.mu.Lock()
	if !c.paused {
		c.paused = true
		c.epoch++
		c.kill()
		c.signal()
		begin()
	}
	for c.uses > 0 {
		changed := c.changed
		c.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
		c.mu.Lock()
	}
	c.mu.Unlock()
	return nil
}

// resume ends a pause. end is called if there was one.
func (c *control) resume(end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.paused {
		return
	}
	c.paused = false
	c.live, c.kill = context.WithCancel(context.Background())
	c.signal()
	end()
}

// untilPause returns a context that ends with ctx and with the next pause.
func (c *control) untilPause(ctx context.Context) (context.Context, context.CancelFunc) {
	c.mu.Lock()
	live := c.live
	c.mu.Unlock()
	in, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(live, cancel)
	return in, func() {
		stop()
		cancel()
	}
}
