package adb

import (
	"errors"
	"strings"

	"github.com/handset-go/handset/driver"
)

// errRefused is a service that the phone did not open: it does not know it, or has no room for one
// more.
var errRefused = errors.New("the phone refused the service")

// failure is what the server or the phone answered instead of OKAY.
type failure struct {
	service string // without arguments
	text    string
	is      error // the sentinel, or nil
	cure    string
}

// refusals sorts the texts of adb 29 to 36 by how they begin.
var refusals = []struct {
	prefix string
	is     error
	cure   string
}{
	{"device unauthorized", driver.ErrUnauthorized, cureUnauthorized},
	{"device still authorizing", driver.ErrUnauthorized, cureUnauthorized},
	{"device offline", driver.ErrOffline, cureOffline},
	{"device still connecting", driver.ErrOffline, "wait a moment and try again"},
	{"no permissions", driver.ErrUnauthorized, curePermissions},
	{"insufficient permissions", driver.ErrUnauthorized, curePermissions},
	{"no devices", driver.ErrNoDevice, cureNone},
	{"no emulators", driver.ErrNoDevice, cureNone},
	{"no device with", driver.ErrNoDevice, cureNone},
	{"device '", driver.ErrNoDevice, cureNone}, // device 'x' not found
	{"more than one", driver.ErrSeveralDevices, "name the serial"},
	{"closed", errRefused, cureRefused},
}

// cureRefused helps where the phone's adb has no room, and cureNobody where a socket was dialled.
const (
	cureRefused = "try again; where that does not help, end other programs that use the phone, or restart it"
	cureNobody  = "nothing listens there on the phone"
)

func newFailure(service, text string) *failure {
	f := &failure{service: kind(service), text: strings.TrimSpace(text)}
	for _, r := range refusals {
		if strings.HasPrefix(f.text, r.prefix) {
			f.is, f.cure = r.is, r.cure
			break
		}
	}
	if f.is == errRefused && (f.service == "tcp" || strings.HasPrefix(f.service, "local")) {
		f.cure = cureNobody
	}
	return f
}

// Error says what it is, what adb said, and what to do.
func (f *failure) Error() string {
	first, _, _ := strings.Cut(f.text, "\n")
	s := "adb refused " + f.service + ": " + first
	if f.is != nil {
		s = f.is.Error() + " (adb: " + first + ")"
	}
	if f.cure != "" {
		s += ": " + f.cure
	}
	return s
}

// Unwrap returns the sentinel.
func (f *failure) Unwrap() error { return f.is }

// maxComplaint bounds a tool's words in an error text.
const maxComplaint = 240

// complaint returns what a tool printed, on one line and bounded, for an error text.
func complaint(texts ...[]byte) string {
	var lines []string
	for _, text := range texts {
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" {
				lines = append(lines, line)
			}
		}
	}
	s := strings.ToValidUTF8(strings.Join(lines, " / "), "")
	if len(s) > maxComplaint {
		s = strings.ToValidUTF8(s[:maxComplaint], "") + "…"
	}
	if s == "" {
		return "it printed nothing"
	}
	return s
}
