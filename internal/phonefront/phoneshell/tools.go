package phoneshell

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"mvdan.cc/sh/v3/expand"

	"github.com/handset-go/handset/internal/nap"
	"github.com/handset-go/handset/internal/posix"
)

func runTrue(context.Context, *Proc) int  { return 0 }
func runFalse(context.Context, *Proc) int { return 1 }

func runPwd(_ context.Context, p *Proc) int {
	p.Print("%s\n", p.Dir)
	return 0
}

func runUlimit(_ context.Context, p *Proc) int {
	p.Print("unlimited\n")
	return 0
}

func runUmask(_ context.Context, p *Proc) int {
	if len(p.Args) == 1 {
		p.Print("0077\n")
	}
	return 0
}

// shellWords are what command -v names without a path.
var shellWords = []string{"cd", "echo", "exit", "export", "kill", "print", "printf", "pwd", "read", "set", "test", "[", "true", "false", "type", "unset", "wait"}

// runCommandV is command -v, and type, which words it otherwise.
func runCommandV(_ context.Context, p *Proc) int {
	status := 0
	for _, name := range p.Args[1:] {
		file := path.Join(p.sys().Bin, path.Base(name))
		_, err := p.sys().FS.Stat(file, true)
		found := err == nil && (path.Base(name) == name || name == file)
		switch {
		case strings.HasPrefix(name, "-"):
		case slices.Contains(shellWords, name) && p.Args[0] == "type":
			p.Print("%s is a shell builtin\n", name)
		case slices.Contains(shellWords, name):
			p.Print("%s\n", name)
		case found && p.Args[0] == "type":
			p.Print("%s is %s\n", name, file)
		case found:
			p.Print("%s\n", file)
		default:
			if p.Args[0] == "type" {
				p.Print("%s not found\n", name)
			}
			status = 1
		}
	}
	return status
}

func runWhich(_ context.Context, p *Proc) int {
	_, names, _ := p.Options("a", "")
	status := 0
	for _, name := range names {
		if p.s.program(name) == nil {
			status = 1
			continue
		}
		p.Print("%s\n", path.Join(p.sys().Bin, name))
	}
	return status
}

// runSh is a shell inside the shell: -c, a script file, or the standard input.
func runSh(ctx context.Context, p *Proc) int {
	args := p.Args[1:]
	for len(args) > 0 && len(args[0]) > 1 && (args[0][0] == '-' || args[0][0] == '+') && args[0] != "-c" && args[0] != "-s" {
		args = args[1:]
	}
	switch {
	case len(args) > 1 && args[0] == "-c":
		sc := script{src: strings.NewReader(args[1]), prefix: p.Args[0] + ": ", name: p.Args[0]}
		if len(args) > 2 {
			sc.name, sc.params = args[2], args[3:]
		}
		return p.shell(ctx, sc)
	case len(args) == 1 && args[0] == "-c":
		return p.Fail(1, "%s: -c: requires an argument", p.Args[0])
	case len(args) > 0 && args[0] != "-s":
		return runFile(ctx, p, p.Abs(args[0]), args[1:])
	}
	in, ok := p.In.(*os.File)
	if !ok {
		return 0
	}
	return p.shell(ctx, script{src: in, prefix: p.Args[0] + ": <stdin>[%d]: ", name: p.Args[0], byLine: true})
}

// shell runs a script with the streams and the exported variables of p.
func (p *Proc) shell(ctx context.Context, sc script) int {
	sc.dir, sc.env = p.Dir, exported(p.Env)
	in, _ := p.In.(*os.File)
	return p.s.script(ctx, sc, Stdio{In: in, Out: p.Out, Err: p.Err})
}

// exported is the environment that a new process gets.
func exported(env expand.Environ) expand.Environ {
	var pairs []string
	env.Each(func(name string, v expand.Variable) bool {
		if v.Exported && v.Kind == expand.String && name != "TMPDIR" {
			pairs = append(pairs, name+"="+v.Str)
		}
		return true
	})
	return expand.ListEnviron(append(pairs, "TMPDIR="+noTempDir)...)
}

