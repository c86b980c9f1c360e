package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/handset-go/handset/driver"
)

// Question is what a model wants of a person.
type Question struct {
	Device  string // the address of the phone
	Run     string
	Step    int
	Task    string
	Message string        // the model's words; may be empty
	Screen  driver.App    // the app in front
	Limit   time.Duration // how long the answer may take
}

// APICall is what a Call_API action asks for.
type APICall struct {
	Device      string
	Run         string
	Step        int
	Task        string
	Instruction string
	Notes       []Note
}

// Note is what the model wanted kept of a page.
type Note struct {
	Step    int
	App     driver.App
	Message string // the model's words, "" where it had none but "True"
	Screen  string // the rows of the page, or what the model thought of it where there were none
}

// Claim is a finish that is to be checked.
type Claim struct {
	Device  string
	Run     string
	Step    int
	Task    string
	Message string        // of the finish
	Driver  driver.Driver // to look at the phone with; it passes the gate
}

// Verdict is what Verify says of a claim.
type Verdict struct {
	State  Verification
	Reason string // told to the model where State is Refuted, and put into the result where it is Unsure
}

// Verification is the outcome of a check.
type Verification int

// The outcomes. The zero value is Unsure.
const (
	Unsure Verification = iota
	Confirmed
	Refuted
)

var errNoAnswer = errors.New("no answer in time")

// within calls f in a goroutine of its own and waits for it at most limit, even if f ignores its context.
func within[T any](ctx context.Context, limit time.Duration, f func(context.Context) (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	in, cancel := context.WithCancel(ctx)
	defer cancel()
	got := make(chan result, 1)
	go func() {
		v, err := f(in)
		got <- result{v, err}
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	var zero T
	select {
	case r := <-got:
		if ctx.Err() != nil {
			return zero, ctx.Err()
		}
		return r.value, r.err
	case <-ctx.Done():
		return zero, ctx.Err()
	case <-timer.C:
		return zero, fmt.Errorf("%w (%v)", errNoAnswer, limit)
	}
}

// withPerson is within, while the wall clock of the run stands still.
func withPerson[T any](ctx context.Context, r *Run, f func(context.Context) (T, error)) (T, error) {
	r.clock.hold()
	defer r.clock.release()
	return within(ctx, r.agent.opt.CallbackLimit, f)
}

func (r *Run) question(obs *observation, message string) *Question {
	return &Question{
		Device: r.device, Run: r.id, Step: r.n, Task: r.task, Message: message, Screen: obs.app,
		Limit: r.agent.opt.CallbackLimit,
	}
}
