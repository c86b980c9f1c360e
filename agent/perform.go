package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/handset-go/handset/action"
	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/policy"
)

// effect is what became of an action.
type effect struct {
	outcome string // told to the model
	err     error  // why it was not done
	dropped bool   // the phone was in other hands: decide anew
	touched bool   // the screen may have changed
	end     *ending
}

func failed(err error) effect { return effect{outcome: "failed: " + err.Error(), err: err} }

var errInterrupted = errors.New("the run was paused while the question stood")

// perform does what the model asked for.
func (r *Run) perform(ctx context.Context, obs *observation, d *decision) effect {
	if ctx.Err() != nil {
		return effect{outcome: "not done", end: r.interrupted(ctx)}
	}
	if !r.ctl.retake(obs.epoch) {
		return effect{dropped: true}
	}
	r.ctl.give()
	a := d.reply.Action
	rule := r.guards.before(obs.actionKey(a), a.Verb())
	if rule.stuck != "" {
		return effect{outcome: "not done", end: &ending{status: StatusStuck, reason: rule.stuck}}
	}
	if rule.refuse != "" {
		err := errors.New(rule.refuse)
		return effect{outcome: "not done: " + rule.refuse, err: err}
	}
	e := r.dispatch(ctx, obs, d)
	if rule.remark != "" && e.end == nil && !e.dropped {
		e.outcome += "; " + rule.remark
	}
	return e
}

func (r *Run) dispatch(ctx context.Context, obs *observation, d *decision) effect {
	switch a := d.reply.Action.(type) {
	case action.Finish:
		return r.finish(ctx, a)
	case action.Wait:
		return r.wait(ctx, a)
	case action.TakeOver:
		return r.takeOver(ctx, obs, a)
	case action.Interact:
		return r.interact(ctx, obs, a)
	case action.Note:
		return r.note(obs, d, a)
	case action.CallAPI:
		return r.callAPI(ctx, a)
	case action.Look:
		r.look = true
		return effect{outcome: "the picture comes with this message"}
	default:
		return r.gesture(ctx, obs, a)
	}
}

// gesture does an action that touches the phone, and waits until the screen has settled.
func (r *Run) gesture(ctx context.Context, obs *observation, a action.Action) effect {
	p, err := obs.plan(a)
	if err != nil {
		return failed(err)
	}
	if !r.ctl.retake(obs.epoch) {
		return effect{dropped: true}
	}
	r.settled = nil
	judged := policy.WithStep(ctx)
	if warning := action.Sensitive(a); warning != "" {
		judged = policy.WithReason(judged, warning)
	}
	err = p.do(judged, r.agent.d)
	r.ctl.give()
	r.endPreview()
	r.answered(ctx, false, "", err)
	if err != nil {
		return r.failure(ctx, err)
	}
	if err := r.await(ctx, p.kind); err != nil {
		return effect{end: r.interrupted(ctx)}
	}
	return effect{outcome: "done", touched: true}
}

// failure says what an error of the driver means: an end, a decision to be made anew, or something for the
// model to know.
func (r *Run) failure(ctx context.Context, err error) effect {
	switch {
	case ctx.Err() != nil:
		return effect{err: err, outcome: "interrupted", end: r.interrupted(ctx)}
	case errors.Is(err, errInterrupted):
		return effect{dropped: true}
	case errors.Is(err, driver.ErrDenied):
		return effect{err: err, outcome: "denied", end: &ending{status: StatusDenied, reason: err.Error(), err: err}}
	case errors.Is(err, driver.ErrAsleep):
		if driver.Wake(ctx, r.agent.d) == nil {
			return effect{err: err, outcome: "not done: the display was off, and has been switched on", touched: true}
		}
		return effect{err: err, outcome: "failed", end: deviceEnd(err)}
	case unusable(err):
		return effect{err: err, outcome: "failed", end: deviceEnd(err)}
	}
	e := failed(err)
	e.touched = driver.MaybeDone(err)
	return e
}

func deviceEnd(err error) *ending {
	return &ending{status: StatusDevice, reason: err.Error(), err: err}
}

