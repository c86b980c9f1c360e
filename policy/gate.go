package policy

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/handset-go/handset/driver"
)

// Options shape a Gate. The zero value is the default of each.
type Options struct {
	// Confirm answers a question about one call. It runs in a goroutine of its own. Unset, every
	// question is answered with no.
	Confirm func(ctx context.Context, r *Request) (Answer, error)
	// ConfirmLimit is how long an answer may take; 0 is 5 minutes. No answer by then is a no.
	ConfirmLimit time.Duration
	// Rules are asked before the built-in ones; the first that has an opinion decides. None of them
	// can turn off the question that a model's own warning raises.
	Rules []Rule
	// Ops is the verdict on whole operations, whatever they do; Pass leaves it to the rules.
	Ops map[driver.Op]Verdict
	// DenyApps are ids of apps that are neither launched nor touched; a "*" at the end stands for any
	// rest. Back, Home and Recents lead out of them.
	DenyApps []string
	// Blind is the verdict on a gesture, or on text, for which the phone gives no tree to judge on, as it happens on
	// pages that never come to rest. Pass, the default, leaves it to the rules that need none.
	Blind Verdict
	// MaxAge is how old a tree may be to be judged on; 0 is 10 s.
	MaxAge time.Duration
	// TreeLimit is how long the gate waits for a tree; 0 is 8 s.
	TreeLimit time.Duration
	// Logger gets each decision, without typed text; nil is none.
	Logger *slog.Logger
}

const (
	defaultConfirmLimit = 5 * time.Minute
	defaultMaxAge       = 10 * time.Second
	defaultTreeLimit    = 8 * time.Second
)

// Gate judges calls. It may guard several drivers and is safe for concurrent use.
type Gate struct {
	opt Options

	mu     sync.Mutex
	always map[standing]bool
}

// standing is what a person has allowed once for all.
type standing struct{ device, rule, app, label string }

// New returns a gate. A nil Options is the default.
func New(o *Options) *Gate {
	g := &Gate{always: map[standing]bool{}}
	if o != nil {
		g.opt = *o
		g.opt.Rules, g.opt.DenyApps, g.opt.Ops = slices.Clone(o.Rules), slices.Clone(o.DenyApps), maps.Clone(o.Ops)
	}
	if g.opt.ConfirmLimit <= 0 {
		g.opt.ConfirmLimit = defaultConfirmLimit
	}
	if g.opt.MaxAge <= 0 {
		g.opt.MaxAge = defaultMaxAge
	}
	if g.opt.TreeLimit <= 0 {
		g.opt.TreeLimit = defaultTreeLimit
	}
	if g.opt.Logger == nil {
		g.opt.Logger = slog.New(slog.DiscardHandler)
	}
	return g
}

// Guard returns d behind the gate. A call that passes two guards of the same gate is judged once.
func (g *Gate) Guard(d driver.Driver) driver.Driver {
	w := &guard{gate: g, inner: d}
	return driver.Wrap(d, w.around)
}

func (g *Gate) isStanding(s standing) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.always[s]
}

func (g *Gate) allowAlways(s standing) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.always[s] = true
}
