package hdc

import (
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
)

// forward is a port that leads from this machine to a phone, or back.
type forward struct {
	key           string
	local, remote string
	reverse       bool
	ln            net.Listener // nil for one that leads back
}

// nodes are the two ends in the order in which they were given.
func (f *forward) nodes() string {
	if f.reverse {
		return f.remote + " " + f.local
	}
	return f.local + " " + f.remote
}

// The schemes of a forward's ends.
var nodeSchemes = []string{"tcp", "dev", "localabstract", "localreserved", "localfilesystem", "jdwp", "ark"}

// forward is fport and rport.
func (s *Server) forward(key string, reverse bool, args []string) string {
	switch {
	case len(args) == 0:
		return "[Fail]Unknown command...\n"
	case args[0] == "ls" && !reverse:
		return s.listForwards()
	case args[0] == "rm":
		return s.removeForward(args[1:])
	}
	d, problem := s.find(key)
	switch {
	case problem != "":
		return problem
	case !isNode(args[0]) || len(args) > 1 && !isNode(args[1]):
		return "[Fail]Incorrect forward command\n"
	case len(args) != 2 || !goodPort(args[0]) || !goodPort(args[1]):
		return "[Fail]Forward parament failed\r\n"
	}
	f := &forward{key: d.key, local: args[0], remote: args[1], reverse: reverse}
	if reverse {
		f.local, f.remote = args[1], args[0]
	}
	return s.addForward(d, f)
}

func isNode(node string) bool {
	scheme, _, ok := strings.Cut(node, ":")
	return ok && slices.Contains(nodeSchemes, scheme)
}

// goodPort says that a tcp node has a port; 0 is none.
func goodPort(node string) bool {
	port, ok := strings.CutPrefix(node, "tcp:")
	n, err := strconv.Atoi(port)
	return !ok || err == nil && n > 0 && n <= 65535
}

func (s *Server) addForward(d *Device, f *forward) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		return "" // Close has ended all that there were
	}
	if slices.ContainsFunc(s.forwards, func(o *forward) bool { return o.nodes() == f.nodes() && o.reverse == f.reverse && o.ln == nil }) {
		return "[Fail]TCP Port listen failed at " + strings.TrimPrefix(f.local, "tcp:") + "\r\n"
	}
	if port, ok := strings.CutPrefix(f.local, "tcp:"); ok && !f.reverse {
		ln, err := net.Listen("tcp", "127.0.0.1:"+port)
		if err != nil {
			return "[Fail]TCP Port listen failed at " + port + "\r\n"
		}
		f.ln = ln
		s.wg.Go(func() { s.carry(d, f) })
	}
	s.forwards = slices.Insert(s.forwards, 0, f)
	return "Forwardport result:OK\r\n"
}

// carry takes connections to a socket of the phone; one that nothing listens to ends at once.
func (s *Server) carry(d *Device, f *forward) {
	for {
		conn, err := f.ln.Accept()
		if err != nil {
			return
		}
		if !s.keep(conn) {
			return
		}
		s.wg.Go(func() {
			defer s.forget(conn)
			if dial := d.socket(f.remote); dial != nil {
				dial(conn)
			}
		})
	}
}

func (s *Server) listForwards() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	for _, f := range s.forwards {
		kind := "[Forward]"
		if f.reverse {
			kind = "[Reverse]"
		}
		b.WriteString(f.key + "    " + f.nodes() + "    " + kind + "\n")
	}
	if b.Len() == 0 {
		return "[Empty]\r\n"
	}
	return b.String()
}

func (s *Server) removeForward(args []string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	nodes := strings.Join(args, " ")
	i := slices.IndexFunc(s.forwards, func(f *forward) bool { return f.nodes() == nodes })
	if i < 0 {
		return "[Fail]Remove forward ruler failed, ruler is not exist " + nodes + "\r\n"
	}
	s.forwards[i].close()
	s.forwards = slices.Delete(s.forwards, i, i+1)
	return "Remove forward ruler success, ruler:" + nodes + "\r\n"
}

func (f *forward) close() {
	if f.ln != nil {
		_ = f.ln.Close()
	}
}

// dropForwards ends the forwards of a phone, or all for "". The lock must be held.
func (s *Server) dropForwards(key string) {
	s.forwards = slices.DeleteFunc(s.forwards, func(f *forward) bool {
		if key != "" && f.key != key {
			return false
		}
		f.close()
		return true
	})
}

// Listen gives the phone a socket such as "tcp:8012" or "localabstract:helper"; nil takes it away. serve is
// called for each connection and owns it.
func (d *Device) Listen(name string, serve func(conn io.ReadWriteCloser)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sockets[name] = serve
}

func (d *Device) socket(name string) func(io.ReadWriteCloser) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.sockets[name]
}
