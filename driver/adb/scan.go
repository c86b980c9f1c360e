package adb

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Guards against a dump that is no dump. A React Native page is some 150 deep; the largest real
// dumps have a few thousand nodes.
const (
	maxDump  = 64 << 20
	maxDepth = 1000
	maxNodes = 200_000
)

var errDump = errors.New("not a dump of uiautomator")

// scanner reads the tags of a dump one by one. It is made for what uiautomator and its relatives
// write, and lenient: a value in either kind of quotes, any space between attributes, ">" inside a
// value, no declared encoding. Everything that it returns is a part of text, except for values with
// entities.
type scanner struct {
	text string
	pos  int
}

// tag is an opening or a closing tag. Its attributes are read with attr.
type tag struct {
	name      string
	closing   bool // </name>
	selfClose bool // <name/>, known once attr has returned false
	start     int  // where it begins, for errors
}

// next moves to the next tag and returns it; false is the end of the text. Declarations, comments
// and text between tags are passed over.
func (s *scanner) next(t *tag) (bool, error) {
	for {
		at := strings.IndexByte(s.text[s.pos:], '<')
		if at < 0 {
			return false, nil
		}
		start := s.pos + at
		s.pos = start + 1
		rest := s.text[s.pos:]
		switch {
		case strings.HasPrefix(rest, "!--"):
			if err := s.skip("-->"); err != nil {
				return false, err
			}
			continue
		case strings.HasPrefix(rest, "?"), strings.HasPrefix(rest, "!"):
			if err := s.skip(">"); err != nil {
				return false, err
			}
			continue
		}
		*t = tag{start: start}
		if strings.HasPrefix(rest, "/") {
			t.closing = true
			s.pos++
		}
		if t.name = s.name(); t.name == "" {
			return false, s.errorf(start, "a tag without a name")
		}
		if t.closing {
			return true, s.skip(">")
		}
		return true, nil
	}
}

// attr returns the next attribute of the tag; false is the end of the tag, which it passes.
func (s *scanner) attr(t *tag) (name, value string, ok bool, err error) {
	s.space()
	if s.pos >= len(s.text) {
		return "", "", false, s.errorf(t.start, "the tag does not end")
	}
	switch s.text[s.pos] {
	case '>':
		s.pos++
		return "", "", false, nil
	case '/':
		s.pos++
		t.selfClose = true
		return "", "", false, s.skip(">")
	}
	start := s.pos
	if name = s.name(); name == "" {
		return "", "", false, s.errorf(start, "want an attribute")
	}
	s.space()
	if !s.take('=') {
		return "", "", false, s.errorf(start, "attribute %s has no value", name)
	}
	s.space()
	value, err = s.value(start, name)
	return name, value, err == nil, err
}

// value reads a quoted value and decodes its entities.
func (s *scanner) value(start int, name string) (string, error) {
	if s.pos >= len(s.text) || s.text[s.pos] != '"' && s.text[s.pos] != '\'' {
		return "", s.errorf(start, "attribute %s has no quotes", name)
	}
	quote := s.text[s.pos]
	rest := s.text[s.pos+1:]
	end := strings.IndexByte(rest, quote)
	if end < 0 {
		return "", s.errorf(start, "attribute %s does not end", name)
	}
	s.pos += end + 2
	if strings.IndexByte(rest[:end], '&') < 0 {
		return rest[:end], nil
	}
	return unescape(rest[:end]), nil
}

// name reads what a name can be made of, and more: it ends where XML says something else begins.
func (s *scanner) name() string {
	start := s.pos
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case ' ', '\t', '\r', '\n', '=', '>', '/', '<', '"', '\'':
			return s.text[start:s.pos]
		}
		s.pos++
	}
	return s.text[start:s.pos]
}

func (s *scanner) space() {
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case ' ', '\t', '\r', '\n':
			s.pos++
		default:
			return
		}
	}
}

func (s *scanner) take(b byte) bool {
	if s.pos < len(s.text) && s.text[s.pos] == b {
		s.pos++
		return true
	}
	return false
}

func (s *scanner) skip(end string) error {
	at := strings.Index(s.text[s.pos:], end)
	if at < 0 {
		return s.errorf(s.pos, "%q is missing", end)
	}
	s.pos += at + len(end)
	return nil
}

func (s *scanner) errorf(at int, format string, args ...any) error {
	return fmt.Errorf("%w: byte %d: %s", errDump, at, fmt.Sprintf(format, args...))
}

// unescape decodes XML's entities once. An emoji may come as two numeric halves of a surrogate
// pair; a lone half is U+FFFD, and what is no entity stays as it is.
func unescape(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	var high rune
	for s != "" {
		amp := strings.IndexByte(s, '&')
		if amp != 0 || high != 0 && !strings.HasPrefix(s, "&#") {
			flushHalf(&b, &high)
		}
		if amp < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:amp])
		s = s[amp:]
		r, n := entity(s)
		switch {
		case n == 0:
			flushHalf(&b, &high)
			b.WriteByte('&')
			n = 1
		case r >= 0xd800 && r < 0xdc00:
			flushHalf(&b, &high)
			high = r
		case r >= 0xdc00 && r < 0xe000 && high != 0:
			b.WriteRune((high-0xd800)<<10 + (r - 0xdc00) + 0x10000)
			high = 0
		default:
			flushHalf(&b, &high)
			b.WriteRune(r)
		}
		s = s[n:]
	}
	flushHalf(&b, &high)
	return b.String()
}

func flushHalf(b *strings.Builder, high *rune) {
	if *high != 0 {
		b.WriteRune(utf8.RuneError)
		*high = 0
	}
}

// longestEntity is the length of "&#x10FFFF;".
const longestEntity = 10

// entity reads the entity that s begins with, and returns its length; 0 is none.
func entity(s string) (rune, int) {
	end := strings.IndexByte(s[:min(len(s), longestEntity)], ';')
	if end < 2 {
		return 0, 0
	}
	switch name := s[1:end]; name {
	case "amp":
		return '&', end + 1
	case "lt":
		return '<', end + 1
	case "gt":
		return '>', end + 1
	case "quot":
		return '"', end + 1
	case "apos":
		return '\'', end + 1
	default:
		if name[0] != '#' {
			return 0, 0
		}
		return numeric(name[1:], end+1)
	}
}

func numeric(digits string, length int) (rune, int) {
	base := 10
	if digits != "" && (digits[0] == 'x' || digits[0] == 'X') {
		base, digits = 16, digits[1:]
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || n > utf8.MaxRune {
		return 0, 0
	}
	return rune(n), length
}