// runFile runs a script of the phone's files.
func runFile(ctx context.Context, p *Proc, name string, args []string) int {
	data, err := p.sys().FS.ReadFile(name)
	if err != nil {
		return p.Fail(127, "sh: %s: %s", name, ErrnoOf(err))
	}
	if strings.HasPrefix(string(data), "\x7fELF") {
		return p.Fail(126, "%s: %s: not executable: 64-bit ELF file", p.sys().Shell, name)
	}
	return p.shell(ctx, script{src: strings.NewReader(string(data)), prefix: name + ": ", name: name, params: args})
}

// runInShell runs a builtin of the shell that was called as a program.
func runInShell(ctx context.Context, p *Proc) int {
	return p.shell(ctx, script{src: strings.NewReader(posix.QuoteAll(p.Args)), prefix: ""})
}

func runTest(ctx context.Context, p *Proc) int   { return runInShell(ctx, p) }
func runPrintf(ctx context.Context, p *Proc) int { return runInShell(ctx, p) }

func runWrapped(ctx context.Context, p *Proc) int {
	if len(p.Args) < 2 {
		return p.Fail(1, "%s: needs an argument", p.Args[0])
	}
	return p.Start(ctx, p.Args[1:])
}

func runTimeout(ctx context.Context, p *Proc) int {
	_, rest, _ := p.Options("v", "sk")
	if len(rest) < 2 {
		return p.Fail(125, "timeout: needs 2 arguments (see \"timeout --help\")")
	}
	d, err := seconds(rest[0])
	if err != nil {
		return p.Fail(125, "timeout: bad time '%s'", rest[0])
	}
	inner, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	status := p.Start(inner, rest[1:])
	if inner.Err() != nil && ctx.Err() == nil {
		return 124
	}
	return status
}

// seconds reads a time such as 2, 0.5, 3s or 1m.
func seconds(text string) (time.Duration, error) {
	unit := time.Second
	switch {
	case strings.HasSuffix(text, "m"):
		unit = time.Minute
	case strings.HasSuffix(text, "h"):
		unit = time.Hour
	case strings.HasSuffix(text, "d"):
		unit = 24 * time.Hour
	}
	n, err := strconv.ParseFloat(strings.TrimRight(text, "smhd"), 64)
	if err != nil || n < 0 {
		return 0, EINVAL
	}
	return time.Duration(n * float64(unit)), nil
}

func runSleep(ctx context.Context, p *Proc) int {
	if len(p.Args) < 2 {
		return p.Fail(1, "sleep: Needs 1 argument (see \"sleep --help\")")
	}
	d, err := seconds(p.Args[1])
	if err != nil {
		return p.Fail(1, "sleep: bad time '%s'", p.Args[1])
	}
	if errors.Is(nap.For(ctx, d), context.DeadlineExceeded) {
		return 143
	}
	return 0
}

// runEnv is env, which prints the environment or runs a command with assignments added to it, and printenv.
func runEnv(ctx context.Context, p *Proc) int {
	vars, args := p.variables(), p.Args[1:]
	if p.Args[0] == "printenv" && len(args) > 0 {
		return p.printValues(vars, args)
	}
	for ; len(args) > 0; args = args[1:] {
		name, value, ok := strings.Cut(args[0], "=")
		if !ok {
			break
		}
		vars[name] = value
	}
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		pairs = append(pairs, name+"="+vars[name])
	}
	if len(args) > 0 {
		q := *p
		q.Env = expand.ListEnviron(pairs...)
		return q.Start(ctx, args)
	}
	for _, pair := range pairs {
		p.Print("%s\n", pair)
	}
	return 0
}

// printValues is printenv NAME.
func (p *Proc) printValues(vars map[string]string, names []string) int {
	status := 0
	for _, name := range names {
		value, ok := vars[name]
		if !ok {
			status = 1
			continue
		}
		p.Print("%s\n", value)
	}
	return status
}

