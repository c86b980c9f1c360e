package agent_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/policy"
)

// A pause while the model thinks, a change by hand, and on: what was decided before is dropped.
func TestPauseChangeResume(t *testing.T) {
	r := newRig(t, agent.Options{})
	var run *agent.Run
	r.model.lines = []any{
		do(`do(action="Launch", app="Settings")`),
		func(*agent.Request) string {
			stale := do(`do(action="Tap", element=` + r.at("Bluetooth") + `)`)
			require.NoError(t, run.Pause(t.Context()))
			r.byHand("Display")
			run.Resume()
			return stale
		},
		func(q *agent.Request) string {
			require.Contains(t, q.Messages[len(q.Messages)-1].Text, "a person has used the phone meanwhile")
			require.Len(t, q.Messages, 4, "the dropped turn is not in the history")
			return do(`do(action="Back")`)
		},
		`finish(message="ok")`,
	}
	run = r.agent.NewRun("x")
	for _, err := range run.Steps(t.Context()) {
		require.NoError(t, err)
	}
	require.Equal(t, []string{"Launch", "Back", "finish"}, verbs(run.Result()))
	require.Zero(t, count(r.phone, "switch"))
	require.Equal(t, 1, count(r.phone, "tap"), "only the person tapped")
}

func TestPauseHoldsTheRunUntilResume(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		r := newRig(t, agent.Options{MaxTime: time.Minute}, `do(action="Home")`, `finish(message="ok")`)
		run := r.agent.NewRun("x")
		require.NoError(t, run.Pause(t.Context()), "before the start")
		require.NoError(t, run.Pause(t.Context()), "twice")
		ended := make(chan error, 1)
		go func() {
			var last error
			for _, err := range run.Steps(t.Context()) {
				last = err
			}
			ended <- last
		}()
		time.Sleep(time.Hour)
		synctest.Wait()
		require.Empty(t, ended)
		require.Zero(t, count(r.phone, "key"))
		require.Empty(t, r.model.asked)
		run.Resume()
		run.Resume()
		require.NoError(t, <-ended)
		require.Less(t, run.Result().Duration, time.Minute, "the wall clock stood still")
	})
}

func TestPauseWaitsForTheGesture(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		touching := make(chan struct{})
		r := rigOn(t, sim.New(nil), &sim.DriverOptions{Before: func(ctx context.Context, op driver.Op) error {
			if op == driver.OpKey {
				close(touching)
				time.Sleep(2 * time.Second)
			}
			return nil
		}}, agent.Options{}, `do(action="Home")`, `finish(message="ok")`)
		run := r.agent.NewRun("x")
		ended := make(chan error, 1)
		go func() {
			for _, err := range run.Steps(t.Context()) {
				if err != nil {
					ended <- err
				}
			}
			close(ended)
		}()
		<-touching
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, run.Pause(short), context.DeadlineExceeded)
		require.NoError(t, run.Pause(t.Context()))
		require.Equal(t, 1, count(r.phone, "key"))
		run.Resume()
		require.NoError(t, <-ended)
	})
}

func TestPauseDuringAQuestionDropsTheStep(t *testing.T) {
	r := newRig(t, agent.Options{})
	var run *agent.Run
	asked := 0
	confirm := func(ctx context.Context, _ *policy.Request) (policy.Answer, error) {
		if asked++; asked == 1 {
			require.NoError(t, run.Pause(ctx), "a question is not a touch")
			run.Resume()
		}
		return policy.Answer{Allow: true}, nil
	}
	var err error
	r.agent, err = agent.New(r.driver, r.model, &agent.Options{Timing: &noWaits, Confirm: confirm})
	require.NoError(t, err)
	toTheTill(r, r.tap("Pay"), r.tap("Pay"), `finish(message="ok")`)
	run = r.agent.NewRun("buy")
	for _, err := range run.Steps(t.Context()) {
		require.NoError(t, err)
	}
	require.Equal(t, 2, asked)
	require.Equal(t, []string{"Launch", "Tap", "Tap", "Tap", "finish"}, verbs(run.Result()))
	require.Equal(t, 3, count(r.phone, "tap"))
}

func TestStop(t *testing.T) {
	r := newRig(t, agent.Options{})
	var run *agent.Run
	r.model.lines = []any{func(*agent.Request) string { run.Stop(); return `do(action="Home")` }}
	run = r.agent.NewRun("x")
	var last error
	for _, err := range run.Steps(t.Context()) {
		last = err
	}
	var end *agent.EndError
	require.ErrorAs(t, last, &end)
	require.Equal(t, agent.StatusStopped, end.Status)
	require.Equal(t, agent.StatusStopped, run.Result().Status)
	require.Zero(t, count(r.phone, "key"))

	run = r.agent.NewRun("x")
	run.Stop()
	for s, err := range run.Steps(t.Context()) {
		require.Nil(t, s)
		require.ErrorAs(t, err, &end)
	}
	require.Equal(t, agent.StatusStopped, run.Result().Status)
}

func TestStopEndsAPause(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		r := newRig(t, agent.Options{})
		run := r.agent.NewRun("x")
		require.NoError(t, run.Pause(t.Context()))
		ended := make(chan error, 1)
		go func() {
			for _, err := range run.Steps(t.Context()) {
				ended <- err
			}
		}()
		synctest.Wait()
		run.Stop()
		require.Error(t, <-ended)
	})
}

func TestLeavingTheLoopStops(t *testing.T) {
	r := newRig(t, agent.Options{}, `do(action="Home")`, `do(action="Home")`, `finish(message="ok")`)
	run := r.agent.NewRun("x")
	for s, err := range run.Steps(t.Context()) {
		require.NoError(t, err)
		require.Equal(t, 1, s.N)
		break
	}
	require.Equal(t, agent.StatusStopped, run.Result().Status)
	require.Error(t, run.Err())
	require.Len(t, r.model.asked, 1)

	_, err := r.run(t, "another")
	require.NoError(t, err, "the agent is free for another run")
}

func TestCancelledContextStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := newRig(t, agent.Options{}, func(*agent.Request) string { cancel(); return `do(action="Home")` })
	res, err := r.agent.Run(ctx, "x")
	require.Equal(t, agent.StatusStopped, res.Status)
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, count(r.phone, "key"))
}

func TestOneRunAtATime(t *testing.T) {
	r := newRig(t, agent.Options{})
	r.model.lines = []any{func(*agent.Request) string {
		res, err := r.run(t, "another")
		require.ErrorIs(t, err, agent.ErrBusy)
		require.NotNil(t, res)
		return `finish(message="ok")`
	}}
	run := r.agent.NewRun("x")
	for _, err := range run.Steps(t.Context()) {
		require.NoError(t, err)
	}
	for s, err := range run.Steps(t.Context()) {
		require.Nil(t, s)
		require.ErrorIs(t, err, agent.ErrRunUsed)
	}
	require.Equal(t, agent.StatusDone, run.Result().Status, "a second use changes nothing")
}

func TestAPanicInTheLoopFreesTheAgent(t *testing.T) {
	r := newRig(t, agent.Options{}, `do(action="Home")`, `finish(message="ok")`)
	run := r.agent.NewRun("x")
	require.Panics(t, func() {
		for range run.Steps(t.Context()) {
			panic("bug of the caller")
		}
	})
	require.Equal(t, agent.StatusStopped, run.Result().Status)
	_, err := r.run(t, "x")
	require.NoError(t, err)
}
