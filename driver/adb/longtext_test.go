package adb_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
)

// longText is n characters of all that is awkward: emoji of several code points, CJK, quotes of all
// kinds, shell syntax and "%s".
func longText(n int) string {
	const awkward = `微信 "双引号" '单引号' ‘’“” 👍🏽 👨‍👩‍👧 𝒳 é ñ ß 日本語 한국어 $(x) ` + "`y`" + ` %s \n & | ; > < * ? ! ~ # {a,b} `
	runes := []rune(strings.Repeat(awkward, n/len([]rune(awkward))+1))
	return string(runes[:n])
}

// plainLongText is the same for a route that takes ASCII only.
func plainLongText(n int) string {
	const awkward = `"double" 'single' $(x) ` + "`y`" + ` %s \n & | ; > < * ? ! ~ # {a,b} 100%safe -n --es `
	return strings.Repeat(awkward, n/len(awkward)+1)[:n]
}

// TestLongText types 5,000 characters by each route that claims them, on each way the phones differ,
// once at the cursor and once in place of what is there.
func TestLongText(t *testing.T) {
	const n = 5000
	for _, profile := range []string{"a14", "a16", "a9", "a6"} {
		for route, text := range map[string]string{"keys": plainLongText(n), "input method": longText(n)} {
			t.Run(profile+"/"+route, func(t *testing.T) {
				f := inField(t, profile, sim.Options{})
				d, h := f.recorded(t)
				require.NoError(t, d.Type(t.Context(), text))
				require.Equal(t, text, f.typed(t))
				require.Equal(t, route == "keys", strings.Contains(h.said(), "input text"))
				require.NoError(t, d.SetText(t.Context(), "new: "+text[:len("微信")]))
				require.Equal(t, "new: "+text[:len("微信")], f.typed(t))
				require.Less(t, len(f.device.LongestRequest()), 4096)
			})
		}
	}
}
