package adbserver_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/adbserver"
)

func TestPair(t *testing.T) {
	phone := adbserver.Phone{Device: newDevice(t, ""), Pair: "192.168.12.34:37123", Code: "123456"}
	old := start(t, phone)
	c := dial(t, old)
	c.send("host:pair:123456:192.168.12.34:37123")
	require.Equal(t, "FAIL unknown host service", c.status(), "29 cannot pair")

	s, err := adbserver.Start(&adbserver.Options{Release: 34, Phones: []adbserver.Phone{phone}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	for request, want := range map[string]string{
		"host:pair:123456:192.168.12.34:37123": "Successfully paired to 192.168.12.34:37123 [guid=adb-SIM0001-aBcDeF]",
		"host:pair:000000:192.168.12.34:37123": "Failed: Wrong password or connection was dropped.",
		"host:pair:123456:192.168.12.34:1":     "Failed: Unable to start pairing client.",
		"host:pair:123456:192.168.12.34:x":     "Failed to parse address for pairing: bad port number 'x' in '192.168.12.34:x'",
		"host:mdns:check":                      "mdns daemon version [8787003]",
		"host:mdns:services":                   "adb-SIM0001-aBcDeF\t_adb-tls-pairing._tcp\t192.168.12.34:37123\n",
	} {
		c := dial(t, s)
		c.send(request)
		require.Equal(t, "OKAY", c.status(), request)
		require.Equal(t, want, c.text(), request)
	}
}

func TestTCPMode(t *testing.T) {
	d := newDevice(t, "")
	s := start(t, adbserver.Phone{Device: d, USB: "1-4"})
	read := func(service string) string {
		c := open(t, s, service)
		buf := make([]byte, 100)
		n, err := c.Read(buf)
		require.NoError(t, err)
		return string(buf[:n])
	}
	require.Equal(t, "restarting in TCP mode port: 5555\n", read("tcpip:5555"))
	require.Equal(t, "5555", d.Prop("service.adb.tcp.port"))
	require.Equal(t, "invalid port\n", read("tcpip:0"))
	require.Equal(t, "restarting in USB mode\n", read("usb:"))
	require.Equal(t, "-1", d.Prop("service.adb.tcp.port"))
}
