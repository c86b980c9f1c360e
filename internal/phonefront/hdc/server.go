package hdc

import (
	"cmp"
	"context"
	"encoding/gob"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/handset-go/handset/internal/nap"
)

// ServerOptions say how a Server behaves. The zero value of each field is its default.
type ServerOptions struct {
	Listen  string        // where the tool finds it; "127.0.0.1:0" if unset
	Port    int           // what it is called in -s and OHOS_HDC_SERVER_PORT; 8710 if unset
	Version string        // of the tool; that of the first phone's release if unset
	Cold    bool          // the first call has to start the server
	Start   time.Duration // how long a start takes; none if unset, StartTime for real
	Refused time.Duration // until a tool gives up on a server; none if unset, RefusedTime for real
	Serial  string        // a serial port such as "COM1" that the list shows; none if unset
	Now     func() time.Time
}

// What a real server takes, seen on hdc 3.2.0f.
const (
	StartTime   = 1300 * time.Millisecond
	RefusedTime = 12400 * time.Millisecond
)

// Server stays up between the calls of the tool: it holds the phones and what was forwarded. It stands for
// hdc's own server, which may be down (Cold, kill) while this one listens.
type Server struct {
	opts ServerOptions
	ln   net.Listener

	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu       sync.Mutex
	targets  []*target // by key
	away     []*Device // reached by tconn only
	phones   []*Device // all that ever were attached
	forwards []*forward
	conns    map[net.Conn]bool
	running  bool
	starting int // tools that are starting the server
}

// target is a phone, or what once was one, in the server's list.
type target struct {
	key string
	dev *Device // nil for an address where nothing answered
}

// Serve starts a server with phones that are plugged in: by USB, or over the network where the key is an
// address such as "127.0.0.1:5555". Close ends it and the phones.
func Serve(opts *ServerOptions, phones ...*Device) (*Server, error) {
	var o ServerOptions
	if opts != nil {
		o = *opts
	}
	o.Listen, o.Port = cmp.Or(o.Listen, "127.0.0.1:0"), cmp.Or(o.Port, defaultPort)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Version == "" {
		o.Version = profiles[0].Tool
		if len(phones) > 0 {
			o.Version = phones[0].profile.Tool
		}
	}
	ln, err := net.Listen("tcp", o.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen for the hdc tool: %w", err)
	}
	s := &Server{opts: o, ln: ln, conns: map[net.Conn]bool{}, running: !o.Cold}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	for _, d := range phones {
		s.Plug(d)
	}
	s.wg.Go(s.accept)
	return s, nil
}

// Addr returns the address that the tool talks to.
func (s *Server) Addr() string { return s.ln.Addr().String() }

// Plug attaches a phone, again if it was there before.
func (s *Server) Plug(d *Device) {
	d.revive()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.own(d)
	s.attach(target{d.key, d})
}

// own remembers that Close ends a phone. The lock must be held.
func (s *Server) own(d *Device) {
	if !slices.Contains(s.phones, d) {
		s.phones = append(s.phones, d)
	}
}

// Reach lets tconn find a phone at the address that is its key.
func (s *Server) Reach(d *Device) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.own(d)
	s.away = append(s.away, d)
}

// Unplug takes a phone away, with what was forwarded to it.
func (s *Server) Unplug(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.targets = slices.DeleteFunc(s.targets, func(t *target) bool { return t.key == key })
	s.dropForwards(key)
}

// attach adds or replaces a target. The lock must be held.
func (s *Server) attach(t target) {
	i, found := slices.BinarySearchFunc(s.targets, t.key, func(t *target, key string) int { return strings.Compare(t.key, key) })
	if found {
		s.targets[i] = &t
		return
	}
	s.targets = slices.Insert(s.targets, i, &t)
}

// Close ends the server, the phones and every call, and waits for them.
func (s *Server) Close() error {
	s.cancel()
	_ = s.ln.Close()
	s.mu.Lock()
	phones := slices.Clone(s.phones)
	s.dropForwards("")
	for c := range s.conns {
		_ = c.Close()
	}
	s.mu.Unlock()
	for _, d := range phones {
		_ = d.Close()
	}
	s.wg.Wait()
	return nil
}

