package agent

import (
	"context"
	"time"
)

// Model answers a conversation. Package chat has the client for OpenAI-compatible endpoints; a
// scripted one for tests is a function in a ModelFunc.
//
// Reply must obey ctx. It calls delta, where that is not nil, from one goroutine, in order, for each
// piece of the reply as it arrives, and not after it has returned. The returned Response holds the
// whole reply; what was streamed is for display only. An error is a *ModelError where the endpoint
// said something, and matches the sentinels of this package. The caller may keep the request's
// messages: Reply does not change them.
type Model interface {
	Reply(ctx context.Context, r *Request, delta func(Delta)) (*Response, error)
}

// ModelFunc makes a Model of a function.
type ModelFunc func(ctx context.Context, r *Request, delta func(Delta)) (*Response, error)

// Reply calls f.
func (f ModelFunc) Reply(ctx context.Context, r *Request, delta func(Delta)) (*Response, error) {
	return f(ctx, r, delta)
}

// Role says who speaks in a Message.
type Role string

// The roles of a conversation.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
)

// Message is one turn. Where there is an Image it comes before the Text, as the AutoGLM weights
// were trained.
type Message struct {
	Role  Role
	Text  string
	Image *Image // nil for none
}

// Image is a picture for the model: the encoded bytes and their type, image/png or image/jpeg.
type Image struct {
	Data []byte
	MIME string
}

// Request is what a model is asked.
type Request struct {
	Messages  []Message
	MaxTokens int // of the reply; 0 is the model client's own setting
	// Temperature overrides the model client's own setting where it is not nil.
	Temperature *float64
}

// Delta is a piece of a reply as it arrives. Text is what the model says, with its tags; Thinking
// is what an endpoint sends apart from it (reasoning_content and its other names).
type Delta struct {
	Text     string
	Thinking string
}

// Response is a whole reply.
type Response struct {
	Text     string
	Thinking string // only what came apart from Text
	Finish   string // "stop", "length", ... as the endpoint said it, "" if it did not
	ID       string // the endpoint's id of the request, for its support
	Usage    Usage
	Times    Times
}

// Usage counts tokens as the endpoint reports them; all zero if it does not.
type Usage struct {
	Prompt     int `json:"prompt"`
	Completion int `json:"completion"`
	Total      int `json:"total"`
}

// Add returns the sum of u and v.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.Prompt + v.Prompt, u.Completion + v.Completion, u.Total + v.Total}
}

// Times says how long a reply took, counted from the request.
type Times struct {
	FirstToken  time.Duration `json:"first_token"`  // to the first text or thinking
	ThinkingEnd time.Duration `json:"thinking_end"` // to the first character of the action; 0 if there was none
	Total       time.Duration `json:"total"`
}
