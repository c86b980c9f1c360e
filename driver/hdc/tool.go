package hdc

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/handset-go/handset/internal/cmdrun"
)

// maxOutput bounds what one call of the tool may print.
const maxOutput = 96 << 20

// tool is an hdc program with the server that it talks to.
type tool struct {
	path   string
	server string // of -s, "" for the tool's own choice
	first  *firstCall
}

func newTool(ctx context.Context, o Options) (*tool, error) {
	path, err := findTool(o.Tool)
	if err != nil {
		return nil, err
	}
	t := &tool{path: path}
	if o.Server != "" {
		if t.server, err = serverArg(ctx, o.Server); err != nil {
			return nil, err
		}
	}
	t.first = firstCallOf(t.path + " -s " + t.server)
	return t, nil
}

// firstCall keeps the first call to a server alone: of several that find none running, one or two lose 12 s and
// fail (hdc 3.2.0f).
type firstCall struct {
	gate chan struct{} // holds a token while the first call is under way

	mu sync.Mutex
	up bool
}

var firstCalls = struct {
	sync.Mutex
	of map[string]*firstCall
}{of: map[string]*firstCall{}}

func firstCallOf(server string) *firstCall {
	firstCalls.Lock()
	defer firstCalls.Unlock()
	f := firstCalls.of[server]
	if f == nil {
		f = &firstCall{gate: make(chan struct{}, 1)}
		firstCalls.of[server] = f
	}
	return f
}

func (f *firstCall) isUp() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.up
}

func (f *firstCall) setUp(up bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.up = up
}

// ready has a server running before anything else is asked of it: `list targets` starts one.
func (t *tool) ready(ctx context.Context) error {
	if t.first.isUp() {
		return nil
	}
	select {
	case t.first.gate <- struct{}{}:
		defer func() { <-t.first.gate }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if t.first.isUp() {
		return nil
	}
	r, err := t.start(ctx, cmdrun.Command{Args: []string{"list", "targets"}})
	if err != nil {
		return err
	}
	if err := serverless(r); err != nil {
		return err
	}
	t.first.setUp(true)
	return nil
}

// run runs the tool to its end. The result is what it printed; its exit status is 0 whatever happened.
func (t *tool) run(ctx context.Context, args ...string) (*cmdrun.Result, error) {
	return t.runTo(ctx, nil, args...)
}

// runTo is run with the tool's output going to a writer, where that is not nil.
func (t *tool) runTo(ctx context.Context, out io.Writer, args ...string) (*cmdrun.Result, error) {
	if err := t.ready(ctx); err != nil {
		return nil, err
	}
	r, err := t.start(ctx, cmdrun.Command{Args: args, Stdout: out})
	if err != nil {
		return r, err
	}
	if err := serverless(r); err != nil {
		t.first.setUp(false) // it is gone: the next call starts one, alone
		return r, err
	}
	return r, nil
}

// start runs the tool. A cancel kills the client only: the server that it may have started is everybody's.
func (t *tool) start(ctx context.Context, c cmdrun.Command) (*cmdrun.Result, error) {
	for _, a := range c.Args {
		if strings.ContainsRune(a, 0) {
			return nil, fmt.Errorf("an argument of hdc cannot hold a NUL byte")
		}
	}
	c.Path, c.MaxOutput, c.Alone = t.path, maxOutput, true
	if t.server != "" {
		c.Args = append([]string{"-s", t.server}, c.Args...)
	}
	r, err := cmdrun.Run(ctx, c)
	if err != nil && r == nil && ctx.Err() == nil {
		return nil, &failure{text: err.Error(), is: ErrNoTool, cure: cureNoTool, refused: true}
	}
	if err == nil && r.Code < 0 {
		return r, fmt.Errorf("hdc was killed by a signal: %s", complaint(r.Complaint()))
	}
	return r, err
}
