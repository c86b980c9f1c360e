package wda

import (
	"bufio"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
)

// speak sends raw bytes and returns what comes back until the server closes, or until the answer is complete.
func (c *client) speak(raw string) (*http.Response, string, *bufio.Reader) {
	c.t.Helper()
	conn, err := net.Dial("tcp", c.s.Addr())
	require.NoError(c.t, err)
	c.t.Cleanup(func() { _ = conn.Close() })
	require.NoError(c.t, conn.SetDeadline(time.Now().Add(time.Minute)))
	_, err = io.WriteString(conn, raw)
	require.NoError(c.t, err)
	br := bufio.NewReader(conn)
	resp, err := http.ReadResponse(br, nil)
	require.NoError(c.t, err)
	body, err := io.ReadAll(resp.Body)
	require.NoError(c.t, err)
	return resp, string(body), br
}

func TestEnvelope(t *testing.T) {
	c := serve(t, nil, nil)
	a := c.ok("GET", "/wda/locked", "")
	require.Equal(t, "{\n  \"sessionId\" : null,\n  \"value\" : false\n}", string(a.raw))
	require.Equal(t, "application/json;charset=UTF-8", a.header.Get("Content-Type"))
	require.Equal(t, "WebDriverAgent/1.0", a.header.Get("Server"))
	require.Equal(t, "*", a.header.Get("Access-Control-Allow-Origin"))
	require.Equal(t, "Content-Type, X-Requested-With", a.header.Get("Access-Control-Allow-Headers"))
	e := c.do("GET", "/alert/text", "")
	require.Equal(t, 404, e.status)
	require.Contains(t, e.field("traceback"), "WebDriverAgentLib")
	require.Equal(t, "", c.do("GET", "/nothing", "").field("traceback"))
}

func TestPrintJSON(t *testing.T) {
	got := string(envelope(200, map[string]any{"a": []any{}, "b": map[string]any{}, "c": []any{1, "x/y<>&"}}, "ID").body)
	require.True(t, json.Valid([]byte(got)))
	require.Equal(t, `{
  "sessionId" : "ID",
  "value" : {
    "a" : [

    ],
    "b" : {

    },
    "c" : [
      1,
      "x\/y<>&"
    ]
  }
}`, got)
}

func TestChunkedBodies(t *testing.T) {
	const chunked = "POST /session HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" +
		"6\r\n{\"capa\r\n11\r\nbilities\" : { } }\r\n0\r\n\r\n"
	t.Run("refused from 16.7.2 on", func(t *testing.T) {
		resp, body, br := serve(t, nil, nil).speak(chunked)
		require.Equal(t, 400, resp.StatusCode)
		require.True(t, resp.Close)
		require.Contains(t, body, "Transfer-Encoding is not supported")
		require.Contains(t, body, "invalid argument")
		_, err := br.ReadByte()
		require.Error(t, err, "the connection is closed")
	})
	t.Run("read before", func(t *testing.T) {
		resp, _, _ := serve(t, &Options{Version: "16.7.1"}, nil).speak(chunked)
		require.Equal(t, 200, resp.StatusCode)
	})
}

func TestBadHTTP(t *testing.T) {
	c := serve(t, nil, nil)
	for name, raw := range map[string]string{
		"no request line":    "nonsense\r\n\r\n",
		"two lengths":        "POST /session HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
		"a length of words":  "POST /session HTTP/1.1\r\nContent-Length: two\r\n\r\n{}",
		"a head of 20 KB":    "GET /status HTTP/1.1\r\nX: " + strings.Repeat("x", 20<<10) + "\r\n\r\n",
		"a negative length":  "POST /session HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
		"a too large length": "POST /session HTTP/1.1\r\nContent-Length: 9999999999\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			resp, body, _ := c.speak(raw)
			require.Equal(t, 400, resp.StatusCode)
			require.True(t, resp.Close)
			require.Contains(t, body, "invalid argument")
		})
	}
}

