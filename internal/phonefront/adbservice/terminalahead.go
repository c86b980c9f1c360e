package adbservice

import "io"

// ahead is a pipe to a command that never keeps the terminal waiting: lines that the command does not read yet stay
// here. Its goroutine ends after Close, and with the reader of the pipe at the latest.
type ahead struct{ lines chan []byte } // nil once it is closed

// maxAhead bounds how many lines may wait. What does not fit is dropped.
const maxAhead = 4096

func newAhead(w io.WriteCloser) *ahead {
	lines := make(chan []byte, maxAhead)
	go func() {
		defer w.Close()
		for line := range lines {
			_, _ = w.Write(line) // a command that reads no more is no reason to stop
		}
	}()
	return &ahead{lines}
}

// send takes over a line, or drops it.
func (a *ahead) send(line []byte) {
	select {
	case a.lines <- line:
	default:
	}
}

// Close ends the input behind what waits.
func (a *ahead) Close() error {
	if a.lines != nil {
		close(a.lines)
		a.lines = nil
	}
	return nil
}
