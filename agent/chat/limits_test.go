package chat_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptrace"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/agent"
	"github.com/handset-go/handset/agent/chat"
)

var quiet = log.New(io.Discard, "", 0)

// wait waits in the server, or ends with the request.
func wait(r *http.Request, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-r.Context().Done():
	}
}

func send(w http.ResponseWriter, text string) {
	_, _ = fmt.Fprint(w, text)
	w.(http.Flusher).Flush()
}

func TestSilence(t *testing.T) {
	half := "data: " + said("half") + "\n\n"
	rest := events(said(" done"), stopped)
	limits := chat.Limits{FirstByte: 50 * time.Second, Idle: 30 * time.Second, Total: 5 * time.Minute}
	cases := []struct {
		name    string
		limits  chat.Limits
		serve   http.HandlerFunc
		says    string // "" for a reply
		after   time.Duration
		partial string
	}{
		{"40 s before the first byte are borne", limits, func(w http.ResponseWriter, r *http.Request) {
			wait(r, 40*time.Second)
			send(w, half+rest)
		}, "", 40 * time.Second, ""},
		{"60 s before the headers are not", limits, func(w http.ResponseWriter, r *http.Request) {
			wait(r, 60*time.Second)
		}, "no first byte of a reply within 50s", 50 * time.Second, ""},
		{"nor between the headers and the first byte", limits, func(w http.ResponseWriter, r *http.Request) {
			send(w, "")
			wait(r, 60*time.Second)
		}, "no first byte of a reply within 50s", 50 * time.Second, ""},
		{"nor in the body of a refusal", limits, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(500)
			send(w, "x")
			wait(r, 60*time.Second)
		}, "no first byte of a reply within 50s", 50 * time.Second, ""},
		{"40 s of silence in the middle are not borne", limits, func(w http.ResponseWriter, r *http.Request) {
			send(w, half)
			wait(r, 40*time.Second)
			send(w, rest)
		}, "no further byte within 30s", 30 * time.Second, "half"},
		{"40 s of silence are borne by default", chat.Limits{}, func(w http.ResponseWriter, r *http.Request) {
			send(w, half)
			wait(r, 40*time.Second)
			send(w, rest)
		}, "", 40 * time.Second, ""},
		{"comments keep a stream alive", limits, func(w http.ResponseWriter, r *http.Request) {
			send(w, half)
			for range 8 {
				wait(r, 20*time.Second)
				send(w, ": OPENROUTER PROCESSING\n\n")
			}
			send(w, rest)
		}, "", 160 * time.Second, ""},
		{"but not beyond the limit of the whole", limits, func(w http.ResponseWriter, r *http.Request) {
			send(w, half)
			for r.Context().Err() == nil {
				wait(r, 20*time.Second)
				send(w, ": still here\n\n")
			}
		}, "no whole reply within 5m0s", 5 * time.Minute, "half"},
		{"no limits", chat.Limits{FirstByte: -1, Idle: -1, Total: -1}, func(w http.ResponseWriter, r *http.Request) {
			wait(r, time.Hour)
			send(w, half)
			wait(r, time.Hour)
			send(w, rest)
		}, "", 2 * time.Hour, ""},
		{"after a finish the rest is waited for shortly", limits, func(w http.ResponseWriter, r *http.Request) {
			send(w, half+"data: "+said(" done")+"\n\ndata: "+stopped+"\n\n")
			wait(r, time.Hour)
		}, "", 5 * time.Second, ""},
		{"a stream kept open after its end", limits, func(w http.ResponseWriter, r *http.Request) {
			send(w, half+rest)
			wait(r, time.Hour)
		}, "", 100 * time.Millisecond, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := virtual(t, chat.Options{Limits: c.limits}, c.serve)
				start := time.Now()
				got, err := client.Reply(t.Context(), question("hi"), nil)
				require.Equal(t, c.after, time.Since(start))
				if c.says == "" {
					require.NoError(t, err)
					require.Equal(t, "half done", got.Text)
					return
				}
				require.ErrorIs(t, err, agent.ErrModelTimeout)
				require.NotErrorIs(t, err, context.DeadlineExceeded)
				require.NotErrorIs(t, err, context.Canceled)
				require.ErrorContains(t, err, c.says)
				var e *agent.ModelError
				require.ErrorAs(t, err, &e)
				require.Equal(t, c.partial, e.Partial)
			})
		})
	}
}

