package agent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/handset-go/handset/action"
	"github.com/handset-go/handset/policy"
	"github.com/handset-go/handset/timing"
)

// Mode says what the model is shown of a screen.
type Mode string

// The modes.
const (
	Pixels Mode = "pixels" // a frame with every step: what AutoGLM was trained on
	Tree   Mode = "tree"   // rows of text, and a frame where the model asks with Look
)

// Options shape an Agent. The zero value is the default of each.
type Options struct {
	Mode    Mode            // "" is Pixels
	Dialect *action.Dialect // the model's language; nil is action.AutoGLM()
	Lang    action.Lang     // of the prompt; "" is Chinese for a task with Chinese characters, else English
	// SystemPrompt replaces the prompt of the dialect.
	SystemPrompt string
	// Verbs are what the prompt offers; none is those of the AutoGLM protocol in Pixels, all in Tree.
	Verbs []action.Verb
	// Timing is every wait; nil is timing.FromEnv(os.LookupEnv).
	Timing *timing.Timing
	// ImageWidth is how wide, in pixels, a frame is sent at most; 0 sends it as the phone gave it.
	ImageWidth int

	MaxSteps  int           // 0 is 100
	MaxTime   time.Duration // of the run, without pauses and without waiting for a person; 0 is no limit
	MaxTokens int           // of all requests together; 0 is no limit
	// ContextTokens is what the model holds, the reply included; 0 is 25480, AutoGLM's.
	ContextTokens int
	// ReplyTokens is how much of it is kept free for the reply; 0 is 3000.
	ReplyTokens int

	// Gate judges every gesture. nil is policy.New with Confirm; with a Gate, Confirm must be nil, and a pause
	// waits for the answer to the gate's question.
	Gate *policy.Gate
	// Confirm answers whether a sensitive step may be done. Unset is no.
	Confirm func(ctx context.Context, r *policy.Request) (policy.Answer, error)
	// Blind is what the agent's own gate says of a gesture for which the phone gives no tree to judge it on; see
	// policy.Options.
	Blind policy.Verdict
	// TakeOver lets a person do something by hand, such as a login, and returns when they are done; the
	// text is told to the model. Unset, and after an error, a take-over ends the run.
	TakeOver func(ctx context.Context, q *Question) (string, error)
	// Ask answers a question of the model. Unset, the model is told that nobody is there.
	Ask func(ctx context.Context, q *Question) (string, error)
	// CallAPI does what a Call_API instruction says with the notes. Unset, the model itself is asked, once
	// and with text only.
	CallAPI func(ctx context.Context, c *APICall) (string, error)
	// Verify checks a finish. Unset, the model is believed.
	Verify func(ctx context.Context, c *Claim) (Verdict, error)
	// CallbackLimit is how long each of the callbacks above may take; 0 is 10 minutes.
	CallbackLimit time.Duration

	// Events is called for everything that happens, in order, and the run waits for it. It may call Stop, and
	// Pause.
	Events func(ctx context.Context, e Event)
	// Logger gets a line for each step, without typed text; nil is none.
	Logger *slog.Logger
}

// Careful returns options with tight budgets: 24 steps and 600 s.
func Careful() *Options { return &Options{MaxSteps: 24, MaxTime: 600 * time.Second} }

const (
	defaultMaxSteps      = 100
	defaultContextTokens = 25480
	defaultReplyTokens   = 3000
	defaultCallbackLimit = 10 * time.Minute
)

// withDefaults returns a copy of o with the defaults put in, or what contradicts itself in o.
func (o *Options) withDefaults() (Options, error) {
	var opt Options
	if o != nil {
		opt = *o
	}
	opt.Verbs = slices.Clone(opt.Verbs)
	if opt.Dialect == nil {
		d := action.AutoGLM()
		opt.Dialect = &d
	}
	opt.Mode = orDefault(opt.Mode, Pixels)
	opt.MaxSteps = orDefault(opt.MaxSteps, defaultMaxSteps)
	opt.ContextTokens = orDefault(opt.ContextTokens, defaultContextTokens)
	opt.ReplyTokens = orDefault(opt.ReplyTokens, defaultReplyTokens)
	opt.CallbackLimit = orDefault(opt.CallbackLimit, defaultCallbackLimit)
	opt.Logger = orDefault(opt.Logger, slog.New(slog.DiscardHandler))
	if opt.Verbs == nil && opt.Mode == Pixels {
		opt.Verbs = action.ProtocolVerbs()
	}
	if opt.Timing == nil {
		t, err := timing.FromEnv(os.LookupEnv)
		if err != nil {
			return opt, err
		}
		opt.Timing = &t
	}
	return opt, opt.check()
}

func orDefault[T comparable](v, standard T) T {
	var zero T
	if v == zero {
		return standard
	}
	return v
}

func (o *Options) check() error {
	switch {
	case o.Mode != Pixels && o.Mode != Tree:
		return fmt.Errorf("unknown mode %q: want %s or %s", o.Mode, Pixels, Tree)
	case o.Gate != nil && (o.Confirm != nil || o.Blind != policy.Pass):
		return errors.New("both Gate and Confirm, or Blind, are set: give them to policy.New")
	case min(o.MaxSteps, o.MaxTokens, o.ContextTokens, o.ReplyTokens, o.ImageWidth) < 0 || min(o.MaxTime, o.CallbackLimit) < 0:
		return errors.New("a limit is negative: 0 is its default")
	case o.ReplyTokens >= o.ContextTokens:
		return fmt.Errorf("ReplyTokens %d leave nothing of ContextTokens %d for the question", o.ReplyTokens, o.ContextTokens)
	case o.Dialect.Parse == nil || o.Dialect.FormatReply == nil || o.Dialect.NewSplitter == nil || o.Dialect.SystemPrompt == nil:
		return fmt.Errorf("the dialect %q lacks a function", o.Dialect.Name)
	}
	for _, v := range o.Verbs {
		if !slices.Contains(action.Verbs(), v) {
			return fmt.Errorf("unknown verb %q in Verbs: the known ones are %v", v, action.Verbs())
		}
	}
	return nil
}
