package driver

import "context"

// ShellResult is what a command on the phone printed and how it ended.
type ShellResult struct {
	Stdout, Stderr []byte // Stderr is empty where the connection cannot tell it from Stdout
	Code           int    // exit status, -1 where the connection does not carry it
}

// ShellDriver is a Driver that can run commands on the phone.
type ShellDriver interface {
	Driver
	// Shell runs a command with its arguments. Each is one argument on the phone, whatever is in it. A
	// status other than 0 is no error.
	Shell(ctx context.Context, argv ...string) (*ShellResult, error)
}

// Shell runs a command on the phone. There is no slow path.
func Shell(ctx context.Context, d Driver, argv ...string) (*ShellResult, error) {
	if d, ok := d.(ShellDriver); ok {
		return d.Shell(ctx, argv...)
	}
	return nil, noSlowPath(OpShell, nil)
}
