package agent

import (
	"context"
	"crypto/rand"
	"iter"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/handset-go/handset/action"
	"github.com/handset-go/handset/driver"
)

// Run is one task. Its methods may be called from any goroutine; Steps, once.
type Run struct {
	agent *Agent
	id    string
	task  string
	log   *slog.Logger

	ctl      *control
	clock    *stopwatch
	used     atomic.Bool
	emitting sync.Mutex
	asking   atomic.Bool // a Confirm that has not been answered

	mu      sync.Mutex
	res     Result
	err     error
	stopped bool
	cancel  context.CancelCauseFunc // of Steps, once that has begun

	// What follows belongs to the goroutine of Steps.
	n            int // the step
	device       string
	conv         conversation
	guards       guards
	info         screenInfo     // of the present screen
	outcome      string         // of the last action, for the model
	last         *observation   // that the last action was decided on
	touched      bool           // the last action may have changed the screen
	settled      *driver.Screen // the frame at which the screen came to rest, if nothing was done since
	epoch        int            // of the control, at the last observation
	look         bool           // the model asked for a picture
	ahead        *ahead
	previewFails int
	refusals     int // of Verify
}

// NewRun makes the run of a task. It does nothing before Steps.
func (a *Agent) NewRun(task string) *Run {
	return &Run{agent: a, id: rand.Text()[:8], task: task, log: a.opt.Logger, ctl: newControl(), clock: &stopwatch{}}
}

// ID names the run in events and logs.
func (r *Run) ID() string { return r.id }

// Steps does the task step by step, in the caller's goroutine. Each step comes with a nil error; a run that is
// not done ends with a nil step and the error, an *EndError. Leaving the loop stops the run. A second use of
// the run is ErrRunUsed, one beside another run of the agent ErrBusy, and one without a task ErrNoTask.
func (r *Run) Steps(ctx context.Context) iter.Seq2[*Step, error] {
	return func(yield func(*Step, error) bool) {
		ctx, leave, err := r.begin(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		defer leave()
		for {
			s, end := r.step(ctx)
			if s != nil {
				r.record(s)
				if end != nil {
					r.close(ctx, end)
				}
				if !yield(s, nil) {
					r.close(ctx, &ending{status: StatusStopped, reason: "the caller left the loop"})
					return
				}
			}
			if end != nil {
				r.close(ctx, end)
				if err := r.Err(); err != nil {
					yield(nil, err)
				}
				return
			}
		}
	}
}

// begin takes the agent and prepares the run. leave gives it back, also after a panic in the caller's loop.
func (r *Run) begin(ctx context.Context) (in context.Context, leave func(), err error) {
	if strings.TrimSpace(r.task) == "" {
		return nil, nil, ErrNoTask
	}
	if !r.used.CompareAndSwap(false, true) {
		return nil, nil, ErrRunUsed
	}
	if !r.agent.busy.CompareAndSwap(false, true) {
		r.used.Store(false)
		return nil, nil, ErrBusy
	}
	ctx, cancel := context.WithCancelCause(ctx)
	r.stopWith(cancel)
	r.clock.start(r.agent.opt.MaxTime, func() { cancel(errTime) })
	r.prepare(ctx)
	return ctx, func() {
		r.close(ctx, &ending{status: StatusStopped, reason: "the caller's loop panicked"})
		cancel(nil)
		r.agent.busy.Store(false)
	}, nil
}

const describeLimit = 5 * time.Second

// prepare learns what the phone says of itself and writes the system prompt.
func (r *Run) prepare(ctx context.Context) {
	limited, cancel := context.WithTimeout(ctx, describeLimit)
	defer cancel()
	r.device = "phone"
	platform := ""
	desc, err := driver.Describe(limited, r.agent.d)
	switch {
	case err != nil && ctx.Err() == nil:
		r.log.WarnContext(ctx, "the phone does not describe itself", slog.Any("err", err))
	case err == nil:
		r.device, platform = orDefault(desc.Address, r.device), platformNames[desc.Platform]
	}
	o := &r.agent.opt
	r.conv = conversation{task: r.task, room: o.ContextTokens - o.ReplyTokens, system: o.SystemPrompt}
	if r.conv.system == "" {
		r.conv.system = o.Dialect.SystemPrompt(action.Prompt{
			Lang: orDefault(o.Lang, langOf(r.task)), Date: time.Now(), Platform: platform, Rows: o.Mode == Tree, Verbs: o.Verbs,
		})
	}
	r.emit(ctx, RunStarted{r.head(), r.task, r.device, o.Mode})
	r.log.InfoContext(ctx, "run", slog.String("run", r.id), slog.String("device", r.device), slog.String("mode", string(o.Mode)))
}

// platformNames are the names that people and models know the platforms by.
var platformNames = map[string]string{"android": "Android", "harmony": "HarmonyOS", "ios": "iOS"}

func langOf(task string) action.Lang {
	for _, c := range task {
		if unicode.Is(unicode.Han, c) {
			return action.Chinese
		}
	}
	return action.English
}

func (r *Run) record(s *Step) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.res.Steps = append(r.res.Steps, *s)
}

func (r *Run) addAnswer(question, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.res.Answers = append(r.res.Answers, Answer{r.n, question, text})
}

// close ends the run, once.
func (r *Run) close(ctx context.Context, end *ending) {
	r.clock.stop()
	r.mu.Lock()
	if r.res.Status != "" {
		r.mu.Unlock()
		return
	}
	r.res.Status, r.res.Message, r.res.Reason, r.res.Verified = end.status, end.message, end.reason, end.verified
	if !end.status.Done() {
		r.err = &EndError{end.status, len(r.res.Steps), end.reason, end.err}
	}
	r.mu.Unlock()
	res := r.Result()
	r.log.InfoContext(ctx, "run ended", slog.String("run", r.id), slog.String("status", string(end.status)), slog.Int("steps", len(res.Steps)))
	r.emit(context.WithoutCancel(ctx), RunEnded{r.head(), res, r.Err()})
}

// Result returns what is known of the run so far; after its end, all. It is a copy and never nil.
func (r *Run) Result() *Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	res := r.res
	res.Steps, res.Answers, res.Notes = slices.Clone(res.Steps), slices.Clone(res.Answers), slices.Clone(res.Notes)
	res.Duration = r.clock.elapsed()
	return &res
}

// Err returns the error that the run ended with, nil for one that is done or goes on.
func (r *Run) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Pause keeps the run from the phone until Resume, and returns when nothing of it will touch the phone any
// more. An action that was decided before is dropped. An error is ctx's; the run is paused then too.
func (r *Run) Pause(ctx context.Context) error { return r.ctl.pause(ctx, r.clock.hold) }

// Resume lets the run go on, with a new look at the phone.
func (r *Run) Resume() { r.ctl.resume(r.clock.release) }

// Stop ends the run: nothing is begun any more. It does not wait; Steps and Agent.Run return soon after.
func (r *Run) Stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopped = true
	if r.cancel != nil {
		r.cancel(errStop)
	}
}

// stopWith makes cancel what Stop calls, or has called.
func (r *Run) stopWith(cancel context.CancelCauseFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cancel = cancel
	if r.stopped {
		cancel(errStop)
	}
}
