package action

import (
	"strings"
	"unicode/utf8"
)

// A scanner walks once over a reply. Every step moves forward, and what a failed step has learned
// about the rest of the text is kept in spent, so that the time is linear in the length of any
// text.
type scanner struct {
	src   string
	pos   int
	spent [quoteKinds][quoteModes]int // 1 + the place from which on no string ends

	last       *attempt // the last call
	lastAnswer *attempt // the last call inside <answer>
	answering  bool     // inside <answer>
	answered   bool     // an <answer> had something in it
	body       int      // where the last thought ended or the last answer began
	near       *SyntaxError
	unclosed   [2]bool // no </think>, no </thinking> in the rest
}

// An attempt is a call, read or not, at the top level of a reply.
type attempt struct {
	start int
	call  *rawCall
}

// A mark is a piece of text that belongs to the protocol and not to what a model says.
type mark struct {
	text string
	kind markKind
}

type markKind uint8

const (
	markPlain markKind = iota
	markThink
	markThinkEnd
	markAnswer
	markAnswerEnd
)

var marks = []mark{
	{"<think>", markThink},
	{"</think>", markThinkEnd},
	{"<thinking>", markThink},
	{"</thinking>", markThinkEnd},
	{"<answer>", markAnswer},
	{"</answer>", markAnswerEnd},
	{"<|begin_of_box|>", markPlain},
	{"<|end_of_box|>", markPlain},
	{"<tool_call>", markPlain},
	{"</tool_call>", markPlain},
}

// closers are the marks that may stand where the last parenthesis is missing.
var closers = []string{"</answer", "<|end_of_box|>", "</tool_call", "```"}

func markAt(s string, i int) (mark, bool) {
	for _, m := range marks {
		if strings.HasPrefix(s[i:], m.text) {
			return m, true
		}
	}
	return mark{}, false
}

// survey walks over the top level of the whole reply.
func (s *scanner) survey() {
	for s.pos < len(s.src) {
		switch s.src[s.pos] {
		case '<':
			s.mark()
		case 'd', 'D', 'f', 'F':
			s.word()
		case '{':
			s.object()
		default:
			s.seen()
			s.pos++
		}
	}
}

// seen notes that an answer is not blank.
func (s *scanner) seen() {
	if s.answering && !isSpace(s.src[s.pos]) && s.src[s.pos] != '`' {
		s.answered = true
	}
}

func (s *scanner) mark() {
	m, ok := markAt(s.src, s.pos)
	if !ok {
		s.seen()
		s.pos++
		return
	}
	s.pos += len(m.text)
	switch m.kind {
	case markThink:
		s.skipThought("</" + m.text[1:])
	case markThinkEnd: // the thought had no opening tag: nothing in it was meant
		s.last, s.lastAnswer, s.answered, s.near = nil, nil, false, nil
		s.body = s.pos
	case markAnswer:
		s.answering = true
		s.body = s.pos
	case markAnswerEnd:
		s.answering = false
	}
}

// skipThought goes to the end of a thought. One that never ends is read like any other text.
func (s *scanner) skipThought(end string) {
	which := len(end) - len("</think>")
	unclosed := &s.unclosed[min(which, 1)]
	if *unclosed {
		return
	}
	i := strings.Index(s.src[s.pos:], end)
	if i < 0 {
		*unclosed = true
		return
	}
	s.pos += i + len(end)
	s.body = s.pos
}

// word handles a place where do( or finish( might begin.
func (s *scanner) word() {
	name, after := s.callAt(s.pos)
	if name == "" {
		s.seen()
		s.pos++
		return
	}
	start := s.pos
	s.pos = after
	s.keep(start, s.call(name, start))
	s.comment()
}

func (s *scanner) keep(start int, c *rawCall) {
	s.last = &attempt{start, c}
	if s.answering {
		s.lastAnswer = s.last
		s.answered = true
	}
}

