// Package cmdrun runs a tool as a subprocess: bounded in time by a context, bounded in output, with the
// whole process group ended on cancel. It is the one place of the libraries that does so.
package cmdrun

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// defaultMaxOutput bounds each output stream where a Command says nothing.
const defaultMaxOutput = 1 << 20

// waitDelay is how long Run waits for a Stdin that does not end after the tool has.
const waitDelay = 500 * time.Millisecond

// ErrNotFound is what the error of a tool that is not installed matches.
var ErrNotFound = exec.ErrNotFound

// ErrOutputTooLong is what the error matches of a tool that printed more than Command.MaxOutput.
// The tool was ended, and the Result holds what came before.
var ErrOutputTooLong = errors.New("the output is too long")

// Command is a tool and how to run it.
type Command struct {
	Path      string    // a path, or a name that is looked up in PATH
	Args      []string  // without the name
	Env       []string  // NAME=VALUE, added to the environment of this process
	Dir       string    // where it runs; "" is the directory of this process
	Stdin     io.Reader // nil is no input
	Stdout    io.Writer // takes what the tool prints instead of Result.Stdout, without a bound; nil keeps it
	MaxOutput int       // bytes of each stream that are kept; 0 is 1 MiB
	// Alone has a cancel kill the tool itself and not its group, for a client that may have started a server
	// which others share.
	Alone bool
}

// Result is what a tool printed and how it ended.
type Result struct {
	Stdout, Stderr []byte
	Code           int // exit status, -1 where a signal ended it
}

// Find returns the path of a tool, by name in PATH or by a path. The error matches ErrNotFound.
func Find(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", name, notFound(err))
	}
	return path, nil
}

// notFound makes every kind of "no such tool" match ErrNotFound.
func notFound(err error) error {
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, exec.ErrNotFound) {
		return ErrNotFound
	}
	return err
}

// Run runs a tool to its end. A status other than 0 is no error: see Result.Code. When ctx ends,
// the tool and everything that it started in its process group are killed, and Run returns
// ctx.Err(). The Result is nil only if the tool could not be started.
func Run(ctx context.Context, c Command) (*Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	limit := c.MaxOutput
	if limit <= 0 {
		limit = defaultMaxOutput
	}
	full := func() { cancel(ErrOutputTooLong) }
	out, errs := &bounded{left: limit, full: full}, &bounded{left: limit, full: full}
	cmd := exec.CommandContext(ctx, c.Path, c.Args...)
	cmd.Dir, cmd.Stdin, cmd.WaitDelay = c.Dir, c.Stdin, waitDelay
	if len(c.Env) > 0 {
		cmd.Env = append(os.Environ(), c.Env...)
	}
	ownGroup(cmd, c.Alone)
	var stdout io.Writer = out
	if c.Stdout != nil {
		stdout = c.Stdout
	}
	rest, err := start(cmd, stdout, errs)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Path, notFound(err))
	}
	err = cmd.Wait()
	if restErr := rest(); err == nil {
		err = restErr
	}
	r := &Result{Stdout: out.data, Stderr: errs.data, Code: cmd.ProcessState.ExitCode()}
	return r, outcome(ctx, c.Path, err)
}

// start starts a tool whose streams go to out and errs. rest waits for what the tool had printed when it ended.
func start(cmd *exec.Cmd, out, errs io.Writer) (rest func() error, err error) {
	o, err := newStream(out)
	if err != nil {
		return nil, err
	}
	e, err := newStream(errs)
	if err != nil {
		o.abandon()
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = o.end, e.end
	if err := cmd.Start(); err != nil {
		o.abandon()
		e.abandon()
		return nil, err
	}
	o.begin()
	e.begin()
	return func() error {
		o.toolEnded()
		e.toolEnded()
		return cmp.Or(<-o.over, <-e.over)
	}, nil
}

// outcome sorts what Wait said: an exit status is in the Result, the rest is an error.
func outcome(ctx context.Context, path string, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		if errors.Is(cause, ErrOutputTooLong) {
			return fmt.Errorf("run %s: %w", path, cause)
		}
		return ctx.Err()
	}
	var exit *exec.ExitError
	if err == nil || errors.As(err, &exit) || errors.Is(err, exec.ErrWaitDelay) {
		return nil
	}
	return fmt.Errorf("run %s: %w", path, err)
}

// maxComplaint bounds the tool's words in an error text.
const maxComplaint = 300

// Complaint returns the last words of a tool, trimmed and bounded, for an error text: stderr, or
// stdout where that is empty.
func (r *Result) Complaint() string {
	s := strings.TrimSpace(string(r.Stderr))
	if s == "" {
		s = strings.TrimSpace(string(r.Stdout))
	}
	if len(s) > maxComplaint {
		s = "…" + strings.ToValidUTF8(s[len(s)-maxComplaint:], "")
	}
	return s
}

// bounded keeps the first bytes of a stream and says so once there are more.
type bounded struct {
	data []byte
	left int
	full func()
}

func (b *bounded) Write(p []byte) (int, error) {
	n := min(len(p), b.left)
	b.data = append(b.data, p[:n]...)
	b.left -= n
	if n < len(p) {
		b.full()
	}
	return len(p), nil
}
