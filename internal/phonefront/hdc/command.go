package hdc

import (
	"time"

	"github.com/handset-go/handset/internal/nap"
)

// waitStep is how often wait looks for a phone.
const waitStep = 50 * time.Millisecond

// command answers what the server does by itself.
func (s *Server) command(q request) string {
	name, args := q.Args[0], q.Args[1:]
	restart := len(args) > 0 && args[0] == "-r"
	switch name {
	case "list targets":
		return s.list(len(args) > 0 && args[0] == "-v")
	case "tconn":
		return s.connect(args)
	case "fport", "rport":
		return s.forward(q.Key, name == "rport", args)
	case "kill", "start":
		if name == "kill" || restart {
			s.down()
		}
		if restart {
			s.up(request{})
		}
		return ""
	case "checkserver":
		return "Client version:Ver: " + s.opts.Version + ", server version:Ver: " + s.opts.Version + "\n"
	case "wait":
		for !s.ready() && nap.For(s.ctx, waitStep) == nil {
		}
		return ""
	}
	return s.onPhone(q)
}

// ready says that a phone can be used.
func (s *Server) ready() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.targets {
		if t.state() == Connected {
			return true
		}
	}
	return false
}

// onPhone answers what needs a phone and little else.
func (s *Server) onPhone(q request) string {
	name, args := q.Args[0], q.Args[1:]
	if name == "tmode" && len(args) == 0 {
		return "[Fail]Error input parameter\n"
	}
	if _, problem := s.find(q.Key); problem != "" {
		return problem
	}
	switch name {
	case "target mount":
		return "[Fail]Mount failed\r\n"
	case "tmode":
		if args[0] != "port" {
			return s.fail("[E001001]:", "Unknown tmode\r\n")
		}
		return "Set device run mode successful.\r\n"
	case "jpid", "track-jpid":
		return "[Empty]\r\n"
	case "bugreport":
		return "HIDUMPER VERSION\r\n"
	}
	return "" // target boot, smode: the daemon restarts and says nothing
}

// shell runs a command line on a phone. The faults may cut what comes back.
func (s *Server) shell(d *Device, line string, a *answer) {
	w := &phoneOutput{d: d, a: a, before: len(d.phone.Log())}
	d.Shell(line, w)
	if !w.lost() {
		a.send(reply{End: true})
	}
}

// phoneOutput is what a command of a phone prints, until the phone's daemon dies.
type phoneOutput struct {
	d      *Device
	a      *answer
	before int // events of the phone when the command began
	gone   bool
}

func (w *phoneOutput) Write(p []byte) (int, error) {
	if w.lost() {
		return len(p), nil
	}
	n, err := w.a.Write(p)
	if len(p) > 0 && w.d.faults.Take(FaultDiesMidCall) {
		w.sever()
	}
	return n, err
}

// lost says that the daemon died, and lets it die where an input was done that shall have no answer.
func (w *phoneOutput) lost() bool {
	if !w.gone && len(w.d.phone.Log()) > w.before && w.d.faults.Take(FaultDropAfterSend) {
		w.sever()
	}
	return w.gone
}

// sever lets the daemon die: the tool sees the end of the output, as if all were well. What
// runs on the phone goes on.
func (w *phoneOutput) sever() {
	w.gone = true
	w.d.die()
	w.a.send(reply{End: true})
}
