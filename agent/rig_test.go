package agent_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/handset-go/handset/action"
	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/perception"
	"github.com/handset-go/handset/timing"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// script is a model that says its lines one after the other, and keeps what it was asked.
type script struct {
	lines []any // string, func(*agent.Request) string, *agent.Response or error

	mu    sync.Mutex
	asked []*agent.Request
}

func (s *script) Reply(ctx context.Context, r *agent.Request, delta func(agent.Delta)) (*agent.Response, error) {
	s.mu.Lock()
	n := len(s.asked)
	s.asked = append(s.asked, r)
	s.mu.Unlock()
	if n >= len(s.lines) {
		return nil, fmt.Errorf("the script has only %d lines", len(s.lines))
	}
	switch line := s.lines[n].(type) {
	case string:
		return say(line, delta), ctx.Err()
	case func(*agent.Request) string:
		return say(line(r), delta), ctx.Err()
	case *agent.Response:
		return line, nil
	case error:
		return nil, line
	}
	panic("a line of another kind")
}

func say(text string, delta func(agent.Delta)) *agent.Response {
	for i := 0; i < len(text) && delta != nil; i += 7 {
		delta(agent.Delta{Text: text[i:min(i+7, len(text))]})
	}
	return &agent.Response{Text: text, Finish: "stop"}
}

// text is the last message of the n-th request.
func (s *script) text(n int) string {
	m := s.asked[n].Messages
	return m[len(m)-1].Text
}

func do(call string) string { return "<think>so</think>\n<answer>" + call + "</answer>" }

// rig is an agent on a simulated phone.
type rig struct {
	phone  *sim.Phone
	driver *sim.Driver
	model  *script
	agent  *agent.Agent
}

var noWaits = timing.Timing{}

func newRig(t *testing.T, o agent.Options, lines ...any) *rig {
	t.Helper()
	return rigOn(t, sim.New(nil), nil, o, lines...)
}

func rigOn(t *testing.T, p *sim.Phone, d *sim.DriverOptions, o agent.Options, lines ...any) *rig {
	t.Helper()
	r := &rig{phone: p, driver: sim.Open(p, d), model: &script{lines: lines}}
	t.Cleanup(func() { require.NoError(t, r.driver.Close()) })
	if o.Timing == nil {
		o.Timing = &noWaits
	}
	var err error
	r.agent, err = agent.New(r.driver, r.model, &o)
	require.NoError(t, err)
	return r
}

func (r *rig) run(t *testing.T, task string) (*agent.Result, error) {
	t.Helper()
	return r.agent.Run(t.Context(), task)
}

// at is the point, as a model writes it, of the thing with a label.
func (r *rig) at(label string) string {
	tree := r.phone.Tree()
	for _, row := range perception.Render(tree, nil).Rows {
		if strings.HasPrefix(row.Label, label) {
			return fmt.Sprintf("[%d,%d]", row.Mil.X, row.Mil.Y)
		}
	}
	panic("nothing on the screen is called " + label + ":\n" + perception.Render(tree, nil).String())
}

// tap is a line of a script: a tap on what then has the label.
func (r *rig) tap(label string) func(*agent.Request) string {
	return func(*agent.Request) string { return do(`do(action="Tap", element=` + r.at(label) + `)`) }
}

// byHand touches the phone as a person does.
func (r *rig) byHand(label string) {
	n := r.phone.Tree().Find(driver.Contains(label))
	r.phone.Tap(n.Center())
}

func verbs(res *agent.Result) []string {
	var all []string
	for _, s := range res.Steps {
		if s.Action == nil {
			all = append(all, "?")
			continue
		}
		all = append(all, string(s.Action.Verb()))
	}
	return all
}

func count(p *sim.Phone, event string) int { return len(p.Events(event)) }

var _ action.Action = action.Back{}
