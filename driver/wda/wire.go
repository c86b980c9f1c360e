package wda

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

const (
	// readTries is how often a GET is sent whose answer does not arrive whole.
	readTries = 3
	// readWait is the pause before a GET is sent again; it doubles each time.
	readWait = 100 * time.Millisecond
	// maxBody bounds an answer: a screenshot of an iPad is some 10 MB.
	maxBody = 128 << 20
	// idleLimit is how long a connection is kept that nobody uses. WebDriverAgent keeps them for ever; one over Wi-Fi can
	// be gone without a word, and would cost the next POST, which is never sent again, its whole limit.
	idleLimit = 15 * time.Second
)

// alive finds out about a connection that is gone within some ten seconds, long before the system's own two minutes.
var alive = net.KeepAliveConfig{Enable: true, Idle: 4 * time.Second, Interval: 2 * time.Second, Count: 3}

// wire carries single requests: one pool of connections that are kept alive.
type wire struct {
	target *target
	client *retryablehttp.Client
	pool   *http.Transport
	line   chan struct{} // holds a token while a request is under way that WebDriverAgent does one by one
	aside  func(path string) bool
}

func newWire(t *target) *wire {
	pool := &http.Transport{ // no proxy: HTTP_PROXY is not meant for the phone on the desk
		DialContext:         func(ctx context.Context, _, _ string) (net.Conn, error) { return t.dial(ctx, t.port) },
		MaxIdleConnsPerHost: 4,
		IdleConnTimeout:     idleLimit,
		DisableCompression:  true,
	}
	return &wire{
		target: t, pool: pool, line: make(chan struct{}, 1),
		aside: func(path string) bool { return path == "/status" },
		client: &retryablehttp.Client{
			HTTPClient:   &http.Client{Transport: pool, CheckRedirect: keepRedirect},
			RetryWaitMin: readWait, RetryWaitMax: time.Second, RetryMax: readTries - 1,
			CheckRetry: mayRetry, Backoff: retryablehttp.DefaultBackoff, ErrorHandler: retryablehttp.PassthroughErrorHandler,
		},
	}
}

func keepRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// close ends the connections that nobody uses now.
func (w *wire) close() { w.pool.CloseIdleConnections() }

type methodKey struct{}

// mayRetry lets a GET be sent again whose connection broke, and anything that never left this computer. An answer is never a
// reason: WebDriverAgent says 500 of commands that it has carried out.
func mayRetry(ctx context.Context, _ *http.Response, err error) (bool, error) {
	if err == nil || ctx.Err() != nil {
		return false, nil
	}
	return neverSent(err) || ctx.Value(methodKey{}) == http.MethodGet, nil
}

// neverSent says that the connection could not even be made.
func neverSent(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// answer is what came back on one request.
type answer struct {
	status int
	kind   string // Content-Type
	body   []byte
}

// send makes one request. body is sent with its length, as WebDriverAgent knows no other way. A POST marks the call as sent
// when its head has been written, unless ctx is quiet. A GET whose answer did not arrive whole is sent again, after a pause.
func (w *wire) send(ctx context.Context, method, path string, body []byte) (*answer, error) {
	for n := 1; ; n++ {
		a, err := w.inTurn(ctx, method, path, body)
		incomplete := err == nil && len(a.body) == 0 || errors.Is(err, errHalf)
		if !incomplete || method != http.MethodGet || n == readTries || nap.For(ctx, readWait<<(n-1)) != nil {
			return a, err
		}
	}
}

// inTurn makes one request when WebDriverAgent is free for it.
func (w *wire) inTurn(ctx context.Context, method, path string, body []byte) (*answer, error) {
	if !w.aside(path) {
		select {
		case w.line <- struct{}{}:
			defer func() { <-w.line }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return w.once(ctx, method, path, body)
}

// errHalf: the head of the answer arrived and the rest did not.
var errHalf = errors.New("the answer broke off")

func (w *wire) once(ctx context.Context, method, path string, body []byte) (*answer, error) {
	ctx = context.WithValue(ctx, methodKey{}, method)
	var raw any
	if body != nil {
		raw = body
	}
	marked := ctx
	if method != http.MethodGet && !isQuiet(ctx) {
		marked = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { driver.MarkSent(ctx) }})
	}
	r, err := retryablehttp.NewRequestWithContext(marked, method, w.target.url()+path, raw)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/json")
	if body != nil {
		r.Header.Set("Content-Type", "application/json;charset=UTF-8")
	}
	resp, err := w.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	return read(resp)
}

func read(resp *http.Response) (*answer, error) {
	a := &answer{status: resp.StatusCode, kind: resp.Header.Get("Content-Type")}
	if n := resp.ContentLength; n > 0 && n <= maxBody {
		a.body = make([]byte, n)
		_, err := io.ReadFull(resp.Body, a.body)
		return a, half(err)
	}
	var err error
	a.body, err = io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if len(a.body) > maxBody {
		return nil, fmt.Errorf("an answer of more than %d bytes", maxBody)
	}
	return a, half(err)
}

func half(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", errHalf, err)
}

type quietKey struct{}

// quiet returns a context whose POSTs do nothing that a person would see: they do not mark the call as sent.
func quiet(ctx context.Context) context.Context { return context.WithValue(ctx, quietKey{}, true) }

func isQuiet(ctx context.Context) bool { return ctx.Value(quietKey{}) != nil }
