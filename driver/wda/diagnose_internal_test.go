package wda

import (
	"context"
	"crypto/rand"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

// TestWhoDoesNotAnswer tells an app that hangs from a WebDriverAgent that does, by its status, over a connection of its own.
func TestWhoDoesNotAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		status bool // is answered
		want   string
		took   time.Duration
	}{
		"the app":        {true, "WebDriverAgent answers, so the app in front is busy", limitGesture},
		"WebDriverAgent": {false, "WebDriverAgent itself does not answer", limitGesture + probeLimit},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &pipes{answer: wholeAnswer, mute: func(path string) bool { return path != "/status" || !c.status }}
				d := &Driver{ // of a device that no other test has, as the queue of its calls belongs to this one's time
					target: &target{host: "phone", port: 8100}, log: slog.New(slog.DiscardHandler), calls: driver.NewCalls(rand.Text()),
					wire: p.wire(), session: newSession(),
				}
				d.session.set("S1", true, nil)
				begin := time.Now()
				err := d.do(t.Context(), driver.OpTap, limitGesture, func(ctx context.Context) error {
					return d.post(ctx, here+"/wda/tap", nil, nil)
				})
				require.ErrorIs(t, err, driver.ErrTimeout)
				require.ErrorContains(t, err, c.want)
				require.Equal(t, c.took, time.Since(begin))
				require.EqualValues(t, 2, p.dials.Load())
				require.NoError(t, d.calls.Close(nil))
				d.wire.close()
			})
		})
	}
}
