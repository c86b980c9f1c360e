package hdc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The limits of the tool.
const (
	maxKey      = 32    // bytes of a key
	maxShell    = 61437 // bytes of a command line; a longer one is dropped without a word
	defaultPort = 8710
)

const usage = `
                         OpenHarmony device connector(hdc) ...

---------------------------------global commands:----------------------------------
 -h/help [verbose]                     - Print this help
 -v/version                            - Print the version of hdc
 -l[0-6]                               - Set the log level
 -t connectkey                         - Use the device with that key
 checkserver                           - Print the versions of client and server

---------------------------------component commands:-------------------------------
session commands(on server):
 list targets [-v]                     - List the devices
 tconn key [-remove]                   - Connect to a device of the network
 start [-r]  kill [-r]  wait           - Start, stop, restart the server; wait for a device

forwarding commands:
 fport local remote                    - Forward a port to the device
 rport remote local                    - Forward a port of the device
 fport ls / fport rm taskstr           - List and remove forwards

file, app and device commands:
 file send [-a|-sync|-z|-m] local remote
 file recv [-a|-sync|-z|-m] remote [local]
 install [-r|-s] src   uninstall [-k|-s] package
 shell [COMMAND...]   hilog [-h]   target boot   tmode port N   smode
`

// Tool is one run of the hdc program.
type Tool struct {
	Addr   string                           // of the Server
	Args   []string                         // without the program's name
	Dir    string                           // the folder that it runs in
	Lookup func(name string) (string, bool) // its environment; empty if unset
	Out    io.Writer
	Err    io.Writer
}

// Run does what the arguments say. The exit status of hdc is 0 whatever happens, and so is what it returns. It
// ends with ctx at the latest, as one that is killed does.
func (t *Tool) Run(ctx context.Context) int {
	q, rest, done := t.options(ctx)
	if done {
		return 0
	}
	words, ok := splitCommand(rest)
	if !ok {
		t.print("Unknown operation command...\n")
		fmt.Fprint(t.Err, usage)
		return 0
	}
	t.command(ctx, q, words)
	return 0
}

func (t *Tool) print(format string, args ...any) { fmt.Fprintf(t.Out, format, args...) }

// options reads what stands before the command. done says that there is nothing left to do.
func (t *Tool) options(ctx context.Context) (q request, rest []string, done bool) {
	if t.Lookup != nil {
		if port, ok := t.Lookup("OHOS_HDC_SERVER_PORT"); ok {
			q.Port, _ = strconv.Atoi(port)
		}
	}
	args := t.Args
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		name, value := args[0][:2], args[0][2:]
		args = args[1:]
		if strings.Contains("-t-s-e", name) && value == "" && len(args) > 0 {
			value, args = args[0], args[1:]
		}
		problem := ""
		switch name {
		case "-h":
			fmt.Fprint(t.Err, usage)
			return q, nil, true
		case "-v":
			t.version(ctx)
			return q, nil, true
		case "-p":
			q.NoStart = true
		case "-t":
			q.Key = value
			if len(value) > maxKey {
				problem = fmt.Sprintf("Sizeo of of parament '-t' %d is too long\n", len(value))
			}
		case "-s":
			q.Host, q.Port, problem = serverAddr(value)
		}
		if problem != "" {
			t.print("%s", problem)
			return q, nil, true
		}
	}
	return q, args, false
}

// serverAddr reads [IP:]PORT. The address must be numeric.
func serverAddr(value string) (host string, port int, problem string) {
	host, number := "127.0.0.1", value
	if i := strings.LastIndexByte(value, ':'); i >= 0 {
		host, number = strings.Trim(value[:i], "[]"), value[i+1:]
	}
	n, err := strconv.Atoi(number)
	switch {
	case net.ParseIP(host) == nil:
		return "", 0, "-s content IP incorrect.\n"
	case err != nil:
		return "", 0, "-s content port incorrect.\n"
	case n <= 0 || n > 65535:
		return "", 0, "Port range incorrect\n"
	}
	return host, n, ""
}

// version prints the version of the tool, which needs no server.
func (t *Tool) version(ctx context.Context) {
	version := profiles[0].Tool
	_ = ask(ctx, t.Addr, request{Op: opVersion}, func(r reply) { version = string(r.Out) })
	t.print("Ver: %s\n", version)
}

