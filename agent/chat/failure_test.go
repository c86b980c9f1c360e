package chat_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/agent/chat"
)

// refusing serves one status and body for ever and counts.
func refusing(status int, body string, asked *int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		*asked++
		w.Header().Set("X-Request-Id", "req-1")
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, body)
	}
}

// Each refusal is told by its sentinel, and only what may pass is tried again.
func TestRefusals(t *testing.T) {
	code := func(c string) string { return `{"error":{"code":"` + c + `","message":"说明"}}` }
	const html = "<html>\n<head><title>502 Bad Gateway</title></head>"
	cases := []struct {
		name   string
		status int
		body   string
		want   error
		retry  bool
		says   string
	}{
		{"rate limit", 429, code("1302"), agent.ErrModelBusy, true, "code 1302): 说明 [request req-1]"},
		{"too many at once", 429, code("1303"), agent.ErrModelBusy, true, ""},
		{"rate limit of the model", 429, code("1305"), agent.ErrModelBusy, true, ""},
		{"overloaded", 429, code("1312"), agent.ErrModelBusy, true, ""},
		{"network", 500, code("1234"), agent.ErrModelBusy, true, ""},
		{"internal", 500, code("500"), agent.ErrModelReply, true, ""},
		{"no money", 429, code("1113"), agent.ErrModelQuota, false, "no credit or quota left"},
		{"locked", 429, code("1112"), agent.ErrModelConfig, false, ""},
		{"locked too", 429, code("1121"), agent.ErrModelConfig, false, ""},
		{"daily quota", 429, code("1304"), agent.ErrModelQuota, false, ""},
		{"hourly quota", 429, code("1308"), agent.ErrModelQuota, false, ""},
		{"plan", 429, code("1309"), agent.ErrModelQuota, false, ""},
		{"weekly quota", 429, code("1310"), agent.ErrModelQuota, false, ""},
		{"not in the plan", 429, code("1311"), agent.ErrModelQuota, false, ""},
		{"unsafe content", 400, code("1301"), agent.ErrContentPolicy, false, ""},
		{"prompt too long", 400, code("1261"), agent.ErrContextTooLong, false, ""},
		{"no such model", 400, code("1211"), agent.ErrModelConfig, false, ""},
		{"bad field", 400, code("1214"), agent.ErrModelConfig, false, ""},
		{"bad key", 401, code("1002"), agent.ErrModelConfig, false, "check the API key"},
		{"a code that is a number", 429, `{"error":{"code":1113,"message":"x"}}`, agent.ErrModelQuota, false, "code 1113"},

		{"OpenAI's rate limit", 429, `{"error":{"message":"slow down","type":"requests","code":"rate_limit_exceeded"}}`, agent.ErrModelBusy, true, ""},
		{"OpenAI's quota", 429, `{"error":{"message":"pay","type":"insufficient_quota","code":"insufficient_quota"}}`, agent.ErrModelQuota, false, ""},
		{"OpenAI's context", 400, `{"error":{"message":"too much","code":"context_length_exceeded"}}`, agent.ErrContextTooLong, false, ""},
		{"vLLM's context", 400, `{"object":"error","message":"This model's maximum context length is 25480 tokens. However, you requested 26000 tokens in max_tokens. Please reduce the length, it is invalid.","type":"BadRequestError","code":400}`, agent.ErrContextTooLong, false, ""},
		{"llama.cpp's context", 500, `{"error":{"code":500,"message":"the request exceeds the available context size. try increasing the context size"}}`, agent.ErrContextTooLong, false, ""},
		{"no pictures", 400, `{"error":{"message":"image_url is only supported by certain models"}}`, agent.ErrModelConfig, false, "may take no pictures"},
		{"payment", 402, `{"error":{"message":"Insufficient credits","code":402}}`, agent.ErrModelQuota, false, ""},
		{"no such path", 404, `{"detail":"Not Found"}`, agent.ErrModelConfig, false, "check the base URL, which mostly ends in /v1, and the model's name (HTTP 404): Not Found"},
		{"too large", 413, html, agent.ErrModelConfig, false, "send smaller frames"},
		{"a gateway's page", 502, html, agent.ErrModelBusy, true, "(HTTP 502): 502 Bad Gateway [request req-1]"},
		{"unavailable", 503, "", agent.ErrModelBusy, true, "(HTTP 503)"},
		{"gateway timed out", 504, "upstream request timeout", agent.ErrModelBusy, true, "upstream request timeout"},
		{"Cloudflare's", 524, html, agent.ErrModelBusy, true, ""},
		{"moved", 301, "", agent.ErrModelConfig, false, "set the base URL to its new place"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked := 0
				client := virtual(t, chat.Options{Retries: new(2)}, refusing(c.status, c.body, &asked))
				_, err := client.Reply(t.Context(), question("hi"), nil)
				require.ErrorIs(t, err, c.want)
				require.ErrorContains(t, err, c.says)
				require.ErrorContains(t, err, "model http://model.test/v1/chat/completions: ")
				var e *agent.ModelError
				require.ErrorAs(t, err, &e)
				require.Equal(t, c.status, e.Status)
				require.Equal(t, map[bool]int{true: 3, false: 1}[c.retry], asked)
			})
		})
	}
}

