package driver

import "context"

// UninstallDriver is a Driver that can remove apps.
type UninstallDriver interface {
	Driver
	// Uninstall removes the app with this id. A name is refused: a guess must not delete anything.
	Uninstall(ctx context.Context, id string) error
}

// Uninstall removes the app with this id. There is no slow path.
func Uninstall(ctx context.Context, d Driver, id string) error {
	if d, ok := d.(UninstallDriver); ok {
		return d.Uninstall(ctx, id)
	}
	return noSlowPath(OpUninstall, nil)
}
