package adbserver

import (
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/handset-go/handset/internal/phonefront/android"
)

// target says which phone a request is about.
type target struct {
	kind  targetKind
	value string
}

type targetKind int

const (
	anyPhone targetKind = iota
	usb
	local
	bySerial
	byID
)

// state is what the server says of the phone now: its faults come before what it was attached as.
func (p *attached) state() State {
	if p.Device == nil {
		return p.State
	}
	switch f := p.Device.Faults(); {
	case f.On(android.FaultOffline):
		return Offline
	case f.On(android.FaultUnauthorized):
		return Unauthorized
	case f.On(android.FaultAuthorizing):
		return Authorizing
	}
	return p.State
}

// devpath is the path on the bus.
func (p *attached) devpath() string {
	if p.USB == "" {
		return "unknown"
	}
	return "usb:" + p.USB
}

// matches says that a request for t means the phone.
func (p *attached) matches(t target) bool {
	switch t.kind {
	case usb:
		return p.USB != ""
	case local:
		return p.USB == ""
	case byID:
		return strconv.Itoa(p.id) == t.value
	case bySerial:
		return t.value == "" || p.named(t.value)
	}
	return true
}

// named says that a selector means the phone: its serial, the host of a network serial, its path, or one of
// product:, model: and device: .
func (p *attached) named(selector string) bool {
	if selector == p.Serial || p.USB != "" && selector == p.devpath() {
		return true
	}
	if host, _, err := net.SplitHostPort(p.Serial); err == nil && host == selector {
		return true
	}
	if p.Device == nil {
		return false
	}
	b := p.Device.Profile().Banner
	return selector == "product:"+b.Product || selector == "model:"+clean(b.Model) || selector == "device:"+b.Device
}

// clean replaces what a list of devices does not show.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_.-", r) {
			return r
		}
		return '_'
	}, s)
}

// matching lists copies of the phones that a request may mean.
func (s *Server) matching(t target) []*attached {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []*attached
	for _, p := range s.phones {
		if !p.Away && p.matches(t) {
			copied := *p
			found = append(found, &copied)
		}
	}
	return found
}

// acquire returns the one phone that a request means, or the words of the refusal.
func (s *Server) acquire(t target, anyState bool) (p *attached, refusal string) {
	found := s.matching(t)
	switch {
	case len(found) == 0:
		return nil, t.notFound()
	case len(found) > 1:
		return nil, t.several()
	case anyState:
		return found[0], ""
	}
	return found[0], found[0].state().refusal()
}

func (t target) notFound() string {
	switch t.kind {
	case usb:
		return "no devices found"
	case local:
		return "no emulators found"
	case byID:
		if _, err := strconv.ParseUint(t.value, 10, 64); err != nil {
			return "invalid transport id"
		}
		return fmt.Sprintf("no device with transport id '%s'", t.value)
	case bySerial:
		if t.value != "" {
			return fmt.Sprintf("device '%s' not found", t.value)
		}
	}
	return "no devices/emulators found"
}

func (t target) several() string {
	switch t.kind {
	case usb:
		return "more than one USB device"
	case local:
		return "more than one emulator"
	case bySerial:
		if t.value != "" {
			return "more than one device"
		}
	}
	return "more than one device/emulator"
}

// refusal is what a request for a phone in that state is told, "" where it is served.
func (st State) refusal() string {
	switch st {
	case Offline:
		return "device offline"
	case Unauthorized:
		return "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set\nTry 'adb kill-server' if that seems wrong.\n" +
			"Otherwise check for a confirmation dialog on your device."
	case Authorizing:
		return "device still authorizing"
	case Connecting:
		return "device still connecting"
	case NoPermission:
		return "insufficient permissions for device: user in plugdev group; are your udev rules wrong?.\n" +
			"See [http://developer.android.com/tools/device.html] for more information"
	}
	return ""
}

