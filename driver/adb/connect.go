package adb

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/electricbubble/gadb"

	"github.com/handset-go/handset/driver"
)

// defaultPort is where adbd listens after `adb tcpip 5555`.
const defaultPort = 5555

// connectLimit bounds Connect: the server itself gives up after 10 s on a port that does not speak adb.
const connectLimit = 25 * time.Second

// Connect has the adb server attach a phone over the network. at is HOST or HOST:PORT, the port
// 5555 where it is left out. It returns the phone's address once it can be used; ErrUnauthorized
// says that the phone asks its owner. A phone that is attached already is no error.
func Connect(ctx context.Context, at string, opts *Options) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, connectLimit, driver.ErrTimeout)
	defer cancel()
	host, port, err := splitDevice(at)
	if err != nil {
		return "", err
	}
	s, err := serverOf(opts)
	if err != nil {
		return "", err
	}
	serial := host + ":" + strconv.Itoa(port)
	err = s.order(ctx, "host:connect:"+serial, func(c gadb.Client) error { return c.Connect(host, port) })
	if err != nil && !strings.Contains(err.Error(), "failed to authenticate") {
		s.forget(ctx, host, port)
		return "", fmt.Errorf("connect %s: %w", at, timedOut(ctx, err))
	}
	if err := s.awaitReady(ctx, serial); err != nil {
		if !errors.Is(err, driver.ErrUnauthorized) { // one that asks its owner can still be let in
			s.forget(ctx, host, port)
		}
		return "", fmt.Errorf("connect %s: %w", at, timedOut(ctx, err))
	}
	return addressOf(serial), nil
}

// forgetWait is how long a Connect that was cancelled waits for forget: a server that answers needs far less.
const forgetWait = 100 * time.Millisecond

// forget takes away the entry that a failed connect leaves in the server's list, offline for ever. It goes on
// by itself where the server does not answer and nobody waits for it any more.
func (s *server) forget(ctx context.Context, host string, port int) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = driver.Undo(ctx, func(ctx context.Context) error { // there may be none
			return s.disconnect(ctx, host, port)
		})
	}()
	var late <-chan time.Time
	if ctx.Err() != nil {
		late = time.After(forgetWait)
	}
	select {
	case <-done:
	case <-late:
	}
}

// Disconnect has the adb server let go of a phone that Connect attached. at is HOST, HOST:PORT or what
// Connect returned.
func Disconnect(ctx context.Context, at string, opts *Options) error {
	ctx, cancel := context.WithTimeoutCause(ctx, connectLimit, driver.ErrTimeout)
	defer cancel()
	host, port, err := splitDevice(strings.TrimPrefix(at, scheme+":"))
	if err != nil {
		return err
	}
	s, err := serverOf(opts)
	if err != nil {
		return err
	}
	if err := s.disconnect(ctx, host, port); err != nil {
		if strings.Contains(err.Error(), "no such device") {
			err = fmt.Errorf("%w: %w", driver.ErrNoDevice, err)
		}
		return fmt.Errorf("disconnect %s: %w", at, timedOut(ctx, err))
	}
	return nil
}

// ServerVersion returns the version of the adb server's protocol, such as 41.
func ServerVersion(ctx context.Context, opts *Options) (int, error) {
	s, err := serverOf(opts)
	if err != nil {
		return 0, err
	}
	text, err := s.query(ctx, "host:version")
	if err != nil {
		return 0, err
	}
	version, err := strconv.ParseInt(text, 16, 32)
	if err != nil {
		return 0, fmt.Errorf("the adb server tells no version: %s", complaint([]byte(text)))
	}
	return int(version), nil
}

func (s *server) disconnect(ctx context.Context, host string, port int) error {
	return s.order(ctx, fmt.Sprintf("host:disconnect:%s:%d", host, port), func(c gadb.Client) error { return c.Disconnect(host, port) })
}

