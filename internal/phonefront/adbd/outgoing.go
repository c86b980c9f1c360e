package adbd

import (
	"context"
	"errors"
	"io"
)

var errRefused = errors.New("the computer refused the connection")

// dial opens a stream to a socket of the computer, such as "tcp:27183": the other direction of OPEN.
func (l *link) dial(ctx context.Context, local string) (io.ReadWriteCloser, error) {
	l.mu.Lock()
	if l.over {
		l.mu.Unlock()
		return nil, errRefused
	}
	l.lastID++
	s := newStream(l, l.lastID, 0)
	s.ready = false // until the computer has said OKAY
	l.streams[s.local] = s
	l.mu.Unlock()
	defer context.AfterFunc(ctx, s.lost)()
	l.send(packet{cmd: cmdOpen, arg0: s.local, data: append([]byte(local), 0)})
	if !s.opened() {
		l.mu.Lock()
		delete(l.streams, s.local)
		l.mu.Unlock()
		return nil, errRefused
	}
	return outgoing{s}, nil
}

// opened waits for the answer to OPEN. A computer that has closed the stream again has opened it all the same.
func (s *stream) opened() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.remote == 0 && !s.gone {
		s.changed.Wait()
	}
	return s.remote != 0
}

// outgoing is a stream that the phone opened, and so forgets by itself.
type outgoing struct{ *stream }

// Close closes the stream and forgets it.
func (o outgoing) Close() error {
	err := o.stream.Close()
	o.l.mu.Lock()
	delete(o.l.streams, o.local)
	o.l.mu.Unlock()
	return err
}
