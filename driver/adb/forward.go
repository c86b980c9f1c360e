package adb

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
)

// Operations that are no part of the driver contract.
const (
	opForward driver.Op = "forward"
	opReverse driver.Op = "reverse"
)

// tunnelLimit bounds the end of a tunnel.
const tunnelLimit = 5 * time.Second

// Tunnel is a port that leads to another socket. It ends with Close, or else with the driver.
type Tunnel struct {
	// Addr is where to connect: HOST:PORT on the adb server's computer for Forward, the socket on the
	// phone (tcp:PORT, localabstract:NAME) for Reverse.
	Addr string

	driver *Driver
	op     driver.Op
	there  func(context.Context) (bool, error)
	undo   func(context.Context) error
	over   chan struct{} // closed by undo
}

var errTunnelGone = fmt.Errorf("%w: the phone or the adb server was away meanwhile: open it again", driver.ErrOffline)

// Wait returns nil once ctx ends or the tunnel is closed, and before that an error where the phone or the adb server went
// away: that ends the tunnel for good, also if they come back.
func (t *Tunnel) Wait(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		defer cancel()
		select {
		case <-t.over:
		case <-ctx.Done():
		}
	}()
	known := false
	for all, err := range t.driver.server.track(ctx) {
		if err == nil {
			_, err = choose(all, t.driver.serial)
		}
		if err == nil && !known { // what is tracked from now on may have been away before
			known, err = true, t.still(ctx)
		}
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			_ = t.Close() // mostly there is nothing left to end
			return &driver.Error{Op: t.op, Device: addressOf(t.driver.serial), Err: fmt.Errorf("the tunnel is gone: %w", err)}
		}
	}
	return nil
}

// still says that the tunnel is there, or why not.
func (t *Tunnel) still(ctx context.Context) error {
	there, err := t.there(ctx)
	if err == nil && !there {
		return errTunnelGone
	}
	return err
}

// Close ends the tunnel: nothing connects any more. Connections that are there go on.
func (t *Tunnel) Close() error {
	if !t.driver.held.drop(t) {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), tunnelLimit)
	defer cancel()
	return t.undo(ctx)
}

// Forward opens a free port on the adb server's computer that leads to a socket of the phone, such
// as tcp:8080 or localabstract:NAME. For a program of one's own, Dial needs no port; Forward is for
// others. It reaches the phone only when something connects.
func (d *Driver) Forward(ctx context.Context, socket string) (*Tunnel, error) {
	return value(ctx, d, opForward, limitShort, func(ctx context.Context) (*Tunnel, error) {
		if !socketName.MatchString(socket) {
			return nil, driver.Unsupported("%q is no socket of a phone: want tcp:PORT or localabstract:NAME", shorten(socket))
		}
		prefix := "host-serial:" + d.serial + ":"
		port, err := d.server.tunnel(ctx, "", prefix+"forward:tcp:0;"+socket)
		if err != nil {
			return nil, err
		}
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return nil, fmt.Errorf("adb protocol fault: %q is no port", shorten(port))
		}
		return d.keep(&Tunnel{Addr: net.JoinHostPort(d.server.host(), port), op: opForward, there: func(ctx context.Context) (bool, error) {
			list, err := d.server.query(ctx, "host:list-forward")
			return strings.Contains("\n"+list, "\n"+d.serial+" tcp:"+port+" "), err
		}}, func(ctx context.Context) error {
			_, err := d.server.tunnel(ctx, "", prefix+"killforward:tcp:"+port)
			return err
		}), nil
	})
}

// Reverse has a socket on the phone, such as tcp:8080 or localabstract:NAME, lead to a HOST:PORT as
// the adb server's computer sees it. tcp:0 takes a free port of the phone. It needs Android 5.
func (d *Driver) Reverse(ctx context.Context, socket, to string) (*Tunnel, error) {
	return value(ctx, d, opReverse, limitShort, func(ctx context.Context) (*Tunnel, error) {
		local, err := reverseTarget(socket, to)
		if err != nil {
			return nil, err
		}
		port, err := d.server.tunnel(ctx, d.serial, "reverse:forward:"+socket+";"+local)
		if err != nil {
			return nil, err
		}
		if socket == "tcp:0" {
			if port == "" {
				return nil, driver.Unsupported("the phone does not tell which port it took: name one")
			}
			socket = "tcp:" + port
		}
		return d.keep(&Tunnel{Addr: socket, op: opReverse, there: func(ctx context.Context) (bool, error) {
			list, err := d.reverses(ctx)
			return strings.Contains(list, " "+socket+" "), err
		}}, func(ctx context.Context) error {
			_, err := d.server.tunnel(ctx, d.serial, "reverse:killforward:"+socket)
			return err
		}), nil
	})
}

// reverseTarget writes where a reverse tunnel ends as the adb server takes it: a port of its own
// computer without the host, any other with it.
func reverseTarget(socket, to string) (string, error) {
	if !socketName.MatchString(socket) {
		return "", driver.Unsupported("%q is no socket of a phone: want tcp:PORT or localabstract:NAME", shorten(socket))
	}
	host, port, err := net.SplitHostPort(to)
	if n, numErr := strconv.ParseUint(port, 10, 16); err != nil || numErr != nil || n == 0 || strings.ContainsAny(host, "; /") {
		return "", fmt.Errorf("%q: want HOST:PORT", shorten(to))
	}
	if ip := net.ParseIP(host); host == "" || host == "localhost" || ip != nil && ip.IsLoopback() {
		return "tcp:" + port, nil
	}
	return "tcp:" + to, nil
}

// reverses lists the reverse tunnels of the phone, a line "NAME SOCKET TO" for each.
func (d *Driver) reverses(ctx context.Context) (string, error) {
	sock, err := d.server.open(ctx, d.serial, "reverse:list-forward", nil)
	if err != nil {
		return "", err
	}
	defer sock.close()
	text, err := sock.block()
	return text, sock.err(ctx, err)
}

// keep has Close end the tunnel.
func (d *Driver) keep(t *Tunnel, undo func(context.Context) error) *Tunnel {
	t.driver, t.over = d, make(chan struct{})
	t.undo = func(ctx context.Context) error {
		close(t.over)
		return undo(ctx)
	}
	d.held.add(t, t.undo)
	return t
}

// host is the computer of the server.
func (s *server) host() string {
	if host, _, err := net.SplitHostPort(s.addr); err == nil && s.network == "tcp" {
		return host
	}
	return "127.0.0.1"
}

// tunnel sends a request about tunnels: to the server, or to the phone with this serial. Both answer
// twice, the second time with what they did, and perhaps a text.
func (s *server) tunnel(ctx context.Context, serial, service string) (string, error) {
	sock, err := s.dial(ctx)
	if err != nil {
		return "", err
	}
	defer sock.close()
	if serial != "" {
		err = sock.request("host:transport:" + serial)
	}
	if err == nil {
		err = sock.request(service)
	}
	if err == nil {
		err = sock.okay(service)
	}
	if err != nil {
		return "", sock.err(ctx, err)
	}
	text, err := sock.block()
	if err != nil && ctx.Err() == nil {
		return "", nil // there is a text only where a port was chosen, and none from old servers
	}
	return text, sock.err(ctx, err)
}
