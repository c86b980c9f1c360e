package hdc

import (
	"net"
	"slices"
	"strconv"
	"strings"
)

// State is how a phone stands with the server.
type State string

// The states, as list targets -v names them.
const (
	Connected    State = "Connected"
	Ready        State = "Ready" // just plugged in
	Offline      State = "Offline"
	Unauthorized State = "Unauthorized"
)

// State returns how the phone stands with a server that it is plugged into.
func (d *Device) State() State {
	switch {
	case d.dead.Load() || d.faults.On(FaultOffline):
		return Offline
	case d.faults.On(FaultUnauthorized) || d.pending(FaultAuthorizing):
		return Unauthorized
	case d.pending(FaultEstablishing):
		return Ready
	}
	return Connected
}

// pending says that a step of being plugged in is not over yet.
func (d *Device) pending(fault string) bool {
	d.mu.Lock()
	since := d.now().Sub(d.plugged)
	d.mu.Unlock()
	return since < d.faults.Duration(fault)
}

// network says that the phone is reached over the network.
func (d *Device) network() bool { return strings.Contains(d.key, ":") }

// die ends the phone's daemon: the phone is offline until it is plugged in or connected again.
func (d *Device) die() { d.dead.Store(true) }

func (d *Device) revive() { d.dead.Store(false) }

func (t *target) state() State {
	if t.dev == nil {
		return Offline
	}
	return t.dev.State()
}

// The texts for a phone that cannot be used, without what only newer tools add: their codes.
const (
	textNeedKey = "[Fail]ExecuteCommand need connect-key? please confirm a device by help info\r\n"
	textNoMatch = "[Fail]Not match target founded, check connect-key please\r\n"
	textRefused = "The device unauthorized.\r\nThe user denied the access for the device.\r\n" +
		"Please execute 'hdc kill' and redo your command,\r\nthen check for a confirmation dialog on your device.\r\n"
	textAsking = "The device unauthorized.\r\nThis server's public key is not set.\r\n" +
		"Please check for a confirmation dialog on your device.\r\nOtherwise try 'hdc kill' if that seems wrong.\r\n"
	textEstablishing = "The communication channel is being established.\r\nPlease wait for several seconds and try again.\r\n"
)

// coded says that the tool prints the codes of its failures.
func (s *Server) coded() bool { return Profile{Tool: s.opts.Version}.coded() }

// fail makes a line of failure with a code and what parts it from the text, for a tool that has codes.
func (s *Server) fail(code, text string) string {
	if !s.coded() {
		code = ""
	}
	return "[Fail]" + code + text
}

// find returns the phone of a key, or what the tool prints instead.
func (s *Server) find(key string) (*Device, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []*target
	for _, t := range s.targets {
		if key == t.key || key == "" && t.state() != Offline {
			found = append(found, t)
		}
	}
	switch {
	case key == "" && len(found) != 1:
		return nil, textNeedKey // the same for none and for several
	case len(found) == 0:
		return nil, textNoMatch
	}
	return found[0].dev, s.unusable(found[0])
}

// unusable says why a target cannot be used, "" where it can.
func (s *Server) unusable(t *target) string {
	switch t.state() {
	case Offline:
		return s.offlineText()
	case Unauthorized:
		if t.dev.faults.On(FaultUnauthorized) {
			return s.fail("[E000003]:", textRefused)
		}
		return s.fail("[E000002]:", textAsking)
	case Ready:
		return s.fail("[E000004]:", textEstablishing)
	}
	return ""
}

// offlineText differs with the tool: the newest prints one line, those before it a second one.
func (s *Server) offlineText() string {
	switch {
	case !s.coded():
		return "[Fail]Device not founded or connected\r\n" + textNeedKey
	case s.opts.Version < "3.2":
		return "[Fail][E001005] Device not found or connected\r\n" + textNeedKey
	}
	return "[Fail][E001005] Device not found or connected\r\n"
}

// list is list targets. The tool adds its own name to each line of the long form, even to an empty one.
func (s *Server) list(verbose bool) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	if verbose && s.opts.Serial != "" {
		b.WriteString(s.opts.Serial + "\t\tUART\tReady\tunknown...\thdc\n")
	}
	for _, t := range s.targets {
		b.WriteString(s.row(t, verbose))
	}
	switch {
	case b.Len() > 0:
		return b.String()
	case verbose:
		return "[Empty]\r\thdc\n"
	}
	return "[Empty]\r\n"
}

// row is a target's line in a list.
func (s *Server) row(t *target, verbose bool) string {
	state := t.state()
	if verbose {
		link, host := "USB", "localhost"
		if strings.Contains(t.key, ":") {
			link = "TCP"
		}
		if t.dev == nil {
			host = "unknown..."
		}
		return t.key + "\t\t" + link + "\t" + string(state) + "\t" + host + "\thdc\n"
	}
	switch {
	case state == Unauthorized && s.opts.Version >= "3.1.0e":
		return t.key + "\tUnauthorized\n"
	case state == Connected || state == Unauthorized:
		return t.key + "\n"
	}
	return ""
}

// connect is tconn.
func (s *Server) connect(args []string) string {
	if len(args) == 0 || !strings.Contains(args[0], ":") {
		return "[Fail]CreateConnect failed\r\n"
	}
	host, port, _ := strings.Cut(args[0], ":")
	n, err := strconv.Atoi(port)
	switch {
	case len(args) > 1 && args[1] == "-remove":
		return s.disconnect(args[0])
	case net.ParseIP(host) == nil && host != "localhost":
		return s.fail("[E001104]:", "IP address incorrect\n")
	case err != nil:
		return "[Fail]Port incorrect\n"
	case n <= 0 || n > 65535:
		return "[Fail]IP:Port incorrect\n"
	}
	return s.connectTo(args[0])
}

// connectTo attaches a phone of the network. What does not answer stays in the list as offline; a phone
// answers whether or not it lets us in.
func (s *Server) connectTo(key string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.targets, func(t *target) bool { return t.key == key })
	if i >= 0 && s.targets[i].state() != Offline {
		return "[Info]Target is connected, repeat operation\r\n"
	}
	var d *Device
	if i >= 0 {
		d = s.targets[i].dev
	}
	if j := slices.IndexFunc(s.away, func(d *Device) bool { return d.key == key }); j >= 0 {
		d = s.away[j]
		s.away = slices.Delete(s.away, j, j+1)
	}
	s.attach(target{key, d})
	if d == nil || d.faults.On(FaultOffline) {
		return "[Fail]Connect failed\r\n"
	}
	d.revive()
	return "Connect OK\r\n"
}

// disconnect forgets a phone of the network. It says nothing where it succeeds.
func (s *Server) disconnect(key string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.targets, func(t *target) bool { return t.key == key })
	if i < 0 {
		return "[Fail]No target available\r\n"
	}
	if d := s.targets[i].dev; d != nil {
		s.away = append(s.away, d)
	}
	s.targets = slices.Delete(s.targets, i, i+1)
	s.dropForwards(key)
	return ""
}
