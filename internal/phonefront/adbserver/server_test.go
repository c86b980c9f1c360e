package adbserver_test

import (
	"bytes"
	"image/png"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/handset-go/handset/internal/phonefront/adbserver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestHostRequests(t *testing.T) {
	s := start(t, adbserver.Phone{Device: newDevice(t, "a14"), Serial: "SIM1", USB: "1-4"})
	tests := []struct{ name, request, want string }{
		{"version", "host:version", "0029"},
		{"devices", "host:devices", "SIM1\tdevice\n"},
		{"devices-l", "host:devices-l", "SIM1                   device usb:1-4 product:shiba model:Pixel_8 device:shiba transport_id:1\n"},
		{"state", "host:get-state", "device"},
		{"state of a serial", "host-serial:SIM1:get-state", "device"},
		{"state by id", "host-transport-id:1:get-state", "device"},
		{"serial", "host-usb:get-serialno", "SIM1"},
		{"devpath", "host:get-devpath", "usb:1-4"},
		{"unknown serial", "host-serial:nobody:get-state", "FAIL device 'nobody' not found"},
		{"no network phone", "host-local:get-state", "FAIL no emulators found"},
		{"unknown id", "host:transport-id:99", "FAIL no device with transport id '99'"},
		{"no id", "host:transport-id:x", "FAIL invalid transport id"},
		{"wait for nothing known", "host-serial:SIM1:wait-for-any-bogus", "FAIL unknown host service"},
		{"connect a name", "host:connect:phone.invalid", "failed to resolve host: 'phone.invalid': Name or service not known"},
		{"unknown", "host:bogus", "FAIL unknown host service"},
		{"pair is newer", "host:pair:123456:1.2.3.4:5", "FAIL unknown host service"},
		{"without a transport", "shell:ls", "FAIL device offline (no transport)"},
		{"connect nobody", "host:connect:127.0.0.1:1", "failed to connect to '127.0.0.1:1': Connection refused"},
		{"connect nothing", "host:connect:", "empty address"},
		{"connect a word", "host:connect:foo:bar", "bad port number 'bar' in 'foo:bar'"},
		{"disconnect nobody", "host:disconnect:1.2.3.4:5", "FAIL no such device '1.2.3.4:5'"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, ask(t, s, tt.request)) })
	}
}

func TestShellV2(t *testing.T) {
	s := start(t, adbserver.Phone{Device: newDevice(t, "a14")})
	require.Equal(t, result{"out\n", "err\n", 7}, shell(t, s, "echo out; echo err >&2; exit 7"))
	require.Equal(t, result{"Physical size: 1080x2400\n", "", 0}, shell(t, s, "wm size"))
}

func TestScreencap(t *testing.T) {
	s := start(t, adbserver.Phone{Device: newDevice(t, "a14")})
	data, err := io.ReadAll(open(t, s, "exec:screencap -p"))
	require.NoError(t, err)
	m, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	require.Equal(t, 1080, m.Bounds().Dx())
}
