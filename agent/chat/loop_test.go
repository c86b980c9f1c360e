package chat

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPeriod(t *testing.T) {
	for text, want := range map[string]int{
		"a": 1, "aaaa": 1, "abab": 2, "ababa": 2, "abcab": 3, "abcd": 4, "abca": 3, "aabaab": 3, "aabaaab": 4,
	} {
		require.Equal(t, want, period([]byte(text)), text)
	}
}

func TestLoopGuard(t *testing.T) {
	var counting strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&counting, "%d, ", i)
	}
	cases := []struct {
		name, before, passage string
		times                 int
		want                  bool
	}{
		{"a sentence for ever", "I think. ", "I should tap on it again. ", 400, true},
		{"in Chinese", "我想", "我需要再点一次。", 400, true},
		{"one letter", "", "a", 8000, true},
		{"a few times is speech", "", "I should tap on it again. ", 100, false},
		{"a long passage", counting.String()[:4000], counting.String()[:2000], 5, false},
		{"counting is no loop", counting.String(), "", 0, false},
	}
	for _, c := range cases {
		for _, size := range []int{1, 7, 5000} {
			t.Run(fmt.Sprintf("%s in pieces of %d", c.name, size), func(t *testing.T) {
				var g loopGuard
				got := false
				for rest := c.before + strings.Repeat(c.passage, c.times); rest != ""; {
					n := min(size, len(rest))
					got = got || g.add(rest[:n])
					rest = rest[n:]
				}
				require.Equal(t, c.want, got)
			})
		}
	}
}
