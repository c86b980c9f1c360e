package wda

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/nap"
)

// Server serves a Device over HTTP, and its frames over a second port. Close ends it with everything that it
// started.
type Server struct {
	*Device
	http   net.Listener
	mjpeg  net.Listener // nil for none
	ctx    context.Context
	cancel context.CancelFunc
	tasks  sync.WaitGroup
	under  atomic.Int32 // requests under way

	mu    sync.Mutex
	conns map[net.Conn]struct{}
}

// Listen makes a device of a phone and serves it at addr; "127.0.0.1:0" is a free port.
func Listen(addr string, phone *sim.Phone, opts *Options) (*Server, error) {
	d, err := New(phone, opts)
	if err != nil {
		return nil, err
	}
	return d.Listen(addr)
}

// Listen serves the device at addr, and its frames where its options say. A device whose server was closed
// can be served again, as a WebDriverAgent that was started again.
func (d *Device) Listen(addr string) (*Server, error) {
	s := &Server{Device: d, conns: map[net.Conn]struct{}{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	var err error
	if s.http, err = new(net.ListenConfig).Listen(s.ctx, "tcp", addr); err != nil {
		s.cancel()
		return nil, fmt.Errorf("wda: %w", err)
	}
	if d.mjpeg != "none" {
		if s.mjpeg, err = new(net.ListenConfig).Listen(s.ctx, "tcp", d.mjpeg); err != nil {
			s.cancel()
			return nil, fmt.Errorf("wda: frames: %w", errors.Join(err, s.http.Close()))
		}
		s.tasks.Go(func() { s.accept(s.mjpeg, s.stream) })
	}
	s.tasks.Go(func() { s.accept(s.http, s.serve) })
	return s, nil
}

// Addr returns where the server listens, such as "127.0.0.1:8100".
func (s *Server) Addr() string { return s.http.Addr().String() }

// URL returns "http://" and Addr.
func (s *Server) URL() string { return "http://" + s.Addr() }

// MJPEGAddr returns where the frames are served, "" for nowhere.
func (s *Server) MJPEGAddr() string {
	if s.mjpeg == nil {
		return ""
	}
	return s.mjpeg.Addr().String()
}

// UnderWay returns how many requests were read and are not answered yet.
func (s *Server) UnderWay() int { return int(s.under.Load()) }

// Close ends the server and waits for its connections. A command in progress is not answered.
func (s *Server) Close() error {
	s.cancel()
	err := s.http.Close()
	if s.mjpeg != nil {
		err = errors.Join(err, s.mjpeg.Close())
	}
	s.mu.Lock()
	for c := range s.conns {
		_ = c.Close() // its own goroutine sees the end
	}
	s.mu.Unlock()
	s.tasks.Wait()
	if errors.Is(err, net.ErrClosed) {
		return nil // the second Close
	}
	return err
}

// DropConnections breaks every connection, as a pulled cable does. The server goes on.
func (s *Server) DropConnections() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		_ = c.Close() // its own goroutine sees the end
	}
}

// acceptPause is how long a listener that fails is left alone.
const acceptPause = 10 * time.Millisecond

// accept serves the connections of a listener, each in a goroutine of its own, until it is closed.
func (s *Server) accept(l net.Listener, serve func(net.Conn)) {
	for {
		c, err := l.Accept()
		switch {
		case s.ctx.Err() != nil || errors.Is(err, net.ErrClosed):
			if err == nil {
				_ = c.Close() // nobody waits for it any more
			}
			return
		case err != nil: // too many open files, say
			if nap.For(s.ctx, acceptPause) != nil {
				return
			}
			continue
		}
		s.keep(c)
		s.tasks.Go(func() {
			defer s.forget(c)
			serve(c)
		})
	}
}

// keep remembers a connection. One that came while the server ends is closed at once.
func (s *Server) keep(c net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conns[c] = struct{}{}
	if s.ctx.Err() != nil {
		_ = c.Close() // its own goroutine sees the end
	}
}

func (s *Server) forget(c net.Conn) {
	_ = c.Close() // a peer that is gone has seen the end already
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
}
