package adb

import (
	"regexp"

	"github.com/handset-go/handset/internal/posix"
)

var (
	packageName = regexp.MustCompile(`^[A-Za-z]\w*(\.\w+)+$`)
	component   = regexp.MustCompile(`^[A-Za-z]\w*(\.\w+)+/[\w.$]+$`)
)

// quote makes one word of the phone's shell (mksh) of any text without NUL.
func quote(s string) string { return posix.Quote(s) }

// quoteAll makes a command line of an argument list.
func quoteAll(argv []string) string { return posix.QuoteAll(argv) }

// isPackage says that id can be nothing but a package id: no option, no syntax of a shell.
func isPackage(id string) bool { return len(id) <= 255 && packageName.MatchString(id) }

// isComponent says that c is PACKAGE/CLASS.
func isComponent(c string) bool { return len(c) <= 512 && component.MatchString(c) }