func TestKeepAlive(t *testing.T) {
	c := serve(t, nil, nil)
	const get = "GET /wda/locked HTTP/1.1\r\nHost: x\r\n\r\n"
	resp, first, br := c.speak(get + get)
	require.Equal(t, 200, resp.StatusCode)
	second, err := http.ReadResponse(br, nil)
	require.NoError(t, err)
	body, err := io.ReadAll(second.Body)
	require.NoError(t, err)
	require.Equal(t, first, string(body), "what was sent at once is answered one after the other")
}

func TestBodies(t *testing.T) {
	c := serve(t, nil, nil)
	big := `{"capabilities":{},"pad":"` + strings.Repeat("x", 200<<10) + `"}`
	c.newSession(big)
	require.Nil(t, c.ok("POST", "+/timeouts", "").value)
	require.Nil(t, c.ok("POST", "+/timeouts", "no json").value)
	c.refuse(errUnknown, "POST", "+/wda/tap", `[1]`)
	c.refuse(errUnknown, "POST", "+/wda/tap", `{"x":null,"y":1}`)
	c.ok("POST", "+/wda/tap", `{"x":"100","y":"100"}`)
}

func TestConnectionFaults(t *testing.T) {
	tap := `{"x":100,"y":400}`
	cases := map[string]struct {
		fault string
		check func(t *testing.T, a answer, err error)
		done  bool // the tap is done nevertheless
	}{
		"reset":          {FaultReset, broken, false},
		"accept-eof":     {FaultAcceptEOF, broken, false},
		"hang-up":        {FaultHangUp, broken, true},
		"hang-up-before": {FaultHangUpNot, broken, false},
		"half-body":      {FaultHalf, broken, true},
		"html-error": {FaultHTML, func(t *testing.T, a answer, err error) {
			require.NoError(t, err)
			require.Equal(t, 502, a.status)
			require.Contains(t, string(a.raw), "<html>")
		}, false},
		"plain-500": {FaultPlain500, func(t *testing.T, a answer, err error) {
			require.NoError(t, err)
			require.Equal(t, 500, a.status)
			require.Equal(t, "Internal Server Error", string(a.raw))
		}, false},
		"post-500": {FaultPost500, func(t *testing.T, a answer, err error) {
			require.NoError(t, err)
			require.Equal(t, 500, a.status)
			require.Equal(t, "unknown error", a.code())
		}, true},
		"bad-json": {FaultBadJSON, func(t *testing.T, a answer, err error) {
			require.NoError(t, err)
			require.Equal(t, 200, a.status)
			require.False(t, json.Valid(a.raw))
		}, true},
		"too-old": {FaultOldForOS, func(t *testing.T, a answer, err error) {
			require.NoError(t, err)
			require.Equal(t, 500, a.status)
			require.Contains(t, a.message(), "waitForQuiescenceIncludingAnimationsIdle:]: unrecognized selector")
		}, false},
	}
	for name, k := range cases {
		t.Run(name, func(t *testing.T) {
			c := open(t, nil, settingsApp)
			c.http.Transport.(*http.Transport).DisableKeepAlives = true
			c.fault(k.fault)
			a, err := c.try("POST", "+/wda/tap", tap)
			k.check(t, a, err)
			want := 0
			if k.done {
				want = 1
			}
			require.Len(t, c.s.Phone().Events("tap"), want, "how often the phone was tapped")
			c.heal(k.fault)
			c.ok("POST", "+/wda/tap", tap)
		})
	}
}

func broken(t *testing.T, _ answer, err error) { require.Error(t, err) }

func TestEmptyBodyIsOfReadsOnly(t *testing.T) {
	c := open(t, nil, settingsApp)
	c.fault(FaultEmpty)
	a := c.do("GET", "+/source", "")
	require.Equal(t, 200, a.status)
	require.Empty(t, a.raw)
	require.NotEmpty(t, c.ok("POST", "+/wda/tap", `{"x":9,"y":300}`).raw)
}

