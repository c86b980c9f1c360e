package action

import (
	"strings"
	"unicode/utf8"
)

// A Part is a piece of a reply for display: of what the model thinks, or of what it asks for.
type Part struct {
	Acting bool
	Text   string
}

// A Splitter divides a streamed reply into thinking and acting, for display only: what the reply
// means is for Parse to say, on the whole text. Chunks may be cut anywhere, inside a tag and inside
// a character too. The texts of all parts together are the reply without the protocol's tags. The
// zero value is ready to use. It is not safe for concurrent use.
type Splitter struct {
	held     string // the end of the last chunk, which may be the beginning of a mark
	acting   bool
	thinking bool // inside <think>, where a call is only talked about
	last     byte // the byte before held
}

// starts are the texts at which an action begins. They are shown.
var starts = []string{"do(action=", "finish(message=", "finish()", `{"action"`}

// Write takes the next chunk and returns what can be shown.
func (s *Splitter) Write(chunk string) []Part { return s.split(chunk, false) }

// Flush ends the stream and returns what was held back. The splitter can then be used for another
// stream.
func (s *Splitter) Flush() []Part {
	out := s.split("", true)
	*s = Splitter{}
	return out
}

func (s *Splitter) split(chunk string, end bool) []Part {
	text := s.held + chunk
	s.held = ""
	var out []Part
	from := 0
	show := func(to int) {
		out = appendPart(out, s.acting, text[from:to])
		from = to
	}
	for i := 0; i < len(text); i++ {
		if strings.IndexByte("<df{", text[i]) < 0 {
			continue
		}
		if !end && s.mayBegin(text[i:], s.before(text, i)) {
			show(i)
			s.hold(text, i)
			return out
		}
		if m, ok := markAt(text, i); ok {
			show(i)
			s.enter(m.kind)
			from = i + len(m.text)
			i = from - 1
			continue
		}
		if !s.acting && !s.thinking && startAt(text[i:], s.before(text, i)) {
			show(i)
			s.acting = true
		}
	}
	cut := len(text)
	if !end {
		cut -= partialRune(text[from:])
	}
	show(cut)
	s.hold(text, cut)
	return out
}

func (s *Splitter) hold(text string, i int) {
	s.last = s.before(text, i)
	s.held = text[i:]
}

// before is the byte in front of text[i].
func (s *Splitter) before(text string, i int) byte {
	if i == 0 {
		return s.last
	}
	return text[i-1]
}

func (s *Splitter) enter(kind markKind) {
	switch kind {
	case markThink:
		s.thinking, s.acting = true, false
	case markThinkEnd:
		s.thinking, s.acting = false, false
	case markAnswer:
		s.thinking, s.acting = false, true
	}
}

// mayBegin reports whether all of rest is the beginning of a longer mark or start.
func (s *Splitter) mayBegin(rest string, before byte) bool {
	switch rest[0] {
	case '<':
		for _, m := range marks {
			if len(rest) < len(m.text) && strings.HasPrefix(m.text, rest) {
				return true
			}
		}
	default:
		if s.acting || s.thinking || isNameByte(before) {
			return false
		}
		for _, m := range starts {
			if len(rest) < len(m) && strings.HasPrefix(m, rest) {
				return true
			}
		}
	}
	return false
}

func startAt(rest string, before byte) bool {
	if isNameByte(before) {
		return false
	}
	for _, m := range starts {
		if strings.HasPrefix(rest, m) {
			return true
		}
	}
	return false
}

// partialRune returns the length of the incomplete character at the end of a text.
func partialRune(text string) int {
	for n := 1; n <= min(len(text), utf8.UTFMax-1); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRuneInString(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

func appendPart(out []Part, acting bool, text string) []Part {
	if text == "" {
		return out
	}
	if n := len(out); n > 0 && out[n-1].Acting == acting {
		out[n-1].Text += text
		return out
	}
	return append(out, Part{acting, text})
}
