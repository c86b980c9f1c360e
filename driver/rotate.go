package driver

import "context"

// RotateDriver is a Driver that can turn the display.
type RotateDriver interface {
	Driver
	// Rotate turns the display to 0 to 3 quarter turns from the natural orientation.
	Rotate(ctx context.Context, rotation int) error
}

// Rotate turns the display. There is no slow path.
func Rotate(ctx context.Context, d Driver, rotation int) error {
	if d, ok := d.(RotateDriver); ok {
		return d.Rotate(ctx, rotation)
	}
	return noSlowPath(OpRotate, nil)
}
