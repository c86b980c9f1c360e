package adb

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPair(t *testing.T) {
	tests := []struct {
		name, at, code, reply, says string
	}{
		{"paired", "192.168.1.9:37125", "123456", "Successfully paired to 192.168.1.9:37125 [guid=adb-X-y]", ""},
		{"a wrong code", "192.168.1.9:37125", "123456", "Failed: Wrong password or connection was dropped.", "Wrong password"},
		{"no port", "192.168.1.9", "123456", "", "HOST:PORT"},
		{"a bad port", "192.168.1.9:0", "123456", "", "HOST:PORT"},
		{"no code", "192.168.1.9:37125", "", "", "six digits"},
		{"a code with a colon", "192.168.1.9:37125", "12:34", "", "six digits"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.says = map[string]string{"host:pair:": frame(tt.reply)}
			err := Pair(t.Context(), tt.at, tt.code, &Options{Server: f.addr, NoStart: true})
			if tt.says == "" {
				require.NoError(t, err)
				require.Equal(t, []string{"host:pair:123456:192.168.1.9:37125"}, f.ran("pair"))
				return
			}
			require.ErrorContains(t, err, tt.says)
			require.NotContains(t, err.Error(), "123456", "a code is a secret")
			require.Equal(t, tt.reply == "", len(f.ran("pair")) == 0)
		})
	}
	t.Run("a server before adb 30", func(t *testing.T) {
		f := newFake(t)
		f.host = func(string) (string, bool) { return "unknown host service", true }
		err := Pair(t.Context(), "192.168.1.9:37125", "123456", &Options{Server: f.addr, NoStart: true})
		require.ErrorIs(t, err, errors.ErrUnsupported)
		require.ErrorContains(t, err, "adb 30")
		require.NotContains(t, err.Error(), "123456")
	})
}

func TestParseIP(t *testing.T) {
	const long = "1: lo: <LOOPBACK,UP>\n    inet 127.0.0.1/8 scope host lo\n12: rmnet_data0@if3: <UP>\n    inet 10.20.30.40/30 scope global rmnet_data0\n"
	tests := []struct{ name, text, want string }{
		{"Wi-Fi", long + "30: wlan0: <BROADCAST,UP>\n    inet 192.168.1.5/24 brd 192.168.1.255 scope global wlan0\n", "192.168.1.5"},
		{"one line each", "1: lo    inet 127.0.0.1/8 scope host lo\n30: wlan0    inet 192.168.1.6/24 brd 192.168.1.255\n", "192.168.1.6"},
		{"Wi-Fi before a cable", "2: eth0: <UP>\n    inet 10.0.0.2/24\n3: wlan1: <UP>\n    inet 10.0.0.3/24\n", "10.0.0.3"},
		{"an emulator", "2: radio0: <UP>\n    inet 10.0.2.16/24\n3: eth0: <UP>\n    inet 10.0.2.15/24\n", "10.0.2.15"},
		{"only the mobile network", long, ""},
		{"nothing", "/system/bin/sh: ip: not found\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ip, ok := parseIP(tt.text)
			require.Equal(t, tt.want != "", ok)
			if ok {
				require.Equal(t, tt.want, ip.String())
			}
		})
	}
}

func FuzzParseIP(f *testing.F) {
	f.Add("30: wlan0    inet 192.168.1.6/24 brd 192.168.1.255\n")
	f.Add("1: lo: <LOOPBACK,UP>\n    inet 999.0.0.1/8 scope host lo\n")
	f.Fuzz(func(t *testing.T, text string) {
		if ip, ok := parseIP(text); ok {
			require.True(t, ip.IsValid())
		}
	})
}

func TestTCPIP(t *testing.T) {
	f := newFake(t)
	f.setShell(func(line string) answer {
		if line == "5555" || line == "" {
			return answer{out: "restarting in TCP mode port: 5555\n"}
		}
		return answer{out: sectionLabel(0) + "\n30: wlan0    inet 192.168.1.6/24\n"}
	})
	at, err := f.open().TCPIP(t.Context(), 0)
	require.NoError(t, err)
	require.Equal(t, "192.168.1.6:5555", at)

	_, err = f.open().TCPIP(t.Context(), 70000)
	require.ErrorContains(t, err, "65535")
	f.setShell(func(line string) answer {
		if line == "5555" {
			return answer{out: "error: failed to set property\n"}
		}
		return answer{out: sectionLabel(0) + "\n" + sectionLabel(1) + "\n192.168.1.7\n"}
	})
	_, err = f.open().TCPIP(t.Context(), 5555)
	require.ErrorContains(t, err, "failed to set property")
	ip, err := f.open().IP(t.Context())
	require.NoError(t, err)
	require.Equal(t, "192.168.1.7", ip.String())
	f.setShell(func(line string) answer { return answer{} })
	f.ran("")
	_, err = f.open().TCPIP(t.Context(), 5555)
	require.ErrorContains(t, err, "Wi-Fi")
	require.Empty(t, f.ran("5555"), "a phone without a network is left as it is")
}
