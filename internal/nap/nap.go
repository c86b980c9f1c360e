// Package nap holds the one sleep of the module: a wait that a context ends.
package nap

import (
	"context"
	"time"
)

// For waits for d or until ctx is done, whichever comes first, and returns ctx.Err() in the
// second case. A d of zero or less returns at once, with ctx.Err() if ctx is already done.
func For(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
