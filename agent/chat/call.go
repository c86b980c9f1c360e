package chat

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
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
	cause := said.cause(resp.StatusCode)
	if wait := longWait(resp.Header); wait > 0 && errors.Is(cause, agent.ErrModelBusy) {
		back := time.Now().Add(wait).Format("2006-01-02 15:04 MST")
		cause = fmt.Errorf("%w: it asks to be left alone for %v: come back at %s", cause, wait.Round(time.Second), back)
	}
	return a.client.fail(resp.StatusCode, said, "", cause)
}

func requestID(h http.Header) string {
	for _, key := range []string{"X-Request-Id", "X-Generation-Id", "Request-Id", "X-Log-Id"} {
		if id := h.Get(key); id != "" {
			return id
		}
	}
	return ""
}

// broken is the error of a stream that did not end as streams end.
func broken(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{agent.ErrModelReply}, args...)...)
}
