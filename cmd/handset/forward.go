package main

import (
	"context"
	"errors"
	"net"
	"regexp"
	"strconv"
	"strings"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
)

type forwardCmd struct {
	Socket string `arg:"" help:"A socket on the phone: tcp:PORT, or localabstract:NAME."`
}

// socket is what adb calls a socket of a phone.
var socket = regexp.MustCompile(`^[a-z]+:\S+$`)

// checkSocket refuses what cannot be a socket, before a phone is looked for. The first port is 0 where the phone may take
// a free one, else 1.
func checkSocket(command, name string, first int) error {
	if !socket.MatchString(name) {
		return usagef("%s %q: want tcp:PORT or localabstract:NAME", command, name)
	}
	number, isTCP := strings.CutPrefix(name, "tcp:")
	if n, err := strconv.Atoi(number); isTCP && (err != nil || n < first || n > maxPort) {
		return usagef("%s %q: want tcp:PORT, %d to %d", command, name, first, maxPort)
	}
	return nil
}

const maxPort = 65535

// Run leads a free port of this computer to the phone until a signal.
func (c *forwardCmd) Run(a *app) error {
	if err := checkSocket("forward", c.Socket, 1); err != nil {
		return err
	}
	return a.tunnel(func(ctx context.Context, can tunneler) (*adb.Tunnel, error) { return can.Forward(ctx, c.Socket) })
}

type reverseCmd struct {
	Socket string `arg:"" help:"The socket on the phone: tcp:PORT, tcp:0 for a free port, or localabstract:NAME."`
	To     string `arg:"" name:"host:port" help:"Where it leads, as seen from this computer."`
}

// Run leads a socket of the phone to this computer until a signal.
func (c *reverseCmd) Run(a *app) error {
	if err := checkSocket("reverse", c.Socket, 0); err != nil {
		return err
	}
	_, number, err := net.SplitHostPort(c.To)
	if n, numErr := strconv.Atoi(number); err != nil || numErr != nil || n < 1 || n > maxPort {
		return usagef("reverse to %q: want HOST:PORT, such as localhost:3000", c.To)
	}
	return a.tunnel(func(ctx context.Context, can tunneler) (*adb.Tunnel, error) { return can.Reverse(ctx, c.Socket, c.To) })
}

// tunnel opens a tunnel, prints where it begins, and ends it at a signal, or when the phone goes away.
func (a *app) tunnel(open func(ctx context.Context, can tunneler) (*adb.Tunnel, error)) error {
	return a.with(func(ctx context.Context, _ driver.Driver) error {
		can, err := ability[tunneler](a, "lead ports to and from the phone")
		if err != nil {
			return err
		}
		t, err := open(ctx, can)
		if err != nil {
			return err
		}
		a.say(map[string]string{"at": t.Addr}, "%s", t.Addr)
		return errors.Join(t.Wait(ctx), t.Close())
	})
}
