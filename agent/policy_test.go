package agent_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/policy"
)

// toTheTill is a script that fills the cart and stands before the Pay button.
func toTheTill(r *rig, last ...any) {
	r.model.lines = append([]any{do(`do(action="Launch", app="Shop")`), r.tap("Add"), r.tap("Cart")}, last...)
}

func TestPaymentWithoutAnAnswerIsDenied(t *testing.T) {
	for _, mode := range []agent.Mode{agent.Pixels, agent.Tree} {
		for _, c := range []struct{ name, message string }{{"marked by the model", `, message="pays"`}, {"known by its label", ""}} {
			t.Run(string(mode)+" "+c.name, func(t *testing.T) {
				r := newRig(t, agent.Options{Mode: mode})
				var taps int
				toTheTill(r, func(*agent.Request) string {
					taps = count(r.phone, "tap")
					return do(`do(action="Tap", element=` + r.at("Pay") + c.message + `)`)
				}, `finish(message="paid")`)
				res, err := r.run(t, "buy tea")
				require.Equal(t, agent.StatusDenied, res.Status)
				require.ErrorIs(t, err, driver.ErrDenied)
				require.ErrorContains(t, err, "no Confirm is set")
				require.Equal(t, 2, taps)
				require.Equal(t, taps, count(r.phone, "tap"), "nothing was tapped")
				require.Zero(t, count(r.phone, "payment"))
				require.Len(t, r.model.asked, 4, "the model is not asked again")
			})
		}
	}
}

func TestConfirmationIsAskedOnceAndObeyed(t *testing.T) {
	for _, allow := range []bool{true, false} {
		var asked []policy.Request
		r := newRig(t, agent.Options{Confirm: func(_ context.Context, q *policy.Request) (policy.Answer, error) {
			asked = append(asked, *q)
			return policy.Answer{Allow: allow}, nil
		}})
		toTheTill(r, func(*agent.Request) string {
			return do(`do(action="Tap", element=` + r.at("Pay") + `, message="goes to the payment")`)
		}, `finish(message="at the payment page")`)
		res, err := r.run(t, "buy tea")
		require.Len(t, asked, 1)
		require.Equal(t, "goes to the payment", asked[0].Reason)
		require.Equal(t, r.phone.Address(), asked[0].Device)
		require.NotNil(t, asked[0].Screen)
		if allow {
			require.NoError(t, err)
			require.Equal(t, 3, count(r.phone, "tap"))
			continue
		}
		require.Equal(t, agent.StatusDenied, res.Status)
		require.Equal(t, 2, count(r.phone, "tap"))
	}
}

func TestConfirmationInSilenceIsDenied(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		deaf := make(chan struct{})
		r := newRig(t, agent.Options{
			CallbackLimit: time.Minute,
			Confirm: func(context.Context, *policy.Request) (policy.Answer, error) {
				<-deaf // ignores ctx
				return policy.Answer{Allow: true}, nil
			},
		})
		toTheTill(r, r.tap("Pay"))
		start := time.Now()
		res, err := r.run(t, "buy tea")
		require.Equal(t, agent.StatusDenied, res.Status)
		require.ErrorContains(t, err, "no answer within 1m0s")
		require.Equal(t, time.Minute, time.Since(start).Truncate(time.Second))
		require.Equal(t, 2, count(r.phone, "tap"))
		close(deaf)
		synctest.Wait()
		require.Equal(t, 2, count(r.phone, "tap"), "a late yes taps nothing")
	})
}

func TestGateOfTheCaller(t *testing.T) {
	gate := policy.New(&policy.Options{DenyApps: []string{"com.handset.*"}})
	r := newRig(t, agent.Options{Gate: gate}, `do(action="Launch", app="Shop")`)
	res, err := r.run(t, "buy tea")
	require.Equal(t, agent.StatusDenied, res.Status)
	require.ErrorIs(t, err, driver.ErrDenied)
	require.Zero(t, count(r.phone, "launch"))

	_, err = agent.New(r.driver, r.model, &agent.Options{Gate: gate, Confirm: func(context.Context, *policy.Request) (policy.Answer, error) {
		return policy.Answer{}, nil
	}})
	require.Error(t, err)
}

func TestTakeOver(t *testing.T) {
	r := newRig(t, agent.Options{})
	r.model.lines = []any{`do(action="Take_over", message="log in")`}
	res, err := r.run(t, "x")
	require.Equal(t, agent.StatusInfeasible, res.Status)
	require.ErrorContains(t, err, "log in")

	var question *agent.Question
	r = newRig(t, agent.Options{TakeOver: func(_ context.Context, q *agent.Question) (string, error) {
		question = q
		return "logged in as Ann", r.phone.StopApp("com.android.settings")
	}}, `do(action="Launch", app="Settings")`, `do(action="Take_over", message="log in")`, `finish(message="ok")`)
	_, err = r.run(t, "the task")
	require.NoError(t, err)
	require.Equal(t, "log in", question.Message)
	require.Equal(t, "the task", question.Task)
	require.Equal(t, r.phone.Address(), question.Device)
	require.Equal(t, "com.android.settings", question.Screen.ID)
	require.Contains(t, r.model.text(2), `"current_app": "Launcher"`, "the screen was read again")
	require.Contains(t, r.model.text(2), "logged in as Ann")

	r = newRig(t, agent.Options{TakeOver: func(context.Context, *agent.Question) (string, error) {
		return "", errors.New("not now")
	}}, `do(action="Take_over")`)
	res, err = r.run(t, "x")
	require.Equal(t, agent.StatusDenied, res.Status)
	require.ErrorContains(t, err, "not now")
}

