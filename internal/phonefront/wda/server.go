package wda

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"

	"github.com/handset-go/handset/driver/sim"
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

	mu    sync.Mutex
	conns map[net.Conn]struct{}
}

// Listen makes a device of a phone and serves it at addr; "127.0.0.1:0" is a free port.
func Listen(addr string, phone *sim.Phone, opts *Options) (*Server, error) {
	d, err := New(phone, opts)
	if err != nil {
		return nil, err
	}
	mjpeg := ""
	if opts != nil {
		mjpeg = opts.MJPEG
	}
	return d.listen(addr, mjpeg)
}

func (d *Device) listen(addr, mjpeg string) (*Server, error) {
	s := &Server{Device: d, conns: map[net.Conn]struct{}{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	var err error
	if s.http, err = new(net.ListenConfig).Listen(s.ctx, "tcp", addr); err != nil {
		s.cancel()
		return nil, fmt.Errorf("wda: %w", err)
	}
	if mjpeg == "" {
		mjpeg = "127.0.0.1:0"
	}
	if mjpeg != "none" {
		if s.mjpeg, err = new(net.ListenConfig).Listen(s.ctx, "tcp", mjpeg); err != nil {
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

// accept serves the connections of a listener, each in a goroutine of its own, until it is closed.
func (s *Server) accept(l net.Listener, serve func(net.Conn)) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		if !s.keep(c) {
			_ = c.Close() // nobody waits for it any more
			return
		}
		s.tasks.Go(func() {
			defer s.forget(c)
			serve(c)
		})
	}
}

func (s *Server) keep(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		return false
	}
	s.conns[c] = struct{}{}
	return true
}

func (s *Server) forget(c net.Conn) {
	_ = c.Close() // a peer that is gone has seen the end already
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
}
