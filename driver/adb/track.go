package adb

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

// followMin and followMax bound the pause before Follow asks a server again that has ended.
const (
	followMin = 200 * time.Millisecond
	followMax = 5 * time.Second
)

// Follow is Watch that goes on: where the server ends or breaks, it yields the error, waits and
// watches the server that comes next, which it starts as Options say. Only the end of ctx, and
// options that make no sense, are the last thing that it yields.
func Follow(ctx context.Context, opts *Options) iter.Seq2[[]driver.Device, error] {
	return func(yield func([]driver.Device, error) bool) {
		s, err := serverOf(opts)
		if err != nil {
			yield(nil, err)
			return
		}
		for wait := followMin; ; wait = min(2*wait, followMax) {
			for all, err := range s.track(ctx) {
				if err == nil {
					wait = followMin
				}
				if !yield(devicesOf(all), err) {
					return
				}
			}
			if ctx.Err() != nil || nap.For(ctx, wait) != nil {
				return
			}
		}
	}
}

func devicesOf(all []listed) []driver.Device {
	var devices []driver.Device
	for _, d := range all {
		devices = append(devices, d.device())
	}
	return devices
}

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
			if !yield(devicesOf(all), err) {
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
