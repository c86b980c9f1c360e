package agent

import (
	"context"
	"log/slog"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/timing"
)

// await waits after an action of kind k, as the timing says. The phone is not in use during an exact wait.
func (r *Run) await(ctx context.Context, k timing.Kind) error {
	t := r.agent.opt.Timing
	d, exact := t.After(k).Exact()
	if exact {
		return r.rest(ctx, d)
	}
	if t.SettleLimit <= 0 || !r.ctl.retake(r.epoch) {
		return nil
	}
	defer r.ctl.give()
	unpaused, cancel := r.ctl.untilPause(ctx)
	defer cancel()
	r.settled = r.settle(unpaused)
	return ctx.Err()
}

// rest sleeps, and less where the run is paused: what was waited for is looked at anew anyway.
func (r *Run) rest(ctx context.Context, d time.Duration) error {
	unpaused, cancel := r.ctl.untilPause(ctx)
	defer cancel()
	if err := timing.Sleep(unpaused, d); err != nil {
		return ctx.Err()
	}
	return nil
}

// settle takes frames until the screen has not changed for SettleQuiet, at most for SettleLimit, and returns
// the last one. Where no frame can be had it returns nil: the next look at the phone says why.
func (r *Run) settle(ctx context.Context) *driver.Screen {
	t := r.agent.opt.Timing
	start := time.Now()
	var last *driver.Screen
	var since time.Time // when the screen was first seen as it is now
	for {
		taken := time.Now()
		s, err := r.agent.d.Screenshot(ctx)
		if err != nil {
			if ctx.Err() == nil {
				r.log.DebugContext(ctx, "no frame while the screen settles", slog.Any("err", err))
			}
			return nil
		}
		if !sameFrame(last, s) {
			since = taken
		}
		last = s
		if now := time.Now(); now.Sub(since) >= t.SettleQuiet && since != taken || now.Sub(start) >= t.SettleLimit {
			return last
		}
		if timing.Sleep(ctx, t.SettlePoll) != nil {
			return nil
		}
	}
}
