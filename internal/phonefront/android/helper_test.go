package android_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
	"github.com/handset-go/handset/internal/phonefront/scrcpy"
)

// web asks a helper over a fresh connection. charset says that the body's is told.
func web(t *testing.T, d *android.Device, socket, method, path, body string, charset bool) (status int, reply string) {
	t.Helper()
	dial := d.Socket(socket)
	require.NotNil(t, dial, socket)
	c := serveDialer(t, dial)
	kind := "application/json"
	if charset {
		kind += "; charset=utf-8"
	}
	go func() {
		_, _ = fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: phone\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", method, path, kind, len(body), body)
	}()
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	require.NoError(t, err)
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	return r.StatusCode, string(b)
}

// rpc calls a method of the uiautomator2 server and returns its result as JSON, or its error.
func rpc(t *testing.T, d *android.Device, method, params string) (result json.RawMessage, code int) {
	t.Helper()
	status, reply := web(t, d, "tcp:9008", "POST", "/jsonrpc/0", `{"jsonrpc":"2.0","id":7,"method":"`+method+`","params":`+params+`}`, true)
	require.Equal(t, 200, status)
	var r struct {
		ID     int
		Result json.RawMessage
		Error  struct{ Code int }
	}
	require.NoError(t, json.Unmarshal([]byte(reply), &r))
	require.Equal(t, 7, r.ID)
	return r.Result, r.Error.Code
}

func xmlOf(t *testing.T, result json.RawMessage) string {
	t.Helper()
	var xml string
	require.NoError(t, json.Unmarshal(result, &xml))
	return xml
}

func TestU2Server(t *testing.T) {
	d := newDevice(t, "")
	require.Nil(t, d.Socket("tcp:9008"))
	set(t, d, android.FaultU2Server)
	status, reply := web(t, d, "tcp:9008", "GET", "/ping", "", false)
	require.Equal(t, 200, status)
	require.Equal(t, "pong", reply)
	status, reply = web(t, d, "tcp:9008", "GET", "/what", "", false)
	require.Equal(t, 404, status)
	require.Equal(t, "Not Found!!!", reply)
	_, reply = web(t, d, "tcp:9008", "GET", "/screenshot/0", "", false)
	require.True(t, strings.HasPrefix(reply, "\x89PNG"))

	result, _ := rpc(t, d, "dumpWindowHierarchy", "[false,50]")
	xml := xmlOf(t, result)
	require.True(t, strings.HasPrefix(xml, "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\r\n<hierarchy rotation=\"0\"><node"))
	require.Contains(t, xml, `visible-to-user="true" bounds="[`)
	require.Contains(t, xml, `display-id="0"`)
	require.Contains(t, xml, `package="com.android.systemui"`, "all windows are in it")
	result, _ = rpc(t, d, "dumpWindowHierarchy", "[false,2]")
	require.Less(t, len(xmlOf(t, result)), len(xml), "what is deeper is left out")

	_, code := rpc(t, d, "noSuchThing", "[]")
	require.Equal(t, -32601, code)
	_, code = rpc(t, d, "click", `["x","y"]`)
	require.Equal(t, -32602, code)
	_, code = rpc(t, d, "click", `[500,300]`)
	require.Zero(t, code)
	require.Len(t, d.Phone().Events("tap"), 1)
	result, _ = rpc(t, d, "deviceInfo", "[]")
	require.Contains(t, string(result), `"sdkInt":34`)
	require.Contains(t, d.HelperRequests(), "u2 GET /ping")

	_, _ = web(t, d, "tcp:9008", "GET", "/stop", "", false)
	require.Nil(t, d.Socket("tcp:9008"), "/stop stops it")
}

func TestU2ReadsASCIIUnlessTold(t *testing.T) {
	d := newDevice(t, "")
	set(t, d, android.FaultU2Server)
	body := `{"jsonrpc":"2.0","id":1,"method":"setClipboard","params":["","你"]}`
	_, _ = web(t, d, "tcp:9008", "POST", "/jsonrpc/0", body, false)
	require.Equal(t, "\ufffd\ufffd\ufffd", d.Phone().Clipboard())
	_, _ = web(t, d, "tcp:9008", "POST", "/jsonrpc/0", body, true)
	require.Equal(t, "你", d.Phone().Clipboard())
}

func TestU2EmojiAreDots(t *testing.T) {
	d := newDevice(t, "")
	set(t, d, android.FaultU2Server)
	openField(t, d)
	d.Phone().InsertText("a😀b")
	result, _ := rpc(t, d, "dumpWindowHierarchy", "[false,50]")
	require.Contains(t, xmlOf(t, result), `text="a..b"`)
}

func TestU2Faults(t *testing.T) {
	d := newDevice(t, "")
	set(t, d, android.FaultU2Server, android.FaultU2Error)
	_, code := rpc(t, d, "dumpWindowHierarchy", "[false,50]")
	require.Equal(t, -32001, code)
	require.NoError(t, d.SetFault(android.FaultU2Error, false))
	set(t, d, android.FaultU2Empty)
	result, _ := rpc(t, d, "dumpWindowHierarchy", "[]")
	require.True(t, strings.HasSuffix(xmlOf(t, result), `<hierarchy rotation="0" />`))

	set(t, d, android.FaultU2Hung)
	c := serveDialer(t, d.Socket("tcp:9008"))
	_, err := io.WriteString(c, "GET /ping HTTP/1.1\r\nHost: phone\r\n\r\n")
	require.NoError(t, err)
	require.NoError(t, c.SetReadDeadline(time.Now().Add(50*time.Millisecond)))
	_, err = c.Read(make([]byte, 1))
	require.Error(t, err, "it stays silent")
}

