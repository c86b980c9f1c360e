package wda_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/wda"
)

// fake is a WebDriverAgent that answers what a test wants, for answers that the simulated one does not give.
type fake struct {
	t      testing.TB
	server *httptest.Server

	mu      sync.Mutex
	answers map[string]func(w http.ResponseWriter, r *http.Request) // by method and path without the session
	seen    []call
	at      int // how many are under way
	most    int
}

// call is a request that the fake got.
type call struct {
	method, path, body string
	length             int64
	chunked            bool
}

func newFake(t testing.TB) *fake {
	f := &fake{t: t, answers: map[string]func(http.ResponseWriter, *http.Request){}}
	f.server = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(f.server.Close)
	f.value("GET /status", map[string]any{"ready": true, "os": map[string]any{"version": "17.5"}, "device": "iphone"})
	f.value("POST /session", map[string]any{"sessionId": "S1", "capabilities": map[string]any{}})
	f.value("DELETE /session/*", nil)
	f.value("POST /appium/settings", map[string]any{})
	f.value("GET /window/size", map[string]any{"width": 100, "height": 200})
	f.value("GET /screenshot", picture(t, 200, 400))
	f.value("POST /wda/tap", nil)
	f.fail("POST /session/none/wda/tap", 404, "invalid session id", "Session does not exist")
	return f
}

func picture(t testing.TB, w, h int) string {
	m := image.NewGray(image.Rect(0, 0, w, h))
	for i := range m.Pix {
		m.Pix[i] = uint8(i * 7)
	}
	m.SetGray(0, 0, color.Gray{255})
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, m))
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// on answers a request, written as method and path without "/session/ID".
func (f *fake) on(what string, answer func(http.ResponseWriter, *http.Request)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answers[what] = answer
}

// value answers with a value in its envelope.
func (f *fake) value(what string, value any) {
	f.on(what, func(w http.ResponseWriter, _ *http.Request) { envelope(w, 200, value) })
}

// fail answers with an error.
func (f *fake) fail(what string, status int, code, message string) {
	f.on(what, func(w http.ResponseWriter, _ *http.Request) { envelopeError(w, status, code, message) })
}

func envelope(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json;charset=UTF-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"value": value, "sessionId": nil})
}

func envelopeError(w http.ResponseWriter, status int, code, message string) {
	envelope(w, status, map[string]any{"error": code, "message": message, "traceback": "(\n\t0 x\n)"})
}

func (f *fake) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	f.mu.Lock()
	f.seen = append(f.seen, call{r.Method, r.URL.RequestURI(), string(body), r.ContentLength, len(r.TransferEncoding) > 0})
	f.at++
	f.most = max(f.most, f.at)
	what := r.Method + " " + r.URL.Path
	answer := f.answers[what]
	if answer == nil && strings.HasPrefix(r.URL.Path, "/session/") {
		_, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/session/"), "/")
		if answer = f.answers[r.Method+" /"+rest]; rest == "" {
			answer = f.answers[r.Method+" /session/*"]
		}
	}
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		f.at--
		f.mu.Unlock()
	}()
	if answer == nil {
		envelopeError(w, 404, "unknown command", "Unhandled endpoint: "+r.URL.Path)
		return
	}
	answer(w, r)
}

// calls returns the requests whose method and path contain what, and forgets nothing.
func (f *fake) calls(what string) []call {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []call
	for _, c := range f.seen {
		if strings.Contains(c.method+" "+c.path, what) {
			all = append(all, c)
		}
	}
	return all
}

// requests returns how often exactly this was asked for.
func (f *fake) requests(what string) int {
	n := 0
	for _, c := range f.calls(what) {
		if c.method+" "+c.path == what {
			n++
		}
	}
	return n
}

func (f *fake) addr() string { return strings.TrimPrefix(f.server.URL, "http://") }

func (f *fake) open(opts *wda.Options) *wda.Driver {
	d, err := patiently(func() (*wda.Driver, error) { return wda.New(f.t.Context(), f.addr(), opts) })
	require.NoError(f.t, err)
	f.t.Cleanup(func() { require.NoError(f.t, d.Close()) })
	return d
}

// freePort returns a port that nobody listens on. It is below those that systems give away by themselves, so that it stays
// free.
func freePort(t testing.TB) int {
	for {
		port := 10_000 + rand.IntN(20_000)
		if l, err := net.Listen("tcp", local(port)); err == nil {
			require.NoError(t, l.Close())
			return port
		}
	}
}

func local(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// hangUp ends the connection without an answer.
func hangUp(w http.ResponseWriter, _ *http.Request) {
	c, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	_ = c.Close()
}

func (c call) String() string { return fmt.Sprintf("%s %s %s", c.method, c.path, c.body) }
