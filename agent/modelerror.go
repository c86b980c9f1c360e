package agent

import (
	"errors"
	"fmt"
	"strings"
)

// Sentinels of model errors. A Model returns them inside a *ModelError; the agent acts on the first.
var (
	// ErrContextTooLong: the conversation does not fit the model. The agent trims it and asks again.
	ErrContextTooLong = errors.New("the conversation is too long for the model")
	// ErrContentPolicy: the endpoint refused to answer for the content of the request.
	ErrContentPolicy = errors.New("the endpoint refused the content")
	// ErrModelConfig: wrong key, unknown model, a bad parameter: asking again does not help.
	ErrModelConfig = errors.New("the model endpoint is not set up right")
	// ErrModelQuota: no money or quota left; asking again does not help.
	ErrModelQuota = errors.New("no credit or quota left at the model endpoint")
	// ErrModelBusy: rate limit or overload, after the retries that were allowed.
	ErrModelBusy = errors.New("the model endpoint is busy")
	// ErrModelReply: what came back is no reply: an HTML page, a broken or cut stream, a loop, nothing at
	// all. Asking once more may help.
	ErrModelReply = errors.New("the model endpoint sent no usable reply")
	// ErrModelTimeout: the client's own limit ran out. It never matches context.DeadlineExceeded.
	ErrModelTimeout = errors.New("the model endpoint took too long")
)

// ModelError is what an endpoint said, or what went wrong on the way to it.
type ModelError struct {
	Endpoint  string // scheme, host and path, without keys
	Status    int    // HTTP status, 0 if there was none
	Code      string // the code in the body, such as "1302" or "context_length_exceeded"
	Message   string // the endpoint's words, trimmed and bounded
	RequestID string
	Partial   string // what had been streamed before the error
	Err       error  // a sentinel of this package, or the cause
}

// Error says where, what and the endpoint's own words.
func (e *ModelError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "model %s: %v", e.Endpoint, e.Err)
	if e.Status != 0 {
		fmt.Fprintf(&b, " (HTTP %d", e.Status)
		if e.Code != "" {
			fmt.Fprintf(&b, ", code %s", e.Code)
		}
		b.WriteString(")")
	}
	if e.Message != "" {
		b.WriteString(": " + e.Message)
	}
	if e.RequestID != "" {
		b.WriteString(" [request " + e.RequestID + "]")
	}
	return b.String()
}

// Unwrap returns the sentinel or cause.
func (e *ModelError) Unwrap() error { return e.Err }
