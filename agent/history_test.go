package agent_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
)

// rambler thinks at length and wanders from app to app for n steps.
func rambler(n int) []any {
	var lines []any
	for i := range n {
		app := []string{"Settings", "Messages", "Clock"}[i%3]
		lines = append(lines, fmt.Sprintf("<think>thought %d %s</think><answer>do(action=\"Launch\", app=\"%s\")</answer>", i, strings.Repeat("and so on ", 150), app))
	}
	return append(lines, `finish(message="ok")`)
}

func TestHistoryIsTrimmedBeforeTheLimit(t *testing.T) {
	r := newRig(t, agent.Options{ContextTokens: 20000, ReplyTokens: 9000}, rambler(30)...)
	_, err := r.run(t, "the task itself")
	require.NoError(t, err)
	last := r.model.asked[30].Messages
	require.Less(t, len(last), 2+2*30)
	require.Greater(t, len(last), 10, "what fits stays")
	require.True(t, strings.HasPrefix(last[1].Text, "the task itself\n\n("), "the task stays")
	require.Contains(t, last[1].Text, "earlier steps are left out here:\n")
	require.Contains(t, last[1].Text, "Launch Settings: done")
	require.Equal(t, 1, strings.Count(last[1].Text, "current_app"))
	for i, m := range last[1:] {
		want := agent.RoleUser
		if i%2 == 1 {
			want = agent.RoleAssistant
		}
		require.Equal(t, want, m.Role, "the turns alternate")
	}
	require.Contains(t, last[len(last)-2].Text, "thought 29", "the newest turns stay")
	letters := 0
	for _, m := range last {
		letters += len(m.Text)
	}
	require.Less(t, letters, 11000*4)
}

func TestHistoryIsTrimmedAfterATooLongError(t *testing.T) {
	tooLong := &agent.ModelError{Endpoint: "http://x", Status: 400, Err: agent.ErrContextTooLong}
	lines := rambler(8)
	lines = append(lines[:8:8], tooLong, tooLong, `finish(message="ok")`)
	r := newRig(t, agent.Options{}, lines...)
	_, err := r.run(t, "x")
	require.NoError(t, err)
	require.Len(t, r.model.asked[8].Messages, 18)
	require.Len(t, r.model.asked[9].Messages, 10)
	require.Len(t, r.model.asked[10].Messages, 6)
	require.NotNil(t, r.model.asked[10].Messages[5].Image)
}

func TestNothingLeftToTrim(t *testing.T) {
	r := newRig(t, agent.Options{}, &agent.ModelError{Endpoint: "http://x", Err: agent.ErrContextTooLong})
	res, err := r.run(t, "x")
	require.Equal(t, agent.StatusModel, res.Status)
	require.ErrorIs(t, err, agent.ErrContextTooLong)
}

func TestTheEndpointsCountIsLearnt(t *testing.T) {
	lines := rambler(12)
	for i, l := range lines[:12] {
		lines[i] = &agent.Response{Text: l.(string), Usage: agent.Usage{Prompt: 15000, Completion: 400, Total: 15400}}
	}
	r := newRig(t, agent.Options{}, lines...)
	_, err := r.run(t, "x")
	require.NoError(t, err)
	require.Less(t, len(r.model.asked[12].Messages), 20, "an endpoint that counts more gets less")
}

func TestTypedTextIsInNoLog(t *testing.T) {
	var log bytes.Buffer
	h := slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})
	r := newRig(t, agent.Options{Logger: slog.New(h)})
	r.model.lines = []any{
		do(`do(action="Launch", app="Settings")`), r.tap("Search settings"), do(`do(action="Type", text="hunter22")`),
		do(`do(action="Type", text="hunter22", text="hunter22")`), `finish(message="ok")`,
	}
	_, err := r.run(t, "x")
	require.NoError(t, err)
	require.Contains(t, log.String(), "Type")
	require.Contains(t, log.String(), "status=done")
	require.NotContains(t, log.String(), "hunter22")
}

// describe names an event in a word or two.
func describe(e agent.Event) string {
	switch e := e.(type) {
	case agent.Decided:
		return fmt.Sprintf("decided %v", e.Action)
	case agent.Acted:
		return "acted: " + e.Outcome
	case agent.Asked:
		return "asked " + e.Kind
	case agent.Answered:
		return fmt.Sprintf("answered %s %v", e.Kind, e.Allowed)
	case agent.RunEnded:
		return "ended " + string(e.Result.Status)
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", e), "agent.")
}

func TestEventsComeInOrder(t *testing.T) {
	var events []agent.Event
	r := newRig(t, agent.Options{
		Events: func(_ context.Context, e agent.Event) { events = append(events, e) },
		Ask:    func(context.Context, *agent.Question) (string, error) { return "the left one", nil },
	}, "<think>first</think><answer>do(action=\"Home\")</answer>", `do(action="Interact")`, "?", `finish(message="ok")`)
	run := r.agent.NewRun("x")
	for _, err := range run.Steps(t.Context()) {
		require.NoError(t, err)
	}
	var names []string
	thinking, acting := "", ""
	for _, e := range events {
		require.Equal(t, run.ID(), e.Place().Run)
		switch e := e.(type) {
		case agent.ThinkingDelta:
			thinking += e.Text
			continue
		case agent.ActionDelta:
			acting += e.Text
			continue
		}
		names = append(names, fmt.Sprintf("%d %s", e.Place().Step, describe(e)))
	}
	require.Equal(t, []string{
		"0 RunStarted",
		"1 StepStarted", "1 Observed", "1 decided Home", "1 acted: done",
		"2 StepStarted", "2 Observed", "2 decided Interact", "2 asked question", "2 answered question true", "2 acted: the person answers: the left one",
		"3 StepStarted", "3 Observed", "3 decided <nil>",
		"3 acted: your reply could not be read: at byte 0: no do(action=...) and no finish(message=...) in the reply: write exactly one",
		"4 StepStarted", "4 Observed", `4 decided finish "ok"`, "4 acted: finished", "4 ended done",
	}, names)
	require.Equal(t, "first?", thinking)
	require.Equal(t, `do(action="Home")do(action="Interact")finish(message="ok")`, acting)
}

func TestPlaceIsInEveryContext(t *testing.T) {
	seen := map[string]bool{}
	note := func(ctx context.Context, who string) {
		run, step, ok := agent.Place(ctx)
		seen[fmt.Sprintf("%s %v %v %d", who, ok, run != "", step)] = true
	}
	d := driver.Wrap(sim.Open(sim.New(nil), nil), func(ctx context.Context, c *driver.Call, next func(context.Context) error) error {
		if c.Op == driver.OpKey {
			note(ctx, "driver")
		}
		return next(ctx)
	})
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	m := agent.ModelFunc(func(ctx context.Context, r *agent.Request, _ func(agent.Delta)) (*agent.Response, error) {
		note(ctx, "model")
		if len(r.Messages) > 2 {
			return &agent.Response{Text: `finish(message="ok")`}, nil
		}
		return &agent.Response{Text: `do(action="Home")`}, nil
	})
	a, err := agent.New(d, m, &agent.Options{Timing: &noWaits})
	require.NoError(t, err)
	_, err = a.Run(t.Context(), "x")
	require.NoError(t, err)
	require.Equal(t, map[string]bool{"model true true 1": true, "driver true true 1": true, "model true true 2": true}, seen)
	_, _, ok := agent.Place(t.Context())
	require.False(t, ok)
}
