package wda

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"
)

// target is where a WebDriverAgent is: at an address of the network, or on a phone behind usbmuxd.
type target struct {
	host string // of the network, "" for USB
	port int
	udid string
	usb  *usbmuxd
}

// parseTarget reads the device part of an address: HOST:PORT, a host with a dot or "localhost", the URL
// http://HOST:PORT, or else a UDID. "" is the only phone on USB.
func parseTarget(device string, o *Options) (*target, error) {
	if rest, ok := strings.CutPrefix(device, "https://"); ok {
		return nil, fmt.Errorf("https://%s: WebDriverAgent speaks plain HTTP: write http:// or nothing", rest)
	}
	host := strings.TrimRight(strings.TrimPrefix(device, "http://"), "/")
	if host == device && !strings.ContainsAny(host, ":.") && !strings.EqualFold(host, "localhost") {
		return &target{udid: device, port: o.Port, usb: newUsbmuxd(o.Usbmuxd)}, nil
	}
	if strings.ContainsAny(host, "/?# @") {
		return nil, fmt.Errorf("%q: want HOST:PORT without a path", device)
	}
	name, port, err := net.SplitHostPort(host)
	if err != nil { // a host alone
		name, port = strings.Trim(host, "[]"), strconv.Itoa(defaultPort)
	}
	n, err := strconv.Atoi(port)
	if err != nil || !isPort(n) || name == "" {
		return nil, fmt.Errorf("%q: want HOST:PORT with a port from 1 to 65535", device)
	}
	return &target{host: name, port: n}, nil
}

// dialLimit bounds the making of one connection.
const dialLimit = 10 * time.Second

// dial connects to a port of the phone.
func (t *target) dial(ctx context.Context, port int) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialLimit)
	defer cancel()
	if t.usb != nil {
		c, err := t.usb.connect(ctx, t.udid, port)
		if err != nil {
			return nil, &net.OpError{Op: "dial", Net: "usbmuxd", Err: err}
		}
		return c, nil
	}
	d := net.Dialer{KeepAliveConfig: alive}
	return d.DialContext(ctx, "tcp", net.JoinHostPort(t.host, strconv.Itoa(port)))
}

// device returns the target as an address names it.
func (t *target) device() string {
	if t.usb != nil {
		return t.udid
	}
	return net.JoinHostPort(t.host, strconv.Itoa(t.port))
}

// url is the beginning of every URL. On USB the host says nothing.
func (t *target) url() string {
	if t.usb != nil {
		return "http://localhost:" + strconv.Itoa(t.port)
	}
	return "http://" + t.device()
}
