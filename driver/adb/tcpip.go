package adb

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"regexp"
	"strconv"
	"strings"

	"github.com/handset-go/handset/driver"
)

// Operations that are no part of the driver contract, as they stand in errors.
const (
	opIP    driver.Op = "ip"
	opTCPIP driver.Op = "tcpip"
	opUSB   driver.Op = "usb"
)

// maxLine bounds the answer of a service that says one line.
const maxLine = 4 << 10

// TCPIP restarts the phone's adb so that it listens on a port of the network, 5555 for 0, and returns
// the HOST:PORT that Connect takes. Anybody who reaches the port and is allowed once may then use the
// phone; USB, or a restart of the phone, ends it. The connection that this driver uses breaks for
// about a second.
func (d *Driver) TCPIP(ctx context.Context, port int) (string, error) {
	return value(ctx, d, opTCPIP, limitShort, func(ctx context.Context) (string, error) {
		if port == 0 {
			port = defaultPort
		}
		if port < 1 || port > 65535 {
			return "", fmt.Errorf("port %d: want 1 to 65535", port)
		}
		ip, err := d.ip(ctx) // first, as a phone without a network gains nothing
		if err != nil {
			return "", err
		}
		if err := d.restart(ctx, "tcpip:"+strconv.Itoa(port), "restarting in TCP mode"); err != nil {
			return "", err
		}
		return net.JoinHostPort(ip.String(), strconv.Itoa(port)), nil
	})
}

// USB restarts the phone's adb so that it listens on USB only.
func (d *Driver) USB(ctx context.Context) error {
	return d.do(ctx, opUSB, limitShort, func(ctx context.Context) error { return d.restart(ctx, "usb:", "restarting in USB mode") })
}

// restart has the phone's adb start anew; it says so in one line, or why not.
func (d *Driver) restart(ctx context.Context, service, want string) error {
	sock, err := d.server.open(ctx, d.serial, service, func() { driver.MarkSent(ctx) })
	if err != nil {
		return err
	}
	defer sock.close()
	text, err := io.ReadAll(io.LimitReader(sock.r, maxLine))
	if !strings.Contains(string(text), want) {
		if err != nil {
			return sock.err(ctx, err)
		}
		return fmt.Errorf("the phone's adb did not restart: %s", complaint(text))
	}
	return nil // the end of the connection may look like a break, and is the restart
}

// IP returns the phone's IPv4 address in the local network: that of its Wi-Fi, or else of a cable.
func (d *Driver) IP(ctx context.Context) (netip.Addr, error) {
	return value(ctx, d, opIP, limitShort, d.ip)
}

func (d *Driver) ip(ctx context.Context) (netip.Addr, error) {
	parts, err := d.askAll(ctx, "ip -f inet addr show", "getprop dhcp.wlan0.ipaddress", "ifconfig wlan0")
	if err != nil {
		return netip.Addr{}, err
	}
	if ip, ok := parseIP(parts[0]); ok {
		return ip, nil
	}
	if ip, err := netip.ParseAddr(strings.TrimSpace(parts[1])); err == nil {
		return ip, nil
	}
	if m := ifconfigWord.FindStringSubmatch(parts[2]); m != nil {
		if ip, err := netip.ParseAddr(m[1]); err == nil {
			return ip, nil
		}
	}
	return netip.Addr{}, fmt.Errorf("the phone has no address in a local network: join a Wi-Fi on it")
}

var (
	interfaceLine = regexp.MustCompile(`^\d+: ([\w.-]+)`)
	inetWord      = regexp.MustCompile(`\binet (\d+\.\d+\.\d+\.\d+)`)
	ifconfigWord  = regexp.MustCompile(`(?:inet addr:|ip )(\d+\.\d+\.\d+\.\d+)`)
	// elsewhere are networks that this computer is not in: the mobile one, tunnels, Wi-Fi Direct.
	elsewhere = regexp.MustCompile(`^(lo|rmnet|r_rmnet|ccmni|pdp|ppp|dummy|tun|ipsec|v4-|clat|p2p)`)
)

// parseIP reads `ip addr`, in its long form and in that of one line each (-o).
func parseIP(text string) (netip.Addr, bool) {
	best, rank := netip.Addr{}, 0
	name := ""
	for line := range strings.Lines(text) {
		if m := interfaceLine.FindStringSubmatch(line); m != nil {
			name = m[1]
		}
		m := inetWord.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		ip, err := netip.ParseAddr(m[1])
		if n := interfaceRank(name); err == nil && n > rank {
			best, rank = ip, n
		}
	}
	return best, rank > 0
}

func interfaceRank(name string) int {
	switch {
	case elsewhere.MatchString(name):
		return 0
	case strings.HasPrefix(name, "wlan"):
		return 3
	case strings.HasPrefix(name, "eth"):
		return 2
	}
	return 1
}
