package adb

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

func TestParseDevices(t *testing.T) {
	tests := []struct {
		name, line string
		want       listed
	}{
		{"usb", "0123456789abcdef       device usb:2-1 product:MyProduct model:My_Model device:MyDevice transport_id:1",
			listed{serial: "0123456789abcdef", state: "device", model: "My Model", product: "MyProduct", path: "usb:2-1"}},
		{"network", "192.0.2.1:5555\tdevice product:p model:m device:d trandport_id:2",
			listed{serial: "192.0.2.1:5555", state: "device", model: "m", product: "p"}},
		{"a serial with spaces", "adb-0123AB-CDefg (2)._adb-tls-connect._tcp device product:b model:Pixel_10 device:b transport_id:3",
			listed{serial: "adb-0123AB-CDefg (2)._adb-tls-connect._tcp", state: "device", model: "Pixel 10", product: "b"}},
		{"a bare path", "12345678               device 3-1 product:m model:X device:m transport_id:2",
			listed{serial: "12345678", state: "device", model: "X", product: "m", path: "3-1"}},
		{"unauthorized", "0123456789abcdef       unauthorized usb:1-4 transport_id:3", listed{serial: "0123456789abcdef", state: "unauthorized", path: "usb:1-4"}},
		{"offline", "127.0.0.1:5603         offline transport_id:3\r", listed{serial: "127.0.0.1:5603", state: "offline"}},
		{"short form", "emulator-5554\tdevice", listed{serial: "emulator-5554", state: "device"}},
		{"no permissions", "1A2B3C4D5E6F           no permissions (user in plugdev group; are your udev rules wrong?); see [http://developer.android.com/tools/device.html] usb:1-4 transport_id:1",
			listed{serial: "1A2B3C4D5E6F", state: "no permissions (user in plugdev group; are your udev rules wrong?); see [http://developer.android.com/tools/device.html]", path: "usb:1-4"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, []listed{tt.want}, parseDevices(tt.line+"\n"))
			require.Equal(t, []listed{tt.want}, parseDevices(tt.line), "without a line end")
		})
	}
	require.Empty(t, parseDevices("* daemon not running; starting now at tcp:5037\n* daemon started successfully\nList of devices attached\n"+
		"adb server version (41) doesn't match this client (39); killing...\n\n"))
}

// TestParseDevicesOfRealServers reads lists that were seen, where a folder with them is at hand.
func TestParseDevicesOfRealServers(t *testing.T) {
	dir := os.Getenv("HANDSET_SAMPLES")
	if dir == "" {
		t.Skip("HANDSET_SAMPLES names no folder with samples")
	}
	data, err := os.ReadFile(filepath.Join(dir, "adb", "devices_l_variants.txt"))
	require.NoError(t, err)
	all := 0
	for _, part := range strings.Split(string(data), "###")[1:] {
		_, lines, _ := strings.Cut(part, "\n")
		for _, d := range parseDevices(lines) {
			all++
			require.NotContains(t, d.serial, "*")
			first, _, _ := strings.Cut(d.state, " ")
			require.Contains(t, []string{"device", "unauthorized", "offline", "no"}, first, "%+v", d)
		}
	}
	require.Equal(t, 13, all)
}

func TestEveryStateHasAdvice(t *testing.T) {
	for _, state := range []string{"unauthorized", "authorizing", "offline", "connecting", "recovery", "rescue", "sideload", "bootloader", "host", "detached", "no permissions (x)", "future"} {
		d := listed{serial: "S", state: state}
		require.NotEmpty(t, d.device().Advice, state)
		require.False(t, d.device().Usable(), state)
		require.Error(t, d.problem(), state)
		require.ErrorContains(t, d.problem(), d.advice(), state)
	}
	ready := listed{serial: "a (2)", state: "device"}
	require.Equal(t, driver.Device{Address: "adb:a (2)", Platform: "android", State: "device"}, ready.device())
	require.NoError(t, ready.problem())
}

