package driver

import (
	"context"
	"image"
	"time"
)

// Waypoint is where a finger is at a time after the gesture began.
type Waypoint struct {
	At    image.Point
	After time.Duration
}

// Stroke is the path of one finger: it touches at the first waypoint and leaves at the last.
type Stroke []Waypoint

// GestureDriver is a Driver that can move several fingers along paths.
type GestureDriver interface {
	Driver
	// Gesture moves one finger along each stroke, all at the same time.
	Gesture(ctx context.Context, strokes []Stroke) error
}

// Gesture moves one finger along each stroke. The slow path can do one finger on a straight line, as a
// Swipe, and a stroke of one waypoint, as a Tap.
func Gesture(ctx context.Context, d Driver, strokes []Stroke) error {
	var cause error
	if d, ok := d.(GestureDriver); ok {
		if cause = d.Gesture(ctx, strokes); !unsupported(cause) {
			return cause
		}
	}
	if len(strokes) != 1 || len(strokes[0]) == 0 || len(strokes[0]) > 2 || strokes[0][0].After > 0 {
		return noSlowPath(OpGesture, cause)
	}
	if s := strokes[0]; len(s) == 2 {
		return d.Swipe(ctx, s[0].At, s[1].At, s[1].After)
	}
	return d.Tap(ctx, strokes[0][0].At)
}
