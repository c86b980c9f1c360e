package main

import (
	"bytes"
	"context"
	"time"

	"github.com/handset-go/handset/driver"
)

type logsCmd struct {
	For time.Duration `placeholder:"TIME" help:"End after so long, such as 5s. Default: go on until Ctrl-C."`
}

// Run prints the system log of the phone as it grows.
func (c *logsCmd) Run(a *app) error {
	if c.For < 0 {
		return usagef("logs: --for %v: want a time such as 5s", c.For)
	}
	return a.with(func(ctx context.Context, d driver.Driver) error {
		ctx, cancel := until(ctx, c.For)
		defer cancel()
		dst := a.data()
		if a.JSON {
			dst = &logLines{a: a}
		}
		err := driver.Logs(ctx, d, dst)
		if ctx.Err() != nil || a.out.err != nil {
			return nil // that is how it ends, or nobody reads any more, which main tells
		}
		return err
	})
}

// until is ctx with an end after a time; 0 is none.
func until(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}

// logLines prints whole lines as objects.
type logLines struct {
	a    *app
	rest []byte
}

func (l *logLines) Write(p []byte) (int, error) {
	l.rest = append(l.rest, p...)
	for {
		line, rest, whole := bytes.Cut(l.rest, []byte("\n"))
		if !whole {
			return len(p), l.a.out.err
		}
		l.a.printJSON(map[string]string{"line": string(bytes.TrimRight(line, "\r"))})
		l.rest = rest
	}
}
