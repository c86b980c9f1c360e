package action

import (
	"strconv"
	"strings"
)

// A rawCall is a call as it was written: names and values, not yet an action.
type rawCall struct {
	name  string // "do" or "finish"
	start int
	args  []arg
	fault *SyntaxError // why it could not be read to its end
	exact bool         // its points are in the space that it names
}

// An arg is one argument. The key of a positional one is "".
type arg struct {
	key string
	at  int
	val value
}

// A value is what an argument was given.
type value struct {
	kind valueKind
	at   int
	text string // of a string decoded, of a number or word as written
	num  float64
	list []value
	dict []arg
}

type valueKind uint8

const (
	isNothing valueKind = iota
	isString
	isNumber
	isWord
	isList
	isDict
)

// Limits that no sane reply reaches.
const (
	maxArgs  = 64
	maxItems = 4096
	maxDepth = 32
)

// call reads the arguments of a call up to its parenthesis, or to where the reply ends without one.
// The scanner is left where reading ended, for better or worse.
func (s *scanner) call(name string, start int) *rawCall {
	c := &rawCall{name: name, start: start}
	for {
		s.gap()
		switch {
		case s.closed(s.pos):
			return c
		case s.src[s.pos] == ')':
			s.pos++
			return c
		}
		if c.fault = s.argument(c); c.fault != nil {
			return c
		}
	}
}

// gap skips white space and commas.
func (s *scanner) gap() {
	for {
		s.pos = s.space(s.pos)
		n := s.comma(s.pos)
		if n == 0 {
			return
		}
		s.pos += n
	}
}

func (s *scanner) argument(c *rawCall) *SyntaxError {
	a := arg{at: s.pos}
	if s.src[s.pos] == '*' {
		return faultf(s.pos, "* and ** are not allowed: write each argument as name=value")
	}
	if len(c.args) == maxArgs {
		return faultf(s.pos, "more than %d arguments in one call", maxArgs)
	}
	if key := s.keyAt(s.pos); key.value > 0 {
		a.key = s.src[s.pos:key.end]
		s.pos = s.space(key.value)
	}
	val, fault := s.value(a.key)
	if fault != nil {
		return fault
	}
	a.val = val
	c.args = append(c.args, a)
	s.pos = s.space(s.pos)
	if s.closed(s.pos) || s.src[s.pos] == ')' || s.comma(s.pos) > 0 {
		return nil
	}
	return faultf(s.pos, "unexpected %q after an argument: write a comma or a parenthesis", s.show(s.pos))
}

// value reads the value of an argument, or a positional one if the key is "".
func (s *scanner) value(key string) (value, *SyntaxError) {
	if s.pos == len(s.src) {
		return value{}, faultf(s.pos, "the reply ends before the value of %s", key)
	}
	mode := inArgs
	if key == "" {
		mode = inList
	}
	switch c := s.src[s.pos]; {
	case quoteAt(s.src, s.pos).size > 0:
		return s.str(mode, verbKey(key))
	case c == '[', c == '(':
		return s.items(0)
	case c == '{':
		return s.fields(0)
	case key == "":
		return value{}, faultf(s.pos, "unexpected %q: write each argument as name=value", s.show(s.pos))
	}
	return s.bare(key)
}

func verbKey(key string) bool {
	return key == "action" || key == "verb" || key == "action_type" || key == "_metadata"
}

// bare reads a value without quotes, up to the parenthesis or to the next argument. It must have
// an end: half a number is another number.
func (s *scanner) bare(key string) (value, *SyntaxError) {
	from, depth := s.pos, 0
	for ; s.pos < len(s.src); s.pos++ {
		switch c := s.src[s.pos]; {
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case c == ')', (c == '<' || c == '`') && s.closed(s.pos), depth == 0 && s.nextArg(s.pos):
			return s.bareValue(key, from)
		case (c|0x20 == 'd' || c|0x20 == 'f') && s.calls(s.pos):
			return value{}, faultf(from, "the value of %s never ends", key)
		}
	}
	return value{}, faultf(from, "the value of %s never ends: the reply was cut off", key)
}

// nextArg reports whether a comma and the next argument stand at i.
func (s *scanner) nextArg(i int) bool {
	n := s.comma(i)
	return n > 0 && s.afterComma(s.space(i+n)) != endNot
}

func (s *scanner) bareValue(key string, from int) (value, *SyntaxError) {
	text := strings.TrimSpace(s.src[from:s.pos])
	if text == "" {
		return value{}, faultf(from, "%s has no value", key)
	}
	return wordValue(text, from), nil
}