func TestHelpersExcludeDumps(t *testing.T) {
	for _, fault := range []string{android.FaultU2Server, android.FaultAppium} {
		d := newDevice(t, "")
		set(t, d, fault)
		r := run(t, d, "uiautomator dump")
		require.Equal(t, 1, r.status)
		require.Contains(t, r.stderr, "already registered!")
		require.Contains(t, run(t, d, "dumpsys accessibility").stdout, "Ui Automation[eventTypes=")
	}
	require.NotContains(t, run(t, newDevice(t, ""), "dumpsys accessibility").stdout, "Ui Automation[")
}

func TestU2Jar(t *testing.T) {
	d := newDevice(t, "")
	require.NoError(t, d.FS().WriteFile("/data/local/tmp/u2.jar", scrcpy.File("0"), 0o644))
	const start = "CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main"
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		d.Shell(ctx, start, android.Stdio{Out: io.Discard, Err: io.Discard})
	}()
	require.Eventually(t, func() bool { return d.Listening("tcp:9008") }, 10*time.Second, time.Millisecond)
	_, reply := web(t, d, "tcp:9008", "GET", "/ping", "", false)
	require.Equal(t, "pong", reply)
	require.Contains(t, run(t, d, "ps -A -o PID,ARGS").stdout, "com.wetest.uia2.Main")
	require.Contains(t, run(t, d, start).stderr, "already registered!", "one at a time")
	require.Contains(t, run(t, d, "uiautomator dump").stderr, "already registered!")
	cancel()
	<-ended
	require.False(t, d.Listening("tcp:9008"))
	require.Equal(t, 0, run(t, d, "uiautomator dump").status)
	require.Contains(t, run(t, d, start+" -p x").stderr, "Invalid port: x.")
}

func TestAppiumServer(t *testing.T) {
	d := newDevice(t, "")
	set(t, d, android.FaultAppium)
	status, reply := web(t, d, "tcp:6790", "GET", "/status", "", false)
	require.Equal(t, 200, status)
	require.Contains(t, reply, `"ready":true`)
	_, reply = web(t, d, "tcp:6790", "GET", "/sessions", "", false)
	require.JSONEq(t, `{"sessionId":"None","value":[]}`, reply)

	set(t, d, android.FaultAppiumSession)
	_, reply = web(t, d, "tcp:6790", "GET", "/sessions", "", false)
	var sessions struct{ Value []struct{ ID string } }
	require.NoError(t, json.Unmarshal([]byte(reply), &sessions))
	require.Len(t, sessions.Value, 1)
	own := "/session/" + sessions.Value[0].ID
	status, reply = web(t, d, "tcp:6790", "GET", own+"/source", "", false)
	require.Equal(t, 200, status)
	var source struct{ Value string }
	require.NoError(t, json.Unmarshal([]byte(reply), &source))
	require.Contains(t, source.Value, `<hierarchy index="0" class="hierarchy" rotation="0" width="1080" height="2400">`)
	require.Contains(t, source.Value, "<android.widget.TextView index=")

	status, reply = web(t, d, "tcp:6790", "GET", "/session/other/source", "", false)
	require.Equal(t, 404, status)
	require.Contains(t, reply, "invalid session id")
	_, reply = web(t, d, "tcp:6790", "POST", "/session", `{"capabilities":{"firstMatch":[{}],"alwaysMatch":{}}}`, true)
	require.NotContains(t, reply, sessions.Value[0].ID)
	status, _ = web(t, d, "tcp:6790", "GET", own+"/source", "", false)
	require.Equal(t, 404, status, "a new session replaces the other's")

	set(t, d, android.FaultAppiumOld)
	status, reply = web(t, d, "tcp:6790", "GET", "/status", "", false)
	require.Equal(t, 404, status)
	require.Contains(t, reply, "unknown command")
	status, _ = web(t, d, "tcp:6790", "GET", "/wd/hub/status", "", false)
	require.Equal(t, 200, status)
}

func TestAppiumFaults(t *testing.T) {
	d, err := android.New(sim.New(nil), nil)
	require.NoError(t, err)
	set(t, d, android.FaultAppium, android.FaultAppiumSession, android.FaultAppiumNoRoot, android.FaultAppiumSlow+"=1ms")
	_, reply := web(t, d, "tcp:6790", "GET", "/sessions", "", false)
	id := strings.Split(strings.SplitN(reply, `"id":"`, 2)[1], `"`)[0]
	status, reply := web(t, d, "tcp:6790", "GET", "/session/"+id+"/source", "", false)
	require.Equal(t, 500, status)
	require.Contains(t, reply, "waiting for the root AccessibilityNodeInfo")
	_, _ = web(t, d, "tcp:6790", "DELETE", "/session/"+id, "", false)
	require.Nil(t, d.Socket("tcp:6790"), "DELETE ends the server")
}
