package driver

import "context"

// InstallDriver is a Driver that can install apps from files of this computer.
type InstallDriver interface {
	Driver
	// Install installs one app; several files are the parts of it.
	Install(ctx context.Context, files ...string) error
}

// Install installs an app from files of this computer. There is no slow path.
func Install(ctx context.Context, d Driver, files ...string) error {
	if d, ok := d.(InstallDriver); ok {
		return d.Install(ctx, files...)
	}
	return noSlowPath(OpInstall, nil)
}
