// Package posix writes command lines for a POSIX shell.
package posix

import (
	"regexp"
	"strings"
)

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:@%+,-]+$`)

// Quote makes one word of a command line of any text without NUL. A text that no shell reads as anything but itself stays
// as it is.
func Quote(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// QuoteAll makes a command line of an argument list.
func QuoteAll(argv []string) string {
	words := make([]string, len(argv))
	for i, a := range argv {
		words[i] = Quote(a)
	}
	return strings.Join(words, " ")
}
