package main

import (
	"context"
	"encoding/json"

	"github.com/handset-go/handset/action"
	"github.com/handset-go/handset/agent"
)

// events shows a run as it goes: on a terminal or in a pipe as text, with --json as one line for each event.
func (a *app) events() func(context.Context, agent.Event) {
	if a.JSON {
		return func(_ context.Context, e agent.Event) {
			if v := eventJSON(e); v != nil {
				a.printJSON(v)
			}
		}
	}
	show := agent.NewConsole(nil, a.text)
	show.Lang = action.Lang(a.lang)
	show.Whole = !isTerminal(a.stdout)
	return show.Show
}

// eventJSON is an event for programs; nil for those that only matter to a person who watches.
func eventJSON(e agent.Event) map[string]any {
	switch e := e.(type) {
	case agent.RunStarted:
		return map[string]any{"event": "run", "run": e.Run, "task": e.Task, "device": e.Device, "mode": e.Mode}
	case agent.Observed:
		return map[string]any{"event": "observed", "step": e.Step, "app": e.App, "note": e.Note}
	case agent.Decided:
		out := map[string]any{"event": "decided", "step": e.Step, "thinking": e.Thinking, "usage": e.Usage, "times_ms": timesMS(e.Times)}
		if e.Err != nil {
			out["error"] = e.Err.Error()
		} else {
			out["action"] = actionJSON(e.Action)
		}
		return out
	case agent.Asked:
		return map[string]any{"event": "asked", "step": e.Step, "kind": e.Kind, "message": e.Message}
	case agent.Answered:
		return map[string]any{"event": "answered", "step": e.Step, "kind": e.Kind, "allowed": e.Allowed, "text": e.Text}
	case agent.Dropped:
		return map[string]any{"event": "dropped", "step": e.Step, "action": actionJSON(e.Action), "why": e.Why}
	case agent.Acted:
		out := map[string]any{"event": "acted", "step": e.Step, "outcome": e.Outcome}
		if e.Err != nil {
			out["error"] = e.Err.Error()
		}
		return out
	case agent.RunEnded:
		r := e.Result
		out := map[string]any{
			"event": "end", "status": r.Status, "message": r.Message, "reason": r.Reason, "verified": r.Verified,
			"steps": len(r.Steps), "usage": r.Usage, "duration_ms": r.Duration.Milliseconds(),
		}
		if len(r.Answers) > 0 {
			out["answers"] = r.Answers
		}
		return out
	}
	return nil
}

func timesMS(t agent.Times) map[string]int64 {
	return map[string]int64{
		"first_token": t.FirstToken.Milliseconds(), "thinking_end": t.ThinkingEnd.Milliseconds(), "total": t.Total.Milliseconds(),
	}
}

func actionJSON(act action.Action) json.RawMessage {
	if act == nil {
		return nil
	}
	data, err := action.EncodeJSON(act)
	if err != nil {
		return nil
	}
	return data
}
