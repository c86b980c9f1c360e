package chat_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/agent/chat"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// question is a conversation of one message.
func question(text string) *agent.Request {
	return &agent.Request{Messages: []agent.Message{{Role: agent.RoleUser, Text: text}}}
}

// newClient returns a client without retries, unless o sets them, that is closed with the test.
func newClient(t *testing.T, o chat.Options) *chat.Client {
	t.Helper()
	if o.Retries == nil {
		o.Retries = new(0)
	}
	c, err := chat.New(&o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	return c
}

// serve runs a real server over TCP and returns a client of it.
func serve(t *testing.T, o chat.Options, h http.HandlerFunc) *chat.Client {
	t.Helper()
	s := httptest.NewServer(readFirst(h))
	t.Cleanup(s.Close)
	o.BaseURL = s.URL + "/v1"
	return newClient(t, o)
}

// readFirst reads the request before it answers, as endpoints do: until then a server cannot notice
// that its client has gone.
func readFirst(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		h(w, r)
	}
}

// serveStream serves one stream of events, written as it is.
func serveStream(t *testing.T, o chat.Options, stream string) *chat.Client {
	t.Helper()
	return serve(t, o, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprint(w, stream)
	})
}

// said is the event of a piece of text; events joins events and ends the stream.
func said(text string) string {
	return fmt.Sprintf(`{"choices":[{"index":0,"delta":{"content":%q},"finish_reason":null}]}`, text)
}

const stopped = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`

func events(data ...string) string {
	var b strings.Builder
	for _, d := range append(data, "[DONE]") {
		b.WriteString("data: " + d + "\n\n")
	}
	return b.String()
}

// within fails the test when f takes far longer than anything here should; it says nothing of speed.
func within(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("it did not come back")
	}
}

// virtual runs a server over pipes, inside the bubble of a synctest, so that minutes cost nothing.
func virtual(t *testing.T, o chat.Options, h http.HandlerFunc) *chat.Client {
	t.Helper()
	l := &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
	s := &http.Server{Handler: readFirst(h)}
	go func() { _ = s.Serve(l) }()
	o.HTTPClient = &http.Client{Transport: &http.Transport{DialContext: l.dial}}
	o.BaseURL = "http://model.test/v1"
	c := newClient(t, o)
	t.Cleanup(func() { _ = s.Close() })
	return c
}

type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (l *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case l.conns <- there:
		return here, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error   { close(l.closed); return nil }
func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{} }
