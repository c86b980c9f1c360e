package hdc

import (
	"regexp"
	"strings"
)

var (
	plainWord  = regexp.MustCompile(`^[A-Za-z0-9_./:@%+,-]+$`)
	bundleName = regexp.MustCompile(`^[A-Za-z]\w*(\.\w+)+$`)
	wordName   = regexp.MustCompile(`^[A-Za-z_][\w.]*$`)
)

// quote makes one word of the phone's shell (mksh) of any text without NUL.
func quote(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// quoteAll makes a command line of an argument list.
func quoteAll(argv []string) string {
	words := make([]string, len(argv))
	for i, a := range argv {
		words[i] = quote(a)
	}
	return strings.Join(words, " ")
}

// isBundle says that id can be nothing but a bundle name: no option, no syntax of a shell.
func isBundle(id string) bool { return len(id) <= 128 && bundleName.MatchString(id) }

// isAbility says the same of the name of an ability or a module.
func isAbility(name string) bool { return len(name) <= 128 && wordName.MatchString(name) }
