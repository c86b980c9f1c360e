package adbservice

import (
	"bytes"
	"io"
	"os"
	"sync"
	"unicode/utf8"

	"github.com/handset-go/handset/internal/phonefront/phoneshell"
)

// terminal is a pseudo terminal that is not raw. What is typed is echoed and can be corrected until the end of the
// line, and what is printed has a carriage return before each newline.
type terminal struct {
	screen io.Writer
	keys   phoneshell.Keys
	in     *ahead // what the command reads
	line   []byte // not yet sent
}

// maxLine is what a terminal keeps of a line, without its newline; it drops the rest (MAX_CANON of Linux, termios(3)).
const maxLine = 4095

func newTerminal(client io.Writer, in io.WriteCloser) *terminal {
	return &terminal{screen: crlf{&inTurn{w: client}}, in: newAhead(in)}
}

// The keys that a terminal takes for itself.
const (
	keyInterrupt = 'C' - '@'
	keyEnd       = 'D' - '@'
	keyKill      = 'U' - '@'
	keyErase     = 0x7f
)

// Write takes what the client types.
func (t *terminal) Write(p []byte) (int, error) {
	for _, c := range p {
		t.key(c)
	}
	return len(p), nil
}

func (t *terminal) key(c byte) {
	switch c {
	case '\r', '\n':
		t.echo("\n")
		t.send('\n')
	case keyInterrupt:
		t.echo("^C")
		t.line = nil
		t.press(true)
	case keyEnd:
		if len(t.line) > 0 {
			t.send()
			return
		}
		t.press(false)
	case keyKill:
		for len(t.line) > 0 {
			t.erase()
		}
	case keyErase, '\b':
		t.erase()
	default:
		if len(t.line) < maxLine {
			t.line = append(t.line, c)
		}
		if c < ' ' && c != '\t' {
			t.echo("^" + string(rune(c+'@')))
			return
		}
		t.echo(string([]byte{c}))
	}
}

// erase takes the last character of the line away.
func (t *terminal) erase() {
	if len(t.line) == 0 {
		return
	}
	_, size := utf8.DecodeLastRune(t.line)
	t.line = t.line[:len(t.line)-size]
	t.echo("\b \b")
}

// send gives the line to whatever reads.
func (t *terminal) send(end ...byte) {
	t.in.send(append(t.line, end...))
	t.line = nil
}

// press passes on the interrupt, which makes what was not yet read void, or an end of file. Whoever does not know of
// that, as a command without a shell, gets the only end that a pipe has.
func (t *terminal) press(interrupt bool) {
	r, w, err := os.Pipe()
	if err != nil {
		return
	}
	if t.keys.Press(interrupt, r) {
		_ = t.in.Close()
		t.in = newAhead(w)
		return
	}
	_, _ = r.Close(), w.Close()
	if !interrupt {
		_ = t.in.Close()
	}
}

func (t *terminal) echo(s string) { _, _ = io.WriteString(t.screen, s) }

// Close hangs up.
func (t *terminal) Close() error { return t.in.Close() }

// crlf puts a carriage return before each newline.
type crlf struct{ w io.Writer }

func (c crlf) Write(p []byte) (int, error) {
	_, err := c.w.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n")))
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// inTurn is a writer for the command and for the echo.
type inTurn struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *inTurn) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}
