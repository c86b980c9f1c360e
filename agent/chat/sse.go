package chat

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

var errEventTooLong = errors.New("an event of the stream is too long")

// event is one server-sent event: its name, and its lines of data.
type event struct {
	name string
	data [][]byte
	last bool // the stream ended in it, perhaps in its middle
}

// payloads returns the texts of an event. By the standard the lines of one event are one text; some
// servers leave out the blank line between events, which then arrive as one.
func (e event) payloads() [][]byte {
	if len(e.data) < 2 {
		return e.data
	}
	if joined := bytes.Join(e.data, []byte("\n")); json.Valid(joined) {
		return [][]byte{joined}
	}
	return e.data
}

// eventReader splits a stream into events by bytes, so that a rune cut by the network is whole again
// before anybody decodes it. Lines end in LF, CRLF or CR.
type eventReader struct {
	r      *bufio.Reader
	limit  int  // bytes of one event
	skipLF bool // the last line ended in CR
}

func newEventReader(r *bufio.Reader, limit int) *eventReader {
	return &eventReader{r: r, limit: limit}
}

// next returns the next event that has data. Where the stream ends in an event that lacks its blank
// line, that event is returned first, marked as last, and io.EOF after it.
func (s *eventReader) next() (event, error) {
	var e event
	size := 0
	for {
		line, err := s.line()
		if err != nil && err != io.EOF {
			return event{}, err
		}
		if size += len(line); size > s.limit {
			return event{}, errEventTooLong
		}
		e.add(line)
		if err == io.EOF && len(e.data) == 0 {
			return event{}, io.EOF
		}
		if e.last = err == io.EOF; e.last || (len(line) == 0 && len(e.data) > 0) {
			return e, nil
		}
		if len(line) == 0 {
			e, size = event{}, 0
		}
	}
}

// add puts one line into the event. Comments and fields that mean nothing here are left out; a field
// named error is how llama.cpp tells a failure.
func (e *event) add(line []byte) {
	key, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(key) {
	case "event":
		e.name = string(value)
	case "error":
		e.name = "error"
		e.data = append(e.data, value)
	case "data":
		e.data = append(e.data, value)
	}
}

// line returns a line without its end, or what there is of it with the error that ended it.
func (s *eventReader) line() ([]byte, error) {
	var line []byte
	for {
		c, err := s.r.ReadByte()
		if err != nil {
			return line, err
		}
		if s.skipLF && c == '\n' {
			s.skipLF = false
			continue
		}
		s.skipLF = c == '\r'
		if c == '\n' || c == '\r' {
			return line, nil
		}
		if len(line) >= s.limit {
			return nil, errEventTooLong
		}
		line = append(line, c)
	}
}
