package hdc

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Guards against a file that is no layout. Real ones have up to 20,000 nodes; the deepest pages are some 100 deep.
const (
	maxLayout = 64 << 20
	maxDepth  = 1000
	maxNodes  = 200_000
)

var errLayout = errors.New("not a layout of uitest dumpLayout")

// jsonScanner reads JSON value by value. Strings without an escape are parts of text.
type jsonScanner struct {
	text string
	pos  int
}

func (s *jsonScanner) errorf(format string, args ...any) error {
	return fmt.Errorf("%w: at byte %d: %s", errLayout, s.pos, fmt.Sprintf(format, args...))
}

// peek passes over space and returns the next byte, or 0 at the end.
func (s *jsonScanner) peek() byte {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; c {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return c
		}
	}
	return 0
}

// take passes over c and says whether it was there.
func (s *jsonScanner) take(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.pos++
	return true
}

func (s *jsonScanner) want(c byte) error {
	if s.take(c) {
		return nil
	}
	if s.pos >= len(s.text) {
		return s.errorf("it is cut off")
	}
	return s.errorf("want %q, got %q", c, s.text[s.pos])
}

// object calls member for each member of an object, with the scanner before its value.
func (s *jsonScanner) object(member func(name string) error) error {
	if err := s.want('{'); err != nil {
		return err
	}
	for first := true; !s.take('}'); first = false {
		if !first {
			if err := s.want(','); err != nil {
				return err
			}
		}
		name, err := s.str()
		if err != nil {
			return err
		}
		if err := s.want(':'); err != nil {
			return err
		}
		if err := member(name); err != nil {
			return err
		}
	}
	return nil
}

// array calls element for each element of an array, with the scanner before it.
func (s *jsonScanner) array(element func() error) error {
	if err := s.want('['); err != nil {
		return err
	}
	for first := true; !s.take(']'); first = false {
		if !first {
			if err := s.want(','); err != nil {
				return err
			}
		}
		if err := element(); err != nil {
			return err
		}
	}
	return nil
}

// scalar reads a string, or a number, true, false or null as it is written.
func (s *jsonScanner) scalar() (string, error) {
	if s.peek() == '"' {
		return s.str()
	}
	start := s.pos
	for s.pos < len(s.text) && !strings.ContainsRune(",]}: \t\r\n\"[{", rune(s.text[s.pos])) {
		s.pos++
	}
	if s.pos == start {
		return "", s.errorf("want a value")
	}
	return s.text[start:s.pos], nil
}

// skip passes over any value.
func (s *jsonScanner) skip(depth int) error {
	if depth > maxDepth {
		return s.errorf("deeper than %d", maxDepth)
	}
	switch s.peek() {
	case '{':
		return s.object(func(string) error { return s.skip(depth + 1) })
	case '[':
		return s.array(func() error { return s.skip(depth + 1) })
	}
	_, err := s.scalar()
	return err
}

// str reads a string.
func (s *jsonScanner) str() (string, error) {
	if err := s.want('"'); err != nil {
		return "", err
	}
	rest := s.text[s.pos:]
	end := strings.IndexByte(rest, '"')
	if end < 0 {
		return "", s.errorf("it is cut off in a string")
	}
	if strings.IndexByte(rest[:end], '\\') < 0 {
		s.pos += end + 1
		return rest[:end], nil
	}
	return s.escaped()
}

// escaped reads the rest of a string that has an escape.
func (s *jsonScanner) escaped() (string, error) {
	var b strings.Builder
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		s.pos++
		switch c {
		case '"':
			return b.String(), nil
		case '\\':
			if err := s.escape(&b); err != nil {
				return "", err
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", s.errorf("it is cut off in a string")
}

// escapes are what may follow a backslash, apart from u.
var escapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (s *jsonScanner) escape(b *strings.Builder) error {
	if s.pos >= len(s.text) {
		return s.errorf("it is cut off in a string")
	}
	c := s.text[s.pos]
	s.pos++
	if c != 'u' {
		plain, ok := escapes[c]
		if !ok {
			return s.errorf("unknown escape \\%c", c)
		}
		b.WriteByte(plain)
		return nil
	}
	r, err := s.hex()
	if err != nil {
		return err
	}
	if utf16.IsSurrogate(r) {
		r = s.lowSurrogate(r)
	}
	b.WriteRune(r)
	return nil
}

// lowSurrogate reads the second half of a pair; half a pair is a replacement character.
func (s *jsonScanner) lowSurrogate(high rune) rune {
	before := s.pos
	if !strings.HasPrefix(s.text[s.pos:], `\u`) {
		return utf8.RuneError
	}
	s.pos += 2
	low, err := s.hex()
	r := utf16.DecodeRune(high, low)
	if err != nil || r == utf8.RuneError {
		s.pos = before
		return utf8.RuneError
	}
	return r
}

func (s *jsonScanner) hex() (rune, error) {
	if s.pos+4 > len(s.text) {
		return 0, s.errorf("it is cut off in a string")
	}
	n, err := strconv.ParseUint(s.text[s.pos:s.pos+4], 16, 16)
	if err != nil {
		return 0, s.errorf("\\u%s is no character", s.text[s.pos:s.pos+4])
	}
	s.pos += 4
	return rune(n), nil
}
