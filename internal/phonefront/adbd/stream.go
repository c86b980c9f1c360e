package adbd

import (
	"io"
	"sync"
)

// stream is one stream of a link: stop and wait in both directions, as the protocol has it.
type stream struct {
	l             *link
	local, remote uint32

	mu       sync.Mutex
	changed  *sync.Cond
	data     []byte // received and not read yet
	owed     int    // OKAYs that the peer has not been sent, because its data are unread
	ready    bool   // the peer has acknowledged the last WRTE
	gone     bool   // the peer has closed, or the line is broken
	told     bool   // CLSE was sent
	finished bool   // Close was called
}

func newStream(l *link, local, remote uint32) *stream {
	s := &stream{l: l, local: local, remote: remote, ready: true}
	s.changed = sync.NewCond(&s.mu)
	return s
}

// set changes the state and wakes who waits for it.
func (s *stream) set(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
	s.changed.Broadcast()
}

// acknowledged takes an OKAY. The first one of a stream that the phone opened tells the peer's id.
func (s *stream) acknowledged(remote uint32) {
	s.set(func() {
		s.ready = true
		if s.remote == 0 {
			s.remote = remote
		}
	})
}

// receive takes a WRTE. It is acknowledged once it has been read, and at once if it is empty.
func (s *stream) receive(data []byte) {
	if len(data) == 0 {
		s.okay(1)
		return
	}
	s.set(func() {
		s.data = append(s.data, data...)
		s.owed++
	})
}

func (s *stream) okay(n int) {
	for range n {
		s.l.send(packet{cmd: cmdOkay, arg0: s.local, arg1: s.remote})
	}
}

// closedByPeer answers a CLSE, once.
func (s *stream) closedByPeer() {
	s.lost()
	s.tell()
}

// lost ends the stream without a word.
func (s *stream) lost() { s.set(func() { s.gone = true }) }

// tell sends CLSE unless it was sent.
func (s *stream) tell() {
	s.mu.Lock()
	told := s.told
	s.told = true
	s.mu.Unlock()
	if !told {
		s.l.send(packet{cmd: cmdClse, arg0: s.local, arg1: s.remote})
	}
}

// Read reads what the peer has sent. io.EOF says that the stream is closed.
func (s *stream) Read(p []byte) (int, error) {
	s.mu.Lock()
	for len(s.data) == 0 && !s.gone && !s.finished {
		s.changed.Wait()
	}
	if len(s.data) == 0 || s.finished {
		s.mu.Unlock()
		return 0, io.EOF
	}
	n := copy(p, s.data)
	s.data = s.data[n:]
	owed := 0
	if len(s.data) == 0 {
		owed, s.owed, s.data = s.owed, 0, nil
	}
	s.mu.Unlock()
	s.okay(owed)
	return n, nil
}

// Write sends p in packets of what was agreed on, each after the one before was acknowledged.
func (s *stream) Write(p []byte) (int, error) {
	s.l.mu.Lock()
	most := int(s.l.maxData)
	s.l.mu.Unlock()
	for done := 0; done < len(p); {
		s.mu.Lock()
		for !s.ready && !s.gone && !s.finished {
			s.changed.Wait()
		}
		if s.gone || s.finished {
			s.mu.Unlock()
			return done, io.ErrClosedPipe
		}
		s.ready = false
		s.mu.Unlock()
		n := min(len(p)-done, most)
		s.l.send(packet{cmd: cmdWrte, arg0: s.local, arg1: s.remote, data: p[done : done+n]})
		done += n
	}
	return len(p), nil
}

// Close waits until the last WRTE has been acknowledged, then closes the stream.
func (s *stream) Close() error {
	s.mu.Lock()
	for !s.ready && !s.gone && !s.finished {
		s.changed.Wait()
	}
	s.mu.Unlock()
	s.set(func() { s.finished = true })
	s.tell()
	return nil
}
