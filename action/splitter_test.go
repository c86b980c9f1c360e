package action

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// splitAll feeds a reply in chunks of n bytes and joins what is of one kind.
func splitAll(reply string, n int) []Part {
	var s Splitter
	var out []Part
	add := func(parts []Part) {
		for _, p := range parts {
			out = appendPart(out, p.Acting, p.Text)
		}
	}
	for len(reply) > 0 {
		k := min(n, len(reply))
		add(s.Write(reply[:k]))
		reply = reply[k:]
	}
	add(s.Flush())
	return out
}

func TestSplitter(t *testing.T) {
	for name, c := range map[string]struct {
		reply string
		want  []Part
	}{
		"tags":              {"<think>想</think>\n<answer>do(action=\"Back\")</answer>", []Part{{false, "想\n"}, {true, `do(action="Back")`}}},
		"no tags":           {`go back do(action="Back")`, []Part{{false, "go back "}, {true, `do(action="Back")`}}},
		"finish":            {`so finish(message="ok")`, []Part{{false, "so "}, {true, `finish(message="ok")`}}},
		"object":            {`so {"action":"Back"}`, []Part{{false, "so "}, {true, `{"action":"Back"}`}}},
		"call in a thought": {`<think>not do(action="Home") now</think>do(action="Back")`, []Part{{false, `not do(action="Home") now`}, {true, `do(action="Back")`}}},
		"late end of thought": {`do(action="Home") no</think>do(action="Back")`,
			[]Part{{true, `do(action="Home") no`}, {true, `do(action="Back")`}}},
		"end like a mark":   {`a <thin`, []Part{{false, `a <thin`}}},
		"end like a call":   {`a do(act`, []Part{{false, `a do(act`}}},
		"undo":              {`undo(action=1)`, []Part{{false, `undo(action=1)`}}},
		"box tokens":        {`<|begin_of_box|>do(action="Back")<|end_of_box|>`, []Part{{true, `do(action="Back")`}}},
		"less-than signs":   {`1 < 2 << 3 <b>`, []Part{{false, `1 < 2 << 3 <b>`}}},
		"broken characters": {"a\xe4\xbdb\xff", []Part{{false, "a\xe4\xbdb\xff"}}},
		"empty":             {"", nil},
	} {
		t.Run(name, func(t *testing.T) {
			want := c.want
			if name == "late end of thought" {
				want = appendPart(want[:1:1], true, want[1].Text)
			}
			for n := 1; n <= len(c.reply)+1; n++ {
				require.Equal(t, want, splitAll(c.reply, n), "chunks of %d", n)
			}
		})
	}
}

func TestSplitterShowsWholeCharactersAtOnce(t *testing.T) {
	var s Splitter
	for _, b := range []byte("你好😀<x>") {
		for _, p := range s.Write(string([]byte{b})) {
			require.True(t, utf8.ValidString(p.Text), "%q", p.Text)
		}
	}
}

func TestSplitterHoldsBackNoMoreThanAMark(t *testing.T) {
	var s Splitter
	require.Equal(t, []Part{{false, "abc"}}, s.Write("abc"))
	require.Equal(t, []Part{{false, "d"}}, s.Write("d<ans"))
	require.Empty(t, s.Write("wer"))
	require.Equal(t, []Part{{true, "x"}}, s.Write(">x"))
	require.Empty(t, s.Flush())
	require.Equal(t, []Part{{false, "new"}}, s.Write("new"), "a flushed splitter starts afresh")
}

func joined(parts []Part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String()
}
