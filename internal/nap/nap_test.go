package nap_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/nap"
)

func TestForWaitsItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		require.NoError(t, nap.For(t.Context(), 2*time.Second))
		require.Equal(t, 2*time.Second, time.Since(start))
	})
}

func TestForEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		start := time.Now()
		require.ErrorIs(t, nap.For(ctx, time.Hour), context.Canceled)
		require.Equal(t, time.Second, time.Since(start))
		require.ErrorIs(t, nap.For(ctx, 0), context.Canceled, "a done context is told even without a wait")
	})
}
