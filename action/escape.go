package action

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unescape decodes \n, \t, \", \' and \\, and leaves every other backslash as it is. A string of
// JSON has a few more.
func unescape(s string, json bool) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			i++
			continue
		}
		text, n := escape(s[i:], json)
		b.WriteString(text)
		i += n
	}
	return b.String()
}

// escape decodes the escape at the start of s and returns its length.
func escape(s string, json bool) (string, int) {
	switch c := s[1]; {
	case c == 'n':
		return "\n", 2
	case c == 't':
		return "\t", 2
	case c == '"', c == '\'', c == '\\':
		return s[1:2], 2
	case json && c == 'u':
		return unicodeEscape(s)
	case json && strings.IndexByte("rbf/", c) >= 0:
		return jsonEscapes[c], 2
	}
	return s[:1], 1
}

var jsonEscapes = map[byte]string{'r': "\r", 'b': "\b", 'f': "\f", '/': "/"}

// unicodeEscape decodes \uXXXX, or two of them where they are a surrogate pair.
func unicodeEscape(s string) (string, int) {
	first, ok := hex4(s)
	if !ok {
		return s[:1], 1
	}
	if second, ok := hex4(s[6:]); ok {
		if r := utf16.DecodeRune(first, second); r != utf8.RuneError {
			return string(r), 12
		}
	}
	return string(first), 6
}

func hex4(s string) (rune, bool) {
	if len(s) < 6 || s[:2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	return rune(n), err == nil
}

// quoted writes a text as a string that unescape reads back.
func quoted(s string) string { return `"` + quoter.Replace(s) + `"` }

var quoter = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`)
