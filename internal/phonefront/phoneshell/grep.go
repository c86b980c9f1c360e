package phoneshell

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// grepper is what grep looks for and what it prints.
type grepper struct {
	re                                  *regexp.Regexp
	invert, count, quiet, names, number bool
	only                                bool
	max, after                          int
}

func runGrep(_ context.Context, p *Proc) int {
	set, rest, unknown := p.Options("EFivcqnolshHwxraz", "emABC")
	if unknown != 0 {
		return p.Fail(2, "%s: Unknown option '%c' (see \"%s --help\")", p.Args[0], unknown, p.Args[0])
	}
	pattern, given := set['e']
	if !given {
		if len(rest) == 0 {
			return p.Fail(2, "%s: no REGEX", p.Args[0])
		}
		pattern, rest = rest[0], rest[1:]
	}
	re, err := grepPattern(p.Args[0], pattern, set)
	if err != nil {
		return p.Fail(2, "%s: bad REGEX '%s': %v", p.Args[0], pattern, err)
	}
	g := &grepper{re: re, invert: Has(set, 'v'), count: Has(set, 'c'), quiet: Has(set, 'q'), names: Has(set, 'l'),
		number: Has(set, 'n'), only: Has(set, 'o')}
	g.max, _ = strconv.Atoi(set['m'])
	g.after, _ = strconv.Atoi(cmp.Or(set['A'], set['C']))
	found := false
	status := p.Inputs(rest, func(name string, r io.Reader) error {
		prefix := ""
		if len(rest) > 1 && !Has(set, 'h') || Has(set, 'H') {
			prefix = name + ":"
		}
		if g.search(p.Out, name, prefix, r) {
			found = true
		}
		return nil
	})
	switch {
	case found && (status == 0 || g.quiet):
		return 0
	case status != 0:
		return 2
	}
	return 1
}

// grepPattern turns a pattern of grep into Go's syntax.
func grepPattern(name, pattern string, set map[byte]string) (*regexp.Regexp, error) {
	switch {
	case Has(set, 'F') || name == "fgrep":
		pattern = regexp.QuoteMeta(pattern)
	case !Has(set, 'E') && name != "egrep":
		pattern = basicRegexp(pattern)
	}
	if Has(set, 'w') {
		pattern = `\b(?:` + pattern + `)\b`
	}
	if Has(set, 'x') {
		pattern = `^(?:` + pattern + `)$`
	}
	if Has(set, 'i') {
		pattern = `(?i)` + pattern
	}
	return regexp.Compile(pattern)
}

// basicRegexp turns a basic regular expression into an extended one: there \( \) \{ \} \| \+ \? are the
// operators, and the bare characters stand for themselves.
func basicRegexp(s string) string {
	const swapped = "(){}|+?"
	var b strings.Builder
	inSet := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case inSet:
			inSet = c != ']' || s[i-1] == '['
			b.WriteByte(c)
		case c == '[':
			inSet = true
			b.WriteByte(c)
		case c == '\\' && i+1 < len(s):
			i++
			if !strings.Contains(swapped, s[i:i+1]) {
				b.WriteByte('\\')
			}
			b.WriteByte(s[i])
		case strings.IndexByte(swapped, c) >= 0, c == '*' && i == 0:
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// search prints the lines that match and says whether there was one.
func (g *grepper) search(out io.Writer, name, prefix string, r io.Reader) bool {
	matches, line, trail := 0, 0, 0
	var b bytes.Buffer
	eachLine(r, func(text string) bool {
		line++
		if g.re.MatchString(text) == g.invert {
			if trail > 0 {
				trail--
				b.WriteString(text + "\n")
			}
			return true
		}
		matches, trail = matches+1, g.after
		switch {
		case g.quiet || g.names:
			return false
		case g.count:
		case g.only:
			for _, m := range g.re.FindAllString(text, -1) {
				b.WriteString(prefix + m + "\n")
			}
		case g.number:
			fmt.Fprintf(&b, "%s%d:%s\n", prefix, line, text)
		default:
			b.WriteString(prefix + text + "\n")
		}
		return g.max == 0 || matches < g.max
	})
	switch {
	case g.count:
		fmt.Fprintf(&b, "%s%d\n", prefix, matches)
	case g.names && matches > 0:
		b.WriteString(name + "\n")
	}
	_, _ = out.Write(b.Bytes())
	return matches > 0
}
