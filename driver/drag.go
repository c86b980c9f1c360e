package driver

import (
	"context"
	"image"
	"time"
)

// DragDriver is a Driver that can pick something up and put it down elsewhere.
type DragDriver interface {
	Driver
	// Drag rests on from for hold, moves to to in the time over, and lets go. Zero or less is the driver's
	// default for either.
	Drag(ctx context.Context, from, to image.Point, hold, over time.Duration) error
}

// defaultDrag is how long the finger moves where nobody said.
const defaultDrag = 800 * time.Millisecond

// Drag picks up what is at from and puts it down at to. The slow path is a Gesture of one finger; a Swipe
// would scroll the page instead.
func Drag(ctx context.Context, d Driver, from, to image.Point, hold, over time.Duration) error {
	var cause error
	if d, ok := d.(DragDriver); ok {
		if cause = d.Drag(ctx, from, to, hold, over); !unsupported(cause) {
			return cause
		}
	}
	if _, ok := d.(GestureDriver); !ok {
		return noSlowPath(OpDrag, cause)
	}
	if hold <= 0 {
		hold = defaultHold
	}
	if over <= 0 {
		over = defaultDrag
	}
	err := Gesture(ctx, d, []Stroke{{{from, 0}, {from, hold}, {to, hold + over}}})
	if unsupported(err) && cause != nil {
		return cause // it speaks of a drag
	}
	return err
}
