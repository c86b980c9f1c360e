package policy

import (
	"context"
	"sync"
)

type (
	stepKey   struct{}
	reasonKey struct{}
	judgedKey struct{ gate *Gate }
)

// step remembers the answer that was given in one step of an agent.
type step struct {
	mu       sync.Mutex
	approved bool
	denied   error
}

// WithStep begins a step: within the returned context a person is asked once at most. An approval then
// holds for all calls of the step, and so does a refusal.
func WithStep(ctx context.Context) context.Context {
	return context.WithValue(ctx, stepKey{}, &step{})
}

// WithReason carries what a model says about its own step ("this pays 20 yuan"). A reason raises the
// question whether the call may be done; it never answers one.
func WithReason(ctx context.Context, reason string) context.Context {
	return context.WithValue(ctx, reasonKey{}, reason)
}

func reasonOf(ctx context.Context) string {
	s, _ := ctx.Value(reasonKey{}).(string)
	return s
}

// stepOf returns the step of ctx; without one, a call is a step by itself.
func stepOf(ctx context.Context) *step {
	if s, ok := ctx.Value(stepKey{}).(*step); ok {
		return s
	}
	return &step{}
}

// settle returns the answer that the step has already got.
func (s *step) settled() (approved bool, denied error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.approved, s.denied
}

func (s *step) settle(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.approved, s.denied = err == nil, err
}