func TestATryThatSucceedsLater(t *testing.T) {
	cases := []struct {
		name        string
		header      http.Header
		least, most time.Duration
	}{
		{"by itself", nil, 400 * time.Millisecond, 600 * time.Millisecond},
		{"after seconds", http.Header{"Retry-After": {"7"}}, 7 * time.Second, 7 * time.Second},
		{"after milliseconds", http.Header{"Retry-After-Ms": {"1500"}, "Retry-After": {"9"}}, 1500 * time.Millisecond, 1500 * time.Millisecond},
		{"after five minutes, capped", http.Header{"Retry-After": {"300"}}, 2 * time.Minute, 2 * time.Minute},
		{"at a time that is over", http.Header{"Retry-After": {"Fri, 31 Dec 1999 23:59:59 GMT"}}, 0, 0},
		{"at a time to come", http.Header{"Retry-After": {"Sat, 01 Jan 2000 00:00:05 GMT"}}, 5 * time.Second, 5 * time.Second},
		{"after nonsense", http.Header{"Retry-After": {"soon"}}, 400 * time.Millisecond, 600 * time.Millisecond},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked := 0
				client := virtual(t, chat.Options{Retries: new(1), Limits: chat.Limits{FirstByte: time.Second}}, func(w http.ResponseWriter, r *http.Request) {
					if asked++; asked == 1 {
						for key, values := range c.header {
							w.Header()[key] = values
						}
						w.WriteHeader(http.StatusTooManyRequests)
						return
					}
					_, _ = fmt.Fprint(w, events(said("ok"), stopped))
				})
				start := time.Now()
				got, err := client.Reply(t.Context(), question("hi"), nil)
				require.NoError(t, err)
				require.Equal(t, "ok", got.Text)
				require.GreaterOrEqual(t, time.Since(start), c.least)
				require.LessOrEqual(t, time.Since(start), c.most)
			})
		})
	}
}

// An endpoint that wants to be left alone for long is not waited for: the error says when to come back.
func TestALongWaitIsGivenUpAtOnce(t *testing.T) {
	for value, says := range map[string]string{
		"86400":                         "for 24h0m0s: come back at 2000-01-02 ",
		"1e300":                         "come back at 2009-12-29 ",
		"Sat, 01 Jan 2000 01:00:00 GMT": "for 1h0m0s: come back at 2000-01-01 ",
	} {
		t.Run(value, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked := 0
				client := virtual(t, chat.Options{Retries: new(3)}, func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Retry-After", value)
					refusing(429, `{"error":{"message":"daily limit"}}`, &asked)(w, r)
				})
				start := time.Now()
				_, err := client.Reply(t.Context(), question("hi"), nil)
				require.ErrorIs(t, err, agent.ErrModelBusy)
				require.ErrorContains(t, err, says)
				require.ErrorContains(t, err, "daily limit")
				require.Equal(t, 1, asked)
				require.Zero(t, time.Since(start))
			})
		})
	}
}

func TestTheEndpointMayForbidRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		client := virtual(t, chat.Options{Retries: new(3)}, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Should-Retry", "false")
			refusing(503, "no", &asked)(w, r)
		})
		_, err := client.Reply(t.Context(), question("hi"), nil)
		require.ErrorIs(t, err, agent.ErrModelBusy)
		require.Equal(t, 1, asked)
	})
}

func TestAHangUpBeforeTheFirstByteIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		client := virtual(t, chat.Options{Retries: new(2)}, func(w http.ResponseWriter, r *http.Request) {
			if asked++; asked < 3 {
				panic(http.ErrAbortHandler)
			}
			_, _ = fmt.Fprint(w, events(said("ok"), stopped))
		})
		got, err := client.Reply(t.Context(), question("hi"), nil)
		require.NoError(t, err)
		require.Equal(t, "ok", got.Text)
		require.Equal(t, 3, asked)
	})
}

