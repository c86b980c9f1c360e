package usbmuxd

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
)

// The numbers of a Result.
const (
	resultOK         = 0
	resultBadCommand = 1
	resultBadDevice  = 2
	resultRefused    = 3
	resultBadVersion = 6
)

const (
	headSize   = 16
	typePlist  = 8
	maxMessage = 1 << 20
)

// client is one connection to the daemon.
type client struct {
	server *Server
	conn   net.Conn

	mu  sync.Mutex // of the writing
	tag uint32
}

var errBinary = errors.New("not the plist protocol")

// serve answers messages until the connection ends or becomes one to a device.
func (c *client) serve() {
	defer c.unwatch()
	for {
		m, err := c.read()
		switch {
		case errors.Is(err, errBinary):
			c.result(resultBadVersion)
			return
		case err != nil:
			return
		case c.server.isSilent():
			continue
		}
		if target := c.answer(m); target != nil {
			c.relay(target)
			return
		}
	}
}

// read reads one message: length, version, type and tag, little endian, then the plist.
func (c *client) read() (map[string]any, error) {
	head := make([]byte, headSize)
	if _, err := io.ReadFull(c.conn, head); err != nil {
		return nil, err
	}
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(head[4*i:]) }
	c.mu.Lock()
	c.tag = word(3)
	c.mu.Unlock()
	if word(0) < headSize || word(0) > maxMessage {
		return nil, fmt.Errorf("message of %d bytes", word(0))
	}
	body := make([]byte, word(0)-headSize)
	if _, err := io.ReadFull(c.conn, body); err != nil {
		return nil, err
	}
	if word(1) != 1 || word(2) != typePlist {
		return nil, errBinary
	}
	return readPlist(body)
}

// send writes one message. A client that is gone needs none.
func (c *client) send(m map[string]any) {
	body := writePlist(m)
	c.mu.Lock()
	defer c.mu.Unlock()
	out := make([]byte, headSize, headSize+len(body))
	for i, n := range []uint32{uint32(headSize + len(body)), 1, typePlist, c.tag} {
		binary.LittleEndian.PutUint32(out[4*i:], n)
	}
	_, _ = c.conn.Write(append(out, body...))
}

func (c *client) result(n int) {
	c.send(map[string]any{"MessageType": "Result", "Number": n})
}

// answer answers a message. It returns the connection to a device's port after a Connect that worked.
func (c *client) answer(m map[string]any) net.Conn {
	kind, _ := m["MessageType"].(string)
	switch kind {
	case "ListDevices":
		list := []any{}
		for _, e := range c.server.list() {
			list = append(list, e.attached())
		}
		c.send(map[string]any{"DeviceList": list})
	case "Connect":
		return c.connect(m)
	case "Listen":
		c.result(resultOK)
		c.server.mu.Lock()
		c.server.watch[c] = struct{}{}
		c.server.mu.Unlock()
		for _, e := range c.server.list() {
			c.send(e.attached())
		}
	case "ReadBUID":
		c.send(map[string]any{"BUID": "6E1D2B3C-4F50-4162-8374-95A6B7C8D9E0"})
	case "ReadPairRecord": // no pairing is kept: connecting to a port needs none
		c.result(resultBadDevice)
	default:
		c.result(resultBadCommand)
	}
	return nil
}

func (c *client) unwatch() {
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	delete(c.server.watch, c)
}

// connect opens a port of a device. The number of the port comes with its bytes swapped.
func (c *client) connect(m map[string]any) net.Conn {
	id, _ := m["DeviceID"].(int)
	swapped, _ := m["PortNumber"].(int)
	port := swapped>>8&0xff | swapped&0xff<<8
	e, ok := c.server.find(id)
	if !ok {
		c.result(resultBadDevice)
		return nil
	}
	addr, ok := e.Ports[port]
	if !ok {
		c.result(resultRefused)
		return nil
	}
	target, err := new(net.Dialer).DialContext(c.server.ctx, "tcp", addr)
	if err != nil {
		c.result(resultRefused)
		return nil
	}
	if !c.server.keep(c.conn, id) || !c.server.keep(target, id) {
		_ = target.Close() // the daemon ends, or the device was pulled out meanwhile
		c.result(resultBadDevice)
		return nil
	}
	c.result(resultOK)
	return target
}

// relay passes the bytes on both ways until either side ends.
func (c *client) relay(target net.Conn) {
	defer c.server.forget(target)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(target, c.conn) // the end of either side ends both
		_ = target.Close()
		_ = c.conn.Close()
	}()
	_, _ = io.Copy(c.conn, target)
	_ = target.Close()
	_ = c.conn.Close()
	<-done
}

// attached is how the daemon tells of a device.
func (e entry) attached() map[string]any {
	props := map[string]any{
		"ConnectionType": "USB", "DeviceID": e.id, "SerialNumber": e.UDID, "UDID": e.UDID,
	}
	if e.Wi {
		props["ConnectionType"] = "Network"
		props["EscapedFullServiceName"] = e.UDID + "._apple-mobdev2._tcp.local."
	} else {
		props["ConnectionSpeed"], props["LocationID"] = 480000000, 336592896
		props["ProductID"], props["USBSerialNumber"] = 4776, e.UDID
	}
	return map[string]any{"MessageType": "Attached", "DeviceID": e.id, "Properties": props}
}