func TestChoose(t *testing.T) {
	one := listed{serial: "ONE", state: "device", path: "usb:1-4"}
	two := listed{serial: "192.0.2.1:5555", state: "device"}
	off := listed{serial: "OFF", state: "offline"}
	shy := listed{serial: "SHY", state: "unauthorized"}
	tests := []struct {
		name, serial string
		all          []listed
		want         string
		err          error
		text         string
	}{
		{"the only one", "", []listed{one}, "ONE", nil, ""},
		{"the only one that works", "", []listed{off, one, shy}, "ONE", nil, ""},
		{"several", "", []listed{one, two}, "", driver.ErrSeveralDevices, "ONE (device), 192.0.2.1:5555 (device)"},
		{"none", "", nil, "", driver.ErrNoDevice, "USB debugging"},
		{"only one that is offline", "", []listed{off}, "", driver.ErrOffline, "plug"},
		{"by serial", "ONE", []listed{off, one, two}, "ONE", nil, ""},
		{"without the port", "192.0.2.1", []listed{one, two}, "192.0.2.1:5555", nil, ""},
		{"by path", "usb:1-4", []listed{two, one}, "ONE", nil, ""},
		{"unauthorized", "SHY", []listed{one, shy}, "", driver.ErrUnauthorized, "allow USB debugging"},
		{"unknown", "NO", []listed{one, shy}, "", driver.ErrNoDevice, "ONE (device), SHY (unauthorized)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := choose(tt.all, tt.serial)
			if tt.err != nil {
				require.ErrorIs(t, err, tt.err)
				require.ErrorContains(t, err, tt.text)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, got.serial)
		})
	}
}

func TestFailures(t *testing.T) {
	tests := []struct {
		text string
		want error
	}{
		{"device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set\nTry 'adb kill-server' if that seems wrong.", driver.ErrUnauthorized},
		{"device still authorizing", driver.ErrUnauthorized},
		{"device offline", driver.ErrOffline},
		{"device offline (no transport)", driver.ErrOffline},
		{"device still connecting", driver.ErrOffline},
		{"device 'x' not found", driver.ErrNoDevice},
		{"no devices/emulators found", driver.ErrNoDevice},
		{"no device with transport id '99'", driver.ErrNoDevice},
		{"more than one device/emulator", driver.ErrSeveralDevices},
		{"closed", errRefused},
	}
	for _, tt := range tests {
		err := newFailure("host:transport:x", tt.text)
		require.ErrorIs(t, err, tt.want, tt.text)
		require.NotContains(t, err.Error(), "\n")
	}
	require.ErrorContains(t, newFailure("shell,v2,raw:true", "closed"), cureRefused)
	require.ErrorContains(t, newFailure("localabstract:x", "closed"), cureNobody)
	require.Equal(t, "adb refused bogus: unknown host service", newFailure("host:bogus:secret text", "unknown host service").Error())
}

func TestDevicesAndNewOverTheSocket(t *testing.T) {
	f := newFake(t)
	f.devices = "adb-1 (2)._adb-tls-connect._tcp device product:p model:Pixel_9 device:d transport_id:3\nSHY unauthorized transport_id:4\n"
	opts := &Options{Server: f.addr, NoStart: true, PlainShell: true}
	got, err := Devices(t.Context(), opts)
	require.NoError(t, err)
	require.Equal(t, []driver.Device{
		{Address: "adb:adb-1 (2)._adb-tls-connect._tcp", Platform: "android", State: "device", Model: "Pixel 9"},
		{Address: "adb:SHY", Platform: "android", State: "unauthorized", Advice: cureUnauthorized},
	}, got)

	d, err := New(t.Context(), "", opts)
	require.NoError(t, err)
	desc, err := d.Describe(t.Context())
	require.NoError(t, err)
	require.Equal(t, "adb:adb-1 (2)._adb-tls-connect._tcp", desc.Address)
	require.Equal(t, "14", desc.OSVersion)
	require.Equal(t, "Fake Phone", desc.Model)
	require.Contains(t, desc.Ops, driver.OpType)
	require.NoError(t, d.Close())

	again, err := driver.Open(t.Context(), desc.Address+"?start=false&resident=false&server="+f.addr)
	require.NoError(t, err, "the address that a driver gives is one that Open takes")
	require.NoError(t, again.Close())

	_, err = New(t.Context(), "SHY", opts)
	require.ErrorIs(t, err, driver.ErrUnauthorized)
	require.ErrorContains(t, err, "open adb:SHY: ")
}

func TestDescriptorsAndRefusals(t *testing.T) {
	f := newFake(t)
	f.host = func(service string) (string, bool) {
		if strings.HasPrefix(service, "host:transport:") {
			return "device offline", true
		}
		return "", false
	}
	before := openFiles(t)
	for range 30 {
		_, err := New(t.Context(), "", &Options{Server: f.addr, NoStart: true})
		require.ErrorIs(t, err, driver.ErrOffline)
	}
	require.Eventually(t, func() bool { return openFiles(t) < before+15 }, 20*time.Second, 10*time.Millisecond,
		"a refused transport must not keep its socket")
}

