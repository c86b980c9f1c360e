package agent_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

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
