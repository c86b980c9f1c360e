package android

import (
	"context"
	"io"
	"slices"
)

// Dialer serves one connection to a socket of the phone until it is done or ctx ends.
type Dialer func(ctx context.Context, conn io.ReadWriteCloser)

// listener is a socket of the phone. left is how many more connections it takes, below 0 for any number.
type listener struct {
	dial Dialer
	left int
}

// Listen gives the phone a socket such as "localabstract:helper" or "tcp:9008"; nil takes it away.
func (d *Device) Listen(name string, dial Dialer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if dial == nil {
		delete(d.sockets, name)
		return
	}
	d.sockets[name] = &listener{dial: dial, left: -1}
}

// listenFor is Listen for that many connections, or without end below 0. free is false where the name is taken.
// stop takes the socket away.
func (d *Device) listenFor(name string, connections int, dial Dialer) (stop func(), free bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.sockets[name] != nil {
		return nil, false
	}
	l := &listener{dial: dial, left: connections}
	d.sockets[name] = l
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.sockets[name] == l {
			delete(d.sockets, name)
		}
	}, true
}

// Listening says that the phone has such a socket.
func (d *Device) Listening(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.sockets[name] != nil
}

// Socket connects to a name: it returns what serves the connection, or nil where nothing listens. Each call is
// one connection.
func (d *Device) Socket(name string) Dialer {
	if dial := d.helperSocket(name); dial != nil {
		return dial
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	l := d.sockets[name]
	if l == nil {
		return nil
	}
	if l.left--; l.left == 0 {
		delete(d.sockets, name)
	}
	return l.dial
}

// ToHost connects to a socket of the computer, such as "tcp:27183".
type ToHost func(ctx context.Context, local string) (io.ReadWriteCloser, error)

// reverse is a socket of the phone that leads to one of the computer.
type reverse struct {
	remote, local string
	dial          ToHost
}

// Reverses lists the reverse forwards as pairs of remote and local.
func (d *Device) Reverses() [][2]string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var list [][2]string
	for _, r := range d.reverses {
		list = append(list, [2]string{r.remote, r.local})
	}
	return list
}

// SetReverse adds a reverse forward, or takes it away where local is ""; both "" take all away. It says
// whether there was one. dial is how the phone gets to the computer that asked.
func (d *Device) SetReverse(remote, local string, dial ToHost) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	before := len(d.reverses)
	d.reverses = slices.DeleteFunc(d.reverses, func(r reverse) bool { return remote == "" || r.remote == remote })
	found := len(d.reverses) < before
	if local != "" {
		d.reverses = append(d.reverses, reverse{remote, local, dial})
	}
	return found
}

// dialOut connects from inside the phone to the computer, through a reverse forward. ok is false where there is
// none, or nothing listens behind it.
func (d *Device) dialOut(ctx context.Context, name string) (conn io.ReadWriteCloser, ok bool) {
	d.mu.Lock()
	i := slices.IndexFunc(d.reverses, func(r reverse) bool { return r.remote == name && r.dial != nil })
	var r reverse
	if i >= 0 {
		r = d.reverses[i]
	}
	d.mu.Unlock()
	if i < 0 {
		return nil, false
	}
	conn, err := r.dial(ctx, r.local)
	return conn, err == nil
}
