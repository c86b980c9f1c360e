package driver

import "context"

// LockDriver is a Driver that can turn the display off.
type LockDriver interface {
	Driver
	// Lock turns the display off, which locks a phone that has a lock. One that is off stays off.
	Lock(ctx context.Context) error
}

// Lock turns the display off. The slow path presses Power, only if the display is known to be on.
func Lock(ctx context.Context, d Driver) error {
	var cause error
	if d, ok := d.(LockDriver); ok {
		if cause = d.Lock(ctx); !unsupported(cause) {
			return cause
		}
	}
	p, err := PowerState(ctx, d)
	switch {
	case unsupported(err):
		return noSlowPath(OpLock, cause)
	case err != nil || !p.On:
		return err
	}
	return d.Key(ctx, KeyPower)
}
