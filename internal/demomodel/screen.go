package demomodel

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// screen is the newest screen, as rows.
type screen struct {
	app      string // package, bundle
	title    string
	rows     []row
	keyboard bool   // it covers the lower part
	notes    string // what else the message says, such as the outcome of the last action
}

// row is one thing on the screen.
type row struct {
	ref   int // 0 for a thing to be read only
	role  string
	label string // with its parts, joined by " · "
	value string // what a field holds
	flags []string
	x, y  int // of its centre, 0 to 999
}

var (
	headerLine = regexp.MustCompile(`^app (\S*) · (?:(.*) · )?\d+x\d+( · |$)`)
	rowLine    = regexp.MustCompile(`^(\d+) ([a-z]+)(?: (.*))? (\d{1,3}),(\d{1,3})$`)
	textLine   = regexp.MustCompile(`^- (.+) (\d{1,3}),(\d{1,3})$`)
	tagEnd     = regexp.MustCompile(`\s*\[[\w.]+\]$`)
	valueEnd   = regexp.MustCompile(`(?:^|\s)"(.*)"$`)
)

// screenIn reads the rows of a message, and returns nil if it has none.
func screenIn(text string) *screen {
	var s *screen
	var notes []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if m := headerLine.FindStringSubmatch(line); m != nil {
			s = &screen{app: m[1], title: m[2], keyboard: strings.Contains(line, " · kb on")}
			continue
		}
		r, ok := rowIn(line)
		switch {
		case ok && s != nil:
			s.rows = append(s.rows, r)
		default:
			notes = append(notes, line)
		}
	}
	if s != nil {
		s.notes = strings.Join(notes, "\n")
	}
	return s
}

// rowIn reads a line such as 7 edit Name "Ann" focus [dialog] 500,400 or - Battery 100% 300,221.
func rowIn(line string) (row, bool) {
	if m := rowLine.FindStringSubmatch(line); m != nil {
		r := row{ref: number(m[1]), role: m[2], x: number(m[4]), y: number(m[5])}
		r.read(m[3])
		return r, true
	}
	if m := textLine.FindStringSubmatch(line); m != nil {
		r := row{role: "text", x: number(m[2]), y: number(m[3])}
		r.read(m[1])
		return r, true
	}
	return row{}, false
}

// number reads digits that a pattern has found.
func number(digits string) int {
	n, _ := strconv.Atoi(digits) // too many of them are no place on a screen
	return n
}

var flagWords = []string{"on", "off", "sel", "focus", "disabled", "long"}

// read takes a row apart from its end: the tag of its window, the flags, the value, the label.
func (r *row) read(text string) {
	words := strings.Fields(tagEnd.ReplaceAllString(text, ""))
	n := len(words)
	for n > 0 && slices.Contains(flagWords, words[n-1]) {
		n--
	}
	r.flags = slices.Clone(words[n:])
	r.label = strings.Join(words[:n], " ")
	if m := valueEnd.FindStringSubmatchIndex(r.label); m != nil && r.is("edit") {
		r.value, r.label = r.label[m[2]:m[3]], strings.TrimSpace(r.label[:m[0]])
	}
}

func (r row) is(roles ...string) bool     { return slices.Contains(roles, r.role) }
func (r row) flagged(f string) bool       { return slices.Contains(r.flags, f) }
func (r row) toggles() bool               { return r.is("switch", "check") }
func (r row) on() bool                    { return r.flagged("on") }
func (r row) parts() []string             { return strings.Split(r.label, " · ") }
func (r row) pressable() bool             { return r.ref > 0 && !r.flagged("disabled") }
func (s *screen) has(names []string) bool { _, ok := s.find(names, nil); return ok }

// find returns the row that fits one of the names best: by a part that is the name before one that
// holds it. keep may leave rows out.
func (s *screen) find(names []string, keep func(row) bool) (row, bool) {
	var best row
	score := 0
	for _, r := range s.rows {
		if keep != nil && !keep(r) {
			continue
		}
		if n := r.fits(names); n > score {
			best, score = r, n
		}
	}
	return best, score > 0
}

// titled says whether the page has one of the names: as a text at its top, or in the header.
func (s *screen) titled(names []string) bool {
	if (row{label: s.title}).fits(names) > 1 {
		return true
	}
	_, ok := s.first(func(r row) bool { return r.ref == 0 && r.y < 130 && r.fits(names) > 1 })
	return ok
}

// first returns the first row that is wanted.
func (s *screen) first(wanted func(row) bool) (row, bool) {
	if i := slices.IndexFunc(s.rows, wanted); i >= 0 {
		return s.rows[i], true
	}
	return row{}, false
}

// fits says how well a label answers to one of the names: 0 not at all, 3 best.
func (r row) fits(names []string) int {
	score := 0
	for i, part := range r.parts() {
		part = normal(part)
		for _, name := range names {
			name = normal(name)
			switch {
			case name == "":
			case part == name && i == 0:
				return 3
			case part == name:
				score = max(score, 2)
			case holds(part, name):
				score = max(score, 1)
			}
		}
	}
	return score
}

// holds says whether a text holds a name as whole words; Chinese has no words to tell apart.
func holds(text, name string) bool {
	if hasHan(name) {
		return strings.Contains(text, name)
	}
	return strings.Contains(" "+text+" ", " "+name+" ")
}

// labels returns what tells two screens apart.
func (s *screen) labels() string {
	var b strings.Builder
	for _, r := range s.rows {
		b.WriteString(r.label + "\x00" + r.value + "\x00" + strings.Join(r.flags, " ") + "\x00")
	}
	return s.app + "\x00" + s.title + "\x00" + b.String()
}
