package agent

import (
	"fmt"
	"time"

	"github.com/handset-go/handset/action"
	"github.com/handset-go/handset/driver"
)

// Status is how a run ended.
type Status string

// The ends of a run. The error of a run is nil for the first two only.
const (
	StatusDone           Status = "done"            // nothing that was set up to check it said no
	StatusDoneUnverified Status = "done-unverified" // Verify could not tell
	StatusIncomplete     Status = "incomplete"      // the model wrote what cannot be read, or Verify said no to the end
	StatusInfeasible     Status = "infeasible"      // it needs what there is not, such as a person
	StatusStuck          Status = "stuck"           // the same over and over, with no effect
	StatusDenied         Status = "denied"          // by the policy, or by a person
	StatusBudget         Status = "budget"          // steps, time or tokens are used up
	StatusStopped        Status = "stopped"         // by Stop, by the caller's context, or by leaving the loop
	StatusDevice         Status = "device"          // the phone cannot be used
	StatusModel          Status = "model"           // the model cannot be asked
)

// Done says that the task counts as done.
func (s Status) Done() bool { return s == StatusDone || s == StatusDoneUnverified }

// Result is what became of a run. It holds no frames.
type Result struct {
	Status   Status // "" while the run goes on
	Message  string // the model's last word to the person
	Reason   string // why it ended so, where that is not done
	Verified bool   // Verify said yes
	Steps    []Step
	Usage    Usage // of all requests; estimated where the endpoint does not count
	Answers  []Answer
	Notes    []Note
	Duration time.Duration // without pauses
}

// Step is one action of a run.
type Step struct {
	N        int        // from 1
	App      driver.App // in front when it was decided
	Thinking string
	Action   action.Action // nil where the reply could not be read
	Outcome  string        // as the model is told
	Err      error         // why it was not done, nil where it was
	Usage    Usage
	Times    Times
}

// Answer is what came back for a Call_API or an Interact.
type Answer struct {
	Step     int
	Question string
	Text     string
}

// EndError is the error of a run that is not done.
type EndError struct {
	Status Status
	Steps  int
	Reason string
	Err    error // the cause, may be nil
}

// Error says how and why the run ended.
func (e *EndError) Error() string {
	return fmt.Sprintf("the run ended as %s after %d steps: %s", e.Status, e.Steps, e.Reason)
}

// Unwrap returns the cause.
func (e *EndError) Unwrap() error { return e.Err }

// ending is how a run ends.
type ending struct {
	status   Status
	message  string
	reason   string
	verified bool
	err      error
}
