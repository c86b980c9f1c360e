package driver

import (
	"context"
	"iter"
	"time"

	"github.com/handset-go/handset/internal/nap"
)

// FramesDriver is a Driver with a stream of frames that is faster than single screenshots.
type FramesDriver interface {
	Driver
	// Frames yields frames, at most one in each interval every, until ctx ends or the caller stops. An
	// error is the last thing that it yields.
	Frames(ctx context.Context, every time.Duration) (iter.Seq2[*Screen, error], error)
}

// Frames yields frames until ctx ends or the caller stops. The slow path takes a screenshot in each
// interval.
func Frames(ctx context.Context, d Driver, every time.Duration) (iter.Seq2[*Screen, error], error) {
	if d, ok := d.(FramesDriver); ok {
		if seq, err := d.Frames(ctx, every); !unsupported(err) {
			return seq, err
		}
	}
	return func(yield func(*Screen, error) bool) {
		for {
			next := time.Now().Add(every)
			s, err := d.Screenshot(ctx)
			if !yield(s, err) || err != nil {
				return
			}
			if err := nap.For(ctx, time.Until(next)); err != nil {
				yield(nil, err)
				return
			}
		}
	}, nil
}
