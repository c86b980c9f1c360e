package wda

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/handset-go/handset/driver/sim"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// client is a plain HTTP client of one server.
type client struct {
	t    *testing.T
	s    *Server
	http *http.Client
	id   string // of the session
}

// answer is what came back.
type answer struct {
	status  int
	header  http.Header
	raw     []byte
	value   any
	session any
}

// code returns the code of an error, "" for a success.
func (a answer) code() string {
	m, _ := a.value.(map[string]any)
	s, _ := m["error"].(string)
	return s
}

func (a answer) message() string {
	m, _ := a.value.(map[string]any)
	s, _ := m["message"].(string)
	return s
}

// field walks down the value by names.
func (a answer) field(names ...string) any {
	v := a.value
	for _, n := range names {
		m, _ := v.(map[string]any)
		v = m[n]
	}
	return v
}

// serve starts a phone behind a server.
func serve(t *testing.T, opts *Options, phone *sim.Options) *client {
	t.Helper()
	return serveAt(t, "127.0.0.1:0", opts, phone)
}

func serveAt(t *testing.T, addr string, opts *Options, phone *sim.Options) *client {
	t.Helper()
	if opts == nil {
		opts = &Options{}
	}
	p, err := NewPhone(opts.Profile, phone)
	require.NoError(t, err)
	s, err := Listen(addr, p, opts)
	require.NoError(t, err)
	tr := &http.Transport{}
	t.Cleanup(func() {
		require.NoError(t, s.Close())
		tr.CloseIdleConnections()
	})
	return &client{t: t, s: s, http: &http.Client{Transport: tr}}
}

// open is serve with a session and an app in front.
func open(t *testing.T, opts *Options, app string) *client {
	t.Helper()
	c := serve(t, opts, &sim.Options{Start: app})
	c.newSession(`{"capabilities":{}}`)
	return c
}

func (c *client) newSession(caps string) answer {
	c.t.Helper()
	a := c.do("POST", "/session", caps)
	require.Equal(c.t, 200, a.status, string(a.raw))
	c.id = a.field("sessionId").(string)
	return a
}

// try sends a request. A path that begins with "+" is one of the session.
func (c *client) try(method, path, body string) (answer, error) {
	if rest, ok := strings.CutPrefix(path, "+"); ok {
		path = "/session/" + c.id + rest
	}
	req, err := http.NewRequest(method, c.s.URL()+path, strings.NewReader(body))
	require.NoError(c.t, err)
	resp, err := c.http.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	a := answer{status: resp.StatusCode, header: resp.Header, raw: raw}
	var env struct{ Value, SessionID any }
	if json.NewDecoder(bytes.NewReader(raw)).Decode(&env) == nil {
		a.value, a.session = env.Value, env.SessionID
	}
	return a, err
}

func (c *client) do(method, path, body string) answer {
	c.t.Helper()
	a, err := c.try(method, path, body)
	require.NoError(c.t, err)
	return a
}

// ok is do for a request that must succeed.
func (c *client) ok(method, path, body string) answer {
	c.t.Helper()
	a := c.do(method, path, body)
	require.Equal(c.t, 200, a.status, string(a.raw))
	return a
}

// refuse is do for a request that must fail with a code.
func (c *client) refuse(code errorCode, method, path, body string) answer {
	c.t.Helper()
	a := c.do(method, path, body)
	require.Equal(c.t, code.name, a.code(), string(a.raw))
	require.Equal(c.t, code.status, a.status)
	return a
}

func (c *client) fault(name string) {
	c.t.Helper()
	require.NoError(c.t, c.s.SetFault(name, true))
}

func (c *client) heal(name string) {
	c.t.Helper()
	require.NoError(c.t, c.s.SetFault(name, false))
}

// find returns the id of an element.
func (c *client) find(using, value string) string {
	c.t.Helper()
	body, err := json.Marshal(map[string]string{"using": using, "value": value})
	require.NoError(c.t, err)
	return c.ok("POST", "+/element", string(body)).field("ELEMENT").(string)
}

// log returns the names of the events on the phone.
func (c *client) log() []string {
	var names []string
	for _, e := range c.s.Phone().Log() {
		names = append(names, e.Name)
	}
	return names
}

const (
	settingsApp = "com.apple.Preferences"
	messagesApp = "com.apple.MobileSMS"
	shop        = "com.handset.shop"
	clock       = "com.apple.mobiletimer"
	camera      = "com.apple.camera"
	notes       = "com.handset.notes"
	browser     = "com.apple.mobilesafari"
)
