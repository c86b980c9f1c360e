package driver

import (
	"context"
	"image"
	"time"
)

// LongPressDriver is a Driver with a long press of its own.
type LongPressDriver interface {
	Driver
	// LongPress rests a finger on a point. hold <= 0 is the driver's default, about a second.
	LongPress(ctx context.Context, at image.Point, hold time.Duration) error
}

// defaultHold is long enough for every platform's long press (Android 400–500 ms, iOS 500 ms).
const defaultHold = time.Second

// LongPress rests a finger on a point. The slow path is Swipe(at, at, hold).
func LongPress(ctx context.Context, d Driver, at image.Point, hold time.Duration) error {
	if d, ok := d.(LongPressDriver); ok {
		if err := d.LongPress(ctx, at, hold); !unsupported(err) {
			return err
		}
	}
	if hold <= 0 {
		hold = defaultHold
	}
	return d.Swipe(ctx, at, at, hold)
}
