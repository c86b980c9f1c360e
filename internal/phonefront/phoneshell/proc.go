package phoneshell

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"path"

	"mvdan.cc/sh/v3/expand"
)

// Proc is one running program: its arguments, with its name as the first, and its streams.
type Proc struct {
	Args []string
	In   io.Reader
	Out  io.Writer
	Err  io.Writer
	Dir  string
	Env  expand.Environ

	s *shell
}

// Program is the code of a program. It returns the exit status.
type Program func(ctx context.Context, p *Proc) int

func (p *Proc) sys() *System { return p.s.sys }

// Abs makes a path absolute.
func (p *Proc) Abs(name string) string { return path.Clean(joinDir(p.Dir, name)) }

// Print writes to stdout.
func (p *Proc) Print(format string, args ...any) { fmt.Fprintf(p.Out, format, args...) }

// Fail writes a line to stderr and returns the status.
func (p *Proc) Fail(status int, format string, args ...any) int {
	fmt.Fprintf(p.Err, format+"\n", args...)
	return status
}

// Complain says what went wrong with a file, as toybox does.
func (p *Proc) Complain(file string, err error) int {
	return p.Fail(1, "%s: %s: %s", p.Args[0], file, ErrnoOf(err))
}

// Open opens a file, a device or, for "-", the standard input.
func (p *Proc) Open(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(p.In), nil
	}
	return p.s.openFile(p.Abs(name), false, false, 0)
}

// Create opens a file or a device for writing; a file is emptied, or made where it is missing.
func (p *Proc) Create(name string, perm fs.FileMode) (io.WriteCloser, error) {
	return p.s.openFile(p.Abs(name), true, false, perm)
}

// TTY returns what /dev/tty writes to, nil where the program has no terminal.
func (p *Proc) TTY() io.Writer { return p.s.tty }

// Start runs another program with the streams of p.
func (p *Proc) Start(ctx context.Context, args []string) int {
	q := *p
	q.Args = args
	return p.s.start(ctx, &q, p.Args[0]+": ")
}

// Options takes the leading single-letter options out of the arguments. An option that is in withValue
// takes the next argument, or the rest of its own. unknown is the first that is in neither, or 0.
func (p *Proc) Options(known, withValue string) (set map[byte]string, rest []string, unknown byte) {
	set = map[byte]string{}
	rest = p.Args[1:]
	for len(rest) > 0 && len(rest[0]) > 1 && rest[0][0] == '-' {
		arg := rest[0]
		rest = rest[1:]
		if arg == "--" {
			break
		}
		for i := 1; i < len(arg); i++ {
			c := arg[i]
			switch {
			case contains(withValue, c) && i+1 < len(arg):
				set[c] = arg[i+1:]
				i = len(arg)
			case contains(withValue, c) && len(rest) > 0:
				set[c], rest = rest[0], rest[1:]
			case contains(known, c):
				set[c] = ""
			case unknown == 0:
				unknown = c
			}
		}
	}
	return set, rest, unknown
}

func contains(letters string, c byte) bool {
	for i := range len(letters) {
		if letters[i] == c {
			return true
		}
	}
	return false
}

// Has says that an option is set.
func Has(set map[byte]string, c byte) bool {
	_, ok := set[c]
	return ok
}