// list is the answer of devices and devices-l.
func (s *Server) list(long bool) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	for _, p := range s.phones {
		if p.Away {
			continue
		}
		if !long {
			fmt.Fprintf(&b, "%s\t%s\n", p.Serial, p.state())
			continue
		}
		fmt.Fprintf(&b, "%-22s %s", p.Serial, p.state())
		if p.USB != "" {
			b.WriteString(" " + p.devpath())
		}
		if st := p.state(); p.Device != nil && st != Unauthorized && st != Authorizing && st != Connecting && st != NoPermission {
			banner := p.Device.Profile().Banner
			fmt.Fprintf(&b, " product:%s model:%s device:%s", clean(banner.Product), clean(banner.Model), clean(banner.Device))
		}
		fmt.Fprintf(&b, " transport_id:%d\n", p.id)
	}
	return b.String()
}

// hostRequests are those that may stand behind a serial.
var hostRequests = []string{"get-state", "get-serialno", "get-devpath", "features", "forward:", "killforward", "list-forward",
	"wait-for-", "reconnect"}

// splitSerial parts a serial, which may hold colons, from the request behind it.
func (s *Server) splitSerial(rest string) (serial, request string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.phones {
		if what, ok := strings.CutPrefix(rest, p.Serial+":"); ok {
			return p.Serial, what
		}
	}
	for _, name := range hostRequests {
		if i := strings.Index(rest, ":"+name); i >= 0 {
			return rest[:i], rest[i+1:]
		}
	}
	serial, request, _ = strings.Cut(rest, ":")
	return serial, request
}

// connect is the answer of connect: always a text, whatever happened.
func (s *Server) connect(addr string) string {
	switch {
	case addr == "":
		return "empty address"
	case !strings.Contains(addr, ":"):
		addr += ":5555"
	}
	if _, port, err := net.SplitHostPort(addr); err != nil || badPort(port) {
		return fmt.Sprintf("bad port number '%s' in '%s'", port, addr)
	}
	s.mu.Lock()
	var found *attached
	for _, p := range s.phones {
		if p.Serial == addr {
			found = p
		}
	}
	text := s.connected(found, addr)
	s.mu.Unlock()
	s.changed()
	return text
}

// connected attaches a phone that was away. The lock must be held.
func (s *Server) connected(p *attached, addr string) string {
	host, _, _ := net.SplitHostPort(addr)
	switch {
	case p == nil && net.ParseIP(host) == nil && host != "localhost": // no names are looked up
		return fmt.Sprintf("failed to resolve host: '%s': Name or service not known", host)
	case p == nil:
		return fmt.Sprintf("failed to connect to '%s': Connection refused", addr)
	case !p.Away && p.state() == Online:
		return "already connected to " + addr
	}
	p.Away = false
	s.lastID++
	p.id = s.lastID
	switch p.state() {
	case Unauthorized, Authorizing:
		return "failed to authenticate to " + addr
	case Offline:
		return "failed to connect to " + addr
	}
	return "connected to " + addr
}

func badPort(port string) bool {
	n, err := strconv.Atoi(port)
	return err != nil || n < 1 || n > 65535
}

// disconnect takes a network phone away, or all of them.
func (r *requester) disconnect(addr string) {
	if addr != "" && !strings.Contains(addr, ":") {
		addr += ":5555"
	}
	var gone []string
	r.s.mu.Lock()
	for _, p := range r.s.phones {
		if p.USB == "" && !p.Away && strings.Contains(p.Serial, ":") && (addr == "" || p.Serial == addr) {
			p.Away = true
			gone = append(gone, p.Serial)
		}
	}
	r.s.mu.Unlock()
	for _, serial := range gone {
		r.s.breakLine(serial)
	}
	r.s.changed()
	switch {
	case addr == "":
		r.okayData("disconnected everything")
	case len(gone) == 0:
		r.fail(fmt.Sprintf("no such device '%s'", addr))
	default:
		r.okayData("disconnected " + addr)
	}
}
