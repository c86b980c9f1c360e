package chat

import (
	"context"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/handset-go/handset/agent"
)

// Client asks one model at one endpoint. It may be used from several goroutines at once.
type Client struct {
	url      *url.URL
	shown    string // the address without keys, for errors and logs
	key      string
	options  Options // with the defaults filled in
	http     *http.Client
	log      *slog.Logger
	mu       sync.Mutex
	replaced map[string]string // parameters that the endpoint refused, and what is sent instead
}

var _ agent.Model = (*Client)(nil)

// New returns a client. It sends nothing. Close lets go of the connections.
func New(o *Options) (*Client, error) {
	if o == nil {
		o = &Options{}
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	u, err := endpoint(o.BaseURL)
	if err != nil {
		return nil, err
	}
	c := &Client{url: u, shown: shown(u), options: o.filled(), replaced: map[string]string{}}
	c.key, c.log = c.options.APIKey, c.options.Logger
	c.http = c.options.client()
	return c, nil
}

// filled returns a copy of o with the defaults in the place of zero fields.
func (o *Options) filled() Options {
	f := *o
	f.APIKey = strings.TrimSpace(o.APIKey)
	f.Extra, f.Header = maps.Clone(o.Extra), o.Header.Clone()
	f.Limits = o.Limits.withDefaults()
	if f.Model == "" {
		f.Model = DefaultModel
	}
	if f.Sampling == nil {
		f.Sampling = AutoGLMSampling()
	} else {
		sampling := *f.Sampling
		f.Sampling = &sampling
	}
	if f.MaxReply == 0 {
		f.MaxReply = DefaultMaxReply
	}
	if f.Retries == nil {
		f.Retries = new(DefaultRetries)
	}
	if f.Logger == nil {
		f.Logger = slog.New(slog.DiscardHandler)
	}
	return f
}

// client returns the HTTP client of filled options: a copy of the caller's, or one of our own.
func (o *Options) client() *http.Client {
	var h http.Client
	if o.HTTPClient != nil {
		h = *o.HTTPClient
	} else {
		h.Transport = o.transport()
	}
	h.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &h
}

func (o *Options) transport() *http.Transport {
	limit := max(o.Limits.Connect, 0)
	return &http.Transport{
		Proxy:               o.Proxy,
		DialContext:         (&net.Dialer{Timeout: limit}).DialContext,
		TLSHandshakeTimeout: limit,
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: 4,
		IdleConnTimeout:     idleConnection,
	}
}

// shown strips what may be secret from an address: user, password and query.
func shown(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// Close closes the idle connections. A call in progress goes on.
func (c *Client) Close() error {
	c.http.CloseIdleConnections()
	return nil
}

// Probe asks the model for a few tokens of text, to see that the endpoint, the key and the model's
// name are right. It sends no picture.
func (c *Client) Probe(ctx context.Context) (*agent.Response, error) {
	return c.Reply(ctx, &agent.Request{
		Messages:  []agent.Message{{Role: agent.RoleUser, Text: "Hi"}},
		MaxTokens: 16,
	}, nil)
}
