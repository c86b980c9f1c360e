package hdc

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

const (
	// maxLine bounds a command line: above 61,437 bytes the tool prints nothing at all, with status 0 (3.2.0f).
	maxLine = 60_000
	// retries is how often a read is done anew that failed in a way which goes away by itself.
	retries   = 2
	retryWait = 150 * time.Millisecond
	// settleLimit is how long a phone that was attached just now is waited for.
	settleLimit = 10 * time.Second
	settleWait  = 500 * time.Millisecond
	// serverWait is for how long a server that does not answer is asked again: a tool that takes longer has looked for it
	// itself, for 12 s.
	serverWait = 5 * time.Second
)

// output is what a command on the phone printed, both streams in one, and how it ended.
type output struct {
	text string // without \r before \n
	raw  string // as it came
	code int
}

// shell runs a command line on the phone, once. The tool tells neither the status nor whether the line was cut
// short, so the line ends with a mark that does both; without the mark the error is errBroken, or what the tool said.
func (d *Driver) shell(ctx context.Context, line string) (*output, error) {
	if len(line) > maxLine {
		return nil, &failure{text: fmt.Sprintf("a command of %d bytes is too long for hdc, which takes %d", len(line), maxLine), refused: true}
	}
	mark := "handset-" + rand.Text() + "="
	r, err := d.tool.run(ctx, "-t", d.key, "shell", line+"\nprintf '\\n"+mark+"%d\\n' $?")
	if err != nil {
		return nil, err
	}
	return marked(r.Stdout, mark)
}

// marked cuts the mark off what a line printed.
func marked(out []byte, mark string) (*output, error) {
	text := string(out)
	at := strings.LastIndex(text, mark)
	if at < 0 {
		if f := refusal(out); f != nil {
			return nil, f
		}
		return nil, errBroken
	}
	digits, _, _ := strings.Cut(strings.ReplaceAll(text[at+len(mark):], "\r", ""), "\n")
	code, err := strconv.Atoi(digits)
	if err != nil {
		return nil, errBroken
	}
	raw := strings.TrimSuffix(text[:at], "\n")
	return &output{text: strings.TrimRight(unixLines(raw), "\r"), raw: raw, code: code}, nil
}

// unixLines takes \r away before \n: hdc on Windows puts it there, and some tools do.
func unixLines(s string) string {
	if !strings.Contains(s, "\r") {
		return s
	}
	for strings.Contains(s, "\r\n") {
		s = strings.ReplaceAll(s, "\r\n", "\n")
	}
	return s
}

// ask runs a command line that changes nothing. What provably did not get through, or broke, is asked again.
func (d *Driver) ask(ctx context.Context, line string) (*output, error) {
	return again(ctx, func(err error) bool { return errors.Is(err, errBroken) }, func() (*output, error) {
		return d.shell(ctx, line)
	})
}

// act runs a command line that does something to the phone. It is done once: only what never left this computer
// is tried again.
func (d *Driver) act(ctx context.Context, line string) (*output, error) {
	return again(ctx, never, func() (*output, error) {
		driver.MarkSent(ctx)
		out, err := d.shell(ctx, line)
		if refused(err) {
			driver.MarkRefused(ctx)
		}
		return out, err
	})
}

// never is the too of again for a call that must not be repeated for more reasons than again knows.
func never(error) bool { return false }

// again repeats f while it fails in a way that goes away by itself: for a while where the phone is just being
// attached, and a few times where the server had to be started, or where too says so.
func again[T any](ctx context.Context, too func(error) bool, f func() (T, error)) (T, error) {
	begin := time.Now()
	for n := 0; ; {
		v, err := f()
		wait := retryWait
		switch {
		case err == nil:
			return v, nil
		case errors.Is(err, errSettling) && time.Since(begin) < settleLimit:
			wait = settleWait
		case n < retries && (errors.Is(err, ErrNoServer) && time.Since(begin) < serverWait || too(err)):
			n++
		default:
			return v, err
		}
		if nap.For(ctx, wait) != nil {
			return v, err
		}
	}
}

// Shell runs a command on the phone, in a shell of its own. Its two streams come as one, in Stdout.
func (d *Driver) Shell(ctx context.Context, argv ...string) (*driver.ShellResult, error) {
	return value(ctx, d, driver.OpShell, limitCommand, func(ctx context.Context) (*driver.ShellResult, error) {
		if len(argv) == 0 {
			return nil, errors.New("no command")
		}
		line := "( " + quoteAll(argv) + " ) </dev/null" // a program that reads its input would never end
		if len(line) > maxLine {
			return nil, driver.Unsupported("a command of %d bytes is too long for hdc, which takes %d", len(line), maxLine)
		}
		out, err := d.act(ctx, line)
		if err != nil {
			return nil, err
		}
		text := out.raw
		if runtime.GOOS == "windows" {
			text = out.text
		}
		return &driver.ShellResult{Stdout: []byte(text), Code: out.code}, nil
	})
}

// sections makes one line of several, whose outputs it later tells apart.
type sections struct {
	mark string
	n    int
}

func newSections() *sections { return &sections{mark: "handset-" + rand.Text()} }

// line joins lines. The status of the whole is that of the last.
func (s *sections) line(lines ...string) string {
	var b strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&b, "printf '\\n%s:%d\\n'\n%s\n", s.mark, i, line)
	}
	s.n = len(lines)
	return strings.TrimSuffix(b.String(), "\n")
}

// split returns what each line printed.
func (s *sections) split(text string) []string {
	parts := make([]string, s.n)
	for i := range parts {
		_, rest, ok := strings.Cut(text, fmt.Sprintf("\n%s:%d\n", s.mark, i))
		if !ok {
			continue
		}
		body, _, _ := strings.Cut(rest, fmt.Sprintf("\n%s:%d\n", s.mark, i+1))
		parts[i] = body
	}
	return parts
}

// askAll runs several questions in one go and returns their outputs.
func (d *Driver) askAll(ctx context.Context, lines ...string) ([]string, error) {
	s := newSections()
	out, err := d.ask(ctx, s.line(lines...))
	if err != nil {
		return nil, err
	}
	return s.split(out.text), nil
}