func TestTheLimitOfTheConnection(t *testing.T) {
	timedOut := &net.OpError{Op: "dial", Net: "tcp", Err: timeout{}}
	h := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return nil, timedOut }}}
	client := newClient(t, chat.Options{BaseURL: "http://model.test", HTTPClient: h})
	_, err := client.Reply(t.Context(), question("hi"), nil)
	require.ErrorIs(t, err, agent.ErrModelTimeout)
	require.NotErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorContains(t, err, "dial tcp: i/o timeout")
}

// timeout is the error of a dialler that ran out of time: it matches context.DeadlineExceeded.
type timeout struct{}

func (timeout) Error() string        { return "i/o timeout" }
func (timeout) Timeout() bool        { return true }
func (timeout) Temporary() bool      { return true }
func (timeout) Is(target error) bool { return target == context.DeadlineExceeded }

func TestTheTimeoutOfTheCallersClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
		h := &http.Client{Transport: &http.Transport{DialContext: l.dial}, Timeout: 3 * time.Second}
		client := newClient(t, chat.Options{BaseURL: "http://model.test", HTTPClient: h})
		_, err := client.Reply(t.Context(), question("hi"), nil) // nobody accepts
		require.ErrorIs(t, err, agent.ErrModelTimeout)
		require.NotErrorIs(t, err, context.DeadlineExceeded)
	})
}

func TestCancelReturnsAndClosesTheConnection(t *testing.T) {
	for name, begin := range map[string]string{"before the first byte": "", "in the middle": "data: " + said("half") + "\n\n"} {
		t.Run(name, func(t *testing.T) {
			asked, gone := make(chan struct{}), make(chan struct{})
			client := serve(t, chat.Options{}, func(w http.ResponseWriter, r *http.Request) {
				if begin != "" {
					send(w, begin)
				}
				close(asked)
				<-r.Context().Done()
				close(gone)
			})
			ctx, cancel := context.WithCancel(t.Context())
			go func() { <-asked; cancel() }()
			within(t, func() {
				_, err := client.Reply(ctx, question("hi"), nil)
				require.ErrorIs(t, err, context.Canceled)
			})
			within(t, func() { <-gone })
		})
	}
}

func TestACancelledCallSendsNothing(t *testing.T) {
	asked := 0
	client := serve(t, chat.Options{}, refusing(200, "", &asked))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := client.Reply(ctx, question("hi"), nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, asked)
}

func TestTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := virtual(t, chat.Options{}, func(w http.ResponseWriter, r *http.Request) {
			for _, piece := range []string{
				"<think>I could do(action=\"Home\")", " but no</think><answer>d", "o(action=", "\"Back\")</answer>",
			} {
				wait(r, time.Second)
				send(w, "data: "+said(piece)+"\n\n")
			}
			wait(r, time.Second)
			send(w, events(stopped))
		})
		got, err := client.Reply(t.Context(), question("hi"), nil)
		require.NoError(t, err)
		require.Equal(t, agent.Times{FirstToken: time.Second, ThinkingEnd: 2 * time.Second, Total: 5 * time.Second}, got.Times)
	})
}

// A connection is used again: a stream that ended leaves nothing unread.
func TestConnectionsAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := virtual(t, chat.Options{}, func(w http.ResponseWriter, r *http.Request) {
			_, _ = fmt.Fprint(w, events(said("ok"), stopped))
		})
		var again []bool
		ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
			GotConn: func(c httptrace.GotConnInfo) { again = append(again, c.Reused) },
		})
		for range 3 {
			_, err := client.Reply(ctx, question("hi"), nil)
			require.NoError(t, err)
		}
		require.Equal(t, []bool{false, true, true}, again)
	})
}
