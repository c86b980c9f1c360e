package wda

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"iter"
	"net"
	"net/textproto"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

// Frames yields the frames of WebDriverAgent's own stream, JPEG of a lower quality than a screenshot; where it has none, an
// error that matches errors.ErrUnsupported. A frame of another size than a screenshot's (a scaled stream, a turned phone) is
// replaced by a screenshot.
func (d *Driver) Frames(ctx context.Context, every time.Duration) (iter.Seq2[*driver.Screen, error], error) {
	s, err := value(ctx, d, driver.OpFrames, limitShort, func(ctx context.Context) (*stream, error) {
		if _, err := d.frameSize(ctx); err != nil {
			return nil, err
		}
		return d.openStream(ctx)
	})
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { d.streams.end(s) }) // where nobody ever ranges over it
	return func(yield func(*driver.Screen, error) bool) {
		defer func() {
			stop()
			d.streams.end(s)
		}()
		for {
			next := time.Now().Add(every)
			frame, err := value(ctx, d, driver.OpFrames, limitPicture, func(ctx context.Context) (*driver.Screen, error) {
				return d.nextFrame(ctx, s)
			})
			if !yield(frame, err) || err != nil {
				return
			}
			if err := nap.For(ctx, time.Until(next)); err != nil {
				yield(nil, err)
				return
			}
		}
	}, nil
}

// nextFrame returns the newest frame of the stream.
func (d *Driver) nextFrame(ctx context.Context, s *stream) (*driver.Screen, error) {
	data, err := s.next(ctx)
	if err != nil {
		return nil, d.explain(ctx, err)
	}
	frame, err := driver.NewScreen(data, driver.HealthOK)
	if err != nil {
		return nil, err
	}
	if want := d.screen.hint(); want == (image.Point{}) || frame.Size() == want {
		return frame, nil
	}
	return d.capture(ctx)
}

// stream is a connection to the MJPEG port. A goroutine reads it all the time, so that a slow caller gets the newest frame and
// not the oldest.
type stream struct {
	conn   net.Conn
	r      *bufio.Reader
	fresh  chan struct{} // has a token where there may be a frame that nobody has got
	close  func()
	mu     sync.Mutex
	newest []byte // nil where somebody has got it
	err    error
}

// openStream connects and asks: WebDriverAgent sends nothing before it has got a byte.
func (d *Driver) openStream(ctx context.Context) (*stream, error) {
	conn, err := d.target.dial(ctx, d.opts.MJPEGPort)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, driver.Unsupported("WebDriverAgent has no stream of frames at port %d: %v", d.opts.MJPEGPort, bare(err))
	}
	s := &stream{conn: conn, r: bufio.NewReaderSize(conn, 64<<10), fresh: make(chan struct{}, 1)}
	if err := s.ask(ctx); err != nil {
		_ = conn.Close()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, driver.Unsupported("WebDriverAgent sends no frames at port %d: %v", d.opts.MJPEGPort, bare(err))
	}
	done := make(chan struct{})
	s.close = sync.OnceFunc(func() {
		_ = conn.Close()
		<-done
	})
	go func() {
		defer close(done)
		s.read()
	}()
	d.streams.add(s)
	return s, nil
}

// askLimit bounds the wait for the first byte of a stream.
const askLimit = 5 * time.Second

// ask asks for frames and waits for the first byte of an answer: a program that forwards the port accepts where nobody
// listens on the phone, and then hangs up.
func (s *stream) ask(ctx context.Context) error {
	defer context.AfterFunc(ctx, func() { _ = s.conn.Close() })()
	if err := s.conn.SetDeadline(time.Now().Add(askLimit)); err != nil {
		return err
	}
	if _, err := io.WriteString(s.conn, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		return err
	}
	if _, err := s.r.Peek(1); err != nil {
		return err
	}
	return s.conn.SetDeadline(time.Time{})
}

// streams are those that are open: Close ends them.
type streams struct {
	mu     sync.Mutex
	open   map[*stream]bool
	closed bool
}

func (all *streams) add(s *stream) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.closed {
		s.close()
		return
	}
	if all.open == nil {
		all.open = map[*stream]bool{}
	}
	all.open[s] = true
}

func (all *streams) end(s *stream) {
	s.close()
	all.mu.Lock()
	defer all.mu.Unlock()
	delete(all.open, s)
}

func (all *streams) endAll() {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.closed = true
	for s := range all.open {
		s.close()
	}
}

// read reads frames until the connection ends.
func (s *stream) read() {
	for {
		data, err := readPart(s.r)
		s.mu.Lock()
		if s.err = err; err == nil {
			s.newest = data
		}
		s.mu.Unlock()
		select {
		case s.fresh <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// next waits for a frame that it has not returned before. What ended the stream comes after the last frame.
func (s *stream) next(ctx context.Context) ([]byte, error) {
	for {
		select {
		case <-s.fresh:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if data, err := s.take(); data != nil || err != nil {
			return data, err
		}
	}
}

// take returns the newest frame, once, or else what ended the stream. Both are nil where the frame was taken already.
func (s *stream) take() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil { // for whoever asks again
		select {
		case s.fresh <- struct{}{}:
		default:
		}
	}
	if data := s.newest; data != nil {
		s.newest = nil
		return data, nil
	}
	return nil, s.err
}

// maxFrame bounds a frame, and maxHead the lines before it.
const (
	maxFrame = 32 << 20
	maxHead  = 64
)

// readPart reads one part of the stream. Its boundary is announced as "--BoundaryString" and written so as well, where the rule wants
// two dashes more, so that standard readers find nothing: only the length of the part counts here.
func readPart(r *bufio.Reader) ([]byte, error) {
	size := -1
	for n := 0; ; n++ {
		line, err := textproto.NewReader(r).ReadLine()
		if err != nil {
			return nil, err
		}
		if n > maxHead {
			return nil, errors.New("the stream of frames has no frames")
		}
		name, value, ok := strings.Cut(line, ":")
		switch {
		case ok && strings.EqualFold(strings.TrimSpace(name), "Content-Length"):
			if size, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || size <= 0 || size > maxFrame {
				return nil, fmt.Errorf("the stream of frames has one of %q bytes", value)
			}
		case line == "" && size > 0:
			data := make([]byte, size)
			_, err := io.ReadFull(r, data)
			return data, err
		}
	}
}
