package adb

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

// shellKey finds, in the context of a capture, the shell that a stream of frames keeps for it.
type shellKey struct{}

// runner returns what runs a capture: the stream's shell, or a connection of its own.
func runner(ctx context.Context, d *Driver) func(context.Context, request) (*output, error) {
	s, ok := ctx.Value(shellKey{}).(*shell)
	if !ok || !s.alive() {
		return d.run
	}
	return func(ctx context.Context, r request) (*output, error) {
		out, err := s.do(ctx, r)
		if (errors.Is(err, errUnsent) || errors.Is(err, errBroken)) && ctx.Err() == nil {
			return d.run(ctx, r)
		}
		return out, err
	}
}

// Frames yields frames, at most one in each interval every, until ctx ends, the caller stops or Close.
// A shell that stays open takes them, so that each one saves a connection and the start of a shell;
// where that does not live, frames go on without. A caller that is slow gets a fresh frame when it asks, and none
// of those between. An error is the last thing that it yields.
func (d *Driver) Frames(ctx context.Context, every time.Duration) (iter.Seq2[*driver.Screen, error], error) {
	return func(yield func(*driver.Screen, error) bool) {
		kept := d.frameShell(ctx)
		defer func() { d.drop(kept) }()
		for next := time.Now(); ; {
			if kept != nil && !kept.alive() {
				d.drop(kept)
				kept = d.frameShell(ctx)
			}
			s, err := d.nextFrame(ctx, kept)
			if !yield(s, err) || err != nil {
				return
			}
			if next = next.Add(every); next.Before(time.Now()) {
				next = time.Now() // frames that were missed are not caught up
			}
			if err := nap.For(ctx, time.Until(next)); err != nil {
				yield(nil, err)
				return
			}
		}
	}, nil
}

// frameShell opens the shell of a stream; nil is to do without.
func (d *Driver) frameShell(ctx context.Context) *shell {
	if d.opts.PlainShell || !d.shellV2 {
		return nil
	}
	s, err := value(ctx, d, driver.OpFrames, limitShort, d.startShell)
	if err != nil {
		return nil // the first frame says what is wrong
	}
	return s
}

// drop ends the shell of a stream.
func (d *Driver) drop(s *shell) {
	if s != nil {
		d.held.drop(s)
		s.end()
	}
}

func (d *Driver) nextFrame(ctx context.Context, kept *shell) (*driver.Screen, error) {
	return value(ctx, d, driver.OpFrames, limitShort, func(ctx context.Context) (*driver.Screen, error) {
		if kept != nil {
			ctx = context.WithValue(ctx, shellKey{}, kept)
		}
		return d.capture(ctx)
	})
}
