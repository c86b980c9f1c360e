// Package adbd is a simulated phone behind the adb transport protocol over TCP: what a stock adb server
// attaches to with "adb connect".
package adbd

import (
	"context"
	"fmt"
	"net"
	"sync"

	"github.com/handset-go/handset/internal/phonefront/android"
)

// Options say what a daemon is like. The zero value of each field is its default.
type Options struct {
	// Addr is where it listens; "127.0.0.1:0" if unset. An adb server looks for emulators on the ports 5555 to
	// 5585 by itself: keep clear of them, or the phone appears twice.
	Addr string
	// Auth says that the computer must show a key, which is accepted by Allow or after Tries signatures.
	Auth bool
	// Tries is how many signatures are refused first; with 0 none is ever accepted and Allow must be called.
	Tries int
}

// Daemon is a running daemon. Close ends it with everything that it started.
type Daemon struct {
	device   *android.Device
	opts     Options
	listener net.Listener
	ctx      context.Context
	cancel   context.CancelFunc
	tasks    sync.WaitGroup

	mu      sync.Mutex
	links   map[*link]struct{}
	allowed bool
	closed  bool
}

// Listen serves the phone at an address. It fails where the address cannot be listened at.
func Listen(d *android.Device, opts *Options) (*Daemon, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	if o.Addr == "" {
		o.Addr = "127.0.0.1:0"
	}
	l, err := net.Listen("tcp", o.Addr)
	if err != nil {
		return nil, fmt.Errorf("adbd: %w", err)
	}
	a := &Daemon{device: d, opts: o, listener: l, links: map[*link]struct{}{}}
	a.ctx, a.cancel = context.WithCancel(context.Background())
	a.tasks.Go(a.accept)
	return a, nil
}

// Addr returns where the daemon listens, host and port: the serial that adb gives the phone.
func (a *Daemon) Addr() string { return a.listener.Addr().String() }

// Device returns the phone.
func (a *Daemon) Device() *android.Device { return a.device }

// Allow is the owner's tap on "Allow USB debugging": the computers that wait are let in, and all that come.
func (a *Daemon) Allow() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.allowed = true
	for l := range a.links {
		l.allow()
	}
}

// Break cuts the connections of all computers, as a phone that goes out of reach. It keeps listening.
func (a *Daemon) Break() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for l := range a.links {
		_ = l.conn.Close()
	}
}

// Close ends the daemon, and returns when all that it started has ended.
func (a *Daemon) Close() error {
	a.mu.Lock()
	a.closed = true
	a.mu.Unlock()
	a.cancel()
	err := a.listener.Close()
	a.Break()
	a.tasks.Wait()
	return err
}

func (a *Daemon) accept() {
	for {
		c, err := a.listener.Accept()
		if err != nil {
			return
		}
		l := newLink(a, c)
		a.mu.Lock()
		if a.closed {
			_ = c.Close()
		} else {
			a.links[l] = struct{}{}
			a.tasks.Go(l.run)
		}
		a.mu.Unlock()
	}
}

func (a *Daemon) forget(l *link) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.links, l)
}
