package driver

import "context"

// WakeDriver is a Driver that can turn the display on.
type WakeDriver interface {
	Driver
	// Wake turns the display on. It does not unlock. A display that is on stays on.
	Wake(ctx context.Context) error
}

// Wake turns the display on. The slow path presses Power, only if the display is known to be off.
func Wake(ctx context.Context, d Driver) error {
	var cause error
	if d, ok := d.(WakeDriver); ok {
		if cause = d.Wake(ctx); !unsupported(cause) {
			return cause
		}
	}
	p, err := PowerState(ctx, d)
	switch {
	case unsupported(err):
		return noSlowPath(OpWake, cause)
	case err != nil || p.On:
		return err
	}
	return d.Key(ctx, KeyPower)
}
