package sim

import (
	"slices"
	"strconv"
	"strings"
)

// place is where a widget stands: the entry of the list that it repeats for, if any.
type place struct {
	list  string
	index int
	entry Entry
}

// nowhere is the place of a widget that does not repeat.
var nowhere = place{index: -1}

// expand replaces {key}, {.field}, {#list} and {+list.field} in s. What is not closed stays as it is. A
// name may hold one of them in turn, as in {draft:{chat}}.
func (p *Phone) expand(s string, at place) string {
	if !strings.Contains(s, "{") {
		return s
	}
	var b strings.Builder
	for {
		open := strings.IndexByte(s, '{')
		if open < 0 {
			break
		}
		n := closing(s[open:])
		if n < 0 {
			break
		}
		b.WriteString(s[:open])
		b.WriteString(p.lookUp(p.expand(s[open+1:open+n], at), at))
		s = s[open+n+1:]
	}
	b.WriteString(s)
	return b.String()
}

// closing returns the index of the brace that closes s[0], or -1.
func closing(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func (p *Phone) lookUp(name string, at place) string {
	switch {
	case strings.HasPrefix(name, "."):
		return at.entry[name[1:]]
	case strings.HasPrefix(name, "#"):
		return strconv.Itoa(len(p.lists[name[1:]]))
	case strings.HasPrefix(name, "+"):
		return p.sum(name[1:])
	}
	return p.values[name]
}

// sum adds the field of "list.field" over the list, with two decimals.
func (p *Phone) sum(name string) string {
	list, field, _ := strings.Cut(name, ".")
	cents := 0
	for _, e := range p.lists[list] {
		f, err := strconv.ParseFloat(e[field], 64)
		if err == nil {
			cents += int(f*100 + 0.5)
		}
	}
	return strconv.FormatFloat(float64(cents)/100, 'f', 2, 64)
}

// holds judges a condition of Widget.If.
func (p *Phone) holds(cond string, at place) bool {
	if cond == "" {
		return true
	}
	return !slices.ContainsFunc(strings.Split(cond, "&"), func(c string) bool { return !p.holdsOne(c, at) })
}

func (p *Phone) holdsOne(c string, at place) bool {
	if key, want, ok := strings.Cut(c, "!="); ok {
		return p.operand(key, at) != p.expand(want, at)
	}
	if key, want, ok := strings.Cut(c, "="); ok {
		return p.operand(key, at) == p.expand(want, at)
	}
	if key, ok := strings.CutPrefix(c, "!"); ok {
		return !isOn(p.operand(key, at))
	}
	return isOn(p.operand(c, at))
}

// operand is the value that a name in a condition stands for.
func (p *Phone) operand(name string, at place) string {
	return p.lookUp(p.expand(name, at), at)
}
