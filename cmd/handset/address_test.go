package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAddress(t *testing.T) {
	cases := []struct{ name, device, kind, want string }{
		{"none is the only one", "", "adb", "adb:"},
		{"none of another type", "", "sim", "sim:"},
		{"an address", "adb:R58M123", "adb", "adb:R58M123"},
		{"an address beats the type", "sim:one", "adb", "sim:one"},
		{"an address with slashes", "adb://192.168.1.9:5555", "adb", "adb://192.168.1.9:5555"},
		{"options", "sim:?size=720x1280", "adb", "sim:?size=720x1280"},
		{"a bare serial", "emulator-5554", "adb", "adb:emulator-5554"},
		{"host and port", "192.168.1.9:5555", "adb", "adb:192.168.1.9:5555"},
		{"a word and a port", "phone:5555", "adb", "adb:phone:5555"},
		{"a path on USB", "usb:1-4", "adb", "adb:usb:1-4"},
		{"spaces", "adb-X (2)._adb-tls-connect._tcp", "adb", "adb:adb-X (2)._adb-tls-connect._tcp"},
		{"a question mark and a percent", "a?b%c", "adb", "adb:a%3Fb%25c"},
		{"an address of IPv6", "[fe80::1]:5555", "adb", "adb:[fe80::1]:5555"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a := &app{cli: &cli{Device: c.device, Type: c.kind}}
			got, err := a.address()
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

func TestAddressWithoutADriver(t *testing.T) {
	serve(t)
	run(t, "-d", "nokia:3310", "info").fails(t, exitDevice, "nokia:3310", "no such device") // a host and its port
	run(t, "-d", "nokia:x", "info").fails(t, exitUsage, `no driver for "nokia"`, "known: adb, ")
	t.Setenv("PHONE_AGENT_DEVICE_TYPE", "nokia")
	run(t, "info").fails(t, exitUsage, "nokia")
	require.Contains(t, feed(t, `finish(message="ok")`, "--device-type", "adb", "parse").ok(t), "finish")
}

// An address that makes no sense is one kind of mistake, whatever in it is wrong.
func TestAddressThatMakesNoSense(t *testing.T) {
	for address, says := range map[string][]string{
		"adb:X?bogus=1":           {`unknown option "bogus"`, "known: adb, compressed", "server"},
		"adb:X?limit=5":           {`option limit: "5": want a time such as`},
		"adb:X?screens=gif":       {"want png or raw"},
		"adb:X?limit=1s&limit=2s": {"given twice"},
		"adb:50%":                 {"write a % of the device as %25"},
		"hdc:X?bogus=1":           {`unknown option "bogus"`, "known: lang, limit, png"},
		"hdc:X?png=maybe":         {`"maybe": want true or false`},
		"wda:X?bogus=1":           {`unknown option "bogus"`, "known: lang, limit, mjpeg"},
		"wda:X?port=99999":        {"want 1 to 65535"},
		"wda:X?port=many":         {`"many": want a number`},
		"wda://host:port":         {"want HOST:PORT"},
		"sim:?bogus=1":            {`unknown option "bogus"`, "known: asleep"},
		"sim:?size=5":             {"want WIDTHxHEIGHT"},
		"foo:bar":                 {"known: adb, hdc, sim, wda"},
	} {
		t.Run(address, func(t *testing.T) {
			for _, args := range [][]string{{"info"}, {"tap", "1,1"}, {"tree"}, {"run", "task"}} {
				r := run(t, append([]string{"-d", address}, args...)...)
				r.fails(t, exitUsage, says...)
				require.Empty(t, r.out)
				for _, odd := range []string{"strconv", "time:", "ParseBool", "address: "} {
					require.NotContains(t, r.err, odd)
				}
			}
		})
	}
}

func TestVariableOfAdbThatMakesNoSense(t *testing.T) {
	t.Setenv("ADB_SERVER_SOCKET", "bogus")
	for _, args := range [][]string{{"info"}, {"devices"}, {"connect", "127.0.0.1:1"}, {"disconnect"}, {"tcpip"}, {"pair", "127.0.0.1:1", "123456"}} {
		run(t, args...).fails(t, exitUsage, "ADB_SERVER_SOCKET=bogus: want tcp:HOST:PORT")
	}
	run(t, "track", "--count", "1").fails(t, exitUsage, "ADB_SERVER_SOCKET=bogus")
	run(t, "-d", "sim:", "info").ok(t)
}

func TestTypesOfOtherDrivers(t *testing.T) {
	for kind, scheme := range schemes {
		a := &app{cli: &cli{Type: kind}}
		got, err := a.address()
		if err != nil {
			require.ErrorContains(t, err, "PHONE_AGENT_DEVICE_TYPE")
			require.ErrorContains(t, err, kind)
			continue
		}
		require.Equal(t, scheme+":", got)
	}
}

func TestVariables(t *testing.T) {
	t.Setenv("PHONE_AGENT_DEVICE_ID", "sim:")
	require.Contains(t, run(t, "info").ok(t), "Sim One")
	t.Setenv("PHONE_AGENT_DEVICE_ID", "nobody")
	t.Setenv("PHONE_AGENT_DEVICE_TYPE", "sim")
	require.Contains(t, run(t, "info").ok(t), "sim:nobody")
	require.Contains(t, run(t, "-d", "sim:other", "info").ok(t), "sim:other", "an option beats the environment")
	t.Setenv("PHONE_AGENT_LANG", "cn")
	require.Contains(t, run(t, "-d", "sim:", "--yes", "demo-model", "--addr", "nowhere").err, "demo model")
}

// A variable that is set to nothing is one that is not set, as in many files of variables.
func TestEmptyVariables(t *testing.T) {
	for _, name := range []string{"PHONE_AGENT_DEVICE_ID", "PHONE_AGENT_DEVICE_TYPE", "PHONE_AGENT_LANG", "PHONE_AGENT_MAX_STEPS", "PHONE_AGENT_BASE_URL", "PHONE_AGENT_MODEL"} {
		t.Setenv(name, "")
	}
	run(t, "-d", "sim:", "info").ok(t)
	run(t, "-d", "sim:", "run", "--max-steps", "x", "task").fails(t, exitUsage, "max-steps")
	run(t, "-d", "sim:", "run", "").fails(t, exitUsage, "the task is empty")
	t.Setenv("PHONE_AGENT_MAX_STEPS", "x")
	run(t, "-d", "sim:", "run", "task").fails(t, exitUsage, "PHONE_AGENT_MAX_STEPS")
	run(t, "-d", "sim:", "info").ok(t)
}

func TestHelp(t *testing.T) {
	out := run(t, "--help").ok(t)
	for _, word := range []string{
		"devices", "connect", "disconnect", "info", "screenshot", "tree", "tap", "swipe", "key", "type", "launch", "apps", "run", "parse", "sim", "demo-model",
		"PHONE_AGENT_DEVICE_ID", "PHONE_AGENT_DEVICE_TYPE", "PHONE_AGENT_LANG", "130 interrupted",
	} {
		require.Contains(t, out, word)
	}
	// The help is of what there is, whatever is missing on the line.
	for _, command := range []string{"tap", "swipe", "key", "type", "launch", "run", "parse", "sim", "demo-model", "connect", "disconnect", "tree"} {
		require.Contains(t, run(t, command, "--help").ok(t), "Usage: handset "+command)
	}
	help := run(t, "run", "--help").ok(t)
	for _, word := range []string{"PHONE_AGENT_BASE_URL", "http://localhost:8000/v1", "PHONE_AGENT_MODEL", "autoglm-phone-9b", "PHONE_AGENT_API_KEY", "PHONE_AGENT_MAX_STEPS", "pixels"} {
		require.Contains(t, help, word)
	}
}

func TestVerboseTellsNoText(t *testing.T) {
	device, _ := attach(t, nil)
	_, err := device.Phone().StartApp("com.handset.notes")
	require.NoError(t, err)
	focusNote(t)
	r := run(t, "-v", "type", "my secret")
	r.ok(t)
	require.Contains(t, r.err, "msg=type")
	require.NotContains(t, r.err, "secret")
}
