package adbservice

import (
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// typist is a person at the terminal of a shell service of one of the two versions.
type typist struct {
	t      *testing.T
	conn   net.Conn
	v2     bool
	status int // of the shell, once it has ended
	ended  chan error
}

func typing(t *testing.T, profile, service string) *typist {
	d, err := android.New(sim.New(nil), &android.Options{Profile: profile})
	require.NoError(t, err)
	here, there := net.Pipe()
	require.NoError(t, here.SetDeadline(time.Now().Add(time.Minute)))
	p := &typist{t: t, conn: here, v2: strings.Contains(service, "v2"), status: -1, ended: make(chan error, 1)}
	go func() { p.ended <- Find(d, service, nil)(context.Background(), there) }()
	t.Cleanup(func() {
		_ = here.Close()
		require.NoError(t, <-p.ended)
	})
	return p
}

// keys types, and returns what the screen shows until it ends with the text that is waited for, or the end.
func (p *typist) keys(typed, until string) string {
	p.t.Helper()
	data := []byte(typed)
	if p.v2 {
		header := make([]byte, 5)
		putUint32(header[1:], uint32(len(data)))
		data = append(header, data...)
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		if typed != "" {
			_, _ = p.conn.Write(data)
		}
	}()
	var screen strings.Builder
	for until == "" || !strings.HasSuffix(screen.String(), until) {
		text, ok := p.read()
		screen.WriteString(text)
		if !ok {
			break
		}
	}
	<-written
	return screen.String()
}

// read reads what comes next. false is the end.
func (p *typist) read() (string, bool) {
	if !p.v2 {
		b := make([]byte, 256)
		n, err := p.conn.Read(b)
		return string(b[:n]), err == nil
	}
	id, data, err := readPacket(p.conn)
	if err != nil {
		return "", false
	}
	if id == packetExit {
		p.status = int(data[0])
		return "", true
	}
	return string(data), true
}

// TestTerminal is what a person sees who works in adb shell: the echo, lines that are corrected, an end of file, an
// interrupt, and the status in the prompt.
func TestTerminal(t *testing.T) {
	for profile, service := range map[string]string{"a14": "shell,v2,TERM=xterm,pty:", "a6": "shell:", "a11": "shell:"} {
		t.Run(profile+" "+service, func(t *testing.T) {
			p := typing(t, profile, service)
			prompt := strings.TrimSuffix(p.keys("", "$ "), "/ $ ")
			for _, k := range []struct{ typed, screen, until string }{
				{"echo hello\r", "echo hello\r\nhello\r\n", "/ $ "},
				{"echo x\x7fy\bz\n", "echo x\b \by\b \bz\r\nz\r\n", "/ $ "},
				{"é\x7f\x15echo ok\r", "\xc3\xa9\b \becho ok\r\nok\r\n", "/ $ "},
				{"wrong\x15pwd\r", "wrong" + strings.Repeat("\b \b", 5) + "pwd\r\n/\r\n", "/ $ "},
				{"false\r", "false\r\n1|", "/ $ "},
				{"cd /data/local/tmp\r", "cd /data/local/tmp\r\n", "/tmp $ "},
				{"cat > f\r", "cat > f\r\n", "f\r\n"},
				{"line\rrest\x04", "line\r\nrest", "rest"},
				{"\x04", "", "/tmp $ "},
				{"cat f; cd /\r", "cat f; cd /\r\nline\r\nrest", "/ $ "},
				{"for i in 1 2\r", "for i in 1 2\r\n", "> "},
				{"do echo $i; done\r", "do echo $i; done\r\n1\r\n2\r\n", "/ $ "},
				{"echo )\r", "echo )\r\n/system/bin/sh: syntax error", "/ $ "},
				{"half\x03", "half^C\r\n130|", "/ $ "},
				{"sleep 1000\r", "sleep 1000\r\n", "1000\r\n"},
				{"\x03", "^C\r\n130|", "/ $ "},
				{"echo $?\r", "echo $?\r\n130\r\n", "/ $ "},
				{"cd /data/local/tmp\r", "cd /data/local/tmp\r\n", "/tmp $ "},
				{"(sleep 0.01; echo late > late) &\r", "(sleep 0.01; echo late > late) &\r\n", "/tmp $ "},
				{"until [ -s late ]; do sleep 0.01; done; cat late; cd /\r", "until [ -s late ]; do sleep 0.01; done; cat late; cd /\r\nlate\r\n", "/ $ "},
				{"\x1b[A\x15echo $?\r", "^[[A" + strings.Repeat("\b \b", 3) + "echo $?\r\n0\r\n", "/ $ "},
			} {
				got := p.keys(k.typed, k.until)
				require.True(t, strings.HasPrefix(got, k.screen), "%q: %q", k.typed, got)
				if strings.HasSuffix(k.until, "/ $ ") {
					require.True(t, strings.HasSuffix(got, prompt+"/ $ "), "%q: %q", k.typed, got)
				}
			}
			require.Equal(t, "exit 3\r\n", p.keys("exit 3\r", ""))
			if p.v2 {
				require.Equal(t, 3, p.status)
			}
		})
	}
}

func TestTerminalEnds(t *testing.T) {
	p := typing(t, "", "shell,v2,pty:")
	p.keys("", "$ ")
	require.Empty(t, p.keys("\x04", ""), "an end of file at the prompt ends the shell")
	require.Equal(t, 0, p.status)

	p = typing(t, "", "shell,v2,pty:sleep 1000")
	require.Equal(t, "^C", p.keys("\x03", ""))
	require.Equal(t, 130, p.status)

	p = typing(t, "", "shell,v2,pty:")
	p.keys("", "$ ")
	p.keys("sleep 1000\r", "1000\r\n") // and hangs up
}

// TestTerminalHangsUp guards against a shell that stays for what was left in its background.
func TestTerminalHangsUp(t *testing.T) {
	for _, left := range []string{"sleep 1000", "sleep 1000 >/dev/null 2>&1", "(sleep 1000; echo late)"} {
		t.Run(left, func(t *testing.T) {
			p := typing(t, "", "shell,v2,pty:")
			p.keys("", "$ ")
			p.keys(left+" &\r", "$ ")
			require.Equal(t, "exit 4\r\n", p.keys("exit 4\r", ""))
			require.Equal(t, 4, p.status)
		})
	}
}

// TestTerminalTypedAhead types more than a pipe holds: the terminal hears the interrupt behind it.
func TestTerminalTypedAhead(t *testing.T) {
	p := typing(t, "", "shell,v2,pty:")
	prompt := p.keys("", "$ ")
	p.keys("sleep 1000\r", "1000\r\n")
	p.keys(strings.Repeat(strings.Repeat("a", 1023)+"\r", 80)+"\x03", "130|"+prompt)
	require.Equal(t, "echo on\r\non\r\n"+prompt, p.keys("echo on\r", "$ "))
}

func TestTerminalLine(t *testing.T) {
	in, out, err := os.Pipe()
	require.NoError(t, err)
	defer in.Close()
	term := newTerminal(io.Discard, out)
	_, err = io.WriteString(term, strings.Repeat("a", maxLine+9)+"\x7fb\nnext\n")
	require.NoError(t, err)
	require.NoError(t, term.Close())
	got, err := io.ReadAll(in)
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("a", maxLine-1)+"b\nnext\n", string(got))
}

func TestAheadIsBounded(t *testing.T) {
	in, out, err := os.Pipe()
	require.NoError(t, err)
	a := newAhead(out)
	line := bytes.Repeat([]byte{'a'}, maxLine)
	for range 4 * maxAhead { // comes to its end though nobody reads
		a.send(line)
	}
	require.NoError(t, a.Close())
	require.NoError(t, a.Close())
	a.send([]byte("late"))
	require.NoError(t, in.Close()) // and goleak sees that the writing ends
}

func TestNoTerminal(t *testing.T) {
	for _, service := range []string{"shell,v2,raw:cat", "exec:cat"} {
		p := typing(t, "", service)
		require.Equal(t, "a\x7f\n", p.keys("a\x7f\n", "\n"), service)
	}
	p := typing(t, "", "shell,v2,pty:echo one; echo two > /dev/tty")
	require.Equal(t, "one\r\ntwo\r\n", p.keys("", ""))
	p = typing(t, "", "shell:echo one")
	require.Equal(t, "one\n", p.keys("", ""), "since Android 7 the terminal of a command is raw")
}
