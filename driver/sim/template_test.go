package sim

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExpand(t *testing.T) {
	p := New(nil)
	p.values = map[string]string{"a": "1", "b": "a", "x1": "deep", "empty": ""}
	p.lists = map[string][]Entry{"l": {{"n": "1.25"}, {"n": "2"}, {"n": "no"}}}
	at := place{list: "l", index: 1, entry: Entry{"f": "field"}}
	for in, want := range map[string]string{
		"":             "",
		"plain":        "plain",
		"{a}":          "1",
		"<{a}{.f}>":    "<1field>",
		"{x{a}}":       "deep",
		"{#l} {+l.n}":  "3 3.25",
		"{nothing}":    "",
		"{#none}":      "0",
		"{open":        "{open",
		"close} {a}":   "close} 1",
		"{a} and {x{b": "1 and {x{b",
	} {
		require.Equal(t, want, p.expand(in, at), in)
	}
	// What comes out of a value is never read again.
	p.values["sly"] = "{a}"
	require.Equal(t, "{a}", p.expand("{sly}", at))
}

func TestHolds(t *testing.T) {
	p := New(nil)
	p.values = map[string]string{"on": "true", "off": "false", "zero": "0", "one": "1", "who": "Ann"}
	p.lists = map[string][]Entry{"l": {{}}}
	at := place{entry: Entry{"f": "x"}}
	for cond, want := range map[string]bool{
		"":               true,
		"on":             true,
		"off":            false,
		"zero":           false,
		"missing":        false,
		"!missing":       true,
		"!on":            false,
		"who=Ann":        true,
		"who=Ben":        false,
		"who!=Ben":       true,
		"on&one":         true,
		"on&off":         false,
		"on&!off&.f=x":   true,
		"#l":             true,
		"!#none":         true,
		"who={who}":      true,
		"missing=":       true,
		"on&who!=Ann&on": false,
	} {
		require.Equal(t, want, p.holds(cond, at), cond)
	}
}

func FuzzExpand(f *testing.F) {
	for _, s := range []string{"{a}", "{a{b}}", "{#l}{+l.n}{.f}", "{", "}{", "{{}}", "{+}", "{.}"} {
		f.Add(s)
	}
	p := New(nil)
	p.values = map[string]string{"a": "{b}", "b": "c"}
	f.Fuzz(func(t *testing.T, s string) {
		out := p.expand(s, nowhere)
		if closing(s) < 0 && !containsBrace(s) {
			require.Equal(t, s, out)
		}
		p.holds(s, nowhere)
	})
}

func containsBrace(s string) bool {
	for _, r := range s {
		if r == '{' {
			return true
		}
	}
	return false
}
