package hdc

import (
	"bytes"
	"context"
	"io"

	"github.com/handset-go/handset/driver"
)

// Logs writes what hilog prints to dst until ctx ends: first what the phone has kept, then what is new.
func (d *Driver) Logs(ctx context.Context, dst io.Writer) error {
	return d.calls.Do(ctx, driver.OpLogs, 0, func(ctx context.Context) error {
		w := &lineWriter{dst: dst}
		_, err := d.tool.runTo(ctx, w, "-t", d.key, "shell", "hilog")
		switch {
		case w.err != nil:
			return w.err
		case w.failed != nil:
			return w.failed
		case err != nil:
			return err
		}
		return errBroken // hilog does not end by itself
	})
}

// lineWriter passes on whole lines, and keeps to itself a first one in which the tool says that it failed.
type lineWriter struct {
	dst    io.Writer
	rest   []byte
	begun  bool
	failed error
	err    error
}

func (w *lineWriter) Write(p []byte) (int, error) {
	w.rest = append(w.rest, p...)
	end := bytes.LastIndexByte(w.rest, '\n') + 1
	if end == 0 {
		return len(p), nil
	}
	lines := w.rest[:end]
	if f := refusal(lines); f != nil && !w.begun {
		w.failed = f
		return len(p), nil
	}
	w.begun = true
	if _, w.err = w.dst.Write(lines); w.err != nil {
		return 0, w.err
	}
	w.rest = append(w.rest[:0], w.rest[end:]...)
	return len(p), nil
}
