package adb

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/cmdrun"
)

// ErrNoServer is what the error matches when no adb server answers and none could be started.
var ErrNoServer = errors.New("no adb server answers")

const (
	// dialLimit bounds one attempt to reach the server.
	dialLimit = 5 * time.Second
	// startLimit bounds `adb start-server`, which took 0.4 s with adb 29 and up to 5 s on a busy
	// machine.
	startLimit = 20 * time.Second
)

// server is an adb server and how to start it.
type server struct {
	network, addr string // "tcp" "127.0.0.1:5037" or "unix" "/path"
	adb           string // the program
	noStart       bool
	reconnect     bool
	log           *slog.Logger
}

// serverFromEnv returns the server that adb's own variables name, in the words of Options.Server; "" for none.
func serverFromEnv(getenv func(string) string) (string, error) {
	if s := getenv("ADB_SERVER_SOCKET"); s != "" {
		_, _, err := parseServer(s)
		if scheme, _, ok := strings.Cut(s, ":"); err != nil || !ok || !slices.Contains(socketSchemes, scheme) {
			return "", fmt.Errorf("ADB_SERVER_SOCKET=%s: want tcp:HOST:PORT, tcp:PORT, localabstract:NAME or localfilesystem:PATH", s)
		}
		return s, nil
	}
	host, port := getenv("ANDROID_ADB_SERVER_ADDRESS"), getenv("ANDROID_ADB_SERVER_PORT")
	if host+port == "" {
		return "", nil
	}
	s := net.JoinHostPort(orElse(host, "127.0.0.1"), orElse(port, "5037"))
	if _, _, err := parseServer(s); err != nil {
		return "", fmt.Errorf("ANDROID_ADB_SERVER_ADDRESS=%s and ANDROID_ADB_SERVER_PORT=%s: want a host, and a port from 1 to 65535", host, port)
	}
	return s, nil
}

// socketSchemes are those that the variable of adb has.
var socketSchemes = []string{"tcp", "local", "localabstract", "localfilesystem"}

func newServer(o Options) (*server, error) {
	network, addr, err := parseServer(o.Server)
	if err != nil {
		return nil, err
	}
	return &server{network: network, addr: addr, adb: o.ADB, noStart: o.NoStart, reconnect: o.Reconnect, log: o.Logger}, nil
}

