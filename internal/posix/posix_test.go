package posix_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/handset-go/handset/internal/posix"
)

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"plain-1.2_/x": "plain-1.2_/x", "": "''", "it's": `'it'\''s'`, "$(reboot)": "'$(reboot)'", "a b": "'a b'", "a\nb": "'a\nb'", "打": "'打'",
		"~": "'~'", "a=b": "'a=b'", "*": "'*'", "#": "'#'", `\`: `'\'`, "plain\n": "'plain\n'",
	} {
		require.Equal(t, want, posix.Quote(in))
	}
	require.Equal(t, `echo -n 'it'\''s' '' a,b`, posix.QuoteAll([]string{"echo", "-n", "it's", "", "a,b"}))
	require.Empty(t, posix.QuoteAll(nil))
}

// FuzzQuoteAll reads a line back as shells do: as two words, whatever is in them.
func FuzzQuoteAll(f *testing.F) {
	for _, s := range []string{"", "it's", `"`, "$HOME", "`reboot`", "a;b|c&d>e<f", "a\nb", "~", "{a,b}", "[a]", "!x", `\'`, "''", "-n", "%s"} {
		f.Add(s, s+"'"+s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if strings.ContainsAny(a+b, "\x00\r") || !utf8.ValidString(a) || !utf8.ValidString(b) {
			t.Skip("no argument has a NUL, and the parser of the test knows no bytes but UTF-8 and drops \\r before \\n")
		}
		for _, lang := range []syntax.LangVariant{syntax.LangPOSIX, syntax.LangMirBSDKorn} {
			file, err := syntax.NewParser(syntax.Variant(lang)).Parse(strings.NewReader("x "+posix.QuoteAll([]string{a, b})), "")
			require.NoError(t, err)
			require.Len(t, file.Stmts, 1)
			words, err := expand.Fields(nil, file.Stmts[0].Cmd.(*syntax.CallExpr).Args...)
			require.NoError(t, err)
			require.Equal(t, []string{"x", a, b}, words)
		}
	})
}
