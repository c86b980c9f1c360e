package hdc_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/hdc"
)

const (
	usb     = "7001005458323933328a01bce1c2"
	lan     = "127.0.0.1:5555"
	needKey = "[Fail]ExecuteCommand need connect-key? please confirm a device by help info\r\n"
	denied  = "The device unauthorized.\r\nThe user denied the access for the device.\r\n" +
		"Please execute 'hdc kill' and redo your command,\r\nthen check for a confirmation dialog on your device.\r\n"
	asking = "The device unauthorized.\r\nThis server's public key is not set.\r\n" +
		"Please check for a confirmation dialog on your device.\r\nOtherwise try 'hdc kill' if that seems wrong.\r\n"
	setup = "The communication channel is being established.\r\nPlease wait for several seconds and try again.\r\n"
)

func TestListTargets(t *testing.T) {
	for name, c := range map[string]struct {
		profile, key  string
		faults        []string
		short, long   string
		shell, picked string // without and with -t
	}{
		"usb": {key: usb, short: usb + "\n", long: usb + "\t\tUSB\tConnected\tlocalhost\thdc\n", shell: "hi\n", picked: "hi\n"},
		"lan": {key: lan, short: lan + "\n", long: lan + "\t\tTCP\tConnected\tlocalhost\thdc\n", shell: "hi\n", picked: "hi\n"},
		"refused": {key: lan, faults: []string{hdc.FaultUnauthorized}, short: lan + "\tUnauthorized\n",
			long: lan + "\t\tTCP\tUnauthorized\tlocalhost\thdc\n", shell: "[Fail][E000003]:" + denied, picked: "[Fail][E000003]:" + denied},
		"refused, old tool": {profile: "5.0", key: lan, faults: []string{hdc.FaultUnauthorized}, short: lan + "\n",
			long: lan + "\t\tTCP\tUnauthorized\tlocalhost\thdc\n", shell: "[Fail]" + denied, picked: "[Fail]" + denied},
		"asking": {key: usb, faults: []string{hdc.FaultAuthorizing}, short: usb + "\tUnauthorized\n",
			long: usb + "\t\tUSB\tUnauthorized\tlocalhost\thdc\n", shell: "[Fail][E000002]:" + asking, picked: "[Fail][E000002]:" + asking},
		"just plugged in": {key: usb, faults: []string{hdc.FaultEstablishing + "=1h"}, short: "[Empty]\r\n",
			long: usb + "\t\tUSB\tReady\tlocalhost\thdc\n", shell: "[Fail][E000004]:" + setup, picked: "[Fail][E000004]:" + setup},
		"offline": {key: usb, faults: []string{hdc.FaultOffline}, short: "[Empty]\r\n", long: usb + "\t\tUSB\tOffline\tlocalhost\thdc\n",
			shell: needKey, picked: "[Fail][E001005] Device not found or connected\r\n"},
		"offline, tool of 5.1": {profile: "5.1", key: usb, faults: []string{hdc.FaultOffline}, short: "[Empty]\r\n",
			long: usb + "\t\tUSB\tOffline\tlocalhost\thdc\n", shell: needKey, picked: "[Fail][E001005] Device not found or connected\r\n" + needKey},
		"offline, old tool": {profile: "5.0", key: usb, faults: []string{hdc.FaultOffline}, short: "[Empty]\r\n",
			long: usb + "\t\tUSB\tOffline\tlocalhost\thdc\n", shell: needKey, picked: "[Fail]Device not founded or connected\r\n" + needKey},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDevice(t, &hdc.Options{Key: c.key, Profile: c.profile})
			s := serve(t, nil, d)
			set(t, d, c.faults...)
			require.Equal(t, c.short, out(t, s, "list", "targets"))
			require.Equal(t, c.long, out(t, s, "list", "targets", "-v"))
			require.Equal(t, c.shell, out(t, s, "shell", "echo hi"))
			require.Equal(t, c.picked, out(t, s, "-t", c.key, "shell", "echo hi"))
			require.Equal(t, c.shell, out(t, s, "-t", "", "shell", "echo hi"))
			require.Equal(t, "[Fail]Not match target founded, check connect-key please\r\n", out(t, s, "-t", "nosuch", "shell", "echo hi"))
		})
	}
}

// The text for two phones is the same as that for none.
func TestSeveralTargets(t *testing.T) {
	one, two := newDevice(t, &hdc.Options{Key: lan}), newDevice(t, &hdc.Options{Key: "10.9.0.2:5556"})
	s := serve(t, &hdc.ServerOptions{Serial: "COM1"}, one, two)
	require.Equal(t, "10.9.0.2:5556\n127.0.0.1:5555\n", out(t, s, "list", "targets"))
	require.Equal(t, "COM1\t\tUART\tReady\tunknown...\thdc\n10.9.0.2:5556\t\tTCP\tConnected\tlocalhost\thdc\n"+
		"127.0.0.1:5555\t\tTCP\tConnected\tlocalhost\thdc\n", out(t, s, "list", "targets", "-v"))
	require.Equal(t, needKey, out(t, s, "shell", "echo hi"))
	require.Equal(t, "two\n", out(t, s, "-t", "10.9.0.2:5556", "shell", "echo two"))
	require.Equal(t, "one\n", out(t, s, "-t127.0.0.1:5555", "shell", "echo one"))
	set(t, two, hdc.FaultOffline)
	require.Equal(t, "one\n", out(t, s, "shell", "echo one"))

	none := serve(t, nil)
	require.Equal(t, needKey, out(t, none, "shell", "echo hi"))
	require.Equal(t, "[Empty]\r\n", out(t, none, "list", "targets"))
	require.Equal(t, "[Empty]\r\thdc\n", out(t, none, "list", "targets", "-v"))
}

