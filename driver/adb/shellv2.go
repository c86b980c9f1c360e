package adb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// The packets of the shell protocol: id, length (u32 little endian), data.
const (
	packetStdin      = 0
	packetStdout     = 1
	packetStderr     = 2
	packetExit       = 3
	packetCloseStdin = 4

	packetHeader = 5
	maxPacket    = 64 << 20 // no adbd sends more than its 1 MiB
	maxStderr    = 64 << 10 // of which the rest is thrown away
)

// errTooMuch is what a command is ended with that prints more than its caller takes.
var errTooMuch = errors.New("the command prints too much; write it to a file and pull that")

// output is what a command printed and how it ended.
type output struct {
	stdout, stderr []byte
	code           int // -1 where the connection does not carry it
}

// readShell reads the packets of a command until its exit status. An end before that is a broken line,
// however whole the output looks. limit bounds stdout.
func (s *socket) readShell(out *output, limit int) error {
	var head [packetHeader]byte
	for {
		if _, err := io.ReadFull(s.r, head[:]); err != nil {
			return err
		}
		n := binary.LittleEndian.Uint32(head[1:])
		if n > maxPacket {
			return fmt.Errorf("adb protocol fault: shell packet of %d bytes", n)
		}
		done, err := s.readPacket(out, head[0], int(n), limit)
		if done || err != nil {
			return err
		}
	}
}

func (s *socket) readPacket(out *output, id byte, n, limit int) (done bool, err error) {
	switch {
	case id == packetStdout && len(out.stdout)+n > limit:
		return false, errTooMuch
	case id == packetStdout:
		out.stdout, err = s.appendN(out.stdout, n)
	case id == packetStderr && len(out.stderr)+n <= maxStderr:
		out.stderr, err = s.appendN(out.stderr, n)
	case id == packetExit && n >= 1:
		var b byte
		b, err = s.r.ReadByte()
		out.code = int(b)
		return true, err
	default:
		_, err = s.r.Discard(n)
	}
	return false, err
}

// appendN reads n bytes straight behind buf.
func (s *socket) appendN(buf []byte, n int) ([]byte, error) {
	buf = slices.Grow(buf, n)
	at := len(buf)
	_, err := io.ReadFull(s.r, buf[at:at+n])
	return buf[:at+n], err
}

// writeShell sends data to the command's standard input, and then its end.
func (s *socket) writeShell(data []byte) error {
	const chunk = 32 << 10
	for len(data) > 0 {
		n := min(len(data), chunk)
		if _, err := s.conn.Write(append(packet(packetStdin, n), data[:n]...)); err != nil {
			return err
		}
		data = data[n:]
	}
	_, err := s.conn.Write(packet(packetCloseStdin, 0))
	return err
}

// packet returns a header, with room for its data behind it.
func packet(id byte, n int) []byte {
	h := make([]byte, packetHeader, packetHeader+n)
	h[0] = id
	binary.LittleEndian.PutUint32(h[1:], uint32(n))
	return h
}
