package driver

import "context"

// AppsDriver is a Driver that can list the installed apps.
type AppsDriver interface {
	Driver
	// Apps returns the installed apps, sorted by id, with names as far as they are known.
	Apps(ctx context.Context) ([]App, error)
}

// Apps returns the installed apps. There is no slow path.
func Apps(ctx context.Context, d Driver) ([]App, error) {
	if d, ok := d.(AppsDriver); ok {
		return d.Apps(ctx)
	}
	return nil, noSlowPath(OpApps, nil)
}
