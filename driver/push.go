package driver

import (
	"context"
	"io"
)

// PushDriver is a Driver that can write files on the phone.
type PushDriver interface {
	Driver
	// Push writes everything that src yields to the file remote, which it creates or replaces.
	Push(ctx context.Context, src io.Reader, remote string) error
}

// Push writes a file on the phone. There is no slow path.
func Push(ctx context.Context, d Driver, src io.Reader, remote string) error {
	if d, ok := d.(PushDriver); ok {
		return d.Push(ctx, src, remote)
	}
	return noSlowPath(OpPush, nil)
}
