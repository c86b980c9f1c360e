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
	flags []string
	x, y  int // of its centre, 0 to 999
}

var (
	headerLine = regexp.MustCompile(`^app (\S*) · (?:(.*) · )?\d+x\d+( · |$)`)
	rowLine    = regexp.MustCompile(`^(\d+|-) ([a-z]+)(?: (.*))? (\d{1,3}),(\d{1,3})(?: [↓↑←→]\S*)*$`)
	textLine   = regexp.MustCompile(`^- (.+) (\d{1,3}),(\d{1,3})$`)
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

func rowIn(line string) (row, bool) {
	if m := rowLine.FindStringSubmatch(line); m != nil && (m[1] != "-" || isRole(m[2])) {
		r := row{role: m[2], x: number(m[4]), y: number(m[5]), ref: number(m[1])}
		r.label, r.flags = flagsOff(m[3])
		return r, true
	}
	if m := textLine.FindStringSubmatch(line); m != nil {
		return row{role: "text", label: m[1], x: number(m[2]), y: number(m[3])}, true
	}
	return row{}, false
}

// number reads digits; "-" is 0.
func number(digits string) int {
	n, _ := strconv.Atoi(digits) // "-" is the only other thing that the patterns let through
	return n
}

func isRole(word string) bool {
	return slices.Contains([]string{"btn", "switch", "edit", "check", "radio", "tab", "list", "scroll", "img", "text", "link", "view", "web", "canvas", "slider", "menu", "key", "win", "prog"}, word)
}

var flagWords = []string{"on", "off", "sel", "focus", "disabled", "long", "checked", "•••", "↓more", "↑more"}

// flagsOff takes the flags from the end of a label.
func flagsOff(label string) (string, []string) {
	words := strings.Fields(label)
	n := len(words)
	for n > 0 && (slices.Contains(flagWords, words[n-1]) || strings.HasPrefix(words[n-1], "#")) {
		n--
	}
	flags := slices.Clone(words[n:])
	return strings.Trim(strings.Join(words[:n], " "), " ·"), flags
}

func (r row) is(roles ...string) bool     { return slices.Contains(roles, r.role) }
func (r row) flagged(f string) bool       { return slices.Contains(r.flags, f) }
func (r row) toggles() bool               { return r.is("switch", "check") }
func (r row) on() bool                    { return r.flagged("on") || r.flagged("checked") }
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
		b.WriteString(r.label + "\x00")
	}
	return s.app + "\x00" + s.title + "\x00" + b.String()
}
