package phoneshell

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// Stdio are the streams of a command.
type Stdio struct {
	In  *os.File // a pipe, or nil for an input at its end
	Out io.Writer
	Err io.Writer
	TTY io.Writer // what /dev/tty writes to; nil where the command has no terminal

	Keys *Keys // the terminal's; nil for none
}

// tempDir is what a shell's TMPDIR says. The interpreter itself is told a folder that cannot exist, so
// that it never makes anything on the machine that the phone is simulated on.
const tempDir, noTempDir = "/data/local/tmp", "/dev/null/phone"

// prelude sets what the interpreter may not start with.
var prelude = mustParse("TMPDIR=" + tempDir)

// afterwards waits for what the command left in the background, as adbd does: it keeps the stream open
// for as long as a process holds it.
var afterwards = mustParse("wait")

func mustParse(src string) *syntax.Stmt {
	f, err := syntax.NewParser(syntax.Variant(syntax.LangMirBSDKorn)).Parse(strings.NewReader(src), "")
	if err != nil {
		panic(err)
	}
	return f.Stmts[0]
}

// Run runs a command line as sh -c does and returns its exit status. It ends with ctx. An empty
// one is a shell that reads its input, with a prompt where it has a terminal.
func (sys *System) Run(ctx context.Context, command string, std Stdio) int {
	mu := &sync.Mutex{} // a command and those in its background write side by side
	std.Out, std.Err = &locked{mu, std.Out}, &locked{mu, std.Err}
	if std.TTY != nil {
		std.TTY = &locked{mu, std.TTY}
	}
	s := &shell{sys: sys, tty: std.TTY}
	if command == "" && std.In != nil {
		sc := script{src: std.In, prefix: sys.Shell + ": <stdin>[%d]: ", byLine: true}
		if std.TTY != nil {
			sc = script{src: std.In, prefix: sys.Shell + ": ", session: true}
		}
		return s.script(ctx, sc, std)
	}
	run := func(ctx context.Context) int {
		return s.script(ctx, script{src: strings.NewReader(command), prefix: sys.Shell + ": "}, std)
	}
	return interruptible(ctx, std.Keys, run)
}