func TestTakeOverGivesThePhoneBackFirst(t *testing.T) {
	var order []string
	d := driver.Wrap(sim.Open(sim.New(nil), nil), func(ctx context.Context, c *driver.Call, next func(context.Context) error) error {
		if c.Op == driver.OpRelease {
			order = append(order, "release")
		}
		return next(ctx)
	})
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	m := &script{lines: []any{`do(action="Take_over")`, `finish(message="ok")`}}
	a, err := agent.New(d, m, &agent.Options{Timing: &noWaits, TakeOver: func(context.Context, *agent.Question) (string, error) {
		order = append(order, "person")
		return "", nil
	}})
	require.NoError(t, err)
	_, err = a.Run(t.Context(), "x")
	require.NoError(t, err)
	require.Equal(t, []string{"release", "person"}, order)
}

func TestInteract(t *testing.T) {
	r := newRig(t, agent.Options{Ask: func(_ context.Context, q *agent.Question) (string, error) {
		return "the second one", nil
	}}, `do(action="Interact", message="which?")`, `finish(message="ok")`)
	res, err := r.run(t, "x")
	require.NoError(t, err)
	require.Contains(t, r.model.text(1), "the person answers: the second one")
	require.Equal(t, []agent.Answer{{Step: 1, Question: "which?", Text: "the second one"}}, res.Answers)
}

func TestNotesAndCallAPI(t *testing.T) {
	for _, mode := range []agent.Mode{agent.Pixels, agent.Tree} {
		t.Run(string(mode), func(t *testing.T) {
			r := newRig(t, agent.Options{Mode: mode},
				`do(action="Launch", app="Messages")`, "Alice says see you.\n"+`do(action="Note", message="True")`,
				`do(action="Call_API", instruction="sum up")`, "Alice comes tomorrow.", `finish(message="ok")`)
			res, err := r.run(t, "what is new")
			require.NoError(t, err)
			require.Len(t, res.Notes, 1)
			require.Equal(t, 2, res.Notes[0].Step)
			require.Equal(t, "com.android.messaging", res.Notes[0].App.ID)
			require.Empty(t, res.Notes[0].Message)
			require.Contains(t, res.Notes[0].Screen, "Alice")

			call := r.model.asked[3].Messages
			require.Len(t, call, 2)
			require.Nil(t, call[1].Image)
			require.Contains(t, call[1].Text, "Instruction: sum up")
			require.Contains(t, call[1].Text, "Note of step 2, in Messages")
			require.Contains(t, r.model.text(4), "Call_API: the answer is: Alice comes tomorrow.")
			require.Equal(t, "Alice comes tomorrow.", res.Answers[0].Text)
		})
	}
	var call *agent.APICall
	r := newRig(t, agent.Options{CallAPI: func(_ context.Context, c *agent.APICall) (string, error) {
		call = c
		return "42", nil
	}}, `do(action="Call_API", instruction="sum up")`, `finish(message="ok")`)
	_, err := r.run(t, "x")
	require.NoError(t, err)
	require.Equal(t, "sum up", call.Instruction)
	require.Contains(t, r.model.text(1), "42")
}

// A model that was trained on the protocol answers a question of text in it, too.
func TestCallAPIAnswerIsProse(t *testing.T) {
	for name, reply := range map[string]string{
		"a finish":     "<think>let me see</think><answer>finish(message=\"Alice comes.\")</answer>",
		"tags":         "<think>let me see: do(</think>\n<answer>Alice comes.</answer>",
		"plain":        " Alice comes.\n",
		"only a start": "<answer>Alice comes.",
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, agent.Options{}, `do(action="Call_API", instruction="sum up")`, reply, `finish(message="ok")`)
			res, err := r.run(t, "x")
			require.NoError(t, err)
			require.Len(t, res.Answers, 1)
			require.Equal(t, "Alice comes.", res.Answers[0].Text)
		})
	}
	r := newRig(t, agent.Options{}, `do(action="Call_API", instruction="sum up")`, "<think>nothing</think>", `finish(message="ok")`)
	res, err := r.run(t, "x")
	require.NoError(t, err)
	require.Empty(t, res.Answers)
	require.Contains(t, r.model.text(2), "it is empty")
}
