package adb

import (
	"context"
	"errors"
	"iter"

	"github.com/handset-go/handset/driver"
)

// Watch yields the list of devices now, and again at each change, until ctx ends or the caller
// stops. An error is the last thing that it yields.
func Watch(ctx context.Context, opts *Options) iter.Seq2[[]driver.Device, error] {
	return func(yield func([]driver.Device, error) bool) {
		s, err := serverOf(opts)
		if err != nil {
			yield(nil, err)
			return
		}
		for all, err := range s.track(ctx) {
			var devices []driver.Device
			for _, d := range all {
				devices = append(devices, d.device())
			}
			if !yield(devices, err) {
				return
			}
		}
	}
}

// track yields the server's list at each change.
func (s *server) track(ctx context.Context) iter.Seq2[[]listed, error] {
	return func(yield func([]listed, error) bool) {
		sock, err := s.tracker(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		defer sock.close()
		for {
			text, err := sock.block()
			if err != nil {
				yield(nil, sock.err(ctx, err))
				return
			}
			if !yield(parseDevices(text), nil) {
				return
			}
		}
	}
}

// tracker opens the list that never ends; servers before 28 know only the short one.
func (s *server) tracker(ctx context.Context) (*socket, error) {
	var err error
	for _, service := range []string{"host:track-devices-l", "host:track-devices"} {
		var sock *socket
		if sock, err = s.dial(ctx); err != nil {
			return nil, err
		}
		if err = sock.request(service); err == nil {
			return sock, nil
		}
		sock.close()
		err = sock.err(ctx, err)
		var f *failure
		if !errors.As(err, &f) {
			break
		}
	}
	return nil, err
}
