package adb

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/handset-go/handset/driver"
)

const (
	// maxStrikes is how many resident shells in a row may fail to answer at all until small commands
	// get a connection each.
	maxStrikes = 2
	// firstAnswer bounds the wait for a new shell's first answer.
	firstAnswer = 3 * time.Second
)

// errUnsent is a command of which no byte left this computer.
var errUnsent = errors.New("the shell has ended")

// resident keeps one shell open on the phone, which runs small commands one after the other: each
// saves the connection and the start of a shell. A command that comes while another is at work does
// not wait, but gets a connection of its own.
type resident struct {
	mu      sync.Mutex // held by the command at work
	shell   *shell
	strikes int
}

// quickly runs a small command in the resident shell. ok is false where that did not run it and a
// connection of its own may: for a command that does something, that is only before it was sent.
func (d *Driver) quickly(ctx context.Context, r request) (out *output, err error, ok bool) {
	res := &d.resident
	if d.opts.PlainShell || !d.shellV2 || r.stdin != nil || len(r.line) > maxService || !res.mu.TryLock() {
		return nil, nil, false
	}
	defer res.mu.Unlock()
	s, err := d.residentShell(ctx)
	if s == nil || err != nil {
		return nil, nil, false
	}
	if out, err = s.do(ctx, r); err == nil {
		res.strikes = 0
		return out, nil, true
	}
	d.dismiss(ctx, s)
	if errors.Is(err, errUnsent) || r.sent == nil && ctx.Err() == nil && errors.Is(err, errBroken) {
		return nil, nil, false
	}
	return nil, err, true
}

// residentShell returns the shell, made anew where the last one has ended; nil where shells do not
// live on this phone. The caller holds the lock.
func (d *Driver) residentShell(ctx context.Context) (*shell, error) {
	res := &d.resident
	if res.shell != nil && res.shell.alive() {
		return res.shell, nil
	}
	if res.shell != nil {
		d.dismiss(ctx, res.shell)
	}
	if res.strikes >= maxStrikes {
		return nil, nil
	}
	s, err := d.startShell(ctx)
	if err != nil {
		return nil, err
	}
	res.shell = s
	first, cancel := context.WithTimeout(ctx, firstAnswer)
	defer cancel()
	if _, err := s.do(first, request{line: "true"}); err != nil {
		d.dismiss(ctx, s)
		return nil, err
	}
	return s, nil
}

// dismiss ends the shell, and counts one that answered nothing.
func (d *Driver) dismiss(ctx context.Context, s *shell) {
	res := &d.resident
	d.held.drop(s)
	s.end()
	res.shell = nil
	if s.answered || ctx.Err() != nil {
		return
	}
	if res.strikes++; res.strikes == maxStrikes {
		d.log.WarnContext(ctx, "no shell lives on this phone: each command gets a connection of its own")
	}
}

// shell is a shell on the phone that reads commands from its standard input.
type shell struct {
	sock     *socket
	dead     chan struct{} // closed when the reader has ended
	answered bool

	mu  sync.Mutex
	job *shellJob // nil while nothing runs
	err error     // why the reader ended
}

// shellJob is one command in a shell. mark is printed behind its output, on both streams, and cannot
// be guessed.
type shellJob struct {
	out              *output
	mark             []byte
	limit            int
	outDone, errDone bool
	nudges           int // with empty lines
	nudged           time.Time
	done             chan error
}

// startShell opens a shell that lives until it is ended, or the driver is.
func (d *Driver) startShell(ctx context.Context) (*shell, error) {
	sock, err := d.server.open(ctx, d.serial, shellRaw+"sh", nil)
	if err != nil {
		return nil, err
	}
	if !sock.stop() { // ctx has ended, and with it the connection
		sock.close()
		return nil, ctx.Err()
	}
	s := &shell{sock: sock, dead: make(chan struct{})}
	go s.read()
	d.held.add(s, func(context.Context) error {
		s.end()
		return nil
	})
	return s, nil
}

func (s *shell) alive() bool {
	select {
	case <-s.dead:
		return false
	default:
		return true
	}
}

// end closes the connection, which ends the shell on the phone, and waits for the reader.
func (s *shell) end() {
	_ = s.sock.conn.Close()
	<-s.dead
}

