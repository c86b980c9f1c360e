package driver

import (
	"context"
	"io"
)

// PullDriver is a Driver that can read files of the phone.
type PullDriver interface {
	Driver
	// Pull writes the file remote to dst. After an error dst may hold a part of it.
	Pull(ctx context.Context, remote string, dst io.Writer) error
}

// Pull reads a file of the phone. There is no slow path.
func Pull(ctx context.Context, d Driver, remote string, dst io.Writer) error {
	if d, ok := d.(PullDriver); ok {
		return d.Pull(ctx, remote, dst)
	}
	return noSlowPath(OpPull, nil)
}
