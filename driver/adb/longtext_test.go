package adb_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/adb"
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
	routes := []struct {
		name, text, says string // what the driver sends on this route only
		scrcpy           string // the server's file
		profiles         []string
	}{
		{"keys", plainLongText(n), "input text", "", []string{"a14", "a16", "a9", "a6"}},
		{"input method", longText(n), "ADB_INPUT_B64", "", []string{"a14", "a16", "a9", "a6"}},
		{"scrcpy", longText(n), "app_process", scrcpyFile(t, "3.3.4"), []string{"a14", "a9"}},
		{"scrcpy of 2023", longText(n), "app_process", scrcpyFile(t, "2.1"), []string{"a14"}},
	}
	for _, r := range routes {
		if raceDetector || testing.Short() {
			r.profiles = r.profiles[:1]
		}
		for _, profile := range r.profiles {
			t.Run(r.name+"/"+profile, func(t *testing.T) {
				f := inField(t, profile, sim.Options{NoADBKeyboard: r.scrcpy != ""}) // which comes first where it is there
				d, h := f.recorded(t, func(o *adb.Options) { o.Scrcpy = r.scrcpy })
				require.NoError(t, d.Type(t.Context(), r.text))
				require.Equal(t, r.text, f.typed(t))
				said := h.said()
				for _, other := range routes[:2] {
					require.Equal(t, other.says == r.says, strings.Contains(said, other.says), other.says)
				}
				require.True(t, strings.Contains(said, r.says), r.says)
				require.Less(t, len(f.device.LongestRequest()), 4096)
				if r.scrcpy != "" {
					return // emptying this field key by key takes too long; TestScrcpyTextWithoutKeyboard sets text
				}
				next := "new: " + r.text[:len("微信")]
				require.NoError(t, d.SetText(t.Context(), next))
				require.Equal(t, next, f.typed(t))
			})
		}
	}
}
