package driver

import "context"

// ReleaseDriver is a Driver that holds something of the phone between calls.
type ReleaseDriver interface {
	Driver
	// Release gives the phone back to a person: the input method, the session, whatever the driver holds.
	// The driver stays open and takes it again with the next call that needs it.
	Release(ctx context.Context) error
}

// Release gives the phone back to a person. A driver that holds nothing has nothing to do.
func Release(ctx context.Context, d Driver) error {
	if d, ok := d.(ReleaseDriver); ok {
		if err := d.Release(ctx); !unsupported(err) {
			return err
		}
	}
	return nil
}
