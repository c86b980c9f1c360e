package adbservice

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/handset-go/handset/internal/nap"
	"github.com/handset-go/handset/internal/phonefront/android"
	"github.com/handset-go/handset/internal/posix"
)

// ErrLineBroken is returned by a service where a fault breaks the line to the phone.
var ErrLineBroken = errors.New("the line to the phone is broken by a fault")

// shellService serves shell: in both versions. The options are v2, raw, pty and TERM=...
func shellService(d *android.Device, options []string, command string) Service {
	v2 := slices.Contains(options, "v2")
	if v2 && !d.Profile().Banner.Has("shell_v2") {
		return nil
	}
	pty := !slices.Contains(options, "raw") && (command == "" || slices.Contains(options, "pty"))
	if !v2 {
		return func(ctx context.Context, s Stream) error { return plain(ctx, d, s, command, v1Line(d, command)) }
	}
	return func(ctx context.Context, s Stream) error { return packets(ctx, d, s, command, pty) }
}

// execService serves exec: raw bytes both ways, on a terminal in raw mode.
func execService(d *android.Device, command string) Service {
	return func(ctx context.Context, s Stream) error { return plain(ctx, d, s, command, execLine) }
}

// line is how a command's only stream behaves.
type line struct {
	cooked bool          // a newline becomes CR LF
	typed  bool          // and what comes in is typed by a person
	linger time.Duration // how long the command goes on once its client has gone
}

// execLine lets a command finish what it was fed: adb exec-in leaves before the phone has read it all.
var execLine = line{linger: 2 * time.Second}

// v1Line ends its command by SIGHUP as soon as the client goes. Only a shell that reads its input has a terminal
// that is not raw, and on Android 6 every command.
func v1Line(d *android.Device, command string) line {
	return line{cooked: d.CookedPTY(), typed: command == ""}
}

// abbService serves abb: and abb_exec:, the commands of "cmd" without a shell.
func abbService(d *android.Device, v2 bool, arg string) Service {
	words := strings.Split(strings.TrimRight(arg, "\x00"), "\x00")
	command := "cmd"
	for _, w := range words {
		command += " " + posix.Quote(w)
	}
	if v2 {
		return func(ctx context.Context, s Stream) error { return packets(ctx, d, s, command, false) }
	}
	return func(ctx context.Context, s Stream) error { return plain(ctx, d, s, command, execLine) }
}

// plain runs a command whose output is one stream and whose end is the end of it.
func plain(ctx context.Context, d *android.Device, s Stream, command string, l line) error {
	in, out, err := os.Pipe()
	if err != nil {
		return err
	}
	defer in.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var typed io.WriteCloser = out
	b := &breaking{w: s, d: d}
	std := android.Stdio{In: in, Out: b, Err: b, TTY: b}
	switch {
	case l.typed:
		typed = onTerminal(b, out, &std)
	case l.cooked:
		b.w = crlf{s}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer cancel()
		_, _ = io.Copy(typed, s)
		_ = typed.Close()
		_ = nap.For(ctx, l.linger)
	}()
	end := d.Shell(ctx, command, std)
	cancel()
	_ = in.Close()
	if end.LineBroken || b.broken {
		return ErrLineBroken
	}
	_ = s.Close()
	<-done
	return nil
}

// onTerminal puts a command on a terminal, and returns what takes the keys for it.
func onTerminal(b *breaking, in io.WriteCloser, std *android.Stdio) *terminal {
	t := newTerminal(b.w, in)
	b.w, std.Keys = t.screen, &t.keys
	return t
}

// breaking stops in the middle of a long answer where the fault says so.
type breaking struct {
	w      io.Writer
	d      *android.Device
	broken bool
}

// longAnswer is what the fault drop-mid-write takes for one, in bytes.
const longAnswer = 256

func (b *breaking) Write(p []byte) (int, error) {
	if len(p) < longAnswer || !b.d.Faults().On(android.FaultDropMidWrite) {
		return b.w.Write(p)
	}
	_, _ = b.w.Write(p[:len(p)/2])
	b.broken = true
	return len(p) / 2, ErrLineBroken
}

// The packets of the shell protocol, version 2.
const (
	packetStdin      = 0
	packetStdout     = 1
	packetStderr     = 2
	packetExit       = 3
	packetCloseStdin = 4
	packetWindow     = 5
)

// packets runs a command with the shell protocol: split streams and an exit status.
func packets(ctx context.Context, d *android.Device, s Stream, command string, pty bool) error {
	in, out, err := os.Pipe()
	if err != nil {
		return err
	}
	defer in.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var mu sync.Mutex
	stdout := &breaking{w: packetWriter{s, &mu, packetStdout}, d: d}
	std := android.Stdio{In: in, Out: stdout, Err: packetWriter{s, &mu, packetStderr}}
	var typed io.WriteCloser = out
	if pty {
		std.Err, std.TTY = stdout, stdout
		typed = onTerminal(stdout, out, &std)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		feed(s, typed)
		cancel() // the client is gone: adbd kills the command
	}()
	end := d.Shell(ctx, command, std)
	_ = in.Close()
	broken := end.LineBroken || stdout.broken
	if ctx.Err() == nil && !broken && !d.Faults().On(android.FaultNoExitPacket) {
		_, _ = packetWriter{s, &mu, packetExit}.Write([]byte{byte(end.Status)})
	}
	if broken {
		return ErrLineBroken
	}
	_ = s.Close()
	<-done
	return nil
}

// packetWriter writes packets of one kind.
type packetWriter struct {
	w  io.Writer
	mu *sync.Mutex
	id byte
}

// maxPacket bounds the payload of one packet: adbd's own buffer.
const maxPacket = 256 << 10

func (p packetWriter) Write(data []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for done := 0; done < len(data); {
		n := min(len(data)-done, maxPacket)
		packet := make([]byte, 5, 5+n)
		packet[0] = p.id
		putUint32(packet[1:], uint32(n))
		if _, err := p.w.Write(append(packet, data[done:done+n]...)); err != nil {
			return done, err
		}
		done += n
	}
	return len(data), nil
}

// feed gives the client's packets to the command until the stream ends.
func feed(s io.Reader, stdin io.WriteCloser) {
	defer stdin.Close()
	r := bufio.NewReader(s)
	for {
		id, data, err := readPacket(r)
		if err != nil {
			return
		}
		switch id {
		case packetStdin:
			_, _ = stdin.Write(data) // a command that reads no more is no reason to stop
		case packetCloseStdin:
			_ = stdin.Close()
		}
	}
}

// maxClientPacket bounds what a client may send in one packet.
const maxClientPacket = 1 << 20

var errPacketTooLong = errors.New("shell packet too long")

// readPacket reads one packet of the shell protocol.
func readPacket(r io.Reader) (id byte, data []byte, err error) {
	var header [5]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return 0, nil, err
	}
	n := getUint32(header[1:])
	if n > maxClientPacket {
		return 0, nil, errPacketTooLong
	}
	data = make([]byte, n)
	_, err = io.ReadFull(r, data)
	return header[0], data, err
}
