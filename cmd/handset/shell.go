package main

import (
	"context"
	"io"
	"unicode/utf8"

	"github.com/handset-go/handset/driver"
)

type shellCmd struct {
	Argv []string `arg:"" passthrough:"partial" name:"command" help:"The command and its arguments, each as it is: no shell reads them. For pipes and the like: sh -c 'cd /sdcard && ls'."`
}

// shellJSON is what a command on the phone did. What is no UTF-8 is in the fields of bytes, as base64.
type shellJSON struct {
	Stdout      string `json:"stdout"`
	Stderr      string `json:"stderr"`
	StdoutBytes []byte `json:"stdout_base64,omitempty"`
	StderrBytes []byte `json:"stderr_base64,omitempty"`
	Code        int    `json:"code"` // -1 where the connection does not carry it
}

// Run runs a command on the phone. Its exit status is that of this program.
func (c *shellCmd) Run(a *app) error {
	argv := c.Argv
	if argv[0] == "--" {
		argv = argv[1:]
	}
	if len(argv) == 0 || argv[0] == "" {
		return usagef("shell: the command is empty")
	}
	return a.actAllowing(driver.OpShell, func(ctx context.Context, d driver.Driver) error {
		r, err := driver.Shell(ctx, d, argv...)
		if err != nil {
			return err
		}
		if err := a.printShell(r); err != nil {
			return err
		}
		if r.Code > 0 {
			return &toldError{r.Code}
		}
		return nil
	})
}

func (a *app) printShell(r *driver.ShellResult) error {
	if a.JSON {
		out := shellJSON{Code: r.Code}
		out.Stdout, out.StdoutBytes = textOrBytes(r.Stdout)
		out.Stderr, out.StderrBytes = textOrBytes(r.Stderr)
		a.printJSON(out)
		return nil
	}
	if _, err := a.data().Write(r.Stdout); err != nil {
		return nil // main tells
	}
	_, err := a.stderr.Write(r.Stderr)
	return err
}

func textOrBytes(b []byte) (string, []byte) {
	if utf8.Valid(b) {
		return string(b), nil
	}
	return "", b
}

// data is stdout for what a phone wrote: unchanged into a pipe or a file, and such that it cannot steer a terminal.
func (a *app) data() io.Writer {
	if isTerminal(a.stdout) {
		return a.text
	}
	return a.out
}