func TestParseServer(t *testing.T) {
	tests := []struct{ in, network, addr string }{
		{"127.0.0.1:5037", "tcp", "127.0.0.1:5037"}, {"localhost:5038", "tcp", "127.0.0.1:5038"}, {"tcp:5039", "tcp", "127.0.0.1:5039"},
		{"tcp:host:1", "tcp", "host:1"}, {"5040", "tcp", "127.0.0.1:5040"}, {"tcp:[::1]:5", "tcp", "[::1]:5"}, {"host", "tcp", "host:5037"},
		{"unix:/tmp/s", "unix", "/tmp/s"}, {"localfilesystem:/tmp/s", "unix", "/tmp/s"},
		{"local:/tmp/s", "unix", "/tmp/s"}, {"localabstract:s", "unix", "@s"},
	}
	for _, tt := range tests {
		network, addr, err := parseServer(tt.in)
		require.NoError(t, err, tt.in)
		require.Equal(t, tt.network+" "+tt.addr, network+" "+addr, tt.in)
	}
	for _, bad := range []string{"", "host:0", "host:99999", "a b:1", "host:port"} {
		_, _, err := parseServer(bad)
		require.Error(t, err, bad)
	}
}

func TestFromEnv(t *testing.T) {
	sdk := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(sdk, "platform-tools"), 0o755))
	tool := filepath.Join(sdk, "platform-tools", "adb")
	require.NoError(t, os.WriteFile(tool, []byte("#!/bin/sh\n"), 0o755))
	env := func(m map[string]string) func(string) string { return func(k string) string { return m[k] } }
	t.Setenv("PATH", t.TempDir())
	require.Equal(t, &Options{}, FromEnv(env(nil)))
	require.Equal(t, &Options{Server: "tcp:h:1"}, FromEnv(env(map[string]string{"ADB_SERVER_SOCKET": "tcp:h:1", "ANDROID_ADB_SERVER_PORT": "2"})))
	require.Equal(t, &Options{Server: "127.0.0.1:2", ADB: tool}, FromEnv(env(map[string]string{"ANDROID_ADB_SERVER_PORT": "2", "ANDROID_HOME": sdk})))
	require.Equal(t, &Options{Server: "h:5037"}, FromEnv(env(map[string]string{"ANDROID_ADB_SERVER_ADDRESS": "h", "ANDROID_SDK_ROOT": "/nowhere"})))
}

func TestAddressOptions(t *testing.T) {
	var o Options
	a, err := driver.ParseAddress("adb:X?server=h:1&adb=/bin/adb&start=false&keyboard=a.b/.C&compressed=true&limit=3s" +
		"&windows=true&tree_server=false&screens=raw&resident=false&scrcpy=auto")
	require.NoError(t, err)
	require.NoError(t, o.setAddress(a))
	require.Equal(t, Options{
		Server: "h:1", ADB: "/bin/adb", NoStart: true, Keyboard: "a.b/.C", CompressedTree: true, Limit: 3 * time.Second,
		AllWindows: true, NoTreeServer: true, Screens: "raw", PlainShell: true, Scrcpy: "auto",
	}, o)
	for _, bad := range []string{"adb:X?sever=1", "adb:X?start=perhaps", "adb:X?limit=soon"} {
		a, err := driver.ParseAddress(bad)
		require.NoError(t, err)
		require.Error(t, (&Options{}).setAddress(a), bad)
		_, err = driver.Open(t.Context(), bad)
		require.Error(t, err, bad)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, bad := range []*Options{{Server: "x y"}, {Keyboard: "no component"}, {Apps: map[string]string{"Shop": "; rm"}}} {
		_, err := New(t.Context(), "X", bad)
		require.Error(t, err)
	}
	apps := map[string]string{"Shop": "com.example.shop"}
	o, err := (&Options{Apps: apps}).withDefaults()
	require.NoError(t, err)
	apps["Shop"] = "changed"
	require.Equal(t, "com.example.shop", o.Apps["Shop"], "options are copied")
}

func TestNoServerAndNoADB(t *testing.T) {
	nobody := refusing(t)
	tests := []struct {
		name string
		opts Options
		text string
	}{
		{"no adb", Options{ADB: "/no/such/adb"}, "install the Android platform-tools"},
		{"not started", Options{NoStart: true}, "run adb start-server"},
		{"elsewhere", Options{Server: "unix:" + filepath.Join(t.TempDir(), "none")}, "start one there"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := tt.opts
			if o.Server == "" {
				o.Server = nobody
			}
			_, err := New(t.Context(), "", &o)
			require.ErrorIs(t, err, ErrNoServer)
			require.ErrorContains(t, err, tt.text)
			_, err = Devices(t.Context(), &o)
			require.ErrorIs(t, err, ErrNoServer)
		})
	}
}

