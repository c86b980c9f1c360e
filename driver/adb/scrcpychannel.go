package adb

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/handset-go/handset/driver"
)

// channel is a running server with its control connection. A server has one client and ends with it.
type channel struct {
	file    *scrcpyFile
	shell   *socket // its log; it is read to its end, as a server that cannot print hangs
	v2      bool
	conn    *socket
	gone    chan struct{} // closed when the server has ended, or its control connection
	told    chan struct{} // closed when its log has ended
	once    sync.Once
	readers sync.WaitGroup
	waits   *scrcpyWaits
	pace    pace

	writing sync.Mutex
	sent    atomic.Int64 // messages

	mu      sync.Mutex
	lines   []string
	blocked chan struct{} // closed when the system refused an event
	acks    map[uint64]chan struct{}
	clips   chan string
	next    uint64        // the last sequence number
	proven  bool          // input was not refused
	pasted  bool          // a paste was seen in a field
	noClip  chan struct{} // closed when the system refused the clipboard
}

func newChannel(f *scrcpyFile, v2 bool, waits *scrcpyWaits) *channel {
	return &channel{
		file: f, v2: v2, gone: make(chan struct{}), told: make(chan struct{}), waits: waits,
		blocked: make(chan struct{}), acks: map[uint64]chan struct{}{}, clips: make(chan string, 1), noClip: make(chan struct{}),
	}
}

func (c *channel) alive() bool { return !isClosed(c.gone) }

func (c *channel) over() { c.once.Do(func() { close(c.gone) }) }

// end closes the control connection, which ends the server, and the shell if it does not end soon.
func (c *channel) end() {
	if c.conn != nil {
		_ = c.conn.conn.Close()
		ended := time.AfterFunc(scrcpyLeave, func() { _ = c.shell.conn.Close() })
		defer ended.Stop()
	} else {
		_ = c.shell.conn.Close()
	}
	c.readers.Wait()
	_ = c.shell.conn.Close()
}

// readLog reads what the server prints until it ends, and ends the control connection with it.
func (c *channel) readLog() {
	defer func() {
		close(c.told)
		c.over()
		_ = c.shell.conn.Close()
	}()
	var from io.Reader = c.shell.r
	if c.v2 {
		from = &shellText{r: c.shell.r}
	}
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadString('\n')
		c.note(strings.TrimSpace(line))
		if err != nil {
			return
		}
	}
}

// shellText reads the text of both streams out of the packets of the shell protocol.
type shellText struct {
	r    *bufio.Reader
	left int
}

func (s *shellText) Read(p []byte) (int, error) {
	for s.left == 0 {
		var head [packetHeader]byte
		if _, err := io.ReadFull(s.r, head[:]); err != nil {
			return 0, err
		}
		n := binary.LittleEndian.Uint32(head[1:])
		switch {
		case n > maxPacket:
			return 0, errors.New("adb protocol fault")
		case head[0] == packetStdout || head[0] == packetStderr:
			s.left = int(n)
		case head[0] == packetExit:
			return 0, io.EOF
		default:
			if _, err := s.r.Discard(int(n)); err != nil {
				return 0, err
			}
		}
	}
	n, err := s.r.Read(p[:min(len(p), s.left)])
	s.left -= n
	return n, err
}

// note keeps a line of the log. Nothing else tells that the system refuses events.
func (c *channel) note(line string) {
	if line == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lines = append(c.lines, shorten(line)); len(c.lines) > scrcpyLines {
		c.lines = slices.Delete(c.lines, 0, 1)
	}
	if strings.Contains(line, "INJECT_EVENTS") && !isClosed(c.blocked) {
		close(c.blocked)
	}
	// adb runs as root, or the system has a check that the server is too old for.
	refused := strings.Contains(line, "does not own package") || strings.Contains(line, "does not belong to uid")
	if refused && !isClosed(c.noClip) {
		close(c.noClip)
	}
}

func (c *channel) isBlocked() bool { return isClosed(c.blocked) }

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// said returns the first complaint of the log, for an error.
func (c *channel) said() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, line := range c.lines {
		if strings.Contains(line, "ERROR") || strings.Contains(line, "Exception") || strings.Contains(line, "not found") {
			return ": " + line
		}
	}
	return ""
}

// readAnswers reads the server's messages until the connection ends.
func (c *channel) readAnswers() {
	defer func() {
		c.over()
		_ = c.conn.conn.Close()
	}()
	r := c.conn.r
	for {
		kind, err := r.ReadByte()
		if err == nil {
			err = c.readAnswer(r, kind)
		}
		if err != nil {
			return
		}
	}
}

func (c *channel) readAnswer(r io.Reader, kind byte) error {
	var head [8]byte
	switch kind {
	case answerClipboard:
		if _, err := io.ReadFull(r, head[:4]); err != nil {
			return err
		}
		n := binary.BigEndian.Uint32(head[:])
		if n > maxPacket {
			return errors.New("scrcpy protocol fault")
		}
		text := make([]byte, n)
		if _, err := io.ReadFull(r, text); err != nil {
			return err
		}
		select {
		case c.clips <- string(text):
		default: // nobody waits
		}
	case answerAck:
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return err
		}
		c.acked(binary.BigEndian.Uint64(head[:]))
	case answerUHID:
		if _, err := io.ReadFull(r, head[:4]); err != nil {
			return err
		}
		_, err := io.CopyN(io.Discard, r, int64(binary.BigEndian.Uint16(head[2:])))
		return err
	default:
		return errors.New("scrcpy protocol fault")
	}
	return nil
}

func (c *channel) acked(sequence uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w := c.acks[sequence]; w != nil {
		close(w)
		delete(c.acks, sequence)
	}
}

// errChannel is a control channel that broke in the middle of something.
var errChannel = fmt.Errorf("%w: scrcpy's server on the phone ended", driver.ErrOffline)

// write sends one message whole.
func (c *channel) write(message []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	if !c.alive() {
		return errChannel
	}
	_ = c.conn.conn.SetWriteDeadline(time.Now().Add(scrcpyWrite))
	if _, err := c.conn.conn.Write(message); err != nil {
		c.over()
		_ = c.conn.conn.Close()
		return fmt.Errorf("%w: %w", errChannel, err)
	}
	c.sent.Add(1)
	return nil
}
