package driver

import "context"

// RotationDriver is a Driver that can tell how the display is turned.
type RotationDriver interface {
	Driver
	// Rotation returns 0 to 3: quarter turns from the natural orientation.
	Rotation(ctx context.Context) (int, error)
}

// Rotation returns how the display is turned, 0 to 3. The slow path reads it from the tree.
func Rotation(ctx context.Context, d Driver) (int, error) {
	if d, ok := d.(RotationDriver); ok {
		if r, err := d.Rotation(ctx); !unsupported(err) {
			return r, err
		}
	}
	t, err := d.Tree(ctx)
	if err != nil {
		return 0, err
	}
	return t.Rotation, nil
}
