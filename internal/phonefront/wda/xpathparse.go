package wda

import (
	"slices"
	"strconv"
	"strings"
)

// xpath is a path while it is read.
type xpath struct {
	source string
	tokens []string
	at     int
}

func (x *xpath) bad() error {
	return fail(errSelector, "XPath query '%s' cannot be evaluated", x.source)
}

func (x *xpath) peek() string {
	if x.at < len(x.tokens) {
		return x.tokens[x.at]
	}
	return ""
}

func (x *xpath) accept(token string) bool {
	if x.peek() == token {
		x.at++
		return true
	}
	return false
}

func (x *xpath) next() string {
	t := x.peek()
	x.at++
	return t
}

func isWord(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b == '-' || b >= 0x80
}

func scanXPath(s string) []string {
	var tokens []string
	for i := 0; i < len(s); {
		switch b := s[i]; {
		case b == ' ' || b == '\t' || b == '\n':
			i++
		case b == '"' || b == '\'':
			n := strings.IndexByte(s[i+1:], b)
			if n < 0 {
				return append(tokens, "\x00")
			}
			tokens, i = append(tokens, "'"+s[i+1:i+1+n]), i+n+2
		case isWord(b):
			j := i
			for j < len(s) && isWord(s[j]) {
				j++
			}
			tokens, i = append(tokens, s[i:j]), j
		default:
			n := 1
			if i+1 < len(s) && slices.Contains([]string{"//", "..", "::", "!=", "<=", ">="}, s[i:i+2]) {
				n = 2
			}
			tokens, i = append(tokens, s[i:i+n]), i+n
		}
	}
	return tokens
}

// parseXPath reads a whole path.
func parseXPath(source string) (*xpathPath, error) {
	x := &xpath{source: source, tokens: scanXPath(source)}
	p, err := x.path()
	if err == nil && x.at < len(x.tokens) {
		err = x.bad()
	}
	return p, err
}

// path reads a path up to its end or a closing parenthesis.
func (x *xpath) path() (*xpathPath, error) {
	p := &xpathPath{}
	var err error
	if x.accept("(") {
		if p.group, err = x.path(); err != nil {
			return nil, err
		}
		if !x.accept(")") {
			return nil, x.bad()
		}
		if p.tests, err = x.conditions(); err != nil {
			return nil, err
		}
	} else {
		x.accept(".")
	}
	for x.at < len(x.tokens) && x.peek() != ")" {
		s, err := x.step()
		if err != nil {
			return nil, err
		}
		p.steps = append(p.steps, s)
	}
	if p.group == nil && len(p.steps) == 0 {
		return nil, x.bad()
	}
	return p, nil
}

// step reads one step with what stands before it.
func (x *xpath) step() (*xpathStep, error) {
	s := &xpathStep{deep: x.accept("//"), axis: "child"}
	if !s.deep && !x.accept("/") {
		return nil, x.bad()
	}
	switch {
	case x.accept(".."):
		s.axis = "parent"
		return s, nil
	case x.accept("."):
		s.axis = "self"
		return s, nil
	}
	if s.name = x.next(); x.accept("::") {
		s.axis, s.name = s.name, x.next()
	}
	if !slices.Contains(xpathAxes, s.axis) || s.name != "*" && (s.name == "" || !isWord(s.name[0])) {
		return nil, x.bad()
	}
	var err error
	s.tests, err = x.conditions()
	return s, err
}

// conditions reads what stands in brackets.
func (x *xpath) conditions() ([]xpathTest, error) {
	var tests []xpathTest
	for x.accept("[") {
		t, err := x.or()
		if err != nil {
			return nil, err
		}
		if !x.accept("]") {
			return nil, x.bad()
		}
		tests = append(tests, t)
	}
	return tests, nil
}

func (x *xpath) or() (xpathTest, error) {
	left, err := x.and()
	for err == nil && x.accept("or") {
		var right xpathTest
		a := left
		if right, err = x.and(); err == nil {
			left = func(c xpathContext) bool { return a(c) || right(c) }
		}
	}
	return left, err
}

func (x *xpath) and() (xpathTest, error) {
	left, err := x.test()
	for err == nil && x.accept("and") {
		var right xpathTest
		a := left
		if right, err = x.test(); err == nil {
			left = func(c xpathContext) bool { return a(c) && right(c) }
		}
	}
	return left, err
}

func (x *xpath) test() (xpathTest, error) {
	t := x.peek()
	if n, err := strconv.Atoi(t); err == nil {
		x.at++
		return func(c xpathContext) bool { return c.at == n }, nil
	}
	switch t {
	case "(":
		x.at++
		in, err := x.or()
		if err == nil && !x.accept(")") {
			err = x.bad()
		}
		return in, err
	case "not", "last", "position", "contains", "starts-with":
		x.at++
		return x.function(t)
	case "@":
		return x.attribute()
	}
	return nil, x.bad()
}

func (x *xpath) function(name string) (xpathTest, error) {
	if !x.accept("(") {
		return nil, x.bad()
	}
	switch name {
	case "last":
		if !x.accept(")") {
			return nil, x.bad()
		}
		return func(c xpathContext) bool { return c.at == c.all }, nil
	case "position":
		n, err := 0, error(nil)
		if x.accept(")") && x.accept("=") {
			n, err = strconv.Atoi(x.next())
		}
		if err != nil || n == 0 {
			return nil, x.bad()
		}
		return func(c xpathContext) bool { return c.at == n }, nil
	case "not":
		in, err := x.or()
		if err == nil && !x.accept(")") {
			err = x.bad()
		}
		return func(c xpathContext) bool { return !in(c) }, err
	}
	attr, err := x.attributeName()
	if err != nil {
		return nil, err
	}
	want, ok := "", x.accept(",")
	if ok {
		want, ok = strings.CutPrefix(x.next(), "'")
	}
	if !ok || !x.accept(")") {
		return nil, x.bad()
	}
	test := strings.Contains
	if name == "starts-with" {
		test = strings.HasPrefix
	}
	return func(c xpathContext) bool { v, _ := xmlAttribute(c.e, attr); return test(v, want) }, nil
}

func (x *xpath) attributeName() (string, error) {
	if !x.accept("@") {
		return "", x.bad()
	}
	name := x.next()
	if name == "" || !isWord(name[0]) {
		return "", x.bad()
	}
	return name, nil
}

// attribute reads @name, or @name compared with a string or a number.
func (x *xpath) attribute() (xpathTest, error) {
	name, err := x.attributeName()
	if err != nil {
		return nil, err
	}
	op := x.peek()
	if !slices.Contains([]string{"=", "!=", "<", ">", "<=", ">="}, op) {
		return func(c xpathContext) bool { _, has := xmlAttribute(c.e, name); return has }, nil
	}
	x.at++
	want, quoted := strings.CutPrefix(x.next(), "'")
	n, notNumber := strconv.ParseFloat(want, 64)
	if !quoted && notNumber != nil {
		return nil, x.bad()
	}
	return func(c xpathContext) bool {
		v, has := xmlAttribute(c.e, name)
		if !has {
			return false
		}
		if f, err := strconv.ParseFloat(v, 64); err == nil && notNumber == nil {
			return compareNumber(f, op, n)
		}
		return compareText(v, op, want, false)
	}, nil
}

// xmlAttribute returns an attribute as the source has it; has is false where it is left out.
func xmlAttribute(e *element, name string) (value string, has bool) {
	v, known := e.attribute(name)
	if !known || v == nil {
		return "", false
	}
	s, ok := attributeText(v).(string)
	return s, ok
}
