package adbserver

import (
	"fmt"
	"net"
	"strings"
)

// wireless answers what only the platform-tools from 30 on know: pairing, and phones that announce themselves.
func (r *requester) wireless(name, arg string) {
	switch {
	case r.s.release < 30:
		r.fail("unknown host service")
	case name == "pair":
		code, addr, _ := strings.Cut(arg, ":")
		r.okayData(r.s.pair(code, addr))
	case arg == "check":
		r.okayData("mdns daemon version [8787003]")
	case arg == "services":
		r.okayData(r.s.announced())
	default:
		r.fail("unknown host service 'mdns:" + arg + "'")
	}
}

// pair is the answer of pair: always a text, whatever happened.
func (s *Server) pair(code, addr string) string {
	if _, port, err := net.SplitHostPort(addr); err != nil || badPort(port) {
		return "Failed to parse address for pairing: bad port number '" + port + "' in '" + addr + "'"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.phones {
		switch {
		case p.Pair != addr:
		case p.Code != code:
			return "Failed: Wrong password or connection was dropped."
		default:
			return fmt.Sprintf("Successfully paired to %s [guid=adb-%s-aBcDeF]", addr, p.Serial)
		}
	}
	return "Failed: Unable to start pairing client."
}

// announced lists the phones that wait to be paired.
func (s *Server) announced() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	for _, p := range s.phones {
		if p.Pair != "" {
			fmt.Fprintf(&b, "adb-%s-aBcDeF\t_adb-tls-pairing._tcp\t%s\n", p.Serial, p.Pair)
		}
	}
	return b.String()
}