// parseServer reads the forms that Options.Server and ADB_SERVER_SOCKET have. "localhost" is taken as
// 127.0.0.1: the server listens on IPv4 only, and the name may mean ::1.
func parseServer(s string) (network, addr string, err error) {
	if name, ok := strings.CutPrefix(s, "localabstract:"); ok && name != "" {
		return "unix", "@" + name, nil
	}
	for _, prefix := range []string{"unix:", "local:", "localfilesystem:"} {
		if path, ok := strings.CutPrefix(s, prefix); ok && path != "" {
			return "unix", path, nil
		}
	}
	rest := strings.TrimPrefix(s, "tcp:")
	host, port, err := net.SplitHostPort(rest)
	if err != nil {
		host, port = "", rest
		if _, numErr := strconv.ParseUint(port, 10, 16); numErr != nil {
			host, port = rest, "5037"
		}
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 || rest == "" || strings.ContainsAny(host, " /") {
		return "", "", fmt.Errorf("adb server %q: want HOST:PORT, PORT or unix:PATH", s)
	}
	if host == "" || host == "localhost" {
		host = "127.0.0.1"
	}
	return "tcp", net.JoinHostPort(host, port), nil
}

// dial connects to the server, and starts it first where it is on this computer and refuses.
func (s *server) dial(ctx context.Context) (*socket, error) {
	conn, err := s.dialOnce(ctx)
	if err != nil && refused(err) && ctx.Err() == nil {
		if err := s.start(ctx); err != nil {
			return nil, err
		}
		conn, err = s.dialOnce(ctx)
	}
	if err != nil {
		if ended(ctx) {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%w at %s: %w", ErrNoServer, s.addr, err)
	}
	return newSocket(ctx, conn), nil
}

// reach finds the server, and starts it where there is none.
func (s *server) reach(ctx context.Context) error {
	sock, err := s.dial(ctx)
	if err == nil {
		sock.close()
	}
	return err
}

// ended says that ctx has ended. Dialling may see its deadline a moment before ctx does.
func ended(ctx context.Context) bool {
	if at, ok := ctx.Deadline(); ok && !time.Now().Before(at) {
		<-ctx.Done()
	}
	return ctx.Err() != nil
}

func (s *server) dialOnce(ctx context.Context) (net.Conn, error) {
	d := net.Dialer{Timeout: dialLimit}
	return d.DialContext(ctx, s.network, s.addr)
}

// refused says that nothing listens there. The words for it differ by system, so that it is anything but a
// time-out.
func refused(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && !op.Timeout()
}

// start runs `adb start-server`. It never kills a server, of whatever version, as other clients use it.
func (s *server) start(ctx context.Context) error {
	host, port, err := net.SplitHostPort(s.addr)
	ip := net.ParseIP(host)
	switch {
	case s.network != "tcp":
		return fmt.Errorf("%w at the socket %s: start one there (adb -L localfilesystem:PATH start-server)", ErrNoServer, s.addr)
	case err != nil || ip == nil || !ip.IsLoopback():
		return fmt.Errorf("%w at %s: start one there (adb -a -P PORT nodaemon server)", ErrNoServer, s.addr)
	case s.noStart:
		return fmt.Errorf("%w at %s, and starting one is switched off: run adb start-server", ErrNoServer, s.addr)
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	s.log.InfoContext(ctx, "no adb server answers: starting one", "addr", s.addr, "adb", s.adb)
	// adb calls only an address without a host its own, and -L goes before the variables of its
	// environment.
	r, err := cmdrun.Run(ctx, cmdrun.Command{Path: s.adb, Args: []string{"-L", "tcp:" + port, "start-server"}})
	switch {
	case errors.Is(err, cmdrun.ErrNotFound):
		return fmt.Errorf("%w at %s, and adb is not installed: install the Android platform-tools, or name the program "+
			"with the option adb or ANDROID_HOME: %w", ErrNoServer, s.addr, err)
	case err != nil:
		return fmt.Errorf("%w at %s: %w", ErrNoServer, s.addr, err)
	case r.Code != 0:
		return fmt.Errorf("%w at %s: adb start-server ended with %d: %s", ErrNoServer, s.addr, r.Code, r.Complaint())
	}
	return nil
}

// query asks the server for something that it answers with one block of text.
func (s *server) query(ctx context.Context, service string) (string, error) {
	sock, err := s.dial(ctx)
	if err != nil {
		return "", err
	}
	defer sock.close()
	if err := sock.request(service); err != nil {
		return "", sock.err(ctx, err)
	}
	text, err := sock.block()
	return text, sock.err(ctx, err)
}

// open connects to a service of a device: the socket is the service's when it returns. before, if
// not nil, runs just before the request that may reach the device. A phone of the network that the
// server has lost is attached again first, where Options say so.
func (s *server) open(ctx context.Context, serial, service string, before func()) (*socket, error) {
	sock, err := s.openOnce(ctx, serial, service, before)
	if err != nil && s.reconnect && errors.Is(err, driver.ErrNoDevice) && s.attach(ctx, serial) {
		return s.openOnce(ctx, serial, service, before)
	}
	return sock, err
}

func (s *server) openOnce(ctx context.Context, serial, service string, before func()) (*socket, error) {
	sock, err := s.dial(ctx)
	if err != nil {
		return nil, err
	}
	if err = sock.request("host:transport:" + serial); err == nil {
		if before != nil {
			before()
		}
		if err = ctx.Err(); err == nil { // else its caller may have been told that nothing was sent
			err = sock.request(service)
		}
	}
	if err != nil {
		sock.close()
		return nil, sock.err(ctx, err)
	}
	return sock, nil
}
