package hdc

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/cmdrun"
)

var (
	// ErrNoServer says that no hdc server could be reached or started.
	ErrNoServer = errors.New("the hdc server does not answer")
	// errBroken says that the tool ended without the proof that the command on the phone did.
	errBroken = fmt.Errorf("%w: the connection broke before the command had ended", driver.ErrOffline)
	// errSettling says that the phone was attached just now; it goes away by itself.
	errSettling = fmt.Errorf("%w: the phone is being connected", driver.ErrOffline)
)

const (
	cureNone = "connect one by USB with USB debugging on (Settings, System, Developer options), or by network with hdc tconn, " +
		"and look at hdc list targets -v"
	cureUnauthorized = "unlock the phone and allow USB debugging in the dialog that it shows; if none comes, run hdc kill and try again"
	cureOffline      = "unplug and plug it in again, or connect it anew with hdc tconn; hdc kill restarts the server"
	cureServer       = "another program may hold the port (DevEco Studio, another hdc): run hdc kill and hdc start, or name the server " +
		"with the option server"
)

// failure is what hdc itself said instead of doing what it was asked.
type failure struct {
	text    string // the tool's words, trimmed and bounded
	is      error  // a sentinel, or nil
	cure    string // what to do, "" where nobody can do anything
	refused bool   // nothing has reached the phone
}

func (f *failure) Error() string {
	text := f.text
	if f.is != nil {
		text = f.is.Error() + ": " + text
	}
	if f.cure != "" {
		text += ": " + f.cure
	}
	return text
}

func (f *failure) Unwrap() error { return f.is }

// refused says that err proves that nothing has reached the phone.
func refused(err error) bool {
	f, ok := errors.AsType[*failure](err)
	return ok && f.refused
}

// said are the tool's own failures, by words that are in them. Codes stand before some from 3.1.0e on; the first that
// matches counts.
var said = []struct {
	words string
	is    error
	cure  string
}{
	{"E000004", errSettling, "wait a few seconds"},
	{"channel is being established", errSettling, "wait a few seconds"},
	{"E000002", driver.ErrUnauthorized, cureUnauthorized},
	{"E000003", driver.ErrUnauthorized, cureUnauthorized},
	{"device unauthorized", driver.ErrUnauthorized, cureUnauthorized},
	{"Device not found", driver.ErrOffline, cureOffline},
	{"Device not founded", driver.ErrOffline, cureOffline},
	{"E001005", driver.ErrOffline, cureOffline},
	{"E002106", driver.ErrOffline, cureOffline},
	{"Not match target", driver.ErrNoDevice, cureNone},
	{"need connect-key", driver.ErrNoDevice, cureNone},
}

// serverless returns the error of a call that found no server: that alone is on stderr, with nothing on stdout.
func serverless(r *cmdrun.Result) error {
	if !strings.Contains(string(r.Stderr), "Connect server failed") {
		return nil
	}
	return &failure{text: "Connect server failed", is: ErrNoServer, cure: cureServer, refused: true}
}

// refusal returns the failure that a tool's output begins with, or nil. A line counts only from its first column, and
// only where nothing of the phone's comes before it: a program there may print the same.
func refusal(out []byte) *failure {
	text := strings.ReplaceAll(string(out), "\r", "")
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "", isToolLog(line):
			continue
		case !strings.HasPrefix(line, "[Fail]"):
			return oddRefusal(line)
		}
		return failureOf(text)
	}
	return nil
}

// failureOf finds the kind of a failure by the words in it.
func failureOf(text string) *failure {
	f := &failure{text: complaint(text), refused: true}
	for _, s := range said {
		if strings.Contains(text, s.words) {
			f.is, f.cure = s.is, s.cure
			return f
		}
	}
	return f
}

// oddRefusal knows the failures of the tool's arguments, which have no mark.
func oddRefusal(line string) *failure {
	for _, words := range []string{"Sizeo of of parament", "content IP incorrect", "content port incorrect", "Port range incorrect", "Unknown operation command"} {
		if strings.Contains(line, words) {
			return &failure{text: complaint(line), refused: true}
		}
	}
	return nil
}

// isToolLog says that a line is of the tool's log, which a log level in the environment mixes into the output:
// "[I][2026-11-30 10:48:17] …".
func isToolLog(line string) bool {
	return len(line) > 8 && line[0] == '[' && strings.IndexByte("DIWEF", line[1]) >= 0 && strings.HasPrefix(line[2:], "][") &&
		line[4] >= '0' && line[4] <= '9'
}

// maxComplaint bounds a tool's words in an error text.
const maxComplaint = 300

// complaint returns text for an error: one line, trimmed and bounded, without what would act on a terminal.
func complaint(text string) string {
	plain := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
	words := strings.Join(strings.Fields(plain), " ")
	if len(words) > maxComplaint {
		words = strings.ToValidUTF8(words[:maxComplaint], "") + "…"
	}
	return orElse(words, "it printed nothing")
}
