package phoneshell

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// Keys are those of a terminal that a pipe cannot carry: the interrupt, and an end of file after which there is more.
type Keys struct {
	mu    sync.Mutex
	hear  func(interrupt bool, next *os.File) (taken bool)
	early bool // an interrupt came while nobody heard
}

// Press tells what runs on the terminal of the key. next is where its input goes on; taken says that it will read there
// and close that. Then the input until now is at its end.
func (k *Keys) Press(interrupt bool, next *os.File) (taken bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.hear == nil {
		k.early = k.early || interrupt
		return false
	}
	return k.hear(interrupt, next)
}

// listen sets who hears, nil for nobody. interrupted says that an interrupt has come already.
func (k *Keys) listen(hear func(interrupt bool, next *os.File) (taken bool)) (interrupted bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	interrupted, k.early = k.early, false
	k.hear = hear
	return interrupted
}

// statusInterrupted is that of a command which an interrupt has ended.
const statusInterrupted = 130

var exitInterrupted = mustParse("(exit 130)")

// interruptible runs a command that an interrupt ends. What it leaves in the background goes on.
func interruptible(ctx context.Context, keys *Keys, run func(context.Context) int) int {
	if keys == nil {
		return run(ctx)
	}
	command, stop := context.WithCancel(ctx)
	context.AfterFunc(ctx, stop)
	if keys.listen(func(interrupt bool, _ *os.File) bool {
		if interrupt {
			stop()
		}
		return false
	}) {
		stop()
	}
	defer keys.listen(nil)
	status := run(command)
	if command.Err() != nil && ctx.Err() == nil {
		status = statusInterrupted
	}
	return status
}

// session is a shell on a terminal: it asks for a line, runs it, tells its errors and asks again.
type session struct {
	s   *shell
	r   *interp.Runner
	std Stdio
	in  *os.File // where it reads now

	mu      sync.Mutex
	next    *os.File           // where it reads next, nil for no change
	dropped bool               // an interrupt came while no command ran: what was read before it is void
	stop    context.CancelFunc // of the command that runs, nil for none
	pending string             // lines that are no whole command yet
	status  int                // of the last command
}

// session reads the terminal until its end, and returns the status of the last command. Then it hangs up on what is
// in the background.
func (s *shell) session(ctx context.Context, r *interp.Runner, std Stdio) int {
	t := &session{s: s, r: r, std: std, in: std.In}
	defer t.close()
	ctx, hangUp := context.WithCancel(ctx)
	defer hangUp()
	if std.Keys != nil {
		std.Keys.listen(t.key)
		defer std.Keys.listen(nil)
	}
	for {
		fmt.Fprint(std.Out, t.prompt())
		line, err := readLine(t.in)
		if !t.drop(ctx) && (err != nil && line == "" || t.take(ctx, line)) || ctx.Err() != nil {
			return t.status
		}
		t.drop(ctx)
	}
}

// readLine reads a line and nothing beyond it, which may be for the command of that line.
func readLine(r io.Reader) (string, error) {
	var line strings.Builder
	for c := make([]byte, 1); ; {
		n, err := r.Read(c)
		if n > 0 {
			line.WriteByte(c[0])
		}
		if err != nil || n > 0 && c[0] == '\n' {
			return line.String(), err
		}
	}
}

// key hears the terminal.
func (t *session) key(interrupt bool, next *os.File) (taken bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.next != nil { // which nobody has come to read yet
		_ = t.next.Close()
	}
	t.next = next
	switch {
	case interrupt && t.stop != nil:
		t.stop()
	case interrupt:
		t.dropped = true
	}
	return true
}

// drop begins anew after an interrupt that came while no command ran.
func (t *session) drop(ctx context.Context) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.dropped {
		return false
	}
	t.dropped, t.pending, t.status = false, "", statusInterrupted
	t.goOn()
	_ = t.r.Run(ctx, exitInterrupted) // for $?
	fmt.Fprint(t.std.Out, "\n")
	return true
}

// goOn reads where the terminal has said. The lock must be held.
func (t *session) goOn() {
	if t.next == nil {
		return
	}
	if t.in != t.std.In {
		_ = t.in.Close()
	}
	t.in, t.next = t.next, nil
	_ = interp.StdIO(t.in, t.std.Out, t.std.Err)(t.r)
}

// close closes the inputs that the terminal has given.
func (t *session) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.goOn()
	if t.in != t.std.In {
		_ = t.in.Close()
	}
}

// prompt is $PS1, or $PS2 within a command.
func (t *session) prompt() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.pending != "" {
		return "> "
	}
	return t.s.sys.Prompt(t.status, t.r.Dir)
}

// take adds a line to the command, and runs that once it is whole. true says that the shell has exited.
func (t *session) take(ctx context.Context, line string) (exited bool) {
	src := t.pending + line
	file, err := parser().Parse(strings.NewReader(src), t.s.sys.Shell)
	t.pending = ""
	if syntax.IsIncomplete(err) {
		t.pending = src
		return false
	}
	if err == nil {
		err = onlyPhone(file)
	}
	if err != nil {
		fmt.Fprintf(t.std.Err, "%s: %s\n", t.s.sys.Shell, syntaxText(err))
		t.ended(1)
		return false
	}
	t.s.note(file)
	for _, stmt := range file.Stmts {
		if !t.run(ctx, stmt) {
			break
		}
		if t.r.Exited() {
			return true
		}
	}
	return false
}

// run runs one statement. false says that an interrupt has ended it, or come before it.
func (t *session) run(ctx context.Context, stmt *syntax.Stmt) bool {
	command, stop := context.WithCancel(ctx)
	context.AfterFunc(ctx, stop) // and not with the statement, which may leave something in the background
	if !t.began(stop) {
		return false
	}
	status := statusOf(t.r.Run(command, &syntax.File{Stmts: []*syntax.Stmt{stmt}}), t.s.sys.Shell+": ", t.std.Err)
	if command.Err() == nil || ctx.Err() != nil {
		t.ended(status)
		return true
	}
	_ = t.r.Run(ctx, exitInterrupted) // for $?
	t.ended(statusInterrupted)
	fmt.Fprint(t.std.Out, "\n")
	return false
}

// began says what an interrupt stops from now on; false says that it has come already.
func (t *session) began(stop context.CancelFunc) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.dropped {
		t.stop = stop
	}
	return !t.dropped
}

func (t *session) ended(status int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stop, t.status = nil, status
	t.goOn()
}
