package adb

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"

	"github.com/handset-go/handset/driver"
)

// maxBlock is the longest text that the four hex digits before it allow.
const maxBlock = 0xffff

// errBroken is a connection that ended where an answer was due: the server ended, or lost the device.
var errBroken = fmt.Errorf("%w: the connection broke before the answer (the phone or the adb server went away): look after the cable or the network, and try again", driver.ErrOffline)

// socket is one connection to the server: first the smart socket's requests, then one device service.
type socket struct {
	conn net.Conn
	r    *bufio.Reader
	stop func() bool // of the watch on the context
}

// newSocket takes a connection over, and closes it when ctx ends: closing is also what ends the remote
// command.
func newSocket(ctx context.Context, conn net.Conn) *socket {
	s := &socket{conn: conn, r: bufio.NewReaderSize(conn, 4096)}
	s.stop = context.AfterFunc(ctx, func() { _ = conn.Close() })
	return s
}

func (s *socket) close() {
	s.stop()
	_ = s.conn.Close()
}

// err returns what a failure of this socket means: a context that ended closed the connection, and
// an end of file where something was due is a broken line.
func (s *socket) err(ctx context.Context, err error) error {
	var op *net.OpError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errBroken
	case errors.As(err, &op):
		return fmt.Errorf("%w: %w", errBroken, err)
	}
	return err
}

// request sends a service and reads OKAY, or FAIL with its text, which is a *failure.
func (s *socket) request(service string) error {
	if service == "" || len(service) > maxBlock {
		return fmt.Errorf("a service of %d bytes cannot be sent to adb", len(service))
	}
	if _, err := fmt.Fprintf(s.conn, "%04x%s", len(service), service); err != nil {
		return err
	}
	return s.okay(service)
}

// okay reads the status of a request.
func (s *socket) okay(service string) error {
	var status [4]byte
	if _, err := io.ReadFull(s.r, status[:]); err != nil {
		return err
	}
	switch string(status[:]) {
	case "OKAY":
		return nil
	case "FAIL":
		text, err := s.block()
		if err != nil {
			return err
		}
		return newFailure(service, text)
	}
	return fmt.Errorf("adb protocol fault: status %q of %s", status, kind(service))
}

// block reads four hex digits and as many bytes.
func (s *socket) block() (string, error) {
	var head [4]byte
	if _, err := io.ReadFull(s.r, head[:]); err != nil {
		return "", err
	}
	n, err := strconv.ParseUint(string(head[:]), 16, 16)
	if err != nil {
		return "", fmt.Errorf("adb protocol fault: length %q", head)
	}
	data := make([]byte, n)
	_, err = io.ReadFull(s.r, data)
	return string(data), err
}

// kind returns a service without its arguments, which may be a person's text.
func kind(service string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(service, "host:"), ":")
	name, _, _ = strings.Cut(name, ",")
	return name
}
