package driver

import (
	"context"
	"image"
	"time"
)

// PinchDriver is a Driver with a pinch of its own.
type PinchDriver interface {
	Driver
	// Pinch moves two fingers around a point: scale > 1 apart (zooms in), 0 < scale < 1 together (zooms
	// out). over <= 0 is the driver's default.
	Pinch(ctx context.Context, at image.Point, scale float64, over time.Duration) error
}

// pinchSpan is the distance of the fingers at the wide end, in parts of the room around the point.
const pinchSpan = 0.8

// Pinch moves two fingers around a point. The slow path is a Gesture of two fingers.
func Pinch(ctx context.Context, d Driver, at image.Point, scale float64, over time.Duration) error {
	var cause error
	if d, ok := d.(PinchDriver); ok {
		if cause = d.Pinch(ctx, at, scale, over); !unsupported(cause) {
			return cause
		}
	}
	if _, ok := d.(GestureDriver); !ok || !(scale > 0) { // nor NaN
		return noSlowPath(OpPinch, cause)
	}
	s, err := d.Screenshot(ctx)
	if err != nil {
		return err
	}
	if over <= 0 {
		over = defaultDrag
	}
	return Gesture(ctx, d, pinchStrokes(s.Size(), at, scale, over))
}

func pinchStrokes(size, at image.Point, scale float64, over time.Duration) []Stroke {
	room := min(at.X, at.Y, size.X-1-at.X, size.Y-1-at.Y)
	wide := float64(room) * pinchSpan
	start, end := wide, wide*scale
	if scale > 1 {
		start, end = wide/scale, wide
	}
	off := func(r float64) image.Point { return image.Pt(int(r), 0) }
	return []Stroke{
		{{at.Sub(off(start)), 0}, {at.Sub(off(end)), over}},
		{{at.Add(off(start)), 0}, {at.Add(off(end)), over}},
	}
}