// locked is a writer for several processes.
type locked struct {
	mu *sync.Mutex
	w  io.Writer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// shell is one process tree.
type shell struct {
	sys *System
	tty io.Writer

	held atomic.Bool // something in the background keeps the output open
}

// script is what one shell process reads.
type script struct {
	src     io.Reader
	prefix  string   // of its errors
	name    string   // $0, the shell's own if unset
	params  []string // $1 and on
	byLine  bool     // read a line, run it, read on: commands read on from the same input
	session bool     // of a person at a terminal
	dir     string
	env     expand.Environ
}

// at is the prefix of the errors of a line.
func (sc script) at(line uint) string {
	if sc.byLine {
		return fmt.Sprintf(sc.prefix, line)
	}
	return sc.prefix
}

// script runs what s reads and returns the status of the last command.
func (s *shell) script(ctx context.Context, sc script, std Stdio) int {
	r, err := s.runner(sc, std)
	if err != nil {
		fmt.Fprintf(std.Err, "%s%v\n", sc.at(1), err)
		return 1
	}
	_ = r.Run(ctx, prelude)
	var status int
	switch {
	case sc.session:
		status = s.session(ctx, r, std)
	case sc.byLine:
		status = s.lines(ctx, r, sc, std)
	default:
		status = s.whole(ctx, r, sc, std)
	}
	s.leave(ctx, r)
	return status
}

// leave waits for what the script left in the background, unless that holds none of its output.
func (s *shell) leave(ctx context.Context, r *interp.Runner) {
	wait := func() { _ = r.Run(ctx, afterwards) }
	if s.sys.Background == nil || s.held.Load() || !s.sys.Background(wait) {
		wait()
	}
}

// note remembers whether a part of a script keeps the output open.
func (s *shell) note(node syntax.Node) {
	if holds(node) {
		s.held.Store(true)
	}
}

// holds says that a part of a script goes on in the background and keeps the output open.
func holds(node syntax.Node) bool {
	found := false
	syntax.Walk(node, func(n syntax.Node) bool {
		if stmt, ok := n.(*syntax.Stmt); ok && stmt.Background && !silenced(stmt) {
			found = true
		}
		return !found
	})
	return found
}

// silenced says that a statement sends both its outputs elsewhere.
func silenced(stmt *syntax.Stmt) bool {
	var out, errs bool
	for _, r := range stmt.Redirs {
		switch fd := r.N; {
		case r.Op == syntax.RdrAll || r.Op == syntax.AppAll:
			out, errs = true, true
		case r.Op != syntax.RdrOut && r.Op != syntax.AppOut && r.Op != syntax.DplOut && r.Op != syntax.RdrClob:
		case fd == nil || fd.Value == "1":
			out = true
		case fd.Value == "2":
			errs = errs || r.Op != syntax.DplOut || out
		}
	}
	return out && errs
}

func parser() *syntax.Parser { return syntax.NewParser(syntax.Variant(syntax.LangMirBSDKorn)) }

// whole parses everything before it runs anything.
func (s *shell) whole(ctx context.Context, r *interp.Runner, sc script, std Stdio) int {
	file, err := parser().Parse(sc.src, cmp.Or(sc.name, s.sys.Shell))
	if err == nil {
		err = onlyPhone(file)
	}
	if err != nil {
		fmt.Fprintf(std.Err, "%s%s\n", sc.prefix, syntaxText(err))
		return 1
	}
	s.note(file)
	return statusOf(r.Run(ctx, file), sc.prefix, std.Err)
}

// lines runs each line as soon as it is whole.
func (s *shell) lines(ctx context.Context, r *interp.Runner, sc script, std Stdio) int {
	status, line := 0, uint(1)
	p := parser()
	for stmts, err := range p.InteractiveSeq(oneByte{sc.src}) {
		if err == nil && p.Incomplete() {
			continue
		}
		for _, stmt := range stmts {
			if err != nil {
				break
			}
			line = stmt.Pos().Line()
			if err = onlyPhone(stmt); err == nil {
				s.note(stmt)
				whole := &syntax.File{Name: cmp.Or(sc.name, s.sys.Shell), Stmts: []*syntax.Stmt{stmt}}
				status = statusOf(r.Run(ctx, whole), sc.at(line), std.Err)
			}
			if r.Exited() || ctx.Err() != nil {
				return status
			}
		}
		if err != nil && ctx.Err() == nil {
			fmt.Fprintf(std.Err, "%s%s\n", sc.at(line), syntaxText(err))
			return 1
		}
	}
	return status
}

// oneByte reads a byte at a time, so that nothing is taken away from the commands of a script that
// reads its own input.
type oneByte struct{ r io.Reader }

func (o oneByte) Read(p []byte) (int, error) { return o.r.Read(p[:min(len(p), 1)]) }

// onlyPhone refuses the syntax that mksh has not, that would reach outside the phone, or that the interpreter
// does not survive.
func onlyPhone(node syntax.Node) error {
	var err error
	syntax.Walk(node, func(n syntax.Node) bool {
		if err == nil && foreign(n) {
			err = syntax.ParseError{Pos: n.Pos(), Text: "unexpected syntax"}
		}
		return err == nil
	})
	return err
}

// foreign says that a node is not for the phone's shell.
func foreign(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.ProcSubst, *syntax.CoprocClause, *syntax.TestDecl:
		return true
	case *syntax.Assign:
		return n.Name != nil && !syntax.ValidName(n.Name.Value) || n.Name == nil && !n.Naked
	}
	return false
}

// syntaxText words a parser's error as mksh does, as far as the two know the same errors.
func syntaxText(err error) string {
	pe, ok := errors.AsType[syntax.ParseError](err)
	if !ok {
		return "syntax error: " + err.Error()
	}
	switch {
	case strings.Contains(pe.Text, "without closing quote"):
		return "no closing quote"
	case pe.Incomplete:
		return "syntax error: unexpected EOF"
	}
	return "syntax error: " + pe.Text
}

// statusOf turns what the interpreter returned into an exit status.
func statusOf(err error, prefix string, stderr io.Writer) int {
	if err == nil {
		return 0
	}
	if s, ok := errors.AsType[interp.ExitStatus](err); ok {
		return int(s)
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return 137
	}
	fmt.Fprintf(stderr, "%s%v\n", prefix, err)
	return 1
}

