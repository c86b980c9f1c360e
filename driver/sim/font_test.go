package sim

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTextWidth(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "abc": 18, "中文": 24, "a中": 18, "😀": 12, "👍🏽": 12, "e\u0301": 6, "a\u200db": 12, "❤\ufe0f": 6,
	} {
		require.Equal(t, want, textWidth(s), "%q", s)
	}
}

func TestWrap(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		room int
		want []string
	}{
		"fits":       {"hello", 60, []string{"hello"}},
		"empty":      {"", 60, []string{""}},
		"at spaces":  {"one two three", 48, []string{"one two", "three"}},
		"long word":  {"abcdefghij", 30, []string{"abcde", "fghij"}},
		"chinese":    {"一二三四五", 30, []string{"一二", "三四", "五"}},
		"newlines":   {"a\n\nb\n", 60, []string{"a", "", "b", ""}},
		"narrow":     {"ab", 1, []string{"a", "b"}},
		"mixed":      {"go 中文 now", 42, []string{"go 中文", "now"}},
		"word moves": {"aa bbbb cc", 36, []string{"aa", "bbbb", "cc"}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, wrap(c.text, c.room))
		})
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("hello 世界\n😀", 20)
	f.Fuzz(func(t *testing.T, s string, room int) {
		lines := wrap(s, room)
		strip := strings.NewReplacer(" ", "", "\n", "").Replace
		require.Equal(t, strip(s), strip(strings.Join(lines, "")), "nothing is lost")
	})
}

func TestFit(t *testing.T) {
	require.Equal(t, "hello", fit("hello", 30))
	require.Equal(t, "hell…", fit("hello world", 30))
	require.LessOrEqual(t, textWidth(fit("一二三四五六", 40)), 40)
}

// TestEveryCharacterOfTheAppsHasAGlyph keeps texts out of the built-in apps that the font cannot show.
func TestEveryCharacterOfTheAppsHasAGlyph(t *testing.T) {
	var visit func(ws []Widget)
	check := func(l Label) {
		for _, r := range l.En + l.Zh {
			if runeWidth(r) > 0 && r > ' ' {
				require.NotEqual(t, missing(runeWidth(r)), glyphOf(r), "%q in %q", r, l)
			}
		}
	}
	visit = func(ws []Widget) {
		for _, w := range ws {
			for _, l := range []Label{w.Text, w.Note, w.Hint} {
				check(l)
			}
			visit(w.More)
		}
	}
	for _, a := range builtinApps(nil) {
		check(a.Name)
		for _, s := range a.Screens {
			check(s.Title)
			for _, ws := range [][]Widget{s.Actions, s.Top, s.Body, s.Bottom} {
				visit(ws)
			}
		}
	}
}

func TestGlyphs(t *testing.T) {
	require.NotEqual(t, glyphOf('中'), glyphOf('文'))
	require.Equal(t, emojiGlyph, glyphOf('😀'))
	require.Equal(t, 12, glyphOf('中').wide)
	require.Equal(t, 6, glyphOf('a').wide)
	require.Zero(t, glyphOf('\u3000').rows, "a wide space is empty")
}
