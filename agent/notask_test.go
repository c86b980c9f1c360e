package agent_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/agent"
)

func TestAnEmptyTaskIsRefused(t *testing.T) {
	for _, task := range []string{"", " \n\t"} {
		r := newRig(t, agent.Options{})
		res, err := r.run(t, task)
		require.ErrorIs(t, err, agent.ErrNoTask)
		require.NotNil(t, res)
		require.Empty(t, res.Steps)
	}
}