// order has the server attach or detach phones: through gadb, or, where the server listens on a local
// socket or on IPv6, which gadb cannot reach, by the request itself.
func (s *server) order(ctx context.Context, service string, call func(gadb.Client) error) error {
	if host, _, err := net.SplitHostPort(s.addr); s.network == "tcp" && err == nil && !strings.Contains(host, ":") {
		return s.gadb(ctx, call)
	}
	text, err := s.query(ctx, service)
	if err == nil && strings.HasPrefix(service, "host:connect:") && !connected(text) {
		err = errors.New(complaint([]byte(text)))
	}
	return err
}

// gadb runs a short call of gadb, which knows no context: when ctx ends, the call is left to end by
// itself, which it does within gadb's read time-out of 60 s.
func (s *server) gadb(ctx context.Context, call func(gadb.Client) error) error {
	host, portText, err := net.SplitHostPort(s.addr)
	if err != nil {
		return fmt.Errorf("adb server %s: %w", s.addr, err)
	}
	port, err := strconv.Atoi(portText)
	if err != nil {
		return fmt.Errorf("adb server %s: %w", s.addr, err)
	}
	probe, err := s.dial(ctx) // starts the server
	if err != nil {
		return err
	}
	probe.close()
	done := make(chan error, 1)
	go func() {
		c, err := gadb.NewClientWith(host, port)
		if err == nil {
			err = call(c)
		}
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// awaitReady waits until the device is in the state "device", or in one that needs a person.
func (s *server) awaitReady(ctx context.Context, serial string) error {
	for all, err := range s.track(ctx) {
		if err != nil {
			return err
		}
		for _, d := range all {
			if d.serial == serial && (d.state == driver.StateReady || d.state == "unauthorized") {
				return d.problem()
			}
		}
	}
	return errBroken
}

// attachLimit bounds the wait for a phone that is attached again.
const attachLimit = 5 * time.Second

// attach attaches a phone of the network again, and says whether it can be used now.
func (s *server) attach(ctx context.Context, serial string) bool {
	host, port, err := net.SplitHostPort(serial)
	if _, numErr := strconv.ParseUint(port, 10, 16); err != nil || numErr != nil || host == "" {
		return false // on a cable, or found by mDNS: the server attaches it by itself
	}
	ctx, cancel := context.WithTimeout(ctx, attachLimit)
	defer cancel()
	text, err := s.query(ctx, "host:connect:"+serial)
	if err == nil && connected(text) {
		err = s.awaitReady(ctx, serial)
	} else if err == nil {
		err = errors.New(complaint([]byte(text)))
	}
	s.log.InfoContext(ctx, "the adb server had lost the phone: attaching it again", "serial", serial, "error", err)
	return err == nil
}

// connected reads the server's text, which alone tells: its status is OKAY for failures too.
func connected(text string) bool {
	return strings.HasPrefix(text, "connected to ") || strings.HasPrefix(text, "already connected to ")
}

// splitDevice reads HOST or HOST:PORT, with an IPv6 host in brackets.
func splitDevice(at string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(at)
	if err != nil {
		host, text = strings.Trim(at, "[]"), strconv.Itoa(defaultPort)
	}
	port, err = strconv.Atoi(text)
	if err != nil || port < 1 || port > 65535 || host == "" || strings.ContainsAny(host, " /;") {
		return "", 0, driver.BadOption(fmt.Errorf("%q is not a phone's HOST:PORT", at))
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return host, port, nil
}

// timedOut returns the limit's own error where the limit ended ctx.
func timedOut(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(context.Cause(ctx), driver.ErrTimeout) {
		return driver.ErrTimeout
	}
	return err
}

// DisconnectAll has the adb server let go of every phone that was attached over the network.
func DisconnectAll(ctx context.Context, opts *Options) error {
	ctx, cancel := context.WithTimeoutCause(ctx, connectLimit, driver.ErrTimeout)
	defer cancel()
	s, err := serverOf(opts)
	if err != nil {
		return err
	}
	if err := s.order(ctx, "host:disconnect:", func(c gadb.Client) error { return c.DisconnectAll() }); err != nil {
		return fmt.Errorf("disconnect all: %w", timedOut(ctx, err))
	}
	return nil
}
