package wda

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"

	"github.com/electricbubble/gwda"

	"github.com/handset-go/handset/driver"
)

// gwda sends through one client of the process, without a context, and writes to it in each call. agentGate is held by
// whoever runs code of gwda, except while its request is under way: several phones work at the same time, and a phone that hangs
// holds up none.
var agentGate = make(chan struct{}, 1)

// agentCall is one call that gwda makes for us: it lends its requests a context and keeps their true outcome, of which gwda
// swallows some and garbles others.
type agentCall struct {
	ctx     context.Context
	request requester
	err     error        // of the last request
	theirs  *http.Client // gwda's own, while it has ours
}

// requester makes a request.
type requester func(ctx context.Context, method, path string, body []byte) (*reply, error)

// viaAgent lets gwda make a call. What its last request came to counts, and then what f returns.
func (d *Driver) viaAgent(ctx context.Context, f func(gwda.WebDriver) error) error {
	return d.agentDo(ctx, d.request, f)
}

func (d *Driver) agentDo(ctx context.Context, request requester, f func(gwda.WebDriver) error) error {
	c := &agentCall{ctx: ctx, request: request}
	return c.run(func() error { return f(d.agent) })
}

func (c *agentCall) run(f func() error) error {
	select {
	case agentGate <- struct{}{}:
	case <-c.ctx.Done():
		return c.ctx.Err()
	}
	c.lend()
	defer c.takeBack()
	err := f()
	if c.err != nil {
		return c.err
	}
	return err
}

// lend gives gwda a client for this call. Whoever lends holds the gate.
func (c *agentCall) lend() {
	c.theirs = gwda.HTTPClient
	gwda.HTTPClient = &http.Client{Transport: c, CheckRedirect: keepRedirect}
}

// takeBack leaves gwda as it was, for a program that uses it by itself too, and opens the gate.
func (c *agentCall) takeBack() {
	gwda.HTTPClient = c.theirs
	<-agentGate
}

// RoundTrip makes gwda's request by the driver's own way. gwda has no use for the gate meanwhile.
func (c *agentCall) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		body, err = io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
	}
	if len(body) == 0 {
		body = nil
	}
	c.takeBack()
	rep, err := c.request(c.ctx, r.Method, r.URL.RequestURI(), body)
	agentGate <- struct{}{}
	c.lend()
	c.err = err
	if err != nil {
		return nil, err
	}
	return respond(r, rep), nil
}

// respond writes a reply as gwda reads it.
func respond(r *http.Request, rep *reply) *http.Response {
	value := []byte(rep.value)
	if value == nil {
		value = []byte("null")
	}
	body := append(append([]byte(`{"value":`), value...), '}')
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{},
		ContentLength: int64(len(body)), Body: io.NopCloser(bytes.NewReader(body)), Request: r,
	}
}

// inSession returns what makes a request in just this session, as a part of finding one.
func (d *Driver) inSession(id string) requester {
	return func(ctx context.Context, method, path string, body []byte) (*reply, error) {
		if rest, bound := cutSession(path); bound {
			path = "/session/" + id + rest
		}
		return d.single(ctx, method, path, body)
	}
}

// Do runs f with gwda's client of this phone, for what WebDriverAgent can and the driver does not offer. It takes a
// turn as a gesture does. Every request that f makes is bounded by ctx and goes the driver's way: in the session of the day, over
// its connections, with errors that match package driver's and *Error. f must make its calls one after another and in its own
// goroutine, and must not wait for anything else: it holds up what gwda does for the other phones of the process while
// it is not waiting for this one. A program that uses gwda by itself must not do so at the same time. What gwda v0.4.0 cannot do with a current WebDriverAgent is in the package comment.
func (d *Driver) Do(ctx context.Context, f func(gwda.WebDriver) error) error {
	if f == nil {
		return errors.New("wda: Do with nil")
	}
	return d.do(ctx, opDo, limitLaunch, func(ctx context.Context) error { return d.viaAgent(ctx, f) })
}

// opDo is Do in errors. It changes the phone, as far as anybody knows.
const opDo driver.Op = "do"

// newAgent makes gwda's client. Its constructor wants a session, which there is not yet, and a port for its stream of
// frames, which it dials without a limit: both are played to it, and nothing leaves this computer.
func newAgent(ctx context.Context) (gwda.WebDriver, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer func() { _ = l.Close() }()
	var wd gwda.WebDriver
	c := &agentCall{ctx: ctx, request: func(context.Context, string, string, []byte) (*reply, error) {
		return &reply{value: []byte(`{"sessionId":"-"}`)}, nil
	}}
	err = c.run(func() (err error) {
		wd, err = gwda.NewDriver(nil, "http://"+l.Addr().String(), l.Addr().(*net.TCPAddr).Port)
		if err == nil {
			err = wd.Close() // the stream; the rest stays usable
		}
		return err
	})
	return wd, err
}
