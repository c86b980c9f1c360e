package agent

import (
	"sync"
	"time"
)

// stopwatch measures the time of a run in which it was not held, and calls over when that reaches the limit.
type stopwatch struct {
	mu      sync.Mutex
	limit   time.Duration // 0 for none
	over    func()
	spent   time.Duration
	since   time.Time // of the time that is not in spent yet
	holds   int
	running bool
	timer   *time.Timer
}

func (s *stopwatch) start(limit time.Duration, over func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limit, s.over, s.running = limit, over, true
	s.count()
}

// count begins to measure, if nothing holds.
func (s *stopwatch) count() {
	if !s.running || s.holds > 0 {
		return
	}
	s.since = time.Now()
	if s.limit > 0 {
		s.timer = time.AfterFunc(s.limit-s.spent, s.over)
	}
}

// pause takes the time so far into spent.
func (s *stopwatch) pause() {
	if !s.running || s.holds > 0 {
		return
	}
	s.spent += time.Since(s.since)
	if s.timer != nil {
		s.timer.Stop()
	}
}

func (s *stopwatch) hold() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pause()
	s.holds++
}

func (s *stopwatch) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holds--
	s.count()
}

func (s *stopwatch) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pause()
	s.running = false
}

func (s *stopwatch) elapsed() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.running || s.holds > 0 {
		return s.spent
	}
	return s.spent + time.Since(s.since)
}
