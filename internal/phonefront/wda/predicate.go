package wda

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// matcher says whether an element is one that is looked for.
type matcher func(*element) bool

// parsePredicate reads the part of NSPredicate's language that is in use with elements: comparisons of an
// attribute with a value, joined with AND, OR and NOT.
func parsePredicate(s string) (matcher, error) {
	p := &predicate{source: s, tokens: scanPredicate(s)}
	m, err := p.or()
	if err == nil && p.peek() != "" {
		err = p.bad()
	}
	if err == nil {
		err = p.unknown
	}
	return m, err
}

// predicate is a predicate while it is read.
type predicate struct {
	source  string
	tokens  []string
	at      int
	unknown error // of an attribute that there is none of, which is noticed only once all could be read
}

func (p *predicate) peek() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return ""
}

func (p *predicate) next() string {
	t := p.peek()
	p.at++
	return t
}

// accept takes the next token if it is one of words, in any case.
func (p *predicate) accept(words ...string) bool {
	if slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, p.peek()) }) {
		p.at++
		return true
	}
	return false
}

func (p *predicate) bad() error {
	return fail(errUnknown, "Unable to parse the format string \"%s\"", p.source)
}

// scanPredicate splits into words, operators and quoted strings, which keep their first quote.
func scanPredicate(s string) []string {
	var tokens []string
	rs := []rune(s)
	for i := 0; i < len(rs); {
		r := rs[i]
		switch {
		case unicode.IsSpace(r):
			i++
		case r == '\'' || r == '"':
			text, n := scanQuoted(rs[i:])
			tokens, i = append(tokens, text), i+n
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '.' || r == '-' && i+1 < len(rs) && unicode.IsDigit(rs[i+1]):
			j := i + 1
			for j < len(rs) && (unicode.IsLetter(rs[j]) || unicode.IsDigit(rs[j]) || strings.ContainsRune("_.", rs[j])) {
				j++
			}
			tokens, i = append(tokens, string(rs[i:j])), j
		default:
			n := 1
			if i+1 < len(rs) && slices.Contains([]string{"==", "!=", "<=", ">=", "<>", "&&", "||", "=<", "=>"}, string(rs[i:i+2])) {
				n = 2
			}
			tokens, i = append(tokens, string(rs[i:i+n])), i+n
		}
	}
	return tokens
}

// scanQuoted reads a quoted string with backslashes, and returns it after a quote with its length in runes.
func scanQuoted(rs []rune) (string, int) {
	out := []rune{'\''}
	for i := 1; i < len(rs); i++ {
		switch {
		case rs[i] == '\\' && i+1 < len(rs):
			i++
			out = append(out, rs[i])
		case rs[i] == rs[0]:
			return string(out), i + 1
		default:
			out = append(out, rs[i])
		}
	}
	return "\x00", len(rs) // no end: no token is like that
}

func (p *predicate) or() (matcher, error) {
	left, err := p.and()
	for err == nil && p.accept("OR", "||") {
		var right matcher
		a := left
		if right, err = p.and(); err == nil {
			left = func(e *element) bool { return a(e) || right(e) }
		}
	}
	return left, err
}

func (p *predicate) and() (matcher, error) {
	left, err := p.not()
	for err == nil && p.accept("AND", "&&") {
		var right matcher
		a := left
		if right, err = p.not(); err == nil {
			left = func(e *element) bool { return a(e) && right(e) }
		}
	}
	return left, err
}

func (p *predicate) not() (matcher, error) {
	switch {
	case p.accept("NOT", "!"):
		m, err := p.not()
		return func(e *element) bool { return !m(e) }, err
	case p.accept("("):
		m, err := p.or()
		if err == nil && !p.accept(")") {
			err = p.bad()
		}
		return m, err
	case p.accept("TRUEPREDICATE"):
		return func(*element) bool { return true }, nil
	case p.accept("FALSEPREDICATE"):
		return func(*element) bool { return false }, nil
	}
	return p.comparison()
}

// comparison reads "attribute op value", with [c] and [d] after the operators for text.
func (p *predicate) comparison() (matcher, error) {
	name := p.next()
	if name == "" || !unicode.IsLetter([]rune(name)[0]) {
		return nil, p.bad()
	}
	get := p.key(name)
	op := strings.ToUpper(p.next())
	fold := p.options()
	if op == "IN" || op == "BETWEEN" {
		return p.among(op, get, fold)
	}
	value, ok := p.value()
	switch {
	case !ok:
		return nil, p.bad()
	case op == "MATCHES":
		return matches(get, value, fold)
	case !slices.Contains(comparisons, op):
		return nil, p.bad()
	}
	return func(e *element) bool { return compare(get(e), op, value, fold) }, nil
}