func (s *Server) accept() {
	for {
		conn, err := s.ln.Accept()
		if err != nil {
			return
		}
		if s.keep(conn) {
			s.wg.Go(func() {
				defer s.forget(conn)
				s.serve(conn)
			})
		}
	}
}

// keep remembers a connection so that Close ends it.
func (s *Server) keep(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		_ = conn.Close()
		return false
	}
	s.conns[conn] = true
	return true
}

func (s *Server) forget(conn net.Conn) {
	_ = conn.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, conn)
}

// serve answers one call of the tool.
func (s *Server) serve(conn net.Conn) {
	q, err := decode(conn)
	if err != nil {
		return
	}
	a := &answer{enc: gob.NewEncoder(conn), crlf: s.any(FaultCRLF)}
	if q.Op == opVersion {
		a.print(s.opts.Version)
		return
	}
	stop := q.Op == opCommand && len(q.Args) > 0 && q.Args[0] == "kill"
	if !stop && !s.up(q) {
		a.send(reply{Err: []byte("Connect server failed\n"), End: true})
		return
	}
	s.do(q, a)
}

// do answers a call once the server is up.
func (s *Server) do(q request, a *answer) {
	if q.Op == opCommand {
		a.print(s.command(q))
		return
	}
	d, problem := s.find(q.Key)
	if problem != "" {
		a.print(problem)
		return
	}
	switch {
	case q.Op == opReady:
		a.send(reply{OK: true, Coded: s.coded(), End: true})
		return
	case q.Op == opShell:
		s.shell(d, q.Args[0], a)
		return
	case !d.begin():
		return
	}
	switch q.Op {
	case opPush:
		s.push(d, q, a)
	case opPull:
		s.pull(d, q.Args[0], a)
	case opInstall:
		s.install(d, q, a)
	case opUninstall:
		a.print("[Info]App uninstall path: msg:" + d.uninstall(q.Args[0]) + " \r\nAppMod finish\r\n")
	}
}

// any says that a fault is on at some phone.
func (s *Server) any(fault string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.targets, func(t *target) bool { return t.dev != nil && t.dev.faults.On(fault) })
}

// up starts the server where it is not running, and says whether it is. Of several tools that start it at
// once the second loses: it waits for long and gives up.
func (s *Server) up(q request) bool {
	start, refused := s.opts.Start, s.opts.Refused
	if s.any(FaultRealTime) {
		start, refused = StartTime, RefusedTime
	}
	if s.another(q) || s.any(FaultServerDown) {
		if !q.NoStart {
			_ = nap.For(s.ctx, refused)
		}
		return false
	}
	s.mu.Lock()
	if s.running || q.NoStart {
		defer s.mu.Unlock()
		return s.running
	}
	s.starting++
	place := s.starting
	s.mu.Unlock()
	if place == 2 {
		_ = nap.For(s.ctx, refused)
		return false
	}
	_ = nap.For(s.ctx, start)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running, s.starting = true, 0
	return true
}

// another says that a tool was sent to another server than this one: by the port, or by the address of another computer,
// where nothing answers.
func (s *Server) another(q request) bool {
	return q.Port != 0 && q.Port != s.opts.Port || !s.here(q.Host)
}

// here says that an address leads to this server: one of this computer's own, or the one that it listens on.
func (s *Server) here(host string) bool {
	ip := net.ParseIP(host)
	if host == "" || ip.IsLoopback() || ip.IsUnspecified() {
		return true
	}
	own, _, _ := net.SplitHostPort(s.Addr())
	return ip.Equal(net.ParseIP(own))
}

// down stops the server: what is on the network is forgotten, and what was forwarded too.
func (s *Server) down() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running = false
	s.dropForwards("")
	for _, t := range s.targets {
		if t.dev != nil && t.dev.network() {
			s.away = append(s.away, t.dev)
		}
	}
	s.targets = slices.DeleteFunc(s.targets, func(t *target) bool { return t.dev == nil || t.dev.network() })
}
