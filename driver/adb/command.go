package adb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

const (
	// maxService is the longest service that every adbd takes. A longer one than the phone's maxdata
	// aborts the whole server process, with all clients' sessions (adb 29 and HEAD: "Check failed").
	maxService = 4094
	// maxOutput bounds what a question to the phone may answer.
	maxOutput = 64 << 20
	// retries is how often a question is asked anew that provably did not get through.
	retries   = 2
	retryWait = 150 * time.Millisecond
)

const (
	shellRaw  = "shell,v2,raw:"
	shellOld  = "shell:"
	exitLabel = "::handset-exit:"
	// lineExtra is the most that goes with a command line into one request.
	lineExtra = len(shellRaw) + len("\necho "+exitLabel+"$?") + len(" && ")
)

// request is one command line of the phone's shell.
type request struct {
	line  string
	hint  int    // how much it will print, about
	stdin []byte // only with the shell protocol
	sent  func() // runs just before it may reach the phone
	quick bool   // it is soon done, and may go on for that time once its caller has given up
}

// ask runs a small command line that changes nothing. What provably did not get through is asked
// again.
func (d *Driver) ask(ctx context.Context, line string) (*output, error) {
	return d.askFor(ctx, request{line: line, quick: true})
}

// askFor is ask for any request.
func (d *Driver) askFor(ctx context.Context, r request) (*output, error) {
	return retried(ctx, func() (*output, error) { return d.run(ctx, r) })
}

// retried repeats a read while it fails in a way that goes away by itself.
func retried[T any](ctx context.Context, f func() (T, error)) (T, error) {
	for n := 0; ; n++ {
		v, err := f()
		if err == nil || n == retries || !errors.Is(err, errRefused) && !errors.Is(err, errBroken) {
			return v, err
		}
		if nap.For(ctx, retryWait) != nil {
			return v, err
		}
	}
}

// act runs a command line that does something to the phone, once. A service that the phone refused
// was not run; anything else after the request was sent may have been.
func (d *Driver) act(ctx context.Context, line string) (*output, error) {
	return d.actFor(ctx, request{line: line})
}

// actFor is act for any request.
func (d *Driver) actFor(ctx context.Context, r request) (*output, error) {
	r.sent = func() { driver.MarkSent(ctx) }
	for n := 0; ; n++ {
		out, err := d.run(ctx, r)
		if err == nil {
			return out, nil
		}
		if !refusedBeforeRunning(err) {
			return nil, err
		}
		driver.MarkRefused(ctx)
		if n == retries || !errors.Is(err, errRefused) || nap.For(ctx, retryWait) != nil {
			return nil, err
		}
	}
}

// refusedBeforeRunning says that the server or the phone answered that it did not start the command.
func refusedBeforeRunning(err error) bool {
	var f *failure
	return errors.As(err, &f)
}

// run runs a command line through the shell protocol, or through the old shell where the phone has
// no other.
func (d *Driver) run(ctx context.Context, r request) (*output, error) {
	if strings.ContainsRune(r.line, 0) {
		return nil, errors.New("a command cannot hold a NUL byte")
	}
	if !d.shellV2 {
		return d.runOld(ctx, r)
	}
	if r.quick {
		if out, err, ok := d.quickly(ctx, r); ok {
			return out, err
		}
	}
	service := shellRaw + r.line
	if len(service) > maxService {
		if r.stdin != nil {
			return nil, fmt.Errorf("a command of %d bytes is too long for adb", len(r.line))
		}
		// The shell reads the whole group before it runs it, and the commands see an empty input.
		service, r.stdin = shellRaw+"sh", []byte("{ "+r.line+"\n} </dev/null\n")
	}
	sock, err := d.server.open(ctx, d.serial, service, r.sent)
	if err != nil {
		return nil, err
	}
	defer sock.close()
	out := &output{stdout: make([]byte, 0, r.hint), code: -1}
	if r.stdin != nil {
		err = sock.writeShell(r.stdin)
	}
	if err == nil {
		err = sock.readShell(out, maxOutput)
	}
	return out, sock.err(ctx, err)
}

// runOld runs a command line on a phone without the shell protocol (Android 6 and older): one
// stream, CR LF on some, and an exit status that the shell prints itself. Without that status the
// line broke.
func (d *Driver) runOld(ctx context.Context, r request) (*output, error) {
	service := shellOld + r.line + "\necho " + exitLabel + "$?"
	switch {
	case r.stdin != nil:
		return nil, driver.Unsupported("this phone's adb has no shell protocol, and so no standard input")
	case len(service) > maxService:
		return nil, driver.Unsupported("a command of %d bytes is too long for this phone's adb", len(r.line))
	}
	sock, err := d.server.open(ctx, d.serial, service, r.sent)
	if err != nil {
		return nil, err
	}
	defer sock.close()
	all, err := io.ReadAll(io.LimitReader(sock.r, maxOutput))
	if err != nil {
		return nil, sock.err(ctx, err)
	}
	return oldOutput(all)
}

func oldOutput(all []byte) (*output, error) {
	all = bytes.ReplaceAll(bytes.ReplaceAll(all, []byte("\r"), nil), []byte{0}, nil)
	at := bytes.LastIndex(all, []byte(exitLabel))
	if at < 0 {
		return nil, errBroken
	}
	code, err := strconv.Atoi(strings.TrimSpace(string(all[at+len(exitLabel):])))
	if err != nil {
		return nil, errBroken
	}
	return &output{stdout: all[:at], code: code}, nil
}

// exec runs a command line whose output is binary on a phone without the shell protocol: raw,
// merged, and without an exit status.
func (d *Driver) exec(ctx context.Context, line string) ([]byte, error) {
	sock, err := d.server.open(ctx, d.serial, "exec:"+line, nil)
	if err != nil {
		return nil, err
	}
	defer sock.close()
	data, err := io.ReadAll(io.LimitReader(sock.r, maxOutput))
	return data, sock.err(ctx, err)
}

// sections splits the output of a composite line at its markers, which mark(n) prints.
func sections(out []byte, n int) []string {
	parts := make([]string, n)
	text := strings.ReplaceAll(string(out), "\r", "")
	for i := range n {
		_, rest, ok := strings.Cut(text, sectionLabel(i))
		if !ok {
			continue
		}
		body, _, _ := strings.Cut(rest, sectionLabel(i+1))
		parts[i] = strings.Trim(body, "\n")
	}
	return parts
}

func sectionLabel(i int) string { return "::handset-" + strconv.Itoa(i) + "::" }

// composite makes one shell line of several, whose outputs sections tells apart.
func composite(lines ...string) string {
	var b strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&b, "echo %s; %s; ", sectionLabel(i), line)
	}
	return b.String() + "true"
}

// askAll runs several questions in one go and returns their outputs.
func (d *Driver) askAll(ctx context.Context, lines ...string) ([]string, error) {
	out, err := d.ask(ctx, composite(lines...))
	if err != nil {
		return nil, err
	}
	return sections(out.stdout, len(lines)), nil
}
