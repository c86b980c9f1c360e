package driver

import "context"

// StopDriver is a Driver that can end an app.
type StopDriver interface {
	Driver
	// Stop ends an app, which is an id or a name as for Launch. One that does not run is no error.
	Stop(ctx context.Context, app string) error
}

// Stop ends an app. There is no slow path.
func Stop(ctx context.Context, d Driver, app string) error {
	if d, ok := d.(StopDriver); ok {
		return d.Stop(ctx, app)
	}
	return noSlowPath(OpStop, nil)
}