// TestStartsTheServer has a script in adb's place, as it must be called with just these words: adb
// calls no address with a host its own.
func TestStartsTheServer(t *testing.T) {
	nobody := refusing(t)
	dir := t.TempDir()
	tool := filepath.Join(dir, "adb")
	require.NoError(t, os.WriteFile(tool, []byte("#!/bin/sh\necho \"$@\" >"+dir+"/args\necho 'cannot bind' >&2\nexit 1\n"), 0o755))
	_, err := Devices(t.Context(), &Options{Server: nobody, ADB: tool})
	require.ErrorIs(t, err, ErrNoServer)
	require.ErrorContains(t, err, "cannot bind")
	args, err := os.ReadFile(filepath.Join(dir, "args"))
	require.NoError(t, err)
	_, port, _ := strings.Cut(nobody, ":")
	require.Equal(t, "-L tcp:"+port+" start-server\n", string(args))
}

// overLocalSocket gives a fake server a local socket beside its port.
func overLocalSocket(t *testing.T, f *fake) string {
	path := filepath.Join(t.TempDir(), "adb.socket")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Skip("no local sockets here: ", err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer c.Close()
				s, err := net.Dial("tcp", f.addr)
				if err != nil {
					return
				}
				wg.Go(func() { _, _ = io.Copy(s, c); _ = s.Close() })
				_, _ = io.Copy(c, s)
			})
		}
	})
	t.Cleanup(func() {
		require.NoError(t, l.Close())
		wg.Wait()
	})
	return "unix:" + path
}

func TestConnectOverALocalSocket(t *testing.T) {
	f := newFake(t)
	f.says = map[string]string{
		"host:connect:":    frame("failed to connect to '192.0.2.9:5555': Connection refused"),
		"host:disconnect:": frame("disconnected 192.0.2.9:5555"),
	}
	opts := &Options{Server: overLocalSocket(t, f), NoStart: true}
	v, err := ServerVersion(t.Context(), opts)
	require.NoError(t, err)
	require.Equal(t, 41, v)
	require.NoError(t, Disconnect(t.Context(), "192.0.2.9", opts))
	require.NoError(t, DisconnectAll(t.Context(), opts))
	_, err = Connect(t.Context(), "192.0.2.9", opts)
	require.ErrorContains(t, err, "connect 192.0.2.9: ")
	require.ErrorContains(t, err, "Connection refused")
}

// TestTheSerialOfTheEnvironment holds that the phone is the one that adb would take.
func TestTheSerialOfTheEnvironment(t *testing.T) {
	f := newFake(t)
	t.Setenv("ADB_SERVER_SOCKET", "tcp:"+f.addr)
	t.Setenv("ANDROID_SERIAL", "elsewhere")
	_, err := driver.Open(t.Context(), "adb:?start=false")
	require.ErrorIs(t, err, driver.ErrNoDevice)
	require.ErrorContains(t, err, "elsewhere")
	d, err := driver.Open(t.Context(), "adb:"+fakeSerial+"?start=false")
	require.NoError(t, err, "an address goes before it")
	require.NoError(t, d.Close())
}

func TestConnect(t *testing.T) {
	f := newFake(t)
	var asked []string
	f.host = func(service string) (string, bool) {
		if strings.HasPrefix(service, "host:connect:") || strings.HasPrefix(service, "host:disconnect:") {
			asked = append(asked, service)
			return "no such device '192.0.2.9:5555'", true
		}
		return "", false
	}
	opts := &Options{Server: f.addr, NoStart: true}
	_, err := Connect(t.Context(), "192.0.2.9", opts)
	require.ErrorContains(t, err, "connect 192.0.2.9: ")
	require.Equal(t, []string{"host:connect:192.0.2.9:5555", "host:disconnect:192.0.2.9:5555"}, asked, "no entry is left that is offline for ever")
	require.ErrorIs(t, Disconnect(t.Context(), "adb:192.0.2.9:5555", opts), driver.ErrNoDevice)
	require.Len(t, asked, 3)
	for _, bad := range []string{"", ":5555", "host:port", "host:70000", "a b"} {
		_, err := Connect(t.Context(), bad, opts)
		require.Error(t, err, bad)
		require.Error(t, Disconnect(t.Context(), bad, opts), bad)
	}
	v, err := ServerVersion(t.Context(), opts)
	require.NoError(t, err)
	require.Equal(t, 41, v)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Connect(ctx, "192.0.2.9", opts)
	require.ErrorIs(t, err, context.Canceled)
}
