package agent

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/policy"
)

var (
	// ErrBusy is returned for a run on an agent that has one going.
	ErrBusy = errors.New("the agent is busy with another run")
	// ErrRunUsed is returned for a second use of a Run: make another one.
	ErrRunUsed = errors.New("this run has been used")
	// ErrNoTask is returned for a run whose task is empty. Nothing was asked of the phone or of the model.
	ErrNoTask = errors.New("the task is empty: say what is to be done")
)

// Agent does tasks on one phone with one model, one after the other.
type Agent struct {
	d     driver.Driver // behind the gate
	model Model
	opt   Options
	busy  atomic.Bool
}

// New makes an agent. A nil Options is the default. The driver stays the caller's to close.
func New(d driver.Driver, m Model, o *Options) (*Agent, error) {
	if d == nil || m == nil {
		return nil, errors.New("an agent needs a driver and a model")
	}
	opt, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if opt.Gate == nil {
		opt.Gate = policy.New(&policy.Options{
			Confirm: confirmIn(opt.Confirm), ConfirmLimit: opt.CallbackLimit, Blind: opt.Blind, Logger: opt.Logger,
		})
	}
	return &Agent{d: opt.Gate.Guard(d), model: m, opt: opt}, nil
}

// Run does a task. The error is nil only if the result says that it is done.
func (a *Agent) Run(ctx context.Context, task string) (*Result, error) {
	run := a.NewRun(task)
	for _, err := range run.Steps(ctx) {
		if err != nil {
			return run.Result(), err
		}
	}
	return run.Result(), nil
}

// confirmIn puts the events and the pauses of the run around a Confirm. nil stays nil, which is a no.
func confirmIn(confirm func(context.Context, *policy.Request) (policy.Answer, error)) func(context.Context, *policy.Request) (policy.Answer, error) {
	if confirm == nil {
		return nil
	}
	return func(ctx context.Context, q *policy.Request) (policy.Answer, error) {
		r, ok := ctx.Value(runKey{}).(*Run)
		if !ok {
			return confirm(ctx, q)
		}
		return r.confirm(ctx, q, confirm)
	}
}

// confirm asks while the run has no hand on the phone. If the run was paused meanwhile, what was asked for
// is no longer to be done.
func (r *Run) confirm(ctx context.Context, q *policy.Request, ask func(context.Context, *policy.Request) (policy.Answer, error)) (policy.Answer, error) {
	r.clock.hold()
	defer r.clock.release()
	epoch := r.ctl.lend()
	r.asking.Store(true)
	r.emit(ctx, Asked{r.head(), AskConfirm, q.Why})
	answer, err := ask(ctx, q)
	same := r.ctl.takeBack(epoch)
	if ctx.Err() != nil {
		return policy.Answer{}, ctx.Err() // nobody waits any more
	}
	r.answered(ctx, answer.Allow && err == nil, answer.Note, err)
	if !same {
		return policy.Answer{}, errInterrupted
	}
	return answer, err
}

// answered reports what came of a Confirm, once: of a question that was left in the air the run itself tells.
func (r *Run) answered(ctx context.Context, allowed bool, note string, err error) {
	if r.asking.CompareAndSwap(true, false) {
		r.emit(ctx, Answered{r.head(), AskConfirm, allowed, note, err})
	}
}
