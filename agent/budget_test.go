package agent_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/timing"
)

// wanderer goes from app to app and never ends.
func wanderer(each func()) agent.ModelFunc {
	n := 0
	return func(ctx context.Context, _ *agent.Request, _ func(agent.Delta)) (*agent.Response, error) {
		if each != nil {
			each()
		}
		n++
		app := []string{"Settings", "Messages", "Clock"}[n%3]
		return &agent.Response{Text: `do(action="Launch", app="` + app + `")`, Usage: agent.Usage{Prompt: 900, Completion: 100, Total: 1000}}, ctx.Err()
	}
}

func runOn(t *testing.T, m agent.Model, o agent.Options) (*agent.Result, error) {
	t.Helper()
	d := sim.Open(sim.New(nil), nil)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	if o.Timing == nil {
		o.Timing = &noWaits
	}
	a, err := agent.New(d, m, &o)
	require.NoError(t, err)
	return a.Run(t.Context(), "x")
}

func TestBudgets(t *testing.T) {
	cases := []struct {
		name  string
		opt   agent.Options
		each  func()
		steps int
	}{
		{"steps", agent.Options{MaxSteps: 5}, nil, 5},
		{"tokens", agent.Options{MaxTokens: 3500}, nil, 4},
		{"time", agent.Options{MaxTime: time.Minute}, func() { time.Sleep(25 * time.Second) }, 2},
		{"careful", *agent.Careful(), nil, 24},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			inVirtualTime(t, func(t *testing.T) {
				res, err := runOn(t, wanderer(c.each), c.opt)
				require.Equal(t, agent.StatusBudget, res.Status)
				require.ErrorContains(t, err, "used up")
				require.Len(t, res.Steps, c.steps)
				require.Equal(t, 1000*c.steps, res.Usage.Total-res.Usage.Total%1000)
			})
		})
	}
}

func TestDefaultBudgetIsAHundredSteps(t *testing.T) {
	res, err := runOn(t, wanderer(nil), agent.Options{Mode: agent.Tree})
	require.Equal(t, agent.StatusBudget, res.Status)
	require.Error(t, err)
	require.Len(t, res.Steps, 100)
}

func TestTokensAreEstimatedWhereNobodyCounts(t *testing.T) {
	r := newRig(t, agent.Options{}, `finish(message="ok")`)
	res, err := r.run(t, "x")
	require.NoError(t, err)
	require.Greater(t, res.Usage.Prompt, 3000, "a frame alone is more")
	require.Less(t, res.Usage.Prompt, 8000)
	require.Positive(t, res.Usage.Completion)
}

func TestStuck(t *testing.T) {
	nowhere := `do(action="Tap", element=[500,990])`
	cases := []struct {
		name   string
		line   string
		done   int // of the gestures
		asked  int
		remark string
	}{
		{"the same tap", nowhere, 2, 4, "this is the second time without a visible change"},
		{"waiting", `do(action="Wait", duration="1 seconds")`, 0, 6, "3 waits in a row are the most"},
		{"a failing verb", `do(action="Launch", app="no such app %d")`, 0, 5, "Launch has failed 3 times in a row"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			inVirtualTime(t, func(t *testing.T) {
				r := newRig(t, agent.Options{})
				for i := range 12 {
					line := c.line
					if c.name == "a failing verb" {
						line = fmt.Sprintf(line, i)
					}
					r.model.lines = append(r.model.lines, line)
				}
				res, err := r.run(t, "x")
				require.Equal(t, agent.StatusStuck, res.Status)
				require.Error(t, err)
				require.Len(t, r.model.asked, c.asked)
				require.Equal(t, c.done, count(r.phone, "tap"))
				told := ""
				for i := range r.model.asked {
					told += r.model.text(i)
				}
				require.Contains(t, told, c.remark)
			})
		})
	}
}

func TestTheSameActionWithAnEffectIsNotStuck(t *testing.T) {
	r := newRig(t, agent.Options{}, `do(action="Launch", app="Settings")`)
	for range 6 {
		r.model.lines = append(r.model.lines, r.tap("Bluetooth"))
	}
	r.model.lines = append(r.model.lines, `finish(message="ok")`)
	_, err := r.run(t, "x")
	require.NoError(t, err)
	require.Equal(t, 6, count(r.phone, "switch"))
}

func TestWaitIsBounded(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		r := newRig(t, agent.Options{}, `do(action="Wait", duration="500 seconds")`, `finish(message="ok")`)
		start := time.Now()
		_, err := r.run(t, "x")
		require.NoError(t, err)
		require.Equal(t, 30*time.Second, time.Since(start).Truncate(time.Second))
	})
}

func TestExactWaits(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		waits := timing.Timing{Home: timing.Delay(5 * time.Second), Launch: timing.Delay(2 * time.Second)}
		r := newRig(t, agent.Options{Timing: &waits}, `do(action="Home")`, `do(action="Launch", app="Clock")`, `do(action="Back")`, `finish(message="ok")`)
		start := time.Now()
		_, err := r.run(t, "x")
		require.NoError(t, err)
		require.Equal(t, 7*time.Second, time.Since(start).Truncate(time.Second))
	})
}

// restless is a phone whose screen goes on changing for a time after each gesture.
func restless(for_ time.Duration) driver.Driver {
	p := sim.New(nil)
	var until time.Time
	return driver.Wrap(sim.Open(p, nil), func(ctx context.Context, c *driver.Call, next func(context.Context) error) error {
		if c.Op == driver.OpScreenshot && time.Now().Before(until) {
			p.SetRotation((p.Rotation() + 1) % 4)
		}
		if c.Op.Gesture() {
			until = time.Now().Add(for_)
		}
		return next(ctx)
	})
}

func TestSettle(t *testing.T) {
	cases := []struct {
		name        string
		moves       time.Duration
		atLeast, by time.Duration
	}{
		{"at rest", 0, 300 * time.Millisecond, time.Second},
		{"moving", 1500 * time.Millisecond, 1600 * time.Millisecond, 2500 * time.Millisecond},
		{"never at rest", time.Hour, 3 * time.Second, 4 * time.Second},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			inVirtualTime(t, func(t *testing.T) {
				d := restless(c.moves)
				defer d.Close()
				standard := timing.Default()
				m := &script{lines: []any{`do(action="Home")`, `finish(message="ok")`}}
				a, err := agent.New(d, m, &agent.Options{Timing: &standard})
				require.NoError(t, err)
				start := time.Now()
				_, err = a.Run(t.Context(), "x")
				require.NoError(t, err)
				require.GreaterOrEqual(t, time.Since(start), c.atLeast)
				require.Less(t, time.Since(start), c.by)
			})
		})
	}
}
