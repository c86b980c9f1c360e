package adbserver

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/handset-go/handset/internal/phonefront/adbservice"
)

// forward is a port of this machine that leads to a socket of a phone.
type forward struct {
	local    string
	listener net.Listener

	phone  *attached // of the server's lock, as remote: a port may be led elsewhere
	remote string
}

// forward answers forward:[norebind:]local;remote.
func (r *requester) forward(p *attached, arg string) {
	norebind := strings.HasPrefix(arg, "norebind:")
	arg = strings.TrimPrefix(arg, "norebind:")
	local, remote, ok := strings.Cut(arg, ";")
	if !ok || remote == "" {
		r.fail("bad forward: " + arg)
		return
	}
	port, isTCP := strings.CutPrefix(local, "tcp:")
	if !isTCP {
		r.fail("cannot bind listener: unknown socket specification:" + local)
		return
	}
	switch known := r.s.rebind(local, norebind, p, remote); {
	case known && norebind:
		r.fail("cannot rebind existing socket")
		return
	case known: // it is bound already, and its port is not told
		r.write("OKAYOKAY")
		return
	}
	l, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		r.fail("cannot bind listener: Address already in use")
		return
	}
	bound := fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
	if !r.s.startForward(&forward{phone: p, local: "tcp:" + bound, remote: remote, listener: l}) {
		return
	}
	r.write("OKAYOKAY")
	r.write(fmt.Sprintf("%04x%s", len(bound), bound))
}

// rebind leads a port that is forwarded already to another socket, unless it must not, and says whether there was one.
func (s *Server) rebind(local string, norebind bool, p *attached, remote string) (known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.forwards, func(f *forward) bool { return f.local == local })
	if i >= 0 && !norebind {
		s.forwards[i].phone, s.forwards[i].remote = p, remote
	}
	return i >= 0
}

// startForward begins to listen, unless the server was killed meanwhile.
func (s *Server) startForward(f *forward) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.killed {
		_ = f.listener.Close()
		return false
	}
	s.forwards = append(s.forwards, f)
	s.tasks.Go(func() { s.acceptForward(f) })
	return true
}

func (s *Server) removeForward(local string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.forwards, func(f *forward) bool { return f.local == local })
	if i < 0 {
		return false
	}
	_ = s.forwards[i].listener.Close()
	s.forwards = slices.Delete(s.forwards, i, i+1)
	return true
}

func (r *requester) killForward(local string) {
	if !r.s.removeForward(local) {
		r.fail(fmt.Sprintf("listener '%s' not found", local))
		return
	}
	r.write("OKAYOKAY")
}

func (s *Server) killForwards() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropForwards("")
}

// dropForwards ends those to a phone, or all with "". The lock must be held.
func (s *Server) dropForwards(serial string) {
	s.forwards = slices.DeleteFunc(s.forwards, func(f *forward) bool {
		drop := serial == "" || f.phone.Serial == serial
		if drop {
			_ = f.listener.Close()
		}
		return drop
	})
}

func (s *Server) listForwards() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	for _, f := range s.forwards {
		fmt.Fprintf(&b, "%s %s %s\n", f.phone.Serial, f.local, f.remote)
	}
	return b.String()
}

// acceptForward connects each caller of the port to the phone.
func (s *Server) acceptForward(f *forward) {
	for {
		c, err := f.listener.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		if s.killed {
			_ = c.Close()
		} else {
			phone, remote := f.phone, f.remote
			s.conns[c] = phone.Serial
			s.tasks.Go(func() { s.forwarded(phone, remote, c) })
		}
		s.mu.Unlock()
	}
}

func (s *Server) forwarded(phone *attached, remote string, c net.Conn) {
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
	if service := adbservice.Find(phone.Device, remote, dialLocal); service != nil {
		_ = service(ctx, stream{c})
	}
}
