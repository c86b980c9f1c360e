package driver

import (
	"context"
	"image"
	"time"

	"github.com/handset-go/handset/internal/nap"
)

// DoubleTapDriver is a Driver with a double tap of its own.
type DoubleTapDriver interface {
	Driver
	// DoubleTap touches a point twice, fast enough to be one double tap.
	DoubleTap(ctx context.Context, at image.Point) error
}

// doubleTapPause is between the two taps of the slow path: Android takes taps up to 300 ms apart as one
// double tap (ViewConfiguration), and most of that is the tool's own time.
const doubleTapPause = 40 * time.Millisecond

// DoubleTap touches a point twice. The slow path is two taps.
func DoubleTap(ctx context.Context, d Driver, at image.Point) error {
	if d, ok := d.(DoubleTapDriver); ok {
		if err := d.DoubleTap(ctx, at); !unsupported(err) {
			return err
		}
	}
	if err := d.Tap(ctx, at); err != nil {
		return err
	}
	if err := nap.For(ctx, doubleTapPause); err != nil {
		return partly(OpDoubleTap, err)
	}
	return partly(OpDoubleTap, d.Tap(ctx, at))
}