// variables are those that the program was given.
func (p *Proc) variables() map[string]string {
	vars := map[string]string{}
	p.Env.Each(func(name string, v expand.Variable) bool { // the last of a name is the one that counts
		delete(vars, name)
		if v.Exported && !interpreters[name] {
			vars[name] = v.Str
		}
		return true
	})
	return vars
}

// interpreters are the variables that the interpreter exports and mksh does not.
var interpreters = map[string]bool{"UID": true, "EUID": true, "GID": true}

func runXargs(ctx context.Context, p *Proc) int {
	set, rest, unknown := p.Options("0rt", "nIP")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	if len(rest) == 0 {
		rest = []string{"echo"}
	}
	data, _ := io.ReadAll(p.In)
	words := strings.Fields(string(data))
	if Has(set, '0') {
		words = strings.FieldsFunc(string(data), func(r rune) bool { return r == 0 })
	}
	size := len(words)
	if n, err := strconv.Atoi(set['n']); err == nil && n > 0 {
		size = n
	}
	mark, replaces := set['I']
	if replaces {
		size = 1
	}
	for group := range slices.Chunk(words, max(size, 1)) {
		args := append(slices.Clone(rest), group...)
		if replaces {
			args = slices.Clone(rest)
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], mark, group[0])
			}
		}
		if status := p.Start(ctx, args); status != 0 {
			return 123
		}
	}
	return 0
}

// runKill knows no process that it could end.
func runKill(_ context.Context, p *Proc) int {
	status := 0
	for _, arg := range p.Args[1:] {
		if !strings.HasPrefix(arg, "-") {
			status = p.Fail(1, "%s: kill: %s: No such process", p.sys().Shell, arg)
		}
	}
	return status
}

func runID(_ context.Context, p *Proc) int {
	set, _, _ := p.Options("ugnGrZ", "")
	switch {
	case Has(set, 'u') && Has(set, 'n'), Has(set, 'g') && Has(set, 'n'):
		p.Print("shell\n")
	case Has(set, 'u'), Has(set, 'g'):
		p.Print("2000\n")
	default:
		p.Print("%s\n", p.sys().Identity)
	}
	return 0
}

func runWhoami(_ context.Context, p *Proc) int   { p.Print("shell\n"); return 0 }
func runHostname(_ context.Context, p *Proc) int { p.Print("localhost\n"); return 0 }

func runTty(_ context.Context, p *Proc) int {
	if p.s.tty == nil {
		p.Print("not a tty\n")
		return 1
	}
	p.Print("/dev/pts/0\n")
	return 0
}

func runUname(_ context.Context, p *Proc) int {
	set, _, _ := p.Options("asnrvmo", "")
	switch {
	case Has(set, 'a'):
		p.Print("Linux localhost %s #1 SMP PREEMPT aarch64 %s\n", p.sys().Kernel, p.sys().OS)
	case Has(set, 'm'):
		p.Print("aarch64\n")
	case Has(set, 'r'):
		p.Print("%s\n", p.sys().Kernel)
	default:
		p.Print("Linux\n")
	}
	return 0
}

func runUptime(_ context.Context, p *Proc) int {
	now := p.sys().Now()
	up := now.Sub(p.sys().Boot)
	p.Print(" %s up %d min,  load average: 0.00, 0.00, 0.00\n", now.UTC().Format("15:04:05"), int(up.Minutes()))
	return 0
}

func runBasename(_ context.Context, p *Proc) int {
	if len(p.Args) < 2 {
		return p.Fail(1, "basename: Needs 1 argument (see \"basename --help\")")
	}
	name := path.Base(p.Args[1])
	if len(p.Args) > 2 && name != p.Args[2] {
		name = strings.TrimSuffix(name, p.Args[2])
	}
	p.Print("%s\n", name)
	return 0
}

func runDirname(_ context.Context, p *Proc) int {
	for _, name := range p.Args[1:] {
		p.Print("%s\n", path.Dir(name))
	}
	return 0
}

