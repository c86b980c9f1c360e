package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// serving runs a command that serves until its context ends; line is what it printed first.
type serving struct {
	line string
	stop func() result
}

func serveCommand(t *testing.T, args ...string) serving {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	var stderr buffer
	a := &app{ctx: ctx, stdin: strings.NewReader(""), stdout: w, stderr: &stderr}
	status := make(chan int, 1)
	go func() {
		status <- a.main(args)
		_ = w.Close()
	}()
	t.Cleanup(cancel)
	out := make([]byte, 1024)
	n, err := r.Read(out)
	require.NoError(t, err, "%s", stderr.String())
	return serving{string(out[:n]), func() result {
		cancel()
		rest, err := io.ReadAll(r)
		require.NoError(t, err)
		return result{<-status, string(rest), stderr.String()}
	}}
}

// get reads a page of a server.
func get(t *testing.T, url string) string {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get(url)
	require.NoError(t, err)
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, resp.StatusCode, "%s", data)
	return string(data)
}

func TestSimServesUntilItIsToldToEnd(t *testing.T) {
	s := serveCommand(t, "sim", "--size", "720x1280", "--density", "320", "--fault", "dump-idle", "--fault", "slow=10ms")
	require.Regexp(t, `^\{"adb":"127\.0\.0\.1:\d+","control":"127\.0\.0\.1:\d+"\}\n$`, s.line)
	at := object(t, s.line)
	require.Empty(t, get(t, "http://"+at["control"].(string)+"/log"))
	conn, err := net.Dial("tcp", at["adb"].(string))
	require.NoError(t, err)
	defer conn.Close()
	r := s.stop()
	require.Empty(t, r.ok(t))
	require.Empty(t, r.err)
	soon(t, "nobody listens there any more", func() bool { // but perhaps another program, which was given the port
		c, err := net.Dial("tcp", at["adb"].(string))
		if err == nil {
			_ = c.Close()
		}
		return err != nil
	})
}

func TestSimUsage(t *testing.T) {
	cases := []struct {
		name string
		args []string
		says string
	}{
		{"profile", []string{"--profile", "a99"}, "a14"},
		{"fault", []string{"--fault", "gravity"}, "gravity"},
		{"size", []string{"--size", "big"}, "WxH"},
		{"density", []string{"--density", "5"}, "ensity"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { run(t, append([]string{"sim"}, c.args...)...).fails(t, exitUsage, c.says) })
	}
	for _, flag := range []string{"--adb", "--control"} {
		run(t, "sim", flag, "127.0.0.1:99999").fails(t, exitUsage, "99999")
	}
}

func TestSimList(t *testing.T) {
	out := run(t, "sim", "--list").ok(t)
	require.Regexp(t, `(?m)^a14 +\S`, out)
	require.Regexp(t, `(?m)^a9 +\S`, out)
	require.Regexp(t, `(?m)^dump-idle +\S`, out)
	list := object(t, run(t, "--json", "sim", "--list").ok(t))
	for _, f := range list["faults"].([]any) {
		name := f.(map[string]any)["name"].(string)
		require.Contains(t, out, name)
	}
	require.NotEmpty(t, list["profiles"])
}

// Every fault that the list names can be switched on as the list writes it.
func TestSimTakesWhatItLists(t *testing.T) {
	var args []string
	for _, f := range object(t, run(t, "--json", "sim", "--list").ok(t))["faults"].([]any) {
		args = append(args, "--fault", f.(map[string]any)["name"].(string))
	}
	s := serveCommand(t, append([]string{"sim"}, args...)...)
	s.stop().ok(t)
}

func TestDemoModelServes(t *testing.T) {
	s := serveCommand(t, "demo-model")
	require.Regexp(t, `^http://127\.0\.0\.1:\d+/v1\n$`, s.line)
	require.Contains(t, get(t, strings.TrimSpace(s.line)+"/models"), "handset-demo")
	r := s.stop()
	require.Equal(t, exitDone, r.status)
	require.Contains(t, r.err, "no intelligence")

	j := serveCommand(t, "demo-model", "--json")
	require.Equal(t, "handset-demo", object(t, j.line)["model"])
	j.stop().ok(t)
	run(t, "demo-model", "--addr", "nowhere:x").fails(t, exitOther, "demo model")
}

func TestConnect(t *testing.T) {
	device, err := android.New(sim.New(nil), nil)
	require.NoError(t, err)
	const at = "127.0.0.1:5555"
	serve(t, adbserver.Phone{Device: device, Serial: at, Away: true})
	run(t, "-d", at, "info").fails(t, exitDevice, "no such device")
	require.Equal(t, "adb:"+at+"\n", run(t, "connect", at).ok(t))
	require.Equal(t, map[string]any{"address": "adb:" + at}, object(t, run(t, "--json", "connect", "127.0.0.1").ok(t)), "the port is 5555, and again is no error")
	run(t, "-d", "adb:"+at, "info").ok(t)
	run(t, "-d", at, "info").ok(t)

	require.Empty(t, run(t, "disconnect", at).ok(t))
	run(t, "-d", at, "info").fails(t, exitDevice, "no such device")
	run(t, "disconnect", at).fails(t, exitDevice, "no such device")
	run(t, "connect", at).ok(t)
	require.Equal(t, map[string]any{"done": "disconnect"}, object(t, run(t, "--json", "disconnect").ok(t)))
	run(t, "-d", at, "info").fails(t, exitDevice, "no such device")

	run(t, "connect", "127.0.0.1:1").fails(t, exitDevice, "connect 127.0.0.1:1")
	run(t, "connect", "127.0.0.1:http").fails(t, exitUsage, "http")
}