// unusable says that a phone cannot be worked with until a person has done something about it.
func unusable(err error) bool {
	for _, e := range []error{
		driver.ErrNoDevice, driver.ErrUnauthorized, driver.ErrOffline, driver.ErrSessionLost, driver.ErrClosed,
		driver.ErrInputBlocked, driver.ErrLocked,
	} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

const (
	shortestWait = 100 * time.Millisecond
	longestWait  = 30 * time.Second
)

func (r *Run) wait(ctx context.Context, a action.Wait) effect {
	d := min(max(orDefault(a.Duration, time.Second), shortestWait), longestWait)
	r.settled = nil
	if err := r.rest(ctx, d); err != nil {
		return effect{outcome: "interrupted", end: r.interrupted(ctx)}
	}
	return effect{outcome: fmt.Sprintf("waited %v", d), touched: true}
}

func (r *Run) takeOver(ctx context.Context, obs *observation, a action.TakeOver) effect {
	message := orDefault(a.Message, "the model asks for a person")
	if r.agent.opt.TakeOver == nil {
		return effect{outcome: "not done", end: &ending{
			status: StatusInfeasible, reason: "a person is needed, and no TakeOver is set: " + message,
		}}
	}
	if !r.ctl.retake(obs.epoch) {
		return effect{dropped: true}
	}
	err := driver.Release(ctx, r.agent.d)
	r.ctl.give()
	if err != nil {
		return r.failure(ctx, fmt.Errorf("before the take-over: %w", err))
	}
	r.emit(ctx, Asked{r.head(), AskTakeOver, message})
	note, err := withPerson(ctx, r, func(ctx context.Context) (string, error) {
		return r.agent.opt.TakeOver(ctx, r.question(obs, message))
	})
	r.emit(ctx, Answered{r.head(), AskTakeOver, err == nil, note, err})
	switch {
	case ctx.Err() != nil:
		return effect{outcome: "interrupted", end: r.interrupted(ctx)}
	case err != nil:
		return effect{err: err, outcome: "refused", end: &ending{status: StatusDenied, reason: "no take-over: " + err.Error(), err: err}}
	}
	r.otherHands("")
	outcome := "a person has taken over and given the phone back; this is the screen now"
	if note != "" {
		outcome += "; they say: " + clip(note, longestAnswer)
	}
	return effect{outcome: outcome}
}

// nobody is the answer where there is no one to ask.
const nobody = "nobody can answer: choose what is safest and can be undone, or finish and say what must be decided"

func (r *Run) interact(ctx context.Context, obs *observation, a action.Interact) effect {
	if r.agent.opt.Ask == nil {
		return effect{outcome: nobody, err: errors.New("no Ask is set")}
	}
	q := r.question(obs, a.Message)
	r.emit(ctx, Asked{r.head(), AskQuestion, q.Message})
	text, err := withPerson(ctx, r, func(ctx context.Context) (string, error) { return r.agent.opt.Ask(ctx, q) })
	r.emit(ctx, Answered{r.head(), AskQuestion, err == nil, text, err})
	switch {
	case ctx.Err() != nil:
		return effect{outcome: "interrupted", end: r.interrupted(ctx)}
	case err != nil:
		return effect{err: err, outcome: nobody}
	}
	r.addAnswer(q.Message, text)
	return effect{outcome: "the person answers: " + clip(text, longestAnswer)}
}

func (r *Run) note(obs *observation, d *decision, a action.Note) effect {
	n := Note{Step: r.n, App: obs.app, Screen: obs.readable(r.ahead.known(), d.reply.Thinking)}
	if !strings.EqualFold(strings.TrimSpace(a.Message), "true") {
		n.Message = a.Message
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.res.Notes = append(r.res.Notes, n)
	return effect{outcome: fmt.Sprintf("noted; there are %d notes", len(r.res.Notes))}
}

func (r *Run) finish(ctx context.Context, a action.Finish) effect {
	if a.Infeasible {
		reason := "the model says that it cannot be done: " + orDefault(a.Message, "no reason given")
		return effect{outcome: "finished", end: &ending{status: StatusInfeasible, message: a.Message, reason: reason}}
	}
	if r.agent.opt.Verify == nil {
		return effect{outcome: "finished", end: &ending{status: StatusDone, message: a.Message}}
	}
	claim := &Claim{Device: r.device, Run: r.id, Step: r.n, Task: r.task, Message: a.Message, Driver: r.agent.d}
	v, err := within(ctx, r.agent.opt.CallbackLimit, func(ctx context.Context) (Verdict, error) { return r.agent.opt.Verify(ctx, claim) })
	switch {
	case ctx.Err() != nil:
		return effect{outcome: "interrupted", end: r.interrupted(ctx)}
	case err != nil:
		return effect{outcome: "finished", end: &ending{status: StatusDoneUnverified, message: a.Message, reason: err.Error()}}
	case v.State == Confirmed:
		return effect{outcome: "finished", end: &ending{status: StatusDone, message: a.Message, verified: true}}
	case v.State == Unsure:
		return effect{outcome: "finished", end: &ending{status: StatusDoneUnverified, message: a.Message, reason: v.Reason}}
	}
	return r.refuted(a, v)
}

// mostRefuted is how often a finish may be refused until the run ends.
const mostRefuted = 2

func (r *Run) refuted(a action.Finish, v Verdict) effect {
	err := fmt.Errorf("a check says that the task is not done: %s", orDefault(v.Reason, "no reason given"))
	if r.refusals++; r.refusals > mostRefuted {
		return effect{err: err, outcome: "not done", end: &ending{status: StatusIncomplete, message: a.Message, reason: err.Error()}}
	}
	return effect{err: err, outcome: "not finished: " + err.Error()}
}