func (s *shell) runner(sc script, std Stdio) (*interp.Runner, error) {
	env := sc.env
	if env == nil {
		env = expand.ListEnviron(append(slices.Clone(s.sys.Env), "TMPDIR="+noTempDir)...)
	}
	dir := sc.dir
	if dir == "" {
		dir = "/"
	}
	var in io.Reader // a nil *os.File must not become a non-nil reader
	if std.In != nil {
		in = std.In
	}
	return interp.New(
		interp.Env(env),
		func(r *interp.Runner) error { r.Dir = dir; return nil },
		interp.Params(append([]string{"--"}, sc.params...)...),
		interp.StdIO(in, std.Out, std.Err),
		interp.CallHandler(s.call),
		interp.ExecHandlers(func(interp.ExecHandlerFunc) interp.ExecHandlerFunc {
			return func(ctx context.Context, args []string) error { return s.exec(ctx, args, sc) }
		}),
		interp.OpenHandler(s.open),
		interp.StatHandler(s.stat),
		interp.ReadDirHandler2(s.readDir),
		interp.AccessHandler(s.access),
	)
}

// ours are the interpreter's builtins that mksh has not, has as programs, or does otherwise. They
// are sent to the phone's own programs.
var ours = map[string]bool{
	"echo": true, "kill": true, "pwd": true, "ulimit": true, "umask": true, "type": true, "jobs": true,
	"help": true, "mapfile": true, "readarray": true, "shopt": true, "dirs": true, "pushd": true, "popd": true,
	"compgen": true, "complete": true, "compopt": true, "caller": true, "bind": true, "history": true,
	"disown": true, "enable": true, "logout": true, "hash": true,
}

// call sends builtins of the interpreter that the phone's shell does otherwise to the phone's programs.
func (s *shell) call(_ context.Context, args []string) ([]string, error) {
	if args[0] == "command" && len(args) > 1 {
		switch {
		case args[1] == "-v" || args[1] == "-V":
			return append([]string{internalName("command")}, args[1:]...), nil
		case !strings.HasPrefix(args[1], "-"):
			args = args[1:]
		}
	}
	if ours[args[0]] {
		return append([]string{internalName(args[0])}, args[1:]...), nil
	}
	return args, nil
}

// internalName marks a program that stands for a builtin, so that the interpreter does not take it.
func internalName(name string) string { return "\x00" + name }

// exec runs one program of the phone.
func (s *shell) exec(ctx context.Context, args []string, sc script) error {
	hc := interp.HandlerCtx(ctx)
	prefix := sc.at(hc.Pos.Line())
	p := &Proc{s: s, Args: args, In: hc.Stdin, Out: whileAlive{ctx, hc.Stdout}, Err: hc.Stderr, Dir: hc.Dir, Env: hc.Env}
	if f, ok := hc.Stdin.(*os.File); !ok || f == nil {
		p.In = bytes.NewReader(nil)
	}
	status := s.start(ctx, p, prefix)
	if err := ctx.Err(); err != nil {
		return err
	}
	if status == 0 {
		return nil
	}
	return interp.ExitStatus(status)
}

// whileAlive ends a program by an error of its output once the shell is ended.
type whileAlive struct {
	ctx context.Context
	w   io.Writer
}

func (w whileAlive) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.w.Write(p)
}

// start finds the program and runs it.
func (s *shell) start(ctx context.Context, p *Proc, prefix string) int {
	name := p.Args[0]
	if builtin, ok := strings.CutPrefix(name, "\x00"); ok {
		p.Args[0] = builtin
		if run := builtins[builtin]; run != nil {
			return run(ctx, p)
		}
		return notFound(p, builtin, prefix)
	}
	if strings.Contains(name, "/") {
		return s.startPath(ctx, p, prefix)
	}
	run := s.program(name)
	if run == nil {
		return notFound(p, name, prefix)
	}
	return run(ctx, p)
}

// startPath runs what a path names: a program of the system, or a script.
func (s *shell) startPath(ctx context.Context, p *Proc, prefix string) int {
	name := p.Abs(p.Args[0])
	info, err := s.sys.FS.Stat(name, true)
	switch {
	case err != nil:
		return notFound(p, p.Args[0], prefix)
	case info.IsDir() || info.mode.Perm()&0o111 == 0:
		fmt.Fprintf(p.Err, "%s%s: can't execute: %s\n", prefix, p.Args[0], EACCES)
		return 126
	}
	if dir := path.Dir(name); dir == s.sys.Bin || dir == "/bin" {
		p.Args[0] = path.Base(name)
		if run := s.program(p.Args[0]); run != nil {
			return run(ctx, p)
		}
	}
	return runFile(ctx, p, name, p.Args[1:])
}

