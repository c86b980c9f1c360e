package perception

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/handset-go/handset/driver"
)

const (
	separator = " · "
	hidden    = "•••"
)

// clean puts s on one line, without what cannot be seen or would turn the order of the line around.
func clean(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	space := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r) || r == utf8.RuneError:
			space = b.Len() > 0
			continue
		case unicode.Is(unicode.C, r):
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// plain says that clean would change nothing: the quick way for most labels.
func plain(s string) bool {
	before := byte(' ')
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c > '~' || c == ' ' && before == ' ' {
			return false
		}
		before = c
	}
	return s == "" || before != ' '
}

// clip shortens s to at most n runes, the last of which is then an ellipsis.
func clip(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	count := 0
	for i := range s {
		if count++; count == n {
			return strings.TrimRight(s[:i], " ") + "…"
		}
	}
	return s
}

// idTail is the part of an id after the last "/" or ":", for a label such as "#send".
func idTail(id string) string {
	id = clean(id)
	if i := strings.LastIndexAny(id, "/:"); i >= 0 {
		id = id[i+1:]
	}
	if id == "" {
		return ""
	}
	return "#" + strings.ReplaceAll(id, " ", "_")
}

// secrets are the texts of password fields, which other labels may repeat.
type secrets []string

// minSecret is the shortest text that is looked for inside of others: shorter ones would blot out
// half of the screen.
const minSecret = 3

func (s *secrets) add(n *driver.Node) {
	t := clean(n.Text)
	if t != "" && strings.Trim(t, "•●*·.") != "" && t != clean(n.Hint) {
		*s = append(*s, t)
	}
}

// hide blots the secrets out of a text.
func (s secrets) hide(text string) string {
	for _, secret := range s {
		if text == secret {
			return hidden
		}
		if utf8.RuneCountInString(secret) >= minSecret {
			text = strings.ReplaceAll(text, secret, hidden)
		}
	}
	return text
}

// field is the label and the value of a node that takes text.
func (v *view) field(n *driver.Node) (label, value string) {
	text, hint := clean(n.Text), clean(n.Hint)
	label = v.secrets.hide(clean(n.Desc))
	if hint != "" {
		label = hint
	}
	switch {
	case text == "" || text == hint:
		return label, ""
	case n.Is(driver.Password):
		return label, hidden
	}
	if label == text {
		label = ""
	}
	return label, v.secrets.hide(text)
}

// own is what a node says by itself.
func (v *view) own(n *driver.Node) string {
	if n.Is(driver.Password) {
		label, _ := v.field(n)
		return label
	}
	return v.secrets.hide(clean(n.Label()))
}

// merge joins the texts of a row, without those that say again what stands there.
func merge(pieces []string) string {
	var kept []string
	for _, p := range pieces {
		if p == "" || contained(kept, p) {
			continue
		}
		kept = append(kept, p)
	}
	return strings.Join(kept, separator)
}

func contained(kept []string, p string) bool {
	for _, k := range kept {
		if k == p || len(p) > 3 && strings.Contains(k, p) {
			return true
		}
	}
	return false
}