// do runs a command. A failure leaves the shell unusable: what the command still prints would be
// taken for that of the next. A context that ends closes the connection.
func (s *shell) do(ctx context.Context, r request) (*output, error) {
	mark := rand.Text()
	job := &shellJob{
		out:  &output{stdout: make([]byte, 0, r.hint), code: -1},
		mark: []byte(mark), limit: maxOutput, done: make(chan error, 1),
	}
	if err := s.begin(job); err != nil {
		return nil, s.sock.err(ctx, err)
	}
	stop := context.AfterFunc(ctx, func() { _ = s.sock.conn.Close() })
	defer stop()
	// The parentheses keep an exit, a cd and a variable of the command to itself.
	script := "(\n" + r.line + "\n) </dev/null; echo " + mark + "$?; echo " + mark + " >&2\n"
	if r.sent != nil {
		r.sent()
	}
	if ctx.Err() != nil { // its caller may have been told that nothing was sent
		return nil, ctx.Err()
	}
	n, err := s.sock.conn.Write(append(packet(packetStdin, len(script)), script...))
	if n == 0 && err != nil && ctx.Err() == nil { // it ended a moment ago
		if r.sent != nil { // a question takes nothing back of what its call did before
			driver.MarkRefused(ctx)
		}
		return nil, errUnsent
	}
	if err != nil {
		return nil, s.sock.err(ctx, err)
	}
	if err := <-job.done; err != nil {
		return nil, s.sock.err(ctx, err)
	}
	if ctx.Err() != nil { // the connection is closed, or about to be
		return nil, ctx.Err()
	}
	s.answered = true
	return job.out, nil
}

func (s *shell) begin(job *shellJob) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	s.job = job
	return nil
}

// read takes what the shell prints until it ends.
func (s *shell) read() {
	defer close(s.dead)
	err := s.packets()
	_ = s.sock.conn.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
	if s.job != nil {
		s.job.done <- err
		s.job = nil
	}
}

func (s *shell) packets() error {
	var head [packetHeader]byte
	for {
		if _, err := io.ReadFull(s.sock.r, head[:]); err != nil {
			return err
		}
		n := binary.LittleEndian.Uint32(head[1:])
		if n > maxPacket || head[0] == packetExit {
			return io.ErrUnexpectedEOF // it was told to live
		}
		if err := s.packet(head[0], int(n)); err != nil {
			return err
		}
	}
}

// packet gives what was printed to the command at work. What nobody waits for is thrown away.
func (s *shell) packet(id byte, n int) (err error) {
	s.mu.Lock()
	job := s.job
	s.mu.Unlock()
	switch {
	case job == nil:
		_, err = s.sock.r.Discard(n)
		return err
	case id == packetStdout:
		err = job.addOut(s.sock, n)
	case id == packetStderr:
		err = job.addErr(s.sock, n)
	default:
		_, err = s.sock.r.Discard(n)
	}
	switch {
	case err != nil:
	case job.outDone && job.errDone:
		s.mu.Lock()
		s.job = nil
		s.mu.Unlock()
		job.done <- nil
	case s.sock.r.Buffered() == 0:
		s.nudge(job)
	}
	return err
}

const (
	freeNudges = 32
	nudgeEvery = 2 * time.Millisecond
)

// nudge sends an empty line, which the shell passes over, and with it the word that all has arrived:
// adb's server holds a small piece back (Nagle) until that comes, and a computer that has nothing to say
// waits 40 to 200 ms with it. Measured with adb 29: 45 ms for a command, and 1 with the nudge.
func (s *shell) nudge(job *shellJob) {
	if job.nudges++; job.nudges > freeNudges && time.Since(job.nudged) < nudgeEvery {
		return
	}
	job.nudged = time.Now()
	_, _ = s.sock.conn.Write(append(packet(packetStdin, 1), '\n')) // the reader sees what is wrong
}

// addOut reads n bytes of standard output, and the status behind its mark.
func (j *shellJob) addOut(sock *socket, n int) (err error) {
	before := len(j.out.stdout)
	if before+n > j.limit {
		return errTooMuch
	}
	if j.out.stdout, err = sock.appendN(j.out.stdout, n); err != nil {
		return err
	}
	at, status, whole := j.find(j.out.stdout, before)
	if !whole {
		return nil
	}
	j.out.code, err = strconv.Atoi(string(bytes.TrimSpace(status)))
	j.out.stdout, j.outDone = j.out.stdout[:at:at], true
	return err
}

// addErr reads n bytes of standard error. Of more than is kept, only the last may hold the mark.
func (j *shellJob) addErr(sock *socket, n int) (err error) {
	before := len(j.out.stderr)
	if j.out.stderr, err = sock.appendN(j.out.stderr, n); err != nil {
		return err
	}
	at, _, whole := j.find(j.out.stderr, before)
	if whole {
		j.out.stderr, j.errDone = j.out.stderr[:min(at, maxStderr)], true
		return nil
	}
	if tail := len(j.mark) + 1; len(j.out.stderr) > maxStderr+tail {
		j.out.stderr = append(j.out.stderr[:maxStderr], j.out.stderr[len(j.out.stderr)-tail:]...)
	}
	return nil
}

// find looks for the mark, of which the part before the last `before` bytes may have come earlier,
// and for the line end behind it.
func (j *shellJob) find(text []byte, before int) (at int, rest []byte, whole bool) {
	from := max(0, before-len(j.mark)-8)
	i := bytes.Index(text[from:], j.mark)
	if i < 0 {
		return 0, nil, false
	}
	at = from + i
	rest, _, whole = bytes.Cut(text[at+len(j.mark):], []byte("\n"))
	return at, rest, whole
}
