package agent_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/policy"
)

func TestAHiccupOfTheCaptureIsForgiven(t *testing.T) {
	fails := 1
	o := &sim.DriverOptions{Before: func(_ context.Context, op driver.Op) error {
		if op == driver.OpScreenshot && fails > 0 {
			fails--
			return errors.New("the capture was empty")
		}
		return nil
	}}
	r := rigOn(t, sim.New(nil), o, agent.Options{}, `finish(message="ok")`)
	_, err := r.run(t, "x")
	require.NoError(t, err)

	fails = 2
	r = rigOn(t, sim.New(nil), o, agent.Options{}, `finish(message="ok")`)
	res, err := r.run(t, "x")
	require.Equal(t, agent.StatusDevice, res.Status)
	require.ErrorContains(t, err, "the capture was empty")
}

func TestNoTreeNowIsToldInTreeMode(t *testing.T) {
	p := sim.New(nil)
	require.NoError(t, p.SetFault(sim.FaultNoTree, true))
	r := rigOn(t, p, nil, agent.Options{Mode: agent.Tree}, `do(action="Tap", element=[125,107])`, func(q *agent.Request) string {
		require.NoError(t, p.SetFault(sim.FaultNoTree, false))
		return `finish(message="ok")`
	})
	_, err := r.run(t, "x")
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(r.model.text(0), "no readable rows now"))
	require.Nil(t, r.model.asked[0].Messages[1].Image)
	require.Equal(t, "com.android.settings", p.Foreground().ID, "points work without rows")
}

func TestTreeModeNeedsTrees(t *testing.T) {
	o := &sim.DriverOptions{Without: []driver.Op{driver.OpTree}}
	r := rigOn(t, sim.New(nil), o, agent.Options{Mode: agent.Tree}, `finish(message="ok")`)
	res, err := r.run(t, "x")
	require.Equal(t, agent.StatusDevice, res.Status)
	require.ErrorIs(t, err, errors.ErrUnsupported)
}

// The tree for the gate is read while the model thinks, and no longer asked for after it failed twice.
func TestTreeIsReadAhead(t *testing.T) {
	const gestures = 5
	for _, broken := range []bool{false, true} {
		inVirtualTime(t, func(t *testing.T) {
			var trees atomic.Int32
			o := &sim.DriverOptions{Before: func(_ context.Context, op driver.Op) error {
				if op != driver.OpTree {
					return nil
				}
				trees.Add(1)
				time.Sleep(2 * time.Second)
				if broken {
					return errors.New("could not get idle state")
				}
				return nil
			}}
			r := rigOn(t, sim.New(nil), o, agent.Options{})
			for i := range gestures {
				r.model.lines = append(r.model.lines, func(*agent.Request) string {
					time.Sleep(3 * time.Second)
					return fmt.Sprintf(`do(action="Swipe", start=[%d,800], end=[500,200])`, 100*i)
				})
			}
			r.model.lines = append(r.model.lines, `finish(message="ok")`)
			start := time.Now()
			_, err := r.run(t, "x")
			require.NoError(t, err)
			require.Equal(t, gestures*3*time.Second, time.Since(start), "nobody waits for the tree")
			if broken {
				require.EqualValues(t, 2, trees.Load())
				return
			}
			require.LessOrEqual(t, trees.Load(), int32(gestures+1), "the gate reads no tree of its own")
		})
	}
}

func TestEventsMayPause(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		var run *agent.Run
		kinds := map[string]int{}
		r := newRig(t, agent.Options{Events: func(ctx context.Context, e agent.Event) {
			kinds[describe(e)]++
			if _, paused := e.(agent.Paused); paused {
				go func() {
					time.Sleep(time.Minute)
					run.Resume()
				}()
			}
			switch e.(type) {
			case agent.Observed, agent.Acted, agent.Resumed:
				if e.Place().Step <= 2 && kinds["Paused"] < 3 {
					require.NoError(t, run.Pause(ctx))
				}
			}
		}}, `do(action="Home")`, `do(action="Home")`, `do(action="Back")`, `finish(message="1")`, `finish(message="2")`, `finish(message="3")`, `finish(message="4")`)
		run = r.agent.NewRun("x")
		for _, err := range run.Steps(t.Context()) {
			require.NoError(t, err)
		}
		require.Equal(t, 3, kinds["Paused"])
		require.Equal(t, 3, kinds["Resumed"])
	})
}

func TestAQuestionLeftInTheAirIsReported(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		var answers []agent.Answered
		r := newRig(t, agent.Options{
			CallbackLimit: time.Minute,
			Confirm: func(ctx context.Context, _ *policy.Request) (policy.Answer, error) {
				<-ctx.Done()
				return policy.Answer{}, ctx.Err()
			},
			Events: func(_ context.Context, e agent.Event) {
				if a, ok := e.(agent.Answered); ok {
					answers = append(answers, a)
				}
			},
		})
		toTheTill(r, r.tap("Pay"))
		res, err := r.run(t, "buy")
		require.Error(t, err)
		require.Equal(t, agent.StatusDenied, res.Status)
		synctest.Wait()
		require.Len(t, answers, 1)
		require.False(t, answers[0].Allowed)
		require.ErrorIs(t, answers[0].Err, driver.ErrDenied)
	})
}
