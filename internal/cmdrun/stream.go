package cmdrun

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/handset-go/handset/internal/nap"
)

// A grandchild that keeps a stream open must not keep the caller: what is there when the tool has ended is read, and then the
// stream is given up where nothing more comes.
const (
	quietFor   = 250 * time.Millisecond // nothing comes for so long
	quietTimes = 2                      // so often: a busy computer may have used the first one up before it read at all
	restTimes  = 8                      // and all in all, of one that goes on printing
)

// stream is an output of a tool. Package exec would close it half a second after the tool's end, whether or not it has been read.
type stream struct {
	from, end *os.File // end is the tool's
	into      io.Writer
	ended     atomic.Bool // the tool has
	over      chan error  // has one when the copying is over, or nobody waits for it any more

	writing sync.Mutex
	written int  // times
	cut     bool // nobody is to be written to any more
}

func newStream(into io.Writer) (*stream, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	return &stream{from: r, end: w, into: into, over: make(chan error, 1)}, nil
}

// abandon closes a stream whose tool could not be started.
func (s *stream) abandon() { _, _ = s.from.Close(), s.end.Close() }

// begin copies in the background, once the tool has its end.
func (s *stream) begin() {
	_ = s.end.Close()
	go func() {
		err := s.copy()
		_ = s.from.Close() // the tool hears of an error in writing
		s.finish(err)
	}()
}

// finish says, once, that the copying is over.
func (s *stream) finish(err error) {
	select {
	case s.over <- err:
	default:
	}
}

// Write passes on what was read, unless the stream was given up.
func (s *stream) Write(p []byte) (int, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.cut {
		return 0, os.ErrClosed
	}
	s.written++
	return s.into.Write(p)
}

// toolEnded says that nothing more is to be waited for than what is there.
func (s *stream) toolEnded() {
	s.ended.Store(true)
	if err := s.from.SetReadDeadline(time.Now()); errors.Is(err, os.ErrNoDeadline) { // as on Windows
		go s.watch()
	}
}

// watch gives a stream up that cannot be read with a deadline, once nothing has come for a while.
func (s *stream) watch() {
	before, quiet := -1, 0
	for range restTimes {
		_ = nap.For(context.Background(), quietFor)
		s.writing.Lock() // a write in progress is no silence
		quiet++
		if s.written != before {
			before, quiet = s.written, 0
		}
		s.writing.Unlock()
		if quiet == quietTimes {
			break
		}
	}
	s.writing.Lock()
	s.cut = true
	s.writing.Unlock()
	s.finish(nil) // a read in progress may go on, and Close may wait for it
	_ = s.from.Close()
}

// copy copies until the stream ends, or is given up.
func (s *stream) copy() error {
	_, err := io.Copy(s, s.from)
	quiet := 0
	for n := 0; s.ended.Load() && errors.Is(err, os.ErrDeadlineExceeded); n++ {
		if quiet == quietTimes || n == restTimes {
			return nil
		}
		if err := s.from.SetReadDeadline(time.Now().Add(quietFor)); err != nil {
			return err
		}
		var some int64
		if some, err = io.Copy(s, s.from); some > 0 {
			quiet = 0
		} else {
			quiet++
		}
	}
	return err
}
