// Package adbserver is a simulated phone behind the socket of an adb server, for tests without any binary:
// the smart socket's requests, device lists, states and refusals, in the words of adb 29.
package adbserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"sync"

	"github.com/handset-go/handset/internal/phonefront/android"
	"github.com/handset-go/handset/internal/phonefront/fault"
)

// Options say what a server is like. The zero value of each field is its default.
type Options struct {
	Addr    string  // where it listens; "127.0.0.1:0" if unset
	Version int     // of the protocol; 41 if unset
	Release int     // of the platform-tools; 29 if unset. 30 and newer can pair and find phones by mDNS
	Phones  []Phone // attached at first
}

// Phone is a phone that the server knows.
type Phone struct {
	Device *android.Device
	Serial string // of the device if unset; "127.0.0.1:5555" is one that adb connect attached
	State  State  // Online if unset
	USB    string // the path, such as "1-4"; "" for a phone on the network
	Away   bool   // known to "host:connect" only, until then
	// Pair is where the phone waits to be paired, such as "192.168.12.34:37123", and Code the six digits that
	// it shows.
	Pair, Code string
}

// State is what the server says of a phone.
type State string

// The states of a phone.
const (
	Online       State = "device"
	Offline      State = "offline"
	Unauthorized State = "unauthorized"
	Authorizing  State = "authorizing"
	Connecting   State = "connecting"
	Recovery     State = "recovery"
	Sideload     State = "sideload"
	Bootloader   State = "bootloader"
	NoPermission State = "no permissions (user in plugdev group; are your udev rules wrong?); see [http://developer.android.com/tools/device.html]"
)

// Server is a running adb server. Close ends it with everything that it started.
type Server struct {
	version int
	release int
	faults  *fault.Set
	held    *os.File // keeps the port while the server is killed; nil where nothing does

	mu       sync.Mutex
	listener net.Listener
	addr     string
	phones   []*attached
	lastID   int
	conns    map[net.Conn]string // with the serial of the phone that it speaks to
	watchers map[chan struct{}]struct{}
	forwards []*forward
	aborted  string
	killed   bool

	ctx    context.Context
	cancel context.CancelFunc
	tasks  sync.WaitGroup
}

// attached is a phone in the server's list.
type attached struct {
	Phone
	id int // of the transport
}

// Start starts a server. It fails where the address cannot be listened at.
func Start(opts *Options) (*Server, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	if o.Addr == "" {
		o.Addr = "127.0.0.1:0"
	}
	if o.Version == 0 {
		o.Version = 41
	}
	if o.Release == 0 {
		o.Release = 29
	}
	s := &Server{version: o.Version, release: o.Release, faults: android.NewFaults(), conns: map[net.Conn]string{}, watchers: map[chan struct{}]struct{}{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	for _, p := range o.Phones {
		s.Attach(p)
	}
	var at string
	s.held, at = holdPort(o.Addr)
	if err := s.listen(at); err != nil {
		s.free()
		return nil, err
	}
	return s, nil
}

// free lets go of the port.
func (s *Server) free() {
	if s.held != nil {
		_ = s.held.Close()
	}
}

func (s *Server) listen(addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("adb server: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		_ = l.Close()
		return errors.New("adb server: it is closed")
	}
	s.listener, s.addr, s.killed = l, l.Addr().String(), false
	s.tasks.Go(func() { s.accept(l) })
	return nil
}

// Addr returns where the server listens, host and port.
func (s *Server) Addr() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addr
}

// Faults returns the faults of the server itself. Those of a device count too.
func (s *Server) Faults() *fault.Set { return s.faults }

// on says that the server or one of its phones has a fault.
func (s *Server) on(name string) bool {
	if s.faults.On(name) {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.phones, func(p *attached) bool { return p.Device != nil && p.Device.Faults().On(name) })
}

// Attach adds a phone, or replaces the one of the same serial.
func (s *Server) Attach(p Phone) {
	if p.Serial == "" && p.Device != nil {
		p.Serial = p.Device.Serial()
	}
	if p.State == "" {
		p.State = Online
	}
	s.mu.Lock()
	s.lastID++
	a := &attached{Phone: p, id: s.lastID}
	s.phones = slices.DeleteFunc(s.phones, func(x *attached) bool { return x.Serial == p.Serial })
	s.phones = append(s.phones, a)
	s.mu.Unlock()
	s.changed()
}

// Detach takes a phone away: its streams and tunnels end.
func (s *Server) Detach(serial string) {
	s.mu.Lock()
	for _, p := range s.phones {
		if p.Serial == serial && p.Device != nil {
			p.Device.SetReverse("", "", nil) // its daemon ends them with the connection
		}
	}
	s.phones = slices.DeleteFunc(s.phones, func(x *attached) bool { return x.Serial == serial })
	s.mu.Unlock()
	s.breakLine(serial)
	s.changed()
}

// SetState changes what the server says of a phone. The streams of one that is no longer Online end.
func (s *Server) SetState(serial string, state State) {
	s.mu.Lock()
	for _, p := range s.phones {
		if p.Serial == serial {
			p.State = state
		}
	}
	s.mu.Unlock()
	if state != Online {
		s.breakLine(serial)
	}
	s.changed()
}

// changed wakes whoever tracks the devices.
func (s *Server) changed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for w := range s.watchers {
		select {
		case w <- struct{}{}:
		default:
		}
	}
}

