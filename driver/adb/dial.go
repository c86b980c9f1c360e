package adb

import (
	"context"
	"net"
	"regexp"

	"github.com/handset-go/handset/driver"
)

// opDial is no part of the driver contract.
const opDial driver.Op = "dial"

var socketName = regexp.MustCompile(`^(tcp:\d{1,5}|local(abstract|reserved|filesystem)?:[^\x00-\x1f;]{1,200}|dev:/[^\x00-\x1f;]{1,200}|jdwp:\d{1,9})$`)

// Dial connects to a socket on the phone, such as tcp:8080 or localabstract:NAME, through the adb
// server: no port of this computer is taken, and nothing is left behind. The connection is the
// caller's, who closes it; it ends with the driver and with the adb server, and not with ctx, which
// bounds the dialling.
func (d *Driver) Dial(ctx context.Context, socket string) (net.Conn, error) {
	return value(ctx, d, opDial, limitShort, func(ctx context.Context) (net.Conn, error) {
		if !socketName.MatchString(socket) {
			return nil, driver.Unsupported("%q is no socket of a phone: want tcp:PORT, localabstract:NAME or localfilesystem:PATH", shorten(socket))
		}
		sock, err := d.server.open(ctx, d.serial, socket, nil)
		if err != nil {
			return nil, err
		}
		if !sock.stop() { // ctx has ended, and with it the connection
			return nil, ctx.Err()
		}
		return d.held.conn(sock), nil
	})
}

// stream is a connection to the phone that was given to a caller.
type stream struct {
	net.Conn
	sock *socket
	held *held
}

// Read reads first what came together with the server's answer.
func (s *stream) Read(p []byte) (int, error) { return s.sock.r.Read(p) }

// Close ends the connection.
func (s *stream) Close() error {
	s.held.drop(s)
	return s.Conn.Close()
}

func (h *held) conn(sock *socket) *stream {
	s := &stream{sock.conn, sock, h}
	h.add(s, func(context.Context) error { return s.Conn.Close() })
	return s
}
