package wda_test

import (
	"image"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/driver/wda"
)

// TestGoneWithoutAWord is a connection whose other end is gone and has told nobody: the call that meets it has its limit, and
// what is done after that goes over a new one.
func TestGoneWithoutAWord(t *testing.T) {
	r := newRig(t, "16", "iphone-se", sim.Options{Start: "com.apple.Preferences"})
	radio := newRadio(t, r.server.Addr())
	d, err := patiently(func() (*wda.Driver, error) {
		return wda.New(t.Context(), radio.addr, &wda.Options{Limit: 2 * time.Second})
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	at := image.Pt(300, 400)
	tap := func() (struct{}, error) { return struct{}{}, d.Tap(t.Context(), at) }
	_, err = patiently(tap) // measures the screen
	require.NoError(t, err)
	before := len(r.phone.Events("tap"))
	var both sync.WaitGroup // for two connections that are kept
	for range 2 {
		both.Go(func() { _, _ = d.Screenshot(t.Context()) })
	}
	both.Wait()
	radio.fade()
	require.ErrorIs(t, d.Tap(t.Context(), at), driver.ErrTimeout)
	require.Len(t, r.phone.Events("tap"), before)
	_, err = patiently(tap)
	require.NoError(t, err)
}

// radio forwards connections to addr, until they fade: nothing goes through them any more, and nobody is told.
type radio struct {
	addr string
	mu   sync.Mutex
	gone chan struct{} // of the connections of today
}

func newRadio(t *testing.T, to string) *radio {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	r := &radio{addr: l.Addr().String(), gone: make(chan struct{})}
	var all sync.WaitGroup
	ended := make(chan struct{})
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			r.mu.Lock()
			gone := r.gone
			r.mu.Unlock()
			all.Go(func() { forward(c, to, gone, ended) })
		}
	})
	t.Cleanup(func() {
		close(ended)
		_ = l.Close()
		all.Wait()
	})
	return r
}

func (r *radio) fade() {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.gone)
	r.gone = make(chan struct{})
}

func forward(c net.Conn, to string, gone, ended <-chan struct{}) {
	defer c.Close()
	s, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	defer s.Close()
	var both sync.WaitGroup
	over := make(chan struct{}, 2)
	for _, way := range [][2]net.Conn{{s, c}, {c, s}} {
		both.Go(func() {
			_, _ = io.Copy(way[0], way[1])
			over <- struct{}{}
		})
	}
	select {
	case <-over:
	case <-ended:
	case <-gone:
		_ = s.Close() // c stays open and silent
		<-ended
	}
	_, _ = c.Close(), s.Close()
	both.Wait()
}
