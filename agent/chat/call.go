package chat

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/handset-go/handset/agent"
)

// Reply asks the model. See agent.Model for what it promises, and the package comment for the rest.
// The finish "length" is no error here: the reply is as long as it was allowed to be.
func (c *Client) Reply(ctx context.Context, r *agent.Request, delta func(agent.Delta)) (*agent.Response, error) {
	messages, err := encodeMessages(r.Messages)
	if err != nil {
		return nil, err
	}
	if delta == nil {
		delta = func(agent.Delta) {}
	}
	inner, w := newWatch(ctx, c.options.Limits.Total)
	defer w.stop()
	a := &attempt{client: c, watch: w, start: time.Now(), delta: delta}
	for {
		fields := c.fields(r)
		resp, err := a.ask(inner, c.body(fields, messages))
		if err == nil {
			c.logReply(ctx, resp)
			return resp, nil
		}
		if !c.learn(err, fields) {
			return nil, c.explained(ctx, inner, err)
		}
	}
}

func (c *Client) logReply(ctx context.Context, r *agent.Response) {
	c.log.DebugContext(ctx, "model replied", "endpoint", c.shown, "model", c.options.Model, "finish", r.Finish,
		"first_token", r.Times.FirstToken, "total", r.Times.Total, "prompt_tokens", r.Usage.Prompt, "completion_tokens", r.Usage.Completion)
}

// explained makes the end of the caller's context, or of a limit of ours, of an error that came of it.
func (c *Client) explained(ctx, inner context.Context, err *agent.ModelError) error {
	var limit *limitError
	var network net.Error
	switch {
	case ctx.Err() != nil:
		err.Err = ctx.Err()
	case errors.As(context.Cause(inner), &limit):
		err.Err, err.Message = agent.ErrModelTimeout, limit.Error()
	case errors.As(err.Err, &network) && network.Timeout():
		// The cause is told in words only: it would match context.DeadlineExceeded.
		err.Err, err.Message = agent.ErrModelTimeout, network.Error()
	}
	return err
}

// attempt is one call of the endpoint, with the retries before its first byte.
type attempt struct {
	client *Client
	watch  *watch
	start  time.Time
	delta  func(agent.Delta)
}

func (a *attempt) ask(ctx context.Context, body []byte) (*agent.Response, *agent.ModelError) {
	resp, err := a.post(ctx, body)
	if err != nil {
		return nil, a.client.fail(0, complaint{}, "", inWords(err))
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, a.refusal(resp)
	}
	idle := a.client.options.Limits.Idle
	return a.receive(resp, bufio.NewReader(plainOf(resp, &watched{Reader: resp.Body, watch: a.watch, idle: idle})))
}

// inWords takes the address off a transport error, as it may hold a key, and says what to look at.
func inWords(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	var dial *net.OpError
	if errors.As(err, &dial) && dial.Op == "dial" {
		return fmt.Errorf("%w: check that the server runs and that the base URL is right", err)
	}
	return err
}

func (a *attempt) post(ctx context.Context, body []byte) (*http.Response, error) {
	c := a.client
	r, err := retryablehttp.NewRequestWithContext(ctx, http.MethodPost, c.url.String(), body)
	if err != nil {
		return nil, err
	}
	for key, values := range c.options.Header {
		r.Header[key] = slices.Clone(values)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream, application/json")
	if c.key != "" {
		r.Header.Set("Authorization", "Bearer "+c.key)
	}
	c.log.DebugContext(ctx, "model is asked", "endpoint", c.shown, "model", c.options.Model, "bytes", len(body))
	return c.retrier(a.watch).Do(r)
}

// refusal is the error of a response that is not 200.
func (a *attempt) refusal(resp *http.Response) *agent.ModelError {
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	if err != nil {
		return a.client.fail(resp.StatusCode, complaint{}, "", err)
	}
	said := complaintOf(body)
	if said.RequestID == "" {
		said.RequestID = requestID(resp.Header)
	}
	if to, err := resp.Location(); err == nil {
		said.Message = "moved to " + shown(to)
	}
	return a.client.fail(resp.StatusCode, said, "", said.cause(resp.StatusCode))
}

func requestID(h http.Header) string {
	for _, key := range []string{"X-Request-Id", "X-Generation-Id", "Request-Id", "X-Log-Id"} {
		if id := h.Get(key); id != "" {
			return id
		}
	}
	return ""
}

// plain returns the body without the gzip that a transport may have left on it.
func plain(resp *http.Response) io.Reader { return plainOf(resp, resp.Body) }

func plainOf(resp *http.Response, body io.Reader) io.Reader {
	if resp.Header.Get("Content-Encoding") != "gzip" {
		return body
	}
	return &gunzip{from: body}
}

// gunzip opens the gzip stream at the first read: opening it waits for bytes.
type gunzip struct {
	from io.Reader
	z    *gzip.Reader
}

// Read reads uncompressed bytes.
func (g *gunzip) Read(p []byte) (int, error) {
	if g.z == nil {
		z, err := gzip.NewReader(g.from)
		if err != nil {
			return 0, err
		}
		g.z = z
	}
	return g.z.Read(p)
}

// droppable are the parameters that a reply is possible without.
var droppable = []string{"stream_options", "frequency_penalty", "top_p", "temperature", "max_tokens"}

// refusing are the words by which endpoints refuse a parameter, in lower case.
var refusing = []string{
	"unknown", "unsupported", "not support", "does not support", "unrecognized", "unexpected", "invalid",
	"not permitted", "not allowed", "forbidden", "deprecated", "不支持",
}

// learn finds out whether the endpoint refused one of the fields by its name; if so it is left out, or
// renamed, from now on, and the call may be made again. Each time there is one field less.
func (c *Client) learn(err *agent.ModelError, fields []field) bool {
	if err.Partial != "" || (err.Status != http.StatusBadRequest && err.Status != http.StatusUnprocessableEntity) {
		return false
	}
	if !errors.Is(err, agent.ErrModelConfig) {
		return false
	}
	text := strings.ToLower(err.Message)
	if !slices.ContainsFunc(refusing, func(word string) bool { return strings.Contains(text, word) }) {
		return false
	}
	for _, name := range droppable {
		sent := slices.ContainsFunc(fields, func(f field) bool { return f.key == name })
		if sent && strings.Contains(text, name) {
			c.replace(name, text)
			return true
		}
	}
	return false
}

func (c *Client) replace(name, text string) {
	instead := ""
	if name == "max_tokens" && strings.Contains(text, "max_completion_tokens") {
		instead = "max_completion_tokens"
	}
	c.log.Warn("the endpoint refuses a parameter", "endpoint", c.shown, "parameter", name, "instead", instead)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.replaced[name] = instead
}

// broken is the error of a stream that did not end as streams end.
func broken(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{agent.ErrModelReply}, args...)...)
}