func TestTrickleAndSlowArriveWhole(t *testing.T) {
	c := open(t, nil, settingsApp)
	whole := c.ok("GET", "+/source", "").value
	require.NoError(t, c.s.SetFault(FaultTrickle+"=1ms", true))
	require.NoError(t, c.s.SetFault(FaultSlow+"=1ms", true))
	require.Equal(t, whole, c.ok("GET", "+/source", "").value)
}

func TestDropConnections(t *testing.T) {
	c := open(t, nil, settingsApp)
	c.fault(FaultBusy)
	tap := c.later("POST", "+/wda/tap", `{"x":100,"y":400}`)
	c.queued()
	c.s.DropConnections()
	_, answered := <-tap
	require.False(t, answered)
	c.heal(FaultBusy)
	c.ok("GET", "+/window/size", "") // is behind it in the queue
	require.Len(t, c.s.Phone().Events("tap"), 1, "it is done though nobody waits for the answer")
}

func TestServeHTTP(t *testing.T) {
	p, err := NewPhone("", nil)
	require.NoError(t, err)
	d, err := New(p, nil)
	require.NoError(t, err)
	get := httptest.NewRecorder()
	d.ServeHTTP(get, httptest.NewRequest("GET", "/window/size", nil))
	require.Equal(t, 200, get.Code)
	require.JSONEq(t, `{"sessionId":null,"value":{"width":393,"height":852}}`, get.Body.String())
	chunked := httptest.NewRequest("POST", "/session", strings.NewReader("{}"))
	chunked.TransferEncoding = []string{"chunked"}
	w := httptest.NewRecorder()
	d.ServeHTTP(w, chunked)
	require.Equal(t, 400, w.Code)
	require.Equal(t, "close", w.Header().Get("Connection"))
}

func TestConnectionClose(t *testing.T) {
	_, _, br := serve(t, nil, nil).speak("GET /status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	_, err := br.ReadByte()
	require.ErrorIs(t, err, io.EOF)
}

func TestServedAgain(t *testing.T) {
	addr := freeAddr(t)
	c := serveAt(t, addr, nil, &sim.Options{Start: settingsApp})
	c.newSession(`{"capabilities":{}}`)
	require.NoError(t, c.s.Close())
	_, err := c.try("GET", "/status", "")
	require.Error(t, err)
	c.s.Restart()
	again, err := c.s.Device.Listen(addr)
	require.NoError(t, err)
	defer again.Close()
	require.Nil(t, c.ok("GET", "/status", "").session)
	c.refuse(errSession, "GET", "+/source", "")
	require.Equal(t, settingsApp, c.ok("GET", "/wda/activeAppInfo", "").field("bundleId"), "the phone is where it was")
}

// freeAddr returns an address where nobody listens. Its port is below those that systems give away by themselves, so that it
// stays free.
func freeAddr(t *testing.T) string {
	t.Helper()
	for {
		addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(10_000+rand.IntN(20_000)))
		if l, err := net.Listen("tcp", addr); err == nil {
			require.NoError(t, l.Close())
			return addr
		}
	}
}

func TestUnderWay(t *testing.T) {
	c := open(t, nil, "")
	require.Zero(t, c.s.UnderWay())
	c.fault(FaultHang)
	got := c.later("GET", "/status", "")
	require.Eventually(t, func() bool { return c.s.UnderWay() == 1 }, time.Minute, time.Millisecond)
	c.heal(FaultHang)
	require.Equal(t, 200, (<-got).status)
	require.Zero(t, c.s.UnderWay())
}

func TestCloseEndsWhatHangs(t *testing.T) {
	c := open(t, nil, "")
	c.fault(FaultBusy)
	ended := make(chan error, 1)
	go func() {
		_, err := c.try("POST", "+/wda/tap", `{"x":9,"y":300}`)
		ended <- err
	}()
	c.queued()
	require.NoError(t, c.s.Close())
	require.Error(t, <-ended)
	require.NoError(t, c.s.Close())
}
