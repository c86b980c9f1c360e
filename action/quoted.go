package action

import "strings"

// A quote is a quotation mark in the text.
type quote struct {
	kind quoteKind
	size int
}

type quoteKind uint8

const (
	straightDouble quoteKind = iota
	curlyDouble
	straightSingle
	curlySingle
	quoteKinds
)

// A quoteMode says what may follow the end of a string.
type quoteMode uint8

const (
	inArgs   quoteMode = iota // , name=   or )
	inList                    // , ] } ) :
	inObject                  // the same, and the escapes of JSON count
	quoteModes
)

// quoteAt returns the quotation mark at i, or one of size 0.
func quoteAt(s string, i int) quote {
	if i >= len(s) {
		return quote{}
	}
	switch s[i] {
	case '"':
		return quote{straightDouble, 1}
	case '\'':
		return quote{straightSingle, 1}
	case 0xE2:
		switch rest := s[i:]; {
		case strings.HasPrefix(rest, "“"), strings.HasPrefix(rest, "”"):
			return quote{curlyDouble, 3}
		case strings.HasPrefix(rest, "‘"), strings.HasPrefix(rest, "’"):
			return quote{curlySingle, 3}
		}
	}
	return quote{}
}

// closes reports whether a string that was opened by q can be closed by r. A curly one is closed by
// a straight one too.
func (q quote) closes(r quote) bool {
	return r.size > 0 && (r.kind == q.kind || q.kind == r.kind+1 && r.kind != curlyDouble)
}

// closing finds where the string whose content begins at from ends, or returns -1.
//
// Models do not escape quotes inside a string, so the end is a quote after which an argument can
// end; quotes that open inside are matched with those that close, so that the end of f("x") is not
// taken for the end of the string. Where they do not match up, it is the last possible end before
// the next call.
func (s *scanner) closing(from int, q quote, mode quoteMode) int {
	if n := s.spent[q.kind][mode]; n > 0 && from >= n-1 {
		return -1
	}
	depth, last := 0, -1
	for i := from; i < len(s.src); {
		c := s.src[i]
		if c == '\\' {
			i += 2
			continue
		}
		r := quoteAt(s.src, i)
		if !q.closes(r) {
			if last >= 0 && r.size == 0 && (c|0x20 == 'd' || c|0x20 == 'f') && s.calls(i) {
				return last
			}
			i += max(r.size, 1)
			continue
		}
		switch end := s.ends(i+r.size, mode); {
		case end == endSure, end == endLikely && depth == 0:
			return i
		case end == endLikely:
			depth--
			last = i
		case s.opens(from, i, r):
			depth++
		case depth > 0:
			depth--
		}
		i += r.size
	}
	s.spent[q.kind][mode] = 1 + max(from, last+1)
	return last
}

func (s *scanner) calls(i int) bool {
	name, _ := s.callAt(i)
	return name != ""
}

// opens reports whether the quote at i looks like one that opens a quotation in a string.
func (s *scanner) opens(from, i int, q quote) bool {
	next := i + q.size
	if next >= len(s.src) || isSpace(s.src[next]) {
		return false
	}
	if i == from || isSpace(s.src[i-1]) || strings.IndexByte("([{=:,<", s.src[i-1]) >= 0 {
		return true
	}
	for _, mark := range []string{"\uff08", wideColon, wideComma, "、", "。"} {
		if strings.HasSuffix(s.src[from:i], mark) {
			return true
		}
	}
	return false
}

type ending uint8

const (
	endNot    ending = iota
	endLikely        // what follows can follow a string
	endSure          // the call ends here, and nothing but marks comes after it
)

// ends says what the text after a quote makes of it.
func (s *scanner) ends(i int, mode quoteMode) ending {
	j := s.space(i)
	switch {
	case s.closed(j):
		return endSure
	case s.src[j] == ')':
		if s.closed(s.space(j + 1)) {
			return endSure
		}
		return endLikely
	case mode != inArgs:
		if s.comma(j) > 0 || strings.IndexByte("]}:", s.src[j]) >= 0 {
			return endLikely
		}
		return endNot
	}
	n := s.comma(j)
	if n == 0 {
		return endNot
	}
	return s.afterComma(s.space(j + n))
}

func (s *scanner) afterComma(k int) ending {
	switch {
	case s.closed(k), s.src[k] == ')', strings.HasPrefix(s.src[k:], "**"):
		return endLikely
	}
	if key := s.keyAt(k); key.value > 0 && !key.colon {
		return endLikely
	}
	return endNot
}

// str reads the string at the scanner. A verb is short and has no quotes in it, so its string ends
// at the first quote.
func (s *scanner) str(mode quoteMode, verb bool) (value, *SyntaxError) {
	at := s.pos
	q := quoteAt(s.src, at)
	from := at + q.size
	if v, ok := s.tripled(q); ok {
		return v, nil
	}
	var end int
	if verb {
		end = s.shortEnd(from, q)
	} else {
		end = s.closing(from, q, mode)
	}
	if end < 0 {
		s.pos = from
		return value{}, faultf(at, "this string never ends: close it with the same quote and a parenthesis")
	}
	s.pos = end + quoteAt(s.src, end).size
	return value{kind: isString, at: at, text: unescape(s.src[from:end], mode == inObject)}, nil
}

// tripled reads a string in three quotes, which holds anything.
func (s *scanner) tripled(q quote) (value, bool) {
	mark := strings.Repeat(s.src[s.pos:s.pos+q.size], 3)
	if !strings.HasPrefix(s.src[s.pos:], mark) {
		return value{}, false
	}
	from := s.pos + len(mark)
	n := strings.Index(s.src[from:], mark)
	if n < 0 {
		return value{}, false
	}
	v := value{kind: isString, at: s.pos, text: unescape(s.src[from:from+n], false)}
	s.pos = from + n + len(mark)
	return v, true
}

func (s *scanner) shortEnd(from int, q quote) int {
	for i := from; i < len(s.src) && i < from+maxVerb && s.src[i] != '\n'; i++ {
		if r := quoteAt(s.src, i); r.size > 0 && r.kind|1 == q.kind|1 {
			return i
		}
	}
	return -1
}
