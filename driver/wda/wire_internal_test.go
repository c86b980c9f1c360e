package wda

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// pipes is a phone without a network, so that virtual time passes while it is waited for.
type pipes struct {
	answer string                 // to each request
	mute   func(path string) bool // requests that get none; nil is none of them
	dials  atomic.Int32

	mu    sync.Mutex
	asked []time.Time
}

// times returns when requests came.
func (p *pipes) times() []time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked)
}

func (p *pipes) came() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, time.Now())
}

func (p *pipes) wire() *wire {
	w := newWire(&target{host: "phone", port: 8100})
	w.pool.DialContext = func(context.Context, string, string) (net.Conn, error) {
		p.dials.Add(1)
		ours, theirs := net.Pipe()
		go p.serve(theirs)
		return ours, nil
	}
	return w
}

func (p *pipes) serve(c net.Conn) {
	defer c.Close()
	for in := bufio.NewReader(c); ; {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		p.came()
		if p.mute != nil && p.mute(r.URL.Path) {
			_, _ = in.ReadByte() // until the other side ends it
			return
		}
		if _, err := io.WriteString(c, p.answer); err != nil || len(p.answer) == len(halfAnswer) {
			return
		}
	}
}

const (
	wholeAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n{\"value\":null}"
	emptyAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
	halfAnswer  = "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"value\":"
	noAnswer    = ""
)

// TestReadsArePaused looks at the pauses between the tries of a question, in each way that an answer can fail to arrive.
func TestReadsArePaused(t *testing.T) {
	for name, answer := range map[string]string{"nothing in it": emptyAnswer, "half of it": halfAnswer, "hung up": noAnswer} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &pipes{answer: answer}
				w := p.wire()
				defer w.close()
				if answer == noAnswer {
					w.pool.DialContext = p.hangUp
				}
				_, err := w.send(t.Context(), http.MethodGet, "/wda/activeAppInfo", nil)
				require.Equal(t, answer == emptyAnswer, err == nil)
				asked := p.times()
				require.Len(t, asked, readTries)
				for i := 1; i < len(asked); i++ {
					require.GreaterOrEqual(t, asked[i].Sub(asked[i-1]), readWait<<(i-1), "before try %d", i+1)
				}
				_, _ = w.send(t.Context(), http.MethodPost, "/wda/tap", []byte("{}"))
				require.Len(t, p.times(), readTries+1, "a POST is never sent again")
			})
		})
	}
}

// hangUp takes one request and ends the connection.
func (p *pipes) hangUp(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	go func() {
		defer theirs.Close()
		if _, err := http.ReadRequest(bufio.NewReader(theirs)); err == nil {
			p.came()
		}
	}()
	return ours, nil
}

// TestPauseEnds cancels a question in the pause between two tries.
func TestPauseEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pipes{answer: emptyAnswer}
		w := p.wire()
		defer w.close()
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(readWait/2, cancel)
		begin := time.Now()
		_, _ = w.send(ctx, http.MethodGet, "/wda/activeAppInfo", nil)
		require.Equal(t, readWait/2, time.Since(begin))
		require.Len(t, p.times(), 1)
	})
}

// TestIdleConnectionsEnd rests between two requests: a connection serves again soon after, and a new one is made where the
// old one may have gone without a word.
func TestIdleConnectionsEnd(t *testing.T) {
	for rest, dials := range map[time.Duration]int32{time.Second: 1, idleLimit - time.Second: 1, idleLimit + time.Second: 2, time.Hour: 2} {
		t.Run(rest.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &pipes{answer: wholeAnswer}
				w := p.wire()
				defer w.close()
				for range 2 {
					_, err := w.send(t.Context(), http.MethodPost, "/wda/tap", []byte("{}"))
					require.NoError(t, err)
					time.Sleep(rest)
				}
				require.Equal(t, dials, p.dials.Load())
			})
		})
	}
}
