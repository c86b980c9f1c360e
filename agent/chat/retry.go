package chat

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/handset-go/handset/agent"
)

const (
	firstWait = 500 * time.Millisecond
	maxWait   = 30 * time.Second
	// maxRetryAfter caps one wait that an endpoint asks for.
	maxRetryAfter = 2 * time.Minute
	// hopeless is what the waits of all retries together do not reach: an endpoint that asks for more, as some
	// do for the rest of the day, is not waited for at all.
	hopeless = 3 * maxRetryAfter
	// maxErrorBody bounds what is read of a refusal.
	maxErrorBody = 64 << 10
)

// LogRetry is the message of the log line, at the level of a warning, that a call is tried again. It has the "status" of the
// reply, 0 where the endpoint was not reached, and the wait before the next attempt as "in".
const LogRetry = "model call is tried again"

// retrier returns the client for one call. It retries before the first byte of a reply only: it sees
// no byte of a body with status 200.
func (c *Client) retrier(w *watch) *retryablehttp.Client {
	limits := c.options.Limits
	return &retryablehttp.Client{
		HTTPClient:   c.http,
		RetryWaitMin: firstWait,
		RetryWaitMax: maxWait,
		RetryMax:     *c.options.Retries,
		CheckRetry:   checkRetry,
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
		RequestLogHook: func(retryablehttp.Logger, *http.Request, int) {
			w.expect("no first byte of a reply", limits.FirstByte)
		},
		Backoff: func(low, high time.Duration, attempt int, resp *http.Response) time.Duration {
			w.expect("", 0)
			d := backoff(low, high, attempt, resp)
			c.log.Warn(LogRetry, "endpoint", c.shown, "attempt", attempt+2, "status", status(resp), "in", d)
			return d
		},
	}
}

func status(resp *http.Response) int {
	if resp == nil {
		return 0
	}
	return resp.StatusCode
}

// checkRetry says whether an attempt that failed may succeed later. A refusal's body stays readable.
func checkRetry(ctx context.Context, resp *http.Response, err error) (bool, error) {
	if ctx.Err() != nil {
		return false, nil // the error that the attempt came back with tells it
	}
	if err != nil {
		return mayPass(err), nil
	}
	if resp.StatusCode == http.StatusOK {
		return false, nil
	}
	body, err := keepBody(resp)
	if err != nil || resp.Header.Get("X-Should-Retry") == "false" || longWait(resp.Header) > 0 {
		return false, nil
	}
	err = complaintOf(body).cause(resp.StatusCode)
	if resp.StatusCode == http.StatusInternalServerError && err == agent.ErrModelReply {
		return true, nil
	}
	return errors.Is(err, agent.ErrModelBusy), nil
}

// keepBody reads the body of a refusal and puts what it read in its place.
func keepBody(resp *http.Response) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(plain(resp), maxErrorBody))
	_ = resp.Body.Close() // it was only read
	resp.Body = io.NopCloser(bytes.NewReader(body))
	resp.Header.Del("Content-Encoding")
	return body, err
}

// mayPass says whether a transport error is one that passes: not a name that does not exist, not a
// certificate that is wrong.
func mayPass(err error) bool {
	var name *net.DNSError
	var cert *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	switch {
	case errors.As(err, &name):
		return !name.IsNotFound
	case errors.As(err, &cert), errors.As(err, &record), errors.As(err, &authority), errors.As(err, &host):
		return false
	}
	return true
}

// backoff doubles from low to high, 20 % more or less; an endpoint that says how long to wait is
// obeyed up to maxRetryAfter.
func backoff(low, high time.Duration, attempt int, resp *http.Response) time.Duration {
	if resp != nil {
		if d, ok := retryAfter(resp.Header); ok {
			return min(d, maxRetryAfter)
		}
	}
	d := min(high, low<<min(attempt, 16))
	return time.Duration(float64(d) * (0.8 + 0.4*rand.Float64()))
}

// longWait is how long an endpoint asks to be left alone, where that is not worth waiting for, and otherwise 0.
func longWait(h http.Header) time.Duration {
	if d, ok := retryAfter(h); ok && d > hopeless {
		return d
	}
	return 0
}

// retryAfter reads the three forms of the header: milliseconds, seconds, a date.
func retryAfter(h http.Header) (time.Duration, bool) {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms >= 0 {
		return seconds(ms / 1000), true
	}
	value := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(value, 64); err == nil && s >= 0 {
		return seconds(s), true
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(time.Until(at), 0), true
	}
	return 0, false
}

// seconds converts without overflow: ten years are as good as more.
func seconds(s float64) time.Duration {
	const most = 10 * 365 * 24 * time.Hour
	return time.Duration(min(s, most.Seconds()) * float64(time.Second))
}
