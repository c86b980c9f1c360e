package android

import (
	"context"
	"io"
	"slices"
)

// Dialer serves one connection to a socket of the phone until it is done or ctx ends.
type Dialer func(ctx context.Context, conn io.ReadWriteCloser)

// Listen gives the phone a socket such as "localabstract:helper" or "tcp:9008"; nil takes it away.
func (d *Device) Listen(name string, dial Dialer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.sockets == nil {
		d.sockets = map[string]Dialer{}
	}
	d.sockets[name] = dial
}

// Socket returns what listens at a name, or nil.
func (d *Device) Socket(name string) Dialer {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.sockets[name]
}

// Reverses lists the reverse forwards as pairs of remote and local.
func (d *Device) Reverses() [][2]string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.reverses)
}

// SetReverse adds a reverse forward, or takes it away where local is ""; both "" take all away. It says
// whether there was one.
func (d *Device) SetReverse(remote, local string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	before := len(d.reverses)
	d.reverses = slices.DeleteFunc(d.reverses, func(r [2]string) bool { return remote == "" || r[0] == remote })
	found := len(d.reverses) < before
	if local != "" {
		d.reverses = append(d.reverses, [2]string{remote, local})
	}
	return found
}
