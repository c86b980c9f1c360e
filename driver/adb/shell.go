package adb

import (
	"context"
	"errors"

	"github.com/handset-go/handset/driver"
)

// Shell runs a command on the phone. Each argument is one argument there, whatever is in it but
// NUL. Output beyond 64 MiB is an error. On Android 6 and older, the streams come as one.
func (d *Driver) Shell(ctx context.Context, argv ...string) (*driver.ShellResult, error) {
	return value(ctx, d, driver.OpShell, limitCommand, func(ctx context.Context) (*driver.ShellResult, error) {
		if len(argv) == 0 || argv[0] == "" {
			return nil, errors.New("no command: name a program and its arguments")
		}
		d.screen.forget() // it may be wm size
		defer d.screen.forget()
		out, err := d.act(ctx, quoteAll(argv))
		if err != nil {
			return nil, err
		}
		return &driver.ShellResult{Stdout: out.stdout, Stderr: out.stderr, Code: out.code}, nil
	})
}

// Release gives the phone back to a person. The driver holds nothing of it between calls, but for
// an input method that could not be put back at once.
func (d *Driver) Release(ctx context.Context) error {
	return d.do(ctx, driver.OpRelease, limitShort, d.payDebt)
}