func TestNothingIsTriedAgainAfterTheFirstByte(t *testing.T) {
	for name, end := range map[string]func(w http.ResponseWriter){
		"hang-up":     func(w http.ResponseWriter) { panic(http.ErrAbortHandler) },
		"busy":        func(w http.ResponseWriter) { _, _ = fmt.Fprint(w, `data: {"error":{"code":"1302"}}`+"\n\n") },
		"no real end": func(w http.ResponseWriter) {},
		"a bad option": func(w http.ResponseWriter) {
			_, _ = fmt.Fprint(w, `data: {"error":{"code":400,"message":"unknown top_p"}}`+"\n\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked := 0
				client := virtual(t, chat.Options{}, func(w http.ResponseWriter, r *http.Request) {
					asked++
					_, _ = fmt.Fprint(w, "data: "+said("half")+"\n\n")
					w.(http.Flusher).Flush()
					end(w)
				})
				_, err := client.Reply(t.Context(), question("hi"), nil)
				var e *agent.ModelError
				require.ErrorAs(t, err, &e)
				require.Equal(t, "half", e.Partial)
				require.Equal(t, 1, asked)
			})
		})
	}
}

func TestNoServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	// The port of our end of a connection: nobody listens there, and no other program can meanwhile.
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}}
	c, err := d.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	defer c.Close()
	at := c.LocalAddr().String()
	client := newClient(t, chat.Options{BaseURL: "http://user:s3cret@" + at + "/v1?key=s3cret"})
	_, err = client.Reply(t.Context(), question("hi"), nil)
	require.ErrorContains(t, err, "model http://"+at+"/v1/chat/completions: dial tcp")
	require.ErrorContains(t, err, "check that the server runs")
	require.NotContains(t, err.Error(), "s3cret")
	var op *net.OpError
	require.ErrorAs(t, err, &op, "the cause is there")
}

func TestAWrongCertificateIsNotTriedAgain(t *testing.T) {
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = quiet
	s.StartTLS()
	t.Cleanup(s.Close)
	client := newClient(t, chat.Options{BaseURL: s.URL, Retries: new(5)})
	within(t, func() {
		_, err := client.Reply(t.Context(), question("hi"), nil)
		require.ErrorContains(t, err, "certificate")
	})
}

func TestTheKeyIsNotRepeated(t *testing.T) {
	asked := 0
	client := serve(t, chat.Options{APIKey: "sk-12345678"}, refusing(401, `{"error":{"message":"Incorrect API key provided: sk-12345678."}}`, &asked))
	_, err := client.Reply(t.Context(), question("hi"), nil)
	require.ErrorContains(t, err, "provided: [key].")
}

func TestForeignWordsAreBounded(t *testing.T) {
	asked := 0
	words := strings.Repeat("长", 1000) + "\n data:image/png;base64,AAAA "
	client := serve(t, chat.Options{}, refusing(400, "bad picture data:image/png;base64,"+strings.Repeat("A", 9000)+"\n\n"+words, &asked))
	_, err := client.Reply(t.Context(), question("hi"), nil)
	var e *agent.ModelError
	require.ErrorAs(t, err, &e)
	require.Less(t, len(e.Message), 600)
	require.True(t, utf8.ValidString(e.Message))
	require.Contains(t, e.Message, "bad picture [picture] 长")
}

func TestARefusalInGzip(t *testing.T) {
	h := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	client := serve(t, chat.Options{HTTPClient: h}, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(http.StatusBadRequest)
		z := gzip.NewWriter(w)
		_, _ = z.Write([]byte(`{"error":{"code":"1211","message":"no such model"}}`))
		_ = z.Close()
	})
	_, err := client.Reply(t.Context(), question("hi"), nil)
	require.ErrorContains(t, err, "code 1211): no such model")
}

func TestRedirectsAreToldNotFollowed(t *testing.T) {
	asked := 0
	client := serve(t, chat.Options{}, func(w http.ResponseWriter, r *http.Request) {
		asked++
		http.Redirect(w, r, "https://new.test/v1/chat/completions?key=s3cret", http.StatusPermanentRedirect)
	})
	_, err := client.Reply(t.Context(), question("hi"), nil)
	require.ErrorContains(t, err, "moved to https://new.test/v1/chat/completions")
	require.NotContains(t, err.Error(), "s3cret")
	require.Equal(t, 1, asked)
}

func TestCancelDuringAWaitBetweenTries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		client := virtual(t, chat.Options{Retries: new(3)}, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "60")
			refusing(429, "", &asked)(w, r)
		})
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		start := time.Now()
		_, err := client.Reply(ctx, question("hi"), nil)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.False(t, errors.Is(err, agent.ErrModelTimeout), "it was the caller's limit")
		require.Equal(t, 5*time.Second, time.Since(start))
		require.Equal(t, 1, asked)
	})
}
