package driver

import (
	"context"
	"io"
)

// LogsDriver is a Driver that can read the phone's system log.
type LogsDriver interface {
	Driver
	// Logs writes the log to dst as it grows, in whole lines, until ctx ends, which is then the error.
	Logs(ctx context.Context, dst io.Writer) error
}

// Logs writes the phone's system log to dst until ctx ends. There is no slow path.
func Logs(ctx context.Context, d Driver, dst io.Writer) error {
	if d, ok := d.(LogsDriver); ok {
		return d.Logs(ctx, dst)
	}
	return noSlowPath(OpLogs, nil)
}