// wordValue is a number if the word is one.
func wordValue(text string, at int) value {
	if n, ok := parseNumber(text); ok {
		return value{kind: isNumber, at: at, text: text, num: n}
	}
	if text == "None" || text == "null" {
		return value{kind: isNothing, at: at, text: text}
	}
	return value{kind: isWord, at: at, text: text}
}

// parseNumber reads plain decimal numbers only: no hex, no underscores, no Inf, no NaN.
func parseNumber(text string) (float64, bool) {
	if text == "" || strings.Trim(text, "+-.0123456789eE") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	return n + 0, err == nil // -0 is 0
}

// items reads a list or a tuple.
func (s *scanner) items(depth int) (value, *SyntaxError) {
	v := value{kind: isList, at: s.pos}
	if depth == maxDepth {
		return v, faultf(s.pos, "lists are nested too deeply")
	}
	s.pos++
	for {
		for s.gap(); s.pos < len(s.src) && s.src[s.pos] == ';'; s.gap() {
			s.pos++
		}
		if s.pos == len(s.src) {
			return v, faultf(v.at, "this list never ends: close it with ]")
		}
		if c := s.src[s.pos]; c == ']' || c == ')' {
			s.pos++
			return v, nil
		}
		item, fault := s.item(depth, inList)
		if fault != nil {
			return v, fault
		}
		if v.list = append(v.list, item); len(v.list) > maxItems {
			return v, faultf(v.at, "this list has more than %d items", maxItems)
		}
	}
}

// item reads what may stand in a list or in an object.
func (s *scanner) item(depth int, mode quoteMode) (value, *SyntaxError) {
	switch c := s.src[s.pos]; {
	case quoteAt(s.src, s.pos).size > 0:
		return s.str(mode, false)
	case c == '[', c == '(':
		return s.items(depth + 1)
	case c == '{':
		return s.fields(depth + 1)
	}
	from := s.pos
	if s.calls(from) {
		return value{}, faultf(from, "a call cannot be a value")
	}
	for s.pos < len(s.src) && (isNameByte(s.src[s.pos]) || strings.IndexByte("+-.", s.src[s.pos]) >= 0) {
		s.pos++
	}
	if s.pos == from {
		return value{}, faultf(from, "unexpected %q in a list", s.show(from))
	}
	return wordValue(s.src[from:s.pos], from), nil
}

// fields reads an object: {"name": value, ...}, with either kind of quotes or none.
func (s *scanner) fields(depth int) (value, *SyntaxError) {
	v := value{kind: isDict, at: s.pos}
	if depth == maxDepth {
		return v, faultf(s.pos, "objects are nested too deeply")
	}
	s.pos++
	for {
		s.gap()
		if s.pos == len(s.src) {
			return v, faultf(v.at, "this object never ends: close it with }")
		}
		if s.src[s.pos] == '}' {
			s.pos++
			return v, nil
		}
		if len(v.dict) == maxArgs {
			return v, faultf(s.pos, "this object has more than %d names", maxArgs)
		}
		a, fault := s.entry(depth)
		if fault != nil {
			return v, fault
		}
		v.dict = append(v.dict, a)
	}
}

// entry reads one "name": value of an object.
func (s *scanner) entry(depth int) (arg, *SyntaxError) {
	a := arg{at: s.pos}
	if key := s.keyAt(s.pos); key.value > 0 {
		a.key = s.src[s.pos:key.end]
		s.pos = key.value
	} else {
		name, fault := s.entryName()
		if fault != nil {
			return a, fault
		}
		a.key = name
	}
	if s.pos = s.space(s.pos); s.pos == len(s.src) {
		return a, faultf(s.pos, "the reply ends before a value")
	}
	var fault *SyntaxError
	a.val, fault = s.item(depth, inObject)
	return a, fault
}

func (s *scanner) entryName() (string, *SyntaxError) {
	at := s.pos
	q := quoteAt(s.src, at)
	if q.size == 0 {
		return "", faultf(at, "unexpected %q: write \"name\": value", s.show(at))
	}
	from := at + q.size
	end := s.shortEnd(from, q)
	if end <= from {
		s.pos = from
		return "", faultf(at, "this name is empty or never ends")
	}
	s.pos = s.space(end + quoteAt(s.src, end).size)
	for _, sign := range []string{":", wideColon, "="} {
		if strings.HasPrefix(s.src[s.pos:], sign) {
			s.pos += len(sign)
			return unescape(s.src[from:end], true), nil
		}
	}
	return "", faultf(s.pos, "a name without a value: write \"name\": value")
}
