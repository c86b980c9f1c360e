// Package usbmuxd is a stand-in for the daemon that reaches iPhones over USB: it lists devices and connects to
// their ports, which are TCP addresses of this machine.
//
//	mux, err := usbmuxd.Listen("unix", filepath.Join(dir, "usbmuxd"))
//	mux.Attach(usbmuxd.Device{UDID: phone.UDID(), Ports: map[int]string{8100: phone.Addr()}})
//
// It speaks the plist protocol, version 1: ListDevices, Connect, Listen, ReadBUID and ReadPairRecord.
package usbmuxd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/handset-go/handset/internal/nap"
)

// Device is an iPhone that is plugged in, or paired over Wi-Fi.
type Device struct {
	UDID  string
	Ports map[int]string // TCP addresses behind its ports, such as 8100
	Wi    bool           // reached over Wi-Fi: ConnectionType "Network"
}

// entry is a device with the number that the daemon gave it.
type entry struct {
	Device
	id int
}

// Server is a running daemon. Close ends it with everything that it started.
type Server struct {
	listener net.Listener
	ctx      context.Context
	cancel   context.CancelFunc
	tasks    sync.WaitGroup

	mu      sync.Mutex
	last    int
	entries []entry
	conns   map[net.Conn]int // with the id of the device that they are relayed to, 0 for none
	silent  bool
	watch   map[*client]struct{}
	over    sync.Cond // of mu: a connection is over
}

// Listen starts a daemon at a unix socket or a TCP address. Tools look for it at /var/run/usbmuxd.
func Listen(network, addr string, devices ...Device) (*Server, error) {
	s := &Server{conns: map[net.Conn]int{}, watch: map[*client]struct{}{}}
	s.over.L = &s.mu
	s.ctx, s.cancel = context.WithCancel(context.Background())
	l, err := new(net.ListenConfig).Listen(s.ctx, network, addr)
	if err != nil {
		s.cancel()
		return nil, fmt.Errorf("usbmuxd: %w", err)
	}
	s.listener = l
	for _, d := range devices {
		s.Attach(d)
	}
	s.tasks.Go(s.accept)
	return s, nil
}

// Addr returns where the daemon listens: a path or a TCP address.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Network returns "unix" or "tcp".
func (s *Server) Network() string { return s.listener.Addr().Network() }

// Attach plugs a device in; one that is plugged in already is replaced.
func (s *Server) Attach(d Device) {
	s.Detach(d.UDID)
	s.mu.Lock()
	s.last++
	e := entry{Device: d, id: s.last}
	s.entries = append(s.entries, e)
	watchers := s.watchers()
	s.mu.Unlock()
	for _, c := range watchers {
		c.send(e.attached())
	}
}

// Detach pulls a device out, and returns when its connections are broken.
func (s *Server) Detach(udid string) {
	s.mu.Lock()
	i := slices.IndexFunc(s.entries, func(e entry) bool { return e.UDID == udid })
	if i < 0 {
		s.mu.Unlock()
		return
	}
	id := s.entries[i].id
	s.entries = slices.Delete(s.entries, i, i+1)
	for c, to := range s.conns {
		if to == id {
			_ = c.Close() // its own goroutine sees the end
		}
	}
	for s.relays(id) {
		s.over.Wait()
	}
	watchers := s.watchers()
	s.mu.Unlock()
	for _, c := range watchers {
		c.send(map[string]any{"MessageType": "Detached", "DeviceID": id})
	}
}

// relays says that a connection leads to a device. The lock must be held.
func (s *Server) relays(id int) bool {
	for _, to := range s.conns {
		if to == id {
			return true
		}
	}
	return false
}

func (s *Server) watchers() []*client {
	var all []*client
	for c := range s.watch {
		all = append(all, c)
	}
	return all
}

// SetSilent makes the daemon read requests and not answer them, or answer again.
func (s *Server) SetSilent(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.silent = on
}

// Close ends the daemon and every connection.
func (s *Server) Close() error {
	s.cancel()
	err := s.listener.Close()
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

// acceptPause is how long a listener that fails is left alone.
const acceptPause = 10 * time.Millisecond

func (s *Server) accept() {
	for {
		c, err := s.listener.Accept()
		switch {
		case err != nil && (s.ctx.Err() != nil || errors.Is(err, net.ErrClosed)):
			return
		case err != nil: // too many open files, say
			if nap.For(s.ctx, acceptPause) != nil {
				return
			}
			continue
		}
		if !s.keep(c, 0) {
			_ = c.Close() // nobody waits for it any more
			return
		}
		s.tasks.Go(func() {
			defer s.forget(c)
			(&client{server: s, conn: c}).serve()
		})
	}
}

// keep remembers a connection, and says whether the daemon still runs and the device, if there is one, is still plugged in.
func (s *Server) keep(c net.Conn, device int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	there := func(e entry) bool { return e.id == device }
	if s.ctx.Err() != nil || device != 0 && !slices.ContainsFunc(s.entries, there) {
		return false
	}
	s.conns[c] = device
	return true
}

func (s *Server) forget(c net.Conn) {
	_ = c.Close() // a peer that is gone has seen the end already
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	s.over.Broadcast()
}

func (s *Server) find(id int) (entry, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.entries {
		if e.id == id {
			return e, true
		}
	}
	return entry{}, false
}

func (s *Server) list() []entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.entries)
}

func (s *Server) isSilent() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.silent
}