// watch returns a channel that is sent to after each change, until stop is called.
func (s *Server) watch() (changes chan struct{}, stop func()) {
	w := make(chan struct{}, 1)
	s.mu.Lock()
	s.watchers[w] = struct{}{}
	s.mu.Unlock()
	return w, func() {
		s.mu.Lock()
		delete(s.watchers, w)
		s.mu.Unlock()
	}
}

// breakLine closes the connections that speak to a phone, and ends what is forwarded to it.
func (s *Server) breakLine(serial string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c, to := range s.conns {
		if to == serial {
			_ = c.Close()
		}
	}
	s.dropForwards(serial)
}

// Kill ends the server as a killed process ends: at once, with a reset on every connection. Restart starts it again.
func (s *Server) Kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.killed = true
	_ = s.listener.Close()
	for c := range s.conns {
		if t, ok := c.(*net.TCPConn); ok {
			_ = t.SetLinger(0)
		}
		_ = c.Close()
	}
	s.dropForwards("")
}

// Restart listens again, at the same address, after Kill.
func (s *Server) Restart() error {
	s.mu.Lock()
	killed, addr := s.killed, s.addr
	s.mu.Unlock()
	if !killed {
		return errors.New("adb server: it runs, kill it first")
	}
	return s.listen(addr)
}

// Killed says that the server has ended by itself or by Kill.
func (s *Server) Killed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.killed
}

// Aborted returns the request that was too long for its device and so ended the server, "" if there was none.
func (s *Server) Aborted() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.aborted
}

// Close ends the server, and returns when all that it started has ended.
func (s *Server) Close() error {
	s.mu.Lock()
	s.cancel()
	s.mu.Unlock()
	s.Kill()
	s.tasks.Wait()
	s.free()
	return nil
}

func (s *Server) accept(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		if s.killed {
			_ = c.Close()
		} else {
			s.conns[c] = ""
			s.tasks.Go(func() { s.handle(c) })
		}
		s.mu.Unlock()
	}
}

// handle serves one connection, which is one request and perhaps one service of a phone.
func (s *Server) handle(c net.Conn) {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	defer stop()
	defer func() {
		s.mu.Lock()
		delete(s.conns, c)
		s.mu.Unlock()
		_ = c.Close()
	}()
	r := &requester{s: s, c: c}
	for ctx.Err() == nil {
		request, err := readRequest(c)
		if err != nil || !r.answer(ctx, request) {
			return
		}
	}
}
