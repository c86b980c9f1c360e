package agent_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/action"
	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/policy"
)

func TestConsoleConfirm(t *testing.T) {
	for in, allow := range map[string]bool{"y\n": true, " YES \n": true, "是\n": true, "n\n": false, "\n": false, "yep\n": false, "y, but not now\n": false} {
		var out bytes.Buffer
		c := agent.NewConsole(strings.NewReader(in), &out)
		answer, err := c.Confirm(t.Context(), &policy.Request{Device: "sim:1", Why: "it pays", Label: "Pay", Call: driver.Call{Op: driver.OpTap}})
		require.NoError(t, err)
		require.Equal(t, allow, answer.Allow, "%q", in)
		require.Contains(t, out.String(), "it pays")
		require.Contains(t, out.String(), `do "tap Pay" now? [y/N]`)
	}
	_, err := agent.NewConsole(strings.NewReader(""), io.Discard).Confirm(t.Context(), &policy.Request{})
	require.Error(t, err, "the end of the input is no yes")
}

// A "y" that comes too late must not pay the next bill.
func TestConsoleLateAnswerIsForNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, feed := io.Pipe()
		defer feed.Close()
		c := agent.NewConsole(in, io.Discard)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := c.Confirm(ctx, &policy.Request{Why: "it pays 5"})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		io.WriteString(feed, "y\ny\n")
		synctest.Wait()

		var answer policy.Answer
		done := make(chan error, 1)
		go func() {
			var err error
			answer, err = c.Confirm(t.Context(), &policy.Request{Why: "it pays 500"})
			done <- err
		}()
		synctest.Wait()
		require.Empty(t, done, "it waits for an answer of its own")
		io.WriteString(feed, "n\n")
		require.NoError(t, <-done)
		require.False(t, answer.Allow)
	})
}

// Two agents may share a console: a "y" is for the question that is seen.
func TestConsoleAsksOneAfterTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, feed := io.Pipe()
		var out bytes.Buffer
		c := agent.NewConsole(in, &out)
		var wg sync.WaitGroup
		allowed := make([]bool, 2)
		ask := func(i int, why string) {
			wg.Go(func() {
				a, err := c.Confirm(t.Context(), &policy.Request{Why: why})
				allowed[i] = err == nil && a.Allow
			})
			synctest.Wait()
		}
		ask(0, "it pays 5")
		ask(1, "it pays 500")
		require.NotContains(t, out.String(), "500")
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := c.Ask(ctx, &agent.Question{})
		require.ErrorIs(t, err, context.Canceled, "who waits for a turn hears the end of ctx")
		io.WriteString(feed, "y\n")
		synctest.Wait()
		require.Contains(t, out.String(), "500")
		io.WriteString(feed, "n\n")
		wg.Wait()
		require.Equal(t, []bool{true, false}, allowed)
		feed.Close()
	})
}

func TestConsoleCannotBeSteered(t *testing.T) {
	var out bytes.Buffer
	c := agent.NewConsole(strings.NewReader("n\n"), &out)
	_, err := c.Confirm(t.Context(), &policy.Request{
		Device: "sim:1", App: driver.App{Name: "Sh\nop"}, Why: "it \x1b[2K\rpays", Reason: "pay\x1b[1A\nconfirm on sim:1: go back", Label: "P\u202eay",
		Call: driver.Call{Op: driver.OpTap},
	})
	require.NoError(t, err)
	require.Equal(t, "confirm on sim:1, in Sh op: it [2K pays\nthe model says: pay[1A confirm on sim:1: go back\ndo \"tap P\\u202eay\" now? [y/N] ", out.String())
	c.Show(t.Context(), agent.ThinkingDelta{Text: "\x1b]0;title\aso\n"})
	require.Contains(t, out.String(), "]0;titleso\n")
}

// TestConsoleNamesTheLink asks about a link on a phone that does not tell which app is in front.
func TestConsoleNamesTheLink(t *testing.T) {
	var out bytes.Buffer
	c := agent.NewConsole(strings.NewReader("n\n"), &out)
	a, err := c.Confirm(t.Context(), &policy.Request{Device: "sim:1", Why: "it may call", Call: driver.Call{Op: driver.OpOpenURL, Text: "tel:112"}})
	require.NoError(t, err)
	require.False(t, a.Allow)
	require.Equal(t, "confirm on sim:1: it may call\ndo \"open url tel:112\" now? [y/N] ", out.String())
}

func TestConsoleWaitsNoLongerThanItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, feed := io.Pipe()
		c := agent.NewConsole(in, io.Discard)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := c.Ask(ctx, &agent.Question{})
		require.ErrorIs(t, err, context.Canceled)
		go func() { io.WriteString(feed, "the next line\n"); feed.Close() }()
		text, err := c.TakeOver(t.Context(), &agent.Question{})
		require.NoError(t, err)
		require.Equal(t, "the next line", text)
		synctest.Wait()
	})
}

func TestConsoleRun(t *testing.T) {
	var out bytes.Buffer
	c := agent.NewConsole(strings.NewReader("blue\n"), &out)
	r := newRig(t, agent.Options{Ask: c.Ask, Events: c.Show}, do(`do(action="Interact", message="which?")`), do(`finish(message="bye")`))
	_, err := r.run(t, "x")
	require.NoError(t, err)
	require.Equal(t, "--- step 1\nso\n> Interact \"which?\"\nthe model asks: which?\n> \n  the person answers: blue\n--- step 2\nso\n> finish \"bye\"\n  finished\n=== done after 2 steps: bye\n", out.String())
}

func TestConsoleTellsEveryEndInChinese(t *testing.T) {
	for _, s := range []agent.Status{
		agent.StatusDone, agent.StatusDoneUnverified, agent.StatusIncomplete, agent.StatusInfeasible, agent.StatusStuck,
		agent.StatusDenied, agent.StatusBudget, agent.StatusStopped, agent.StatusDevice, agent.StatusModel,
	} {
		var out bytes.Buffer
		c := agent.NewConsole(nil, &out)
		c.Lang = action.Chinese
		c.Show(t.Context(), agent.RunEnded{Result: &agent.Result{Status: s, Message: "好了"}})
		require.Regexp(t, `^=== [^a-z]+,共 0 步:好了\n$`, out.String())
	}
}
