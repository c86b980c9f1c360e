package policy

import (
	"context"
	"fmt"
	"time"
)

// maxAsks bounds how often one call is asked for where the screen changes under the question.
const maxAsks = 3

// ask lets the person decide, once per step.
func (w *guard) ask(ctx context.Context, r *Request) error {
	st := stepOf(ctx)
	if approved, denied := st.settled(); approved || denied != nil {
		return denied
	}
	r.Device = w.device(ctx)
	if w.gate.isStanding(r.standing()) {
		return nil
	}
	err := w.askUntilSteady(ctx, r)
	if ctx.Err() == nil {
		st.settle(err)
	}
	return err
}

// askUntilSteady asks, reads the screen again after a yes, and asks again if it has changed.
func (w *guard) askUntilSteady(ctx context.Context, r *Request) error {
	for range maxAsks {
		answer, err := w.gate.confirm(ctx, r)
		if err != nil {
			return err
		}
		if !answer.Allow {
			return refused(r, answer.Note)
		}
		now, err := w.again(ctx, r)
		if err != nil {
			return err
		}
		if now.sameAs(r) {
			if answer.Always {
				w.gate.allowAlways(r.standing())
			}
			return nil
		}
		r = now
	}
	return &Denied{r.Rule, "the screen kept changing after each approval: do this step by hand"}
}

// again describes the call of r on a fresh tree. A phone that cannot be read any more is a no.
func (w *guard) again(ctx context.Context, r *Request) (*Request, error) {
	if r.Tree == nil {
		return r, nil
	}
	now, err := w.request(ctx, &r.Call, true)
	if err != nil {
		return nil, err
	}
	if now.Tree == nil {
		return nil, &Denied{r.Rule, "after the approval the screen could not be read again: try again, or do it by hand"}
	}
	v := w.gate.judge(now)
	if v == Deny {
		return nil, &Denied{now.Rule, now.Why}
	}
	now.Device = r.Device
	if v != Ask { // what was asked for is gone
		now.Rule, now.Why = r.Rule, r.Why
	}
	return now, nil
}

func refused(r *Request, note string) error {
	reason := r.Why + "; the answer was no"
	if note != "" {
		reason += ": " + note
	}
	return &Denied{r.Rule, reason}
}

// confirm asks in a goroutine of its own, so that the limit holds even for a Confirm that ignores ctx.
func (g *Gate) confirm(ctx context.Context, r *Request) (Answer, error) {
	if g.opt.Confirm == nil {
		return Answer{}, &Denied{r.Rule, r.Why + "; nobody can confirm it, because no Confirm is set"}
	}
	type result struct {
		answer Answer
		err    error
	}
	in, cancel := context.WithCancel(ctx)
	defer cancel()
	got := make(chan result, 1)
	question := *r
	go func() {
		a, err := g.opt.Confirm(in, &question)
		got <- result{a, err}
	}()
	limit := time.NewTimer(g.opt.ConfirmLimit)
	defer limit.Stop()
	select {
	case res := <-got:
		if ctx.Err() != nil {
			return Answer{}, ctx.Err()
		}
		if res.err != nil {
			return Answer{}, fmt.Errorf("%w: %w", &Denied{r.Rule, r.Why + "; the question could not be answered"}, res.err)
		}
		return res.answer, nil
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	case <-limit.C:
		return Answer{}, &Denied{r.Rule, fmt.Sprintf("%s; no answer within %v", r.Why, g.opt.ConfirmLimit)}
	}
}