// commands are the words that the tool knows, with the words that may follow where only some may.
var commands = map[string][]string{
	"list": {"targets"}, "file": {"send", "recv"}, "target": {"mount", "boot"}, "tconn": nil, "shell": nil, "fport": nil, "rport": nil,
	"install": nil, "uninstall": nil, "hilog": nil, "start": nil, "kill": nil, "wait": nil, "checkserver": nil, "version": nil, "help": nil,
	"smode": nil, "tmode": nil, "jpid": nil, "track-jpid": nil, "bugreport": nil,
}

// splitCommand returns the command, of one word or two, and its arguments.
func splitCommand(args []string) ([]string, bool) {
	if len(args) == 0 {
		return nil, false
	}
	seconds, ok := commands[args[0]]
	switch {
	case !ok:
		return nil, false
	case seconds == nil:
		return args, true
	case len(args) < 2 || !slices.Contains(seconds, args[1]):
		return nil, false
	}
	return append([]string{args[0] + " " + args[1]}, args[2:]...), true
}

// command runs one command.
func (t *Tool) command(ctx context.Context, q request, words []string) {
	q.Args = words[1:]
	switch words[0] {
	case "version":
		t.version(ctx)
	case "help":
		fmt.Fprint(t.Err, usage)
	case "shell":
		t.shell(ctx, q, words[1:])
	case "hilog":
		t.send(ctx, q, opShell, "hilog "+join(words[1:]))
	case "file send":
		t.fileSend(ctx, q)
	case "file recv":
		t.fileRecv(ctx, q)
	case "install":
		t.install(ctx, q)
	case "uninstall":
		args := slices.DeleteFunc(slices.Clone(words[1:]), func(a string) bool { return strings.HasPrefix(a, "-") })
		t.send(ctx, q, opUninstall, append(args, "")[0])
	default:
		t.send(ctx, q, opCommand, words...)
	}
}

// send asks the server and prints what it answers.
func (t *Tool) send(ctx context.Context, q request, op string, args ...string) (last reply) {
	q.Op, q.Args = op, args
	err := ask(ctx, t.Addr, q, func(r reply) {
		_, _ = t.Out.Write(r.Out)
		_, _ = t.Err.Write(r.Err)
		last = r
	})
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" && !op.Timeout() && ctx.Err() == nil {
		fmt.Fprint(t.Err, "Connect server failed\n")
	}
	return last
}

// join makes one line of arguments as hdc does: one alone stays as it is, and of several those with a blank
// get quotes, whatever is in them.
func join(args []string) string {
	if len(args) == 1 {
		return args[0]
	}
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = a
		if strings.Contains(a, " ") {
			quoted[i] = `"` + a + `"`
		}
	}
	return strings.Join(quoted, " ")
}

// shell runs a command on the phone. Without one it would be a terminal, which it cannot have here.
func (t *Tool) shell(ctx context.Context, q request, args []string) {
	line := join(args)
	first, _, _ := strings.Cut(line, " ")
	switch {
	case len(args) == 0:
		t.interactive(ctx, q)
	case len(line) > maxShell:
	case strings.HasPrefix(first, "-"):
		t.badShellOption(ctx, q, first)
	default:
		t.send(ctx, q, opShell, line)
	}
}

// interactive reads what never comes.
func (t *Tool) interactive(ctx context.Context, q request) {
	if t.send(ctx, q, opReady).OK {
		t.print("[W][%s] Not support stdio TTY mode\n", time.Now().Format("2006-01-02 15:04:05"))
		t.send(ctx, q, opShell, "cat >/dev/null")
	}
}

func (t *Tool) badShellOption(ctx context.Context, q request, option string) {
	if ready := t.send(ctx, q, opReady); ready.OK {
		t.fail(ready, "[E003003] ", "Unsupport shell option: "+option)
	}
}

// fail prints a failure, with its code where the tool has codes.
func (t *Tool) fail(ready reply, code, text string) {
	if !ready.Coded {
		code = ""
	}
	t.print("[Fail]%s%s\n", code, text)
}