func TestTconn(t *testing.T) {
	d := newDevice(t, &hdc.Options{Key: lan})
	s := serve(t, nil)
	s.Reach(d)
	for _, step := range []struct{ args, want string }{
		{"10.0.0.1:5555", "[Fail]Connect failed\r\n"},
		{lan, "Connect OK\r\n"},
		{lan, "[Info]Target is connected, repeat operation\r\n"},
		{"127.0.0.1", "[Fail]CreateConnect failed\r\n"},
		{"", "[Fail]CreateConnect failed\r\n"},
		{"nohost:5555", "[Fail][E001104]:IP address incorrect\n"},
		{"127.0.0.1:99999", "[Fail]IP:Port incorrect\n"},
		{"127.0.0.1:5555x", "[Fail]Port incorrect\n"},
	} {
		args := []string{"tconn"}
		if step.args != "" {
			args = append(args, step.args)
		}
		require.Equal(t, step.want, out(t, s, args...), step.args)
	}
	require.Equal(t, "10.0.0.1:5555\t\tTCP\tOffline\tunknown...\thdc\n127.0.0.1:5555\t\tTCP\tConnected\tlocalhost\thdc\n", out(t, s, "list", "targets", "-v"))
	require.Empty(t, out(t, s, "tconn", lan, "-remove"))
	require.Equal(t, "[Fail]No target available\r\n", out(t, s, "tconn", lan, "-remove"))
	require.Equal(t, "[Empty]\r\n", out(t, s, "list", "targets"))
	set(t, d, hdc.FaultUnauthorized)
	require.Equal(t, "Connect OK\r\n", out(t, s, "tconn", lan), "whether or not it lets us in")
	set(t, d, hdc.FaultOffline)
	require.Equal(t, "[Fail]Connect failed\r\n", out(t, s, "tconn", lan))
	require.Equal(t, "[Fail][E001005] Device not found or connected\r\n", out(t, s, "-t", lan, "shell", "echo"))
}

// A daemon that dies in mid-call cuts the output and leaves no other trace in the call.
func TestDeathInMidCall(t *testing.T) {
	d := newDevice(t, &hdc.Options{Key: lan})
	s := serve(t, nil, d)
	set(t, d, hdc.FaultDiesMidCall)
	require.Equal(t, "start\n", out(t, s, "shell", "echo start; sleep 60; echo end"))
	require.Equal(t, "[Empty]\r\n", out(t, s, "list", "targets"))
	require.Equal(t, lan+"\t\tTCP\tOffline\tlocalhost\thdc\n", out(t, s, "list", "targets", "-v"))
	require.Equal(t, needKey, out(t, s, "shell", "echo hi"))
	require.Equal(t, "Connect OK\r\n", out(t, s, "tconn", lan))
	require.Equal(t, "hi\n", out(t, s, "shell", "echo hi"))
}

// A phone that was just plugged in is there after a while.
func TestPluggedIn(t *testing.T) {
	var passed atomic.Int64
	begin := time.Now()
	d := newDevice(t, &hdc.Options{Now: func() time.Time { return begin.Add(time.Duration(passed.Load())) }})
	s := serve(t, nil, d)
	set(t, d, hdc.FaultEstablishing+"=10s")
	require.Equal(t, "[Fail][E000004]:"+setup, out(t, s, "shell", "echo hi"))
	ready := make(chan output, 1)
	go func() { ready <- run(t, s, "", "wait") }()
	select {
	case <-ready:
		t.Error("the phone is not there yet")
	case <-time.After(150 * time.Millisecond): // it looks every 50 ms
	}
	passed.Store(int64(10 * time.Second))
	require.Empty(t, <-ready)
	require.Equal(t, "hi\n", out(t, s, "shell", "echo hi"))
}

func TestDeathInATransfer(t *testing.T) {
	s, d := onePhone(t, "")
	for _, args := range [][]string{{"file", "recv", "/system/bin/sh"}, {"file", "send", "/dev/null", "/data/local/tmp/x"}} {
		set(t, d, hdc.FaultDiesMidCall)
		require.Empty(t, out(t, s, args...))
		require.Equal(t, hdc.Offline, d.State())
	}
}

func TestDeathAfterInput(t *testing.T) {
	s, d := onePhone(t, "")
	set(t, d, hdc.FaultDropAfterSend)
	require.Equal(t, "hi\n", out(t, s, "shell", "echo hi"), "no input, no death")
	require.Empty(t, out(t, s, "shell", "uitest uiInput click 100 100; echo NONCE=$?"))
	require.Len(t, d.Phone().Events("tap"), 1)
	require.Equal(t, hdc.Offline, d.State())
	require.NoError(t, d.SetFault(hdc.FaultDropAfterSend, false))
	require.Equal(t, hdc.Connected, d.State())
	s.Unplug(d.Key())
	require.Equal(t, "[Empty]\r\n", out(t, s, "list", "targets"))
	s.Plug(d)
	require.Equal(t, usb+"\n", out(t, s, "list", "targets"))
}
