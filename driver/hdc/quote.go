package hdc

import (
	"regexp"

	"github.com/handset-go/handset/internal/posix"
)

var (
	bundleName = regexp.MustCompile(`^[A-Za-z]\w*(\.\w+)+$`)
	wordName   = regexp.MustCompile(`^[A-Za-z_][\w.]*$`)
)

// quote makes one word of the phone's shell (mksh) of any text without NUL.
func quote(s string) string { return posix.Quote(s) }

// quoteAll makes a command line of an argument list.
func quoteAll(argv []string) string { return posix.QuoteAll(argv) }

// isBundle says that id can be nothing but a bundle name: no option, no syntax of a shell.
func isBundle(id string) bool { return len(id) <= 128 && bundleName.MatchString(id) }

// isAbility says the same of the name of an ability or a module.
func isAbility(name string) bool { return len(name) <= 128 && wordName.MatchString(name) }
