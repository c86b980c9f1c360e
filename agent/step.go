package agent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/handset-go/handset/action"
	"github.com/handset-go/handset/driver"
)

const (
	// What the history keeps of a thought, and of a reply that could not be read, in runes.
	longestThought = 2000
	longestUnread  = 400
)

// step observes, decides and acts once. An action that was dropped because the phone was in other hands is
// decided anew within the same step.
func (r *Run) step(ctx context.Context) (*Step, *ending) {
	if end := r.overBudget(); end != nil {
		return nil, end
	}
	r.n++
	ctx = r.place(ctx)
	r.emit(ctx, StepStarted{r.head()})
	for {
		s, end, dropped := r.attempt(ctx)
		if !dropped {
			return s, end
		}
	}
}

// attempt is one observation and the decision on it.
func (r *Run) attempt(ctx context.Context) (s *Step, end *ending, dropped bool) {
	defer r.endPreview()
	obs, err := r.observe(ctx)
	if err != nil {
		return nil, r.endOf(ctx, err, StatusDevice), false
	}
	r.compare(obs)
	d, err := r.decide(ctx, obs)
	if err != nil {
		return nil, r.endOf(ctx, err, StatusModel), false
	}
	s = &Step{N: r.n, App: obs.app, Thinking: d.reply.Thinking, Usage: d.usage, Times: d.times}
	if d.err != nil {
		return s, r.unread(ctx, s, d), false
	}
	s.Action = d.reply.Action
	e := r.perform(ctx, obs, d)
	if e.dropped {
		r.emit(ctx, Dropped{r.head(), s.Action, "the phone was in other hands since the screen was read"})
		return nil, nil, true
	}
	return s, r.conclude(ctx, s, obs, e), false
}

// overBudget says whether another step may begin.
func (r *Run) overBudget() *ending {
	o := &r.agent.opt
	switch spent := r.Result().Usage.Total; {
	case r.n >= o.MaxSteps:
		return &ending{status: StatusBudget, reason: fmt.Sprintf("all %d steps are used up", o.MaxSteps)}
	case o.MaxTokens > 0 && spent >= o.MaxTokens:
		return &ending{status: StatusBudget, reason: fmt.Sprintf("%d of %d tokens are used up", spent, o.MaxTokens)}
	}
	return nil
}

// compare tells the guards, and the model, whether the last action changed anything that can be seen.
func (r *Run) compare(obs *observation) {
	if r.last == nil {
		return
	}
	changed := obs.changedSince(r.last)
	r.guards.seen(changed)
	if r.touched && !changed {
		r.outcome += "; no visible change on the screen"
	}
	r.last = nil
}

// otherHands forgets what is known of the screen: somebody else has had the phone.
func (r *Run) otherHands(outcome string) {
	r.settled, r.last = nil, nil
	r.guards.fresh()
	if outcome != "" && len(r.conv.turns) > 0 {
		r.outcome = outcome
	}
}

// unread feeds a reply that could not be read back to the model.
func (r *Run) unread(ctx context.Context, s *Step, d *decision) *ending {
	s.Err = d.err
	s.Outcome = "your reply could not be read: " + d.err.Error()
	r.outcome = s.Outcome + "; answer with <think>...</think><answer>...</answer> and exactly one do(...) or finish(...)"
	r.conv.add(turn{r.info.short, clip(d.raw, longestUnread), fmt.Sprintf("%d. (a reply that could not be read)", s.N)})
	r.emit(ctx, Acted{r.head(), nil, s.Outcome, s.Err})
	r.logStep(ctx, s)
	if r.guards.unreadable() {
		return &ending{status: StatusIncomplete, reason: fmt.Sprintf("%d replies in a row could not be read; the last: %v", mostUnread, d.err), err: d.err}
	}
	return nil
}

// conclude takes an action and what became of it into the history.
func (r *Run) conclude(ctx context.Context, s *Step, obs *observation, e effect) *ending {
	verb := s.Action.Verb()
	s.Outcome, s.Err = e.outcome, e.err
	if rule := r.guards.after(verb, e.err != nil); e.end == nil {
		if rule.stuck != "" {
			e.end = &ending{status: StatusStuck, reason: rule.stuck, err: e.err}
		}
		if rule.remark != "" {
			s.Outcome += "; " + rule.remark
		}
	}
	r.outcome = fmt.Sprintf("%s: %s", verb, s.Outcome)
	reply := action.Reply{Thinking: clip(s.Thinking, longestThought), Action: s.Action}
	r.conv.add(turn{r.info.short, r.agent.opt.Dialect.FormatReply(reply), fmt.Sprintf("%d. %s: %s", s.N, s.Action, clip(s.Outcome, longestUnread))})
	if _, took := s.Action.(action.TakeOver); !took {
		r.last, r.touched = obs, e.touched
	}
	r.emit(ctx, Acted{r.head(), s.Action, s.Outcome, s.Err})
	r.logStep(ctx, s)
	return e.end
}

// logStep writes a line without typed text: neither that of the action nor what a person answered.
func (r *Run) logStep(ctx context.Context, s *Step) {
	attrs := []slog.Attr{slog.String("run", r.id), slog.Int("step", s.N), slog.String("app", s.App.ID), slog.Bool("ok", s.Err == nil)}
	if s.Action != nil {
		attrs = append(attrs, slog.String("action", action.Redacted(s.Action)))
	}
	if s.Err != nil {
		attrs = append(attrs, slog.String("err", loggable(s.Err)))
	}
	r.log.LogAttrs(ctx, slog.LevelInfo, "step", attrs...)
}

// loggable is an error without the words of a reply, which may be what is to be typed.
func loggable(err error) string {
	var syntax *action.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Sprintf("the reply could not be read, at byte %d", syntax.Offset)
	}
	return err.Error()
}

// endOf says how an error ends the run: by who interrupted it, and otherwise with status.
func (r *Run) endOf(ctx context.Context, err error, status Status) *ending {
	switch {
	case ctx.Err() != nil:
		return r.interrupted(ctx)
	case errors.Is(err, driver.ErrDenied):
		status = StatusDenied
	}
	return &ending{status: status, reason: err.Error(), err: err}
}

var (
	errStop = errors.New("Stop was called")
	errTime = errors.New("the time is used up")
)

// interrupted says who ended ctx.
func (r *Run) interrupted(ctx context.Context) *ending {
	cause := context.Cause(ctx)
	switch {
	case errors.Is(cause, errTime):
		return &ending{status: StatusBudget, reason: fmt.Sprintf("the %v are used up", r.agent.opt.MaxTime)}
	case errors.Is(cause, errStop):
		return &ending{status: StatusStopped, reason: cause.Error()}
	}
	return &ending{status: StatusStopped, reason: "the context ended: " + cause.Error(), err: ctx.Err()}
}
