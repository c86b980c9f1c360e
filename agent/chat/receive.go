package chat

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/handset-go/handset/agent"
)

// receive reads a reply of status 200: a stream of events, or one object from an endpoint that does
// not stream, or something that is no reply.
func (a *attempt) receive(resp *http.Response, body *bufio.Reader) (*agent.Response, *agent.ModelError) {
	g := &gathering{attempt: a, id: requestID(resp.Header), status: resp.StatusCode}
	first, err := firstByte(body)
	switch {
	case err == io.EOF:
		return nil, g.fail(broken("the body is empty"))
	case err != nil:
		return nil, g.fail(broken("the stream broke off: %w", err))
	case first == '<':
		page, _ := io.ReadAll(io.LimitReader(body, maxErrorBody)) // what there is of it will do
		g.said = complaint{Message: pageTitle(page)}
		return nil, g.fail(broken("a web page: check the base URL, which mostly ends in /v1"))
	case first == '{':
		return g.whole(body)
	}
	return g.stream(body)
}

// firstByte returns the first byte that is neither space nor a byte order mark, without taking it.
func firstByte(r *bufio.Reader) (byte, error) {
	for {
		b, err := r.Peek(1)
		if err != nil {
			return 0, err
		}
		if !strings.ContainsRune(" \t\r\n", rune(b[0])) && !bytes.Contains([]byte("\xef\xbb\xbf"), b) {
			return b[0], nil
		}
		if _, err := r.Discard(1); err != nil {
			return 0, err
		}
	}
}

// gathering is a reply as far as it has come.
type gathering struct {
	*attempt
	status   int
	id       string
	said     complaint
	text     strings.Builder
	thinking strings.Builder
	clock    clock
	loop     loopGuard
	finish   string
	usage    agent.Usage
	tools    bool
	done     bool // the end was said: [DONE], or all in one object
}

func (g *gathering) fail(err error) *agent.ModelError {
	if g.said.RequestID == "" {
		g.said.RequestID = g.id
	}
	return g.client.fail(g.status, g.said, g.text.String(), err)
}

// whole reads a reply that was not streamed.
func (g *gathering) whole(body io.Reader) (*agent.Response, *agent.ModelError) {
	data, err := io.ReadAll(io.LimitReader(body, int64(g.eventLimit())+1))
	if err != nil {
		return nil, g.fail(broken("the reply broke off: %w", err))
	}
	if len(data) > g.eventLimit() {
		return nil, g.fail(g.tooLong())
	}
	if failed := g.take(data, "", true); failed != nil {
		return nil, failed
	}
	g.done = true
	return g.response()
}

// stream reads events until the end that the endpoint says, or until the stream ends.
func (g *gathering) stream(body *bufio.Reader) (*agent.Response, *agent.ModelError) {
	events := newEventReader(body, g.eventLimit())
	for !g.done {
		e, err := events.next()
		if err == io.EOF || (err != nil && g.finish != "") {
			break // after a finish nothing but the usage can be missing
		}
		if errors.Is(err, errEventTooLong) {
			return nil, g.fail(g.tooLong())
		}
		if err != nil {
			return nil, g.fail(broken("the stream broke off: %w", err))
		}
		for _, data := range e.payloads() {
			if failed := g.take(data, e.name, e.last); failed != nil {
				return nil, failed
			}
		}
	}
	resp, failed := g.response()
	if g.done {
		g.watch.expect("no end of the connection's stream", afterDone)
		_, _ = io.CopyN(io.Discard, body, 4<<10) // only so that the connection can be used again
	}
	return resp, failed
}

// eventLimit bounds one event: JSON writes one byte in six at worst.
func (g *gathering) eventLimit() int { return 6*g.client.options.MaxReply + 64<<10 }

func (g *gathering) tooLong() error {
	return broken("it is longer than %d bytes and was cut", g.client.options.MaxReply)
}

// take adds the text of one event. last says that the stream ended in it.
func (g *gathering) take(data []byte, name string, last bool) *agent.ModelError {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || g.done {
		return nil
	}
	if string(data) == "[DONE]" {
		g.done = true
		return nil
	}
	if said, failed := complaintIn(data, name == "error"); failed {
		g.said = said
		return g.fail(said.cause(g.status))
	}
	c, err := decodeChunk(data)
	switch {
	case err != nil && last:
		return g.fail(broken("the stream was cut in the middle of an event"))
	case err != nil:
		g.said.Message = bounded(string(data))
		return g.fail(broken("an event of the stream is no JSON object"))
	}
	return g.add(&c)
}

func (g *gathering) add(c *chunk) *agent.ModelError {
	if g.id == "" || c.ID != "" {
		g.id = string(c.ID)
	}
	if c.Usage != nil {
		g.usage = c.Usage.sum()
	}
	first := c.choice()
	if first == nil {
		return nil
	}
	if first.Usage != nil {
		g.usage = first.Usage.sum()
	}
	g.tools = g.tools || first.callsTools()
	if g.finish == "" && first.FinishReason != "" {
		g.finish = string(first.FinishReason)
		g.watch.expect("no end of the stream", afterFinish)
	}
	return g.heard(first.said())
}

// heard adds what the model said, passes it on, and ends a reply that will not end.
func (g *gathering) heard(d agent.Delta) *agent.ModelError {
	if d == (agent.Delta{}) {
		return nil
	}
	g.text.WriteString(d.Text)
	g.thinking.WriteString(d.Thinking)
	g.clock.mark(g.text.Len(), time.Since(g.start))
	g.delta(d)
	switch {
	case g.text.Len()+g.thinking.Len() > g.client.options.MaxReply:
		return g.fail(g.tooLong())
	case g.loop.add(d.Thinking + d.Text):
		return g.fail(broken("it says the same over and over and was cut"))
	}
	return nil
}

// response judges the reply: it is whole where its end or a finish was said.
func (g *gathering) response() (*agent.Response, *agent.ModelError) {
	if err := g.verdict(); err != nil {
		return nil, g.fail(err)
	}
	text := g.text.String()
	return &agent.Response{
		Text: text, Thinking: g.thinking.String(), Finish: g.finish, ID: g.id, Usage: g.usage,
		Times: agent.Times{
			FirstToken:  g.clock.first(),
			ThinkingEnd: g.clock.at(actionStart(text)),
			Total:       time.Since(g.start),
		},
	}, nil
}

func (g *gathering) verdict() error {
	text := g.text.String()
	switch g.finish {
	case "content_filter", "sensitive": // the second is BigModel's
		return agent.ErrContentPolicy
	case "model_context_window_exceeded": // z.ai
		return agent.ErrContextTooLong
	case "error", "network_error":
		return broken("the endpoint ended it as %s", g.finish)
	case "":
		if !g.done {
			return broken("the stream ended without a sign of its end")
		}
	}
	switch {
	case text == "" && g.thinking.Len() == 0 && g.tools:
		return broken("the model called a tool instead of answering")
	case text == "" && g.thinking.Len() == 0 && g.finish != "length":
		return broken("it is empty")
	}
	return nil
}