// comment skips a comment on the line of the call.
func (s *scanner) comment() {
	i := s.pos
	for i < len(s.src) && (s.src[i] == ' ' || s.src[i] == '\t') {
		i++
	}
	if i == len(s.src) || s.src[i] != '#' {
		return
	}
	if n := strings.IndexByte(s.src[i:], '\n'); n >= 0 {
		s.pos = i + n
		return
	}
	s.pos = len(s.src)
}

// callAt recognises the head of a call: do( or finish(, with an argument or nothing in it.
// A finish() in the middle of a sentence is talk.
func (s *scanner) callAt(i int) (name string, after int) {
	switch {
	case hasFold(s.src[i:], "do"):
		name = "do"
	case hasFold(s.src[i:], "finish"):
		name = "finish"
	default:
		return "", 0
	}
	if i > 0 && (isNameByte(s.src[i-1]) || s.src[i-1] == '.') {
		return "", 0
	}
	j := i + len(name)
	for j < len(s.src) && s.src[j] == ' ' && j < i+len(name)+2 {
		j++
	}
	if j == len(s.src) || s.src[j] != '(' {
		return "", 0
	}
	j++
	k := s.space(j)
	switch {
	case k < len(s.src) && s.src[k] == ')' && name == "finish" && s.standsAlone(i):
		return name, j
	case quoteAt(s.src, k).size > 0, s.keyAt(k).value > 0:
		return name, j
	}
	return "", 0
}

// standsAlone reports whether nothing but marks stands before i on its line.
func (s *scanner) standsAlone(i int) bool {
	for i > 0 && (s.src[i-1] == ' ' || s.src[i-1] == '\t') {
		i--
	}
	return i == 0 || strings.IndexByte("\n\r>:;`", s.src[i-1]) >= 0 || strings.HasSuffix(s.src[:i], wideColon)
}

// Chinese input methods write these for = : and a comma.
const (
	wideEquals = "\uff1d"
	wideColon  = "\uff1a"
	wideComma  = "\uff0c"
)

// A keyPlace is where the name of an argument ends and where its value begins. The zero value is no
// key.
type keyPlace struct {
	end, value int
	colon      bool
}

// keyAt recognises "name =" at i.
func (s *scanner) keyAt(i int) keyPlace {
	end := s.name(i)
	if end == i {
		return keyPlace{}
	}
	j := s.space(end)
	for _, sign := range []string{"=", wideEquals, ":", wideColon} {
		if strings.HasPrefix(s.src[j:], sign) && !strings.HasPrefix(s.src[j:], "==") {
			return keyPlace{end, j + len(sign), sign == ":" || sign == wideColon}
		}
	}
	return keyPlace{}
}

// name returns the end of the name at i.
func (s *scanner) name(i int) int {
	j := i
	for j < len(s.src) && isNameByte(s.src[j]) && j-i < maxVerb {
		j++
	}
	if j > i && s.src[i] >= '0' && s.src[i] <= '9' {
		return i
	}
	return j
}

// space returns the first place at or after i that is not white space.
func (s *scanner) space(i int) int {
	for i < len(s.src) && isSpace(s.src[i]) {
		i++
	}
	return min(i, len(s.src))
}

// comma returns the length of a comma at i, or 0.
func (s *scanner) comma(i int) int {
	for _, c := range []string{",", wideComma} {
		if strings.HasPrefix(s.src[i:], c) {
			return len(c)
		}
	}
	return 0
}

// closed reports whether a call may end at i although its parenthesis is missing.
func (s *scanner) closed(i int) bool {
	if i >= len(s.src) {
		return true
	}
	for _, c := range closers {
		if strings.HasPrefix(s.src[i:], c) {
			return true
		}
	}
	return false
}

// show quotes the character at i for an error.
func (s *scanner) show(i int) string {
	r, _ := utf8.DecodeRuneInString(s.src[i:])
	return string(r)
}

func hasFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}
