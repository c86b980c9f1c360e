package chat

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// What a zero Options means. The address and the name are those of a local vLLM that serves
// AutoGLM-Phone.
const (
	DefaultBaseURL = "http://localhost:8000/v1"
	DefaultModel   = "autoglm-phone-9b"
	// DefaultMaxReply is far above a reply of 3000 tokens, which takes 10 to 20 KB.
	DefaultMaxReply = 256 << 10
	DefaultRetries  = 3
)

// Options sets a Client up. Nil, or a zero field, is the default that the field names.
type Options struct {
	BaseURL string // up to and without /chat/completions; DefaultBaseURL
	Model   string // DefaultModel
	APIKey  string // sent as a bearer token; none

	// Sampling nil is AutoGLMSampling; otherwise only what it sets is sent.
	Sampling *Sampling
	// Extra is put into the body of each request beside the client's own keys, and wins over the
	// sampling. It cannot hold model, messages or stream.
	Extra map[string]any
	// Header is added to each request.
	Header http.Header

	// HTTPClient carries the requests; none is a client of our own, which uses Proxy and
	// Limits.Connect. Redirects are not followed. Its Timeout, if set, bounds a whole reply.
	HTTPClient *http.Client
	// Proxy chooses a proxy, such as http.ProxyFromEnvironment; none. It cannot stand beside HTTPClient.
	Proxy func(*http.Request) (*url.URL, error)

	Limits   Limits
	MaxReply int  // bytes of text and thinking that a reply may have; DefaultMaxReply
	Retries  *int // further attempts before the first byte of a reply; nil is DefaultRetries
	// Logger gets the course of each call (debug), retries and left-out parameters (warn); none.
	Logger *slog.Logger
}

// Sampling is how the model chooses its words. A nil field is not sent, so that the endpoint's own
// setting holds.
type Sampling struct {
	MaxTokens        *int // length of the reply
	Temperature      *float64
	TopP             *float64
	FrequencyPenalty *float64
}

// AutoGLMSampling returns what Open-AutoGLM asks with: 3000 tokens, temperature 0, top_p 0.85,
// frequency_penalty 0.2.
func AutoGLMSampling() *Sampling {
	return &Sampling{MaxTokens: new(3000), Temperature: new(0.0), TopP: new(0.85), FrequencyPenalty: new(0.2)}
}

// Limits bounds one call. Zero is the default, a negative value no limit.
type Limits struct {
	Connect   time.Duration // to reach the endpoint, TLS included; 10 s
	FirstByte time.Duration // from sending an attempt to its first byte; 2 min, as a server may load the model first
	Idle      time.Duration // between two bytes; keep-alive comments count; 60 s
	Total     time.Duration // the whole call with its retries; 10 min
}

func (l Limits) withDefaults() Limits {
	for _, f := range []struct {
		value    *time.Duration
		standard time.Duration
	}{
		{&l.Connect, 10 * time.Second},
		{&l.FirstByte, 2 * time.Minute},
		{&l.Idle, time.Minute},
		{&l.Total, 10 * time.Minute},
	} {
		if *f.value == 0 {
			*f.value = f.standard
		}
	}
	return l
}

// endpoint returns the address to post to, from a base address as people write them.
func endpoint(base string) (*url.URL, error) {
	if base == "" {
		base = DefaultBaseURL
	}
	u, err := url.Parse(strings.TrimSpace(base))
	if err != nil {
		return nil, errors.New("chat: the base URL cannot be read: write it as http://host:8000/v1")
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, fmt.Errorf("chat: base URL %q: write it as http://host:8000/v1, with the scheme", u.Redacted())
	}
	u.Path = strings.TrimRight(u.Path, "/")
	if !strings.HasSuffix(u.Path, "/chat/completions") {
		u.Path += "/chat/completions"
	}
	u.RawPath, u.Fragment = "", ""
	return u, nil
}

// check refuses what contradicts itself or could never be sent.
func (o *Options) check() error {
	if o.HTTPClient != nil && o.Proxy != nil {
		return errors.New("chat: set Proxy on the transport of HTTPClient, not beside it")
	}
	if o.MaxReply < 0 {
		return errors.New("chat: MaxReply is negative")
	}
	if o.Retries != nil && *o.Retries < 0 {
		return errors.New("chat: Retries is negative")
	}
	if strings.ContainsFunc(strings.TrimSpace(o.APIKey), notInKey) {
		return errors.New("chat: the API key holds a space or a character that no header can carry")
	}
	for _, key := range []string{"model", "messages", "stream"} {
		if _, ok := o.Extra[key]; ok {
			return fmt.Errorf("chat: Extra cannot set %q", key)
		}
	}
	if _, err := json.Marshal(o.Extra); err != nil {
		return fmt.Errorf("chat: Extra: %w", err)
	}
	return nil
}

func notInKey(r rune) bool { return r <= ' ' || r > '~' }
