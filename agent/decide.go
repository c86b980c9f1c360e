package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/handset-go/handset/action"
)

// decision is what the model answered to an observation.
type decision struct {
	reply action.Reply
	err   error // why the reply could not be read
	raw   string
	usage Usage
	times Times
}

const (
	mostShrinks = 4
	// After so many unreadable replies in a row the model is asked to be a little less certain of itself: at
	// temperature 0 it would write the same again.
	warmAfter       = 2
	warmTemperature = 0.2
)

// decide asks the model what to do; endPreview must follow. An error is one of the model's endpoint, or of ctx.
func (r *Run) decide(ctx context.Context, obs *observation) (*decision, error) {
	r.preview(ctx, obs.epoch)
	resp, err := r.ask(ctx, obs)
	if err != nil {
		return nil, err
	}
	d := &decision{raw: resp.Text, usage: resp.Usage, times: resp.Times}
	d.reply, d.err = r.agent.opt.Dialect.Parse(resp.Text)
	if resp.Finish == "length" {
		d.err = errors.New("the reply was cut off at the token limit: think less and write the action")
	}
	if d.err == nil && d.reply.Action == nil {
		d.err = errors.New("the reply has no action")
	}
	if d.err == nil && strings.ContainsRune(action.Format(d.reply.Action), utf8.RuneError) {
		d.err = errors.New("the action holds a broken character (U+FFFD), which an endpoint makes of half a letter: write the action again")
	}
	if d.reply.Thinking == "" {
		d.reply.Thinking = resp.Thinking
	}
	e := Decided{Head: r.head(), Thinking: d.reply.Thinking, Err: d.err, Usage: d.usage, Times: d.times}
	if d.err == nil {
		e.Action = d.reply.Action
	}
	r.emit(ctx, e)
	return d, nil
}

// ask sends the conversation, shorter each time that the endpoint says it is too long.
func (r *Run) ask(ctx context.Context, obs *observation) (*Response, error) {
	r.info = obs.info(r.outcome)
	for shrinks := 0; ; shrinks++ {
		req := &Request{Messages: r.conv.request(r.info.full, obs.image)}
		if r.guards.unread >= warmAfter {
			t := warmTemperature
			req.Temperature = &t
		}
		resp, err := r.reply(ctx, req)
		if errors.Is(err, ErrContextTooLong) && shrinks < mostShrinks && r.conv.shrink() {
			continue
		}
		if err != nil {
			return nil, err
		}
		r.count(req, resp)
		return resp, nil
	}
}

// reply calls the model and divides what it streams for display.
func (r *Run) reply(ctx context.Context, req *Request) (*Response, error) {
	split := r.agent.opt.Dialect.NewSplitter()
	show := func(parts []action.Part) {
		for _, p := range parts {
			if p.Acting {
				r.emit(ctx, ActionDelta{r.head(), p.Text})
			} else {
				r.emit(ctx, ThinkingDelta{r.head(), p.Text})
			}
		}
	}
	resp, err := r.agent.model.Reply(ctx, req, func(d Delta) {
		if d.Thinking != "" {
			r.emit(ctx, ThinkingDelta{r.head(), d.Thinking})
		}
		show(split.Write(d.Text))
	})
	if err == nil {
		show(split.Flush())
	}
	if err == nil && resp == nil {
		return nil, fmt.Errorf("%w: the model returned nothing", ErrModelReply)
	}
	return resp, err
}

// count adds what a request cost. An endpoint that does not count is estimated.
func (r *Run) count(req *Request, resp *Response) {
	if resp.Usage.Prompt > 0 {
		r.conv.learn(req.Messages, resp.Usage.Prompt)
	}
	u := resp.Usage
	if u == (Usage{}) {
		u = Usage{Prompt: r.conv.estimate(req.Messages), Completion: textTokens(resp.Text) + textTokens(resp.Thinking)}
	}
	if u.Total == 0 {
		u.Total = u.Prompt + u.Completion
	}
	resp.Usage = u
	r.mu.Lock()
	defer r.mu.Unlock()
	r.res.Usage = r.res.Usage.Add(u)
}