var comparisons = []string{"==", "=", "!=", "<>", "<", ">", "<=", ">=", "=<", "=>", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE"}

// among reads the list of IN, or the two ends of BETWEEN.
func (p *predicate) among(op string, get func(*element) any, fold bool) (matcher, error) {
	list, err := p.list()
	if err != nil || op == "BETWEEN" && len(list) != 2 {
		return nil, p.bad()
	}
	if op == "BETWEEN" {
		return func(e *element) bool {
			return compare(get(e), ">=", list[0], false) && compare(get(e), "<=", list[1], false)
		}, nil
	}
	return func(e *element) bool {
		return slices.ContainsFunc(list, func(s string) bool { return compareText(get(e), "==", s, fold) })
	}, nil
}

// matches compares with a regular expression, which must fit the whole text.
func matches(get func(*element) any, pattern string, fold bool) (matcher, error) {
	flags := "(?s)"
	if fold {
		flags = "(?is)"
	}
	re, err := regexp.Compile(flags + "^(?:" + pattern + ")$")
	if err != nil {
		return nil, fail(errUnknown, "Can't do regex matching, reason: (Can't open pattern %s)", pattern)
	}
	return func(e *element) bool {
		v := get(e)
		return v != nil && re.MatchString(fmt.Sprint(v))
	}, nil
}

// key returns what reads an attribute, or a part of rect such as rect.x.
func (p *predicate) key(name string) func(*element) any {
	whole, part, hasPart := strings.Cut(name, ".")
	if whole == "self" || whole == "SELF" {
		whole, part, hasPart = strings.Cut(part, ".")
	}
	if _, known := (&element{}).attribute(whole); !known {
		p.unknown = fail(errUnknown, "[<XCElementSnapshot 0x281c6a0a0> valueForUndefinedKey:]: this class is not key value coding-compliant "+
			"for the key %s.", whole)
	}
	return func(e *element) any {
		v, _ := e.attribute(whole)
		if m, ok := v.(map[string]any); ok && hasPart {
			return m[part]
		}
		return v
	}
}

// options reads [c], [d] or [cd] and says whether the case is to be ignored.
func (p *predicate) options() bool {
	if p.peek() != "[" {
		return false
	}
	p.next()
	fold := strings.Contains(strings.ToLower(p.next()), "c")
	p.accept("]")
	return fold
}

func (p *predicate) list() ([]string, error) {
	if !p.accept("{", "(") {
		return nil, p.bad()
	}
	var list []string
	for {
		v, ok := p.value()
		if !ok {
			return nil, p.bad()
		}
		list = append(list, v)
		if p.accept("}", ")") {
			return list, nil
		}
		if !p.accept(",") {
			return nil, p.bad()
		}
	}
}

// value reads a string, a number or a word for true, false and nil.
func (p *predicate) value() (string, bool) {
	t := p.next()
	if s, quoted := strings.CutPrefix(t, "'"); quoted {
		return s, true
	}
	switch strings.ToUpper(t) {
	case "TRUE", "YES":
		return "1", true
	case "FALSE", "NO":
		return "0", true
	case "NIL", "NULL":
		return "", true
	}
	if _, err := strconv.ParseFloat(t, 64); err == nil {
		return t, true
	}
	return "", false
}

// compare compares an attribute with a value: as numbers where the attribute is one.
func compare(v any, op, want string, fold bool) bool {
	switch x := v.(type) {
	case bool:
		v = map[bool]string{true: "1", false: "0"}[x]
		if w, err := strconv.ParseBool(want); err == nil {
			want = map[bool]string{true: "1", false: "0"}[w]
		}
	case int:
		if w, err := strconv.ParseFloat(want, 64); err == nil {
			return compareNumber(float64(x), op, w)
		}
	case nil:
		v = ""
	}
	return compareText(v, op, want, fold)
}

func compareNumber(a float64, op string, b float64) bool {
	switch op {
	case "==", "=":
		return a == b
	case "!=", "<>":
		return a != b
	case "<":
		return a < b
	case ">":
		return a > b
	case "<=", "=<":
		return a <= b
	}
	return (op == ">=" || op == "=>") && a >= b
}

func compareText(v any, op, want string, fold bool) bool {
	s := ""
	if v != nil {
		s = fmt.Sprint(v)
	}
	if fold {
		s, want = strings.ToLower(s), strings.ToLower(want)
	}
	switch op {
	case "==", "=":
		return s == want
	case "!=", "<>":
		return s != want
	case "CONTAINS":
		return strings.Contains(s, want)
	case "BEGINSWITH":
		return strings.HasPrefix(s, want)
	case "ENDSWITH":
		return strings.HasSuffix(s, want)
	case "LIKE":
		return like(s, want, fold)
	case "<":
		return s < want
	case ">":
		return s > want
	case "<=", "=<":
		return s <= want
	}
	return s >= want
}
