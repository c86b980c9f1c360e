package adb

import (
	"regexp"
	"strings"
)

var (
	plainWord   = regexp.MustCompile(`^[A-Za-z0-9_./:@%+,-]+$`)
	packageName = regexp.MustCompile(`^[A-Za-z]\w*(\.\w+)+$`)
	component   = regexp.MustCompile(`^[A-Za-z]\w*(\.\w+)+/[\w.$]+$`)
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

// isPackage says that id can be nothing but a package id: no option, no syntax of a shell.
func isPackage(id string) bool { return len(id) <= 255 && packageName.MatchString(id) }

// isComponent says that c is PACKAGE/CLASS.
func isComponent(c string) bool { return len(c) <= 512 && component.MatchString(c) }
