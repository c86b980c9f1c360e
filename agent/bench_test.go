package agent_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/driver/sim"
)

// BenchmarkStep is a step in pixels mode with an instant model: frame, app in front, request, parse, gate,
// tap, and the comparison with the frame before.
func BenchmarkStep(b *testing.B) {
	for _, mode := range []agent.Mode{agent.Pixels, agent.Tree} {
		b.Run(string(mode), func(b *testing.B) {
			d := sim.Open(sim.New(&sim.Options{Start: "com.android.settings"}), nil)
			defer d.Close()
			n := 0
			model := agent.ModelFunc(func(context.Context, *agent.Request, func(agent.Delta)) (*agent.Response, error) {
				n++
				return &agent.Response{Text: `do(action="Tap", element=[500,280])`}, nil
			})
			a, err := agent.New(d, model, &agent.Options{Mode: mode, Timing: &noWaits, MaxSteps: 1 << 30})
			require.NoError(b, err)
			b.ResetTimer()
			for _, err := range a.NewRun("x").Steps(b.Context()) {
				require.NoError(b, err)
				if n >= b.N {
					break
				}
			}
		})
	}
}