func notFound(p *Proc, name, prefix string) int {
	fmt.Fprintf(p.Err, "%s%s: %s\n", prefix, name, p.sys().NotFound)
	return 127
}

// open opens a file of the phone for a redirection.
func (s *shell) open(ctx context.Context, name string, flag int, perm os.FileMode) (io.ReadWriteCloser, error) {
	name = path.Clean(joinDir(interp.HandlerCtx(ctx).Dir, name))
	write := flag&(os.O_WRONLY|os.O_RDWR) != 0
	f, err := s.openFile(name, write, flag&os.O_APPEND != 0, perm)
	switch {
	case err != nil && write:
		return nil, &os.PathError{Op: s.sys.Shell + ": can't create", Path: name, Err: err}
	case err != nil:
		return nil, &os.PathError{Op: s.sys.Shell + ": can't open", Path: name, Err: err}
	case write:
		return f, nil
	}
	return pipeOf(f)
}

// pipeOf turns what is read into a pipe, which is what the interpreter hands to commands. The copying
// ends when either end does.
func pipeOf(r io.ReadCloser) (io.ReadWriteCloser, error) {
	pr, pw, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	go func() {
		_, _ = io.Copy(pw, r)
		_ = pw.Close()
		_ = r.Close()
	}()
	return pr, nil
}

// openFile opens a file or a device.
func (s *shell) openFile(name string, write, appending bool, perm fs.FileMode) (io.ReadWriteCloser, error) {
	switch name {
	case "/dev/null":
		return device{r: bytes.NewReader(nil), w: io.Discard}, nil
	case "/dev/tty":
		if s.tty == nil {
			return nil, ENXIO
		}
		return device{r: bytes.NewReader(nil), w: s.tty}, nil
	case "/dev/zero", "/dev/urandom":
		return device{r: zeros{}, w: io.Discard}, nil
	}
	if write {
		return s.sys.FS.Create(name, perm, appending)
	}
	return s.sys.FS.Open(name)
}

// device is a file of /dev.
type device struct {
	r io.Reader
	w io.Writer
}

func (d device) Read(p []byte) (int, error)  { return d.r.Read(p) }
func (d device) Write(p []byte) (int, error) { return d.w.Write(p) }
func (d device) Close() error                { return nil }

// zeros never ends.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func (s *shell) stat(_ context.Context, name string, follow bool) (fs.FileInfo, error) {
	info, err := s.sys.FS.Stat(name, follow)
	if err != nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	return info, nil
}

// readDir lists a folder for a pattern, and tells of one that is only passed through whether it is there. The
// interpreter asks for both the same way: a folder that may be passed through and not listed is one where no
// pattern finds anything.
func (s *shell) readDir(_ context.Context, name string) ([]fs.DirEntry, error) {
	list, err := s.sys.FS.ReadDir(name)
	switch {
	case errors.Is(err, EACCES):
		return nil, nil
	case errors.Is(err, ENOTDIR):
		err = syscall.ENOTDIR // what the interpreter looks for, on every system
	case err != nil:
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	entries := make([]fs.DirEntry, len(list))
	for i, info := range list {
		entries[i] = fs.FileInfoToDirEntry(info)
	}
	return entries, nil
}

// access answers test -r, -w and -x.
func (s *shell) access(_ context.Context, name string, mode interp.AccessMode) error {
	info, err := s.sys.FS.Stat(name, true)
	if err != nil {
		return &fs.PathError{Op: "access", Path: name, Err: err}
	}
	want := fs.FileMode(mode) & 0o7
	if info.mode.Perm()&want != want && info.mode.Perm()>>6&want != want || want&2 != 0 && !s.sys.FS.writable(name) {
		return &fs.PathError{Op: "access", Path: name, Err: EACCES}
	}
	return nil
}

func joinDir(dir, name string) string {
	if path.IsAbs(name) {
		return name
	}
	return path.Join(dir, name)
}
