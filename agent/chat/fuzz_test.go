package chat

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/agent"
)

// carrier answers each request with one body.
type carrier func() io.Reader

func (c carrier) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(c()), Request: r}, nil
}

// FuzzReply holds that any body at all is a reply or a *agent.ModelError, and that it does not matter
// how the network cuts it.
func FuzzReply(f *testing.F) {
	for _, seed := range []string{
		"data: {\"choices\":[{\"delta\":{\"content\":\"你\"}}]}\r\n\r\ndata: [DONE]\n\n",
		"data: {\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"a\"},\"b\"]},\"finish_reason\":\"stop\"}]}\n\n",
		"event: error\rdata: {\"error\":{\"code\":5}}\r\r", "error: x\n\n", "\xef\xbb\xbf<html>",
		"{\"choices\":[{\"message\":{\"content\":null,\"reasoning\":{\"text\":\"x\"}}}],\"usage\":{\"total_tokens\":1e9}}",
		"data: {\"choices\":[{\"delta\":{\"thinking\":[{\"text\":1}]}}],\ndata: \"usage\":null}\n\n: c\n\n", "data:\n\ndata",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		whole, err := replyOf(t, func() io.Reader { return bytes.NewReader(body) })
		bytewise, bytewiseErr := replyOf(t, func() io.Reader { return iotest.OneByteReader(bytes.NewReader(body)) })
		require.Equal(t, whole, bytewise)
		require.Equal(t, err, bytewiseErr)
	})
}

func replyOf(t *testing.T, body carrier) (agent.Response, string) {
	c, err := New(&Options{HTTPClient: &http.Client{Transport: body}, MaxReply: 1000, Retries: new(0)})
	require.NoError(t, err)
	r, err := c.Reply(t.Context(), &agent.Request{Messages: []agent.Message{{Role: agent.RoleUser, Text: "hi"}}}, nil)
	if err != nil {
		var e *agent.ModelError
		require.True(t, errors.As(err, &e))
		require.Nil(t, r)
		return agent.Response{}, err.Error() + e.Partial
	}
	r.Times = agent.Times{}
	return *r, ""
}
