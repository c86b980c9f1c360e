package agent

import (
	"context"
	"time"

	"github.com/handset-go/handset/action"
	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/perception"
)

// Event is something that happened in a run. It is one of the types of this file.
type Event interface{ Place() Head }

// Head is where and when an event happened.
type Head struct {
	Run  string
	Step int // 0 before the first
	At   time.Time
}

// Place returns the head itself.
func (h Head) Place() Head { return h }

// The events, in the order of a step.
type (
	// RunStarted is the first event.
	RunStarted struct {
		Head
		Task, Device string
		Mode         Mode
	}
	// StepStarted comes before the phone is looked at.
	StepStarted struct{ Head }
	// Observed is what the model will see. Screen or Rows is nil where it does not see one.
	Observed struct {
		Head
		App    driver.App
		Screen *driver.Screen
		Rows   *perception.Snapshot
		Note   string // what is odd about it, such as a page that the system protects
	}
	// ThinkingDelta is a piece of what the model thinks, as it arrives.
	ThinkingDelta struct {
		Head
		Text string
	}
	// ActionDelta is a piece of what the model asks for, as it arrives.
	ActionDelta struct {
		Head
		Text string
	}
	// Decided is the whole reply. Action is nil, and Err says why, where it could not be read.
	Decided struct {
		Head
		Thinking string
		Action   action.Action
		Err      error
		Usage    Usage
		Times    Times
	}
	// Asked says that a person is asked. Kind is one of AskConfirm, AskTakeOver and AskQuestion.
	Asked struct {
		Head
		Kind, Message string
	}
	// Answered is what the person said.
	Answered struct {
		Head
		Kind    string
		Allowed bool
		Text    string
		Err     error
	}
	// Dropped says that an action was not done because the phone was in other hands meanwhile.
	Dropped struct {
		Head
		Action action.Action
		Why    string
	}
	// Acted is what became of the action.
	Acted struct {
		Head
		Action  action.Action // nil where the reply could not be read
		Outcome string
		Err     error
	}
	// Paused and Resumed frame the time in which the run waits for Resume.
	Paused  struct{ Head }
	Resumed struct{ Head }
	// RunEnded is the last event.
	RunEnded struct {
		Head
		Result *Result
		Err    error
	}
)

// The kinds of Asked and Answered.
const (
	AskConfirm  = "confirm"   // whether a step may be done
	AskTakeOver = "take over" // to do something by hand
	AskQuestion = "question"  // what the model wants to know
)

type placeKey struct{}

// Place returns the run and the step that ctx belongs to. Drivers, models and callbacks get such a
// context.
func Place(ctx context.Context) (run string, step int, ok bool) {
	h, ok := ctx.Value(placeKey{}).(Head)
	return h.Run, h.Step, ok
}

type runKey struct{}

// place returns ctx with the run and its step in it.
func (r *Run) place(ctx context.Context) context.Context {
	return context.WithValue(context.WithValue(ctx, placeKey{}, r.head()), runKey{}, r)
}

func (r *Run) head() Head { return Head{Run: r.id, Step: r.n, At: time.Now()} }

// emit hands an event on and waits until it has been taken.
func (r *Run) emit(ctx context.Context, e Event) {
	if r.agent.opt.Events == nil {
		return
	}
	r.emitting.Lock()
	defer r.emitting.Unlock()
	r.agent.opt.Events(ctx, e)
}