// strftime are the conversions of date, as layouts of package time.
var strftime = strings.NewReplacer("%Y", "2006", "%m", "01", "%d", "02", "%H", "15", "%M", "04", "%S", "05", "%F", "2006-01-02",
	"%T", "15:04:05", "%y", "06", "%b", "Jan", "%a", "Mon", "%Z", "MST", "%z", "-0700", "%N", "000000000")

func runDate(_ context.Context, p *Proc) int {
	now := p.sys().Now().UTC()
	for _, arg := range p.Args[1:] {
		format, ok := strings.CutPrefix(arg, "+")
		if !ok {
			continue
		}
		format = strings.ReplaceAll(format, "%s%N", strconv.FormatInt(now.UnixNano(), 10))
		format = strings.ReplaceAll(format, "%s", strconv.FormatInt(now.Unix(), 10))
		if strings.Contains(format, "%") {
			format = now.Format(strftime.Replace(format))
		}
		p.Print("%s\n", format)
		return 0
	}
	p.Print("%s\n", now.Format("Mon Jan _2 15:04:05 MST 2006"))
	return 0
}

// PID is the number of a process of that name: always the same.
func PID(id string) int {
	h := fnv.New32a()
	_, _ = io.WriteString(h, id)
	return 2000 + int(h.Sum32()%28000)
}

// processes lists the names of what runs.
func (s *System) processes() []string {
	if s.Running == nil {
		return nil
	}
	return s.Running()
}

func runPs(_ context.Context, p *Proc) int {
	set, _, _ := p.Options("AefwZ", "op")
	if Has(set, 'o') {
		return psColumns(p, strings.Split(set['o'], ","))
	}
	p.Print("%-14s %6s %6s %8s %6s %s %12s %s %s\n", "USER", "PID", "PPID", "VSZ", "RSS", "WCHAN", "ADDR", "S", "NAME")
	for _, name := range p.sys().processes() {
		p.Print("%-14s %6d %6d %8d %6d %5d %12d %s %s\n", "u0_a100", PID(name), 700, 1200000, 90000, 0, 0, "S", name)
	}
	return 0
}

// psColumns is ps -o: the columns that were asked for.
func psColumns(p *Proc, columns []string) int {
	value := map[string]func(name string) string{
		"PID": func(name string) string { return strconv.Itoa(PID(name)) }, "PPID": func(string) string { return "700" },
		"USER": func(string) string { return "u0_a100" }, "ARGS": func(name string) string { return name },
		"NAME": func(name string) string { return name }, "CMD": func(name string) string { return name },
	}
	var head []string
	for _, c := range columns {
		name := strings.ToUpper(strings.TrimSpace(c))
		if value[name] == nil {
			return p.Fail(1, "ps: bad -o %s", c)
		}
		head = append(head, name)
	}
	p.Print("%s\n", psLine(head, func(column string) string { return column }))
	for _, process := range p.sys().processes() {
		p.Print("%s\n", psLine(head, func(column string) string { return value[column](process) }))
	}
	return 0
}

// psLine is one line of ps -o: numbers to the right, the last column as long as it is.
func psLine(columns []string, value func(column string) string) string {
	var cells []string
	for i, c := range columns {
		switch {
		case i == len(columns)-1:
			cells = append(cells, value(c))
		case c == "PID" || c == "PPID":
			cells = append(cells, fmt.Sprintf("%5s", value(c)))
		default:
			cells = append(cells, fmt.Sprintf("%-14s", value(c)))
		}
	}
	return strings.Join(cells, " ")
}

func runPidof(_ context.Context, p *Proc) int {
	found := []string{}
	for _, name := range p.sys().processes() {
		if slices.Contains(p.Args[1:], name) {
			found = append(found, strconv.Itoa(PID(name)))
		}
	}
	if len(found) == 0 {
		return 1
	}
	fmt.Fprintln(p.Out, strings.Join(found, " "))
	return 0
}
