package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/alecthomas/kong"
)

// literal marks an argument that begins with "-" and is no flag, such as -1,5 or "- milk". Nothing that a process is
// given can hold it.
const literal = "\x00"

// readers read the kinds of values in place of kong's own: strings without that mark, and with errors in plain words.
var readers = []kong.Option{
	kong.KindMapper(reflect.String, reader(func(s string, to reflect.Value) error {
		to.SetString(s)
		return nil
	})),
	kong.KindMapper(reflect.Int, reader(func(s string, to reflect.Value) error {
		n, err := strconv.Atoi(s)
		if err != nil {
			return fmt.Errorf("want a whole number, and not %q", s)
		}
		to.SetInt(int64(n))
		return nil
	})),
	kong.KindMapper(reflect.Float64, reader(func(s string, to reflect.Value) error {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return fmt.Errorf("want a number such as 2 or 0.5, and not %q", s)
		}
		to.SetFloat(x)
		return nil
	})),
	kong.TypeMapper(reflect.TypeFor[time.Duration](), reader(func(s string, to reflect.Value) error {
		t, err := time.ParseDuration(s)
		if err != nil {
			return fmt.Errorf("want a time such as 300ms or 1m30s, and not %q", s)
		}
		to.SetInt(int64(t))
		return nil
	})),
}

func reader(read func(string, reflect.Value) error) kong.MapperFunc {
	return func(ctx *kong.DecodeContext, to reflect.Value) error {
		var s string
		if err := ctx.Scan.PopValueInto("value", &s); err != nil {
			return err
		}
		return read(strings.TrimPrefix(s, literal), to)
	}
}

// parse reads the arguments. The error says what to do about an argument that was taken for a flag.
func parse(parser *kong.Kong, args []string) (*kong.Context, error) {
	for _, arg := range args {
		// Kong would put a replacement character for each byte that is not UTF-8: into a text to type, and into the
		// name of a file.
		if !utf8.ValidString(arg) {
			return nil, fmt.Errorf("the argument %q is not UTF-8; try: handset --help", arg)
		}
	}
	l := newLine(parser.Model)
	err := l.read(args)
	var k *kong.Context
	if err == nil {
		k, err = parser.Parse(l.args)
	}
	if err != nil {
		return nil, errors.New(strings.ReplaceAll(err.Error(), literal, "") + l.hint())
	}
	return k, nil
}

// line is a command line on its way to kong.
type line struct {
	app     *kong.Application
	command *kong.Node // nil before it is named
	long    map[string]*kong.Flag
	short   map[string]*kong.Flag
	args    []string
	stray   string // the first argument that looks like a flag and is none
}

func newLine(app *kong.Application) *line {
	l := &line{app: app, long: map[string]*kong.Flag{}, short: map[string]*kong.Flag{}}
	l.know(app.Flags)
	return l
}

func (l *line) know(flags []*kong.Flag) {
	for _, f := range flags {
		l.long[f.Name] = f
		if f.Short != 0 {
			l.short[string(f.Short)] = f
		}
	}
}

// read goes over the arguments, up to a "--", and marks what cannot be a flag.
func (l *line) read(args []string) error {
	l.args = slices.Clone(args)
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		arg := args[i]
		switch {
		case arg == "-" || !strings.HasPrefix(arg, "-"):
			if l.passesOn() {
				return nil
			}
			l.name(arg)
		case isNumberOrText(arg):
			l.args[i] = literal + arg
		case !l.known(arg):
			l.stray = cmp.Or(l.stray, arg)
		case l.wantsNext(arg):
			if err := valueOf(l.flag(arg), args[i:]); err != nil {
				return err
			}
			i++
		}
	}
	return nil
}

// passesOn says that what follows the command is not for this program: shell runs it on the phone.
func (l *line) passesOn() bool {
	return l.command != nil && len(l.command.Positional) > 0 && l.command.Positional[0].Passthrough
}

// name takes the first argument that is no flag as the command.
func (l *line) name(arg string) {
	if l.command != nil {
		return
	}
	for _, c := range l.app.Children {
		if c.Name == arg {
			l.command = c
			l.know(c.Flags)
		}
	}
}

// isNumberOrText says that what begins with one "-" is no flag: flags have letters.
func isNumberOrText(arg string) bool {
	c := arg[1]
	return c != '-' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
}

// flag returns the flag that an argument begins with, or nil.
func (l *line) flag(arg string) *kong.Flag {
	if name, ok := strings.CutPrefix(arg, "--"); ok {
		name, _, _ = strings.Cut(name, "=")
		return l.long[name]
	}
	return l.short[arg[1:2]]
}

// known says that an argument is a flag: also several of one letter, as -yv, the last of which may have its value behind it.
func (l *line) known(arg string) bool {
	if strings.HasPrefix(arg, "--") {
		return l.flag(arg) != nil
	}
	for _, letter := range arg[1:] {
		f := l.short[string(letter)]
		if f == nil || takesValue(f) {
			return f != nil
		}
	}
	return true
}

func takesValue(f *kong.Flag) bool { return !f.IsBool() && !f.IsCounter() }

// wantsNext says that the value of a flag is the next argument.
func (l *line) wantsNext(arg string) bool {
	f := l.flag(arg)
	whole := arg == "--"+f.Name || f.Short != 0 && arg == "-"+string(f.Short)
	return whole && takesValue(f)
}

// valueOf wants a value behind a flag.
func valueOf(f *kong.Flag, args []string) error {
	switch {
	case len(args) < 2:
		return fmt.Errorf("%s: its value is missing", args[0])
	case len(args[1]) > 1 && args[1][0] == '-':
		return fmt.Errorf("%s: its value is missing; one that begins with - is written --%s=%s", args[0], f.Name, args[1])
	}
	return nil
}

// hint says what may help a person whose line could not be read.
func (l *line) hint() string {
	if l.command == nil {
		return "; try: handset --help"
	}
	var dash string
	if l.stray != "" && len(l.command.Positional) > 0 {
		dash = fmt.Sprintf(`; what begins with "-" and is no flag goes behind "--": handset %s -- %q`, l.command.Name, l.stray)
	}
	return fmt.Sprintf("%s; try: handset %s --help", dash, l.command.Name)
}

// dropEmptyEnv makes a variable that is set to nothing the same as one that is not set.
func dropEmptyEnv(model *kong.Application) {
	_ = kong.Visit(model, func(node kong.Visitable, next kong.Next) error { // neither this function nor next fails
		if f, ok := node.(*kong.Flag); ok {
			f.Tag.Envs = slices.DeleteFunc(f.Tag.Envs, func(name string) bool { return os.Getenv(name) == "" })
		}
		return next(nil)
	})
}
