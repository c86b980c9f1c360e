package phoneshell

import (
	"context"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// runSed knows s/// with g and i, line deletion and -n with p: what scripts about phones use.
func runSed(_ context.Context, p *Proc) int {
	set, rest, unknown := p.Options("nEr", "e")
	if unknown != 0 {
		return p.badOption(unknown)
	}
	src, given := set['e']
	if !given {
		if len(rest) == 0 {
			return p.Fail(1, "sed: no pattern")
		}
		src, rest = rest[0], rest[1:]
	}
	edit, err := sedScript(src, Has(set, 'E') || Has(set, 'r'))
	if err != nil {
		return p.Fail(1, "sed: bad pattern '%s'", src)
	}
	return p.Inputs(rest, func(_ string, r io.Reader) error {
		n := 0
		eachLine(r, func(line string) bool {
			n++
			out, keep, again := edit(line, n)
			if again || keep && !Has(set, 'n') {
				p.Print("%s\n", out)
			}
			return true
		})
		return nil
	})
}

// sedEdit edits one line: what is printed at the end of the cycle, whether it is, and whether p asked for it.
type sedEdit func(line string, n int) (out string, keep, again bool)

// sedScript reads commands that are parted by semicolons.
func sedScript(src string, extended bool) (sedEdit, error) {
	edit, err := parseSed(strings.TrimSpace(src), extended)
	first, rest, several := strings.Cut(src, ";")
	if err == nil || !several {
		return edit, err
	}
	one, err := parseSed(strings.TrimSpace(first), extended)
	if err != nil {
		return nil, err
	}
	two, err := sedScript(rest, extended)
	if err != nil {
		return nil, err
	}
	return func(line string, n int) (string, bool, bool) {
		out, keep, again := one(line, n)
		if !keep {
			return out, keep, again
		}
		out, keep, more := two(out, n)
		return out, keep, again || more
	}, nil
}

func parseSed(src string, extended bool) (sedEdit, error) {
	pattern := func(s string) (*regexp.Regexp, error) {
		if !extended {
			s = basicRegexp(s)
		}
		return regexp.Compile(s)
	}
	if len(src) > 3 && src[0] == 's' {
		parts := strings.Split(src[2:], src[1:2])
		if len(parts) != 3 || strings.Trim(parts[2], "giIp0123456789") != "" {
			return nil, EINVAL
		}
		flags := parts[2]
		if strings.Contains(flags, "i") || strings.Contains(flags, "I") {
			parts[0] = "(?i)" + parts[0]
		}
		re, err := pattern(parts[0])
		if err != nil {
			return nil, err
		}
		return substitution(re, parts[1], flags), nil
	}
	if num, err := strconv.Atoi(strings.TrimRight(src, "dp")); err == nil && len(src) > 1 {
		deletes := strings.HasSuffix(src, "d")
		return func(line string, n int) (string, bool, bool) {
			return line, n != num || !deletes, n == num && !deletes
		}, nil
	}
	body, command, ok := strings.Cut(strings.TrimPrefix(src, "/"), "/")
	if !ok || !strings.HasPrefix(src, "/") || command != "d" && command != "p" {
		return nil, EINVAL
	}
	re, err := pattern(body)
	if err != nil {
		return nil, err
	}
	return func(line string, _ int) (string, bool, bool) {
		hit := re.MatchString(line)
		return line, command == "p" || !hit, command == "p" && hit
	}, nil
}

var sedGroup = regexp.MustCompile(`\\([0-9])|&|\$`)

func substitution(re *regexp.Regexp, with, flags string) sedEdit {
	template := sedGroup.ReplaceAllStringFunc(with, func(m string) string {
		switch m {
		case "&":
			return "${0}"
		case "$":
			return "$$"
		}
		return "${" + m[1:] + "}"
	})
	return func(line string, _ int) (string, bool, bool) {
		m := re.FindStringSubmatchIndex(line)
		if m == nil {
			return line, true, false
		}
		out := ""
		if strings.Contains(flags, "g") {
			out = re.ReplaceAllString(line, template)
		} else {
			out = line[:m[0]] + string(re.ExpandString(nil, template, line, m)) + line[m[1]:]
		}
		return out, true, strings.Contains(flags, "p")
	}
}
