package adb

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseBattery(t *testing.T) {
	tests := []struct {
		name, text string
		want       Battery
	}{
		{"on a cable", "Current Battery Service state:\n  AC powered: false\n  USB powered: true\n  Wireless powered: false\n  Max charging current: 500000\n  status: 2\n  health: 2\n  present: true\n  level: 82\n  scale: 100\n  voltage: 4134\n  temperature: 264\n  technology: Li-ion\n",
			Battery{Percent: 82, Charging: true, Plugged: "USB", Celsius: 26.4, Volts: 4.134}},
		{"on battery", "  AC powered: false\r\n  USB powered: false\r\n  status: 3\r\n  level: 41\r\n  scale: 200\r\n  voltage: 3900000\r\n  temperature: -50\r\n", Battery{Percent: 20, Celsius: -5, Volts: 3.9}},
		{"full", "  Wireless powered: true\n  status: 5\n  level: 100\n  scale: 100\n", Battery{Percent: 100, Charging: true, Plugged: "Wireless"}},
		{"full and unplugged", "  status: 5\n  level: 100\n", Battery{Percent: 100}},
		{"a maker's second list", "  level: 7\n  scale: 100\n  OEM:\n  level: 99\n", Battery{Percent: 7}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, ok := parseBattery(tt.text)
			require.True(t, ok)
			require.Equal(t, tt.want, b)
		})
	}
	_, ok := parseBattery("Can't find service: battery\n")
	require.False(t, ok)
}

func FuzzParseBattery(f *testing.F) {
	f.Add("  level: 82\n  scale: 100\n  temperature: 264\n")
	f.Add("  level: 9223372036854775807\n  scale: -1\n")
	f.Fuzz(func(t *testing.T, text string) {
		b, ok := parseBattery(text)
		require.True(t, !ok || b.Percent >= 0 && b.Percent <= 100)
	})
}
