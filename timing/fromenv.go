package timing

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
)

// FromEnv returns Default with the variables that lookup knows put in; lookup is os.LookupEnv, or a
// function over a map. A value is seconds ("1.5") or a Go duration ("1500ms"), from 0 to Max; a
// wait after an action may also be "settle". An empty value counts as unset. Each bad variable is
// named, with what is wrong with its value; the Timing is then Default without the bad ones.
func FromEnv(lookup func(string) (string, bool)) (Timing, error) {
	t := Default()
	var bad []error
	for _, name := range Variables() {
		value, ok := lookup(name)
		if !ok || strings.TrimSpace(value) == "" {
			continue
		}
		if err := t.set(name, value); err != nil {
			bad = append(bad, err)
		}
	}
	return t, errors.Join(bad...)
}

// Variables returns the names of the variables that FromEnv reads, in the order of the fields.
func Variables() []string {
	fields, err := env.GetFieldParams(&Timing{})
	if err != nil {
		panic("timing: a bad env tag: " + err.Error())
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.OwnKey
	}
	return names
}

// set parses one variable alone: the library's errors name the field, and this one knows the name.
func (t *Timing) set(name, value string) error {
	err := env.ParseWithOptions(t, env.Options{
		Environment: map[string]string{name: value},
		FuncMap: map[reflect.Type]env.ParserFunc{
			reflect.TypeFor[Delay]():         parseDelay,
			reflect.TypeFor[time.Duration](): func(s string) (any, error) { return parseDuration(s) },
		},
	})
	var parse env.ParseError
	if errors.As(err, &parse) {
		return fmt.Errorf("%s=%q: %w", name, value, parse.Err)
	}
	if err != nil {
		return fmt.Errorf("%s=%q: %w", name, value, err)
	}
	return nil
}

func parseDelay(s string) (any, error) {
	if strings.EqualFold(strings.TrimSpace(s), "settle") {
		return Settle, nil
	}
	d, err := parseDuration(s)
	return Delay(d), err
}

var errSyntax = errors.New(`want seconds such as 1.5, or a duration such as 1500ms`)

// parseDuration reads seconds or a Go duration and refuses what is no sensible wait.
func parseDuration(s string) (time.Duration, error) {
	s = strings.TrimSpace(s)
	d, err := time.ParseDuration(s)
	if err == nil {
		return d, checkSeconds(d.Seconds())
	}
	seconds, err := strconv.ParseFloat(s, 64)
	if errors.Is(err, strconv.ErrRange) {
		return 0, checkSeconds(seconds) // an infinity
	}
	if err != nil {
		return 0, errSyntax
	}
	if err := checkSeconds(seconds); err != nil {
		return 0, err
	}
	return time.Duration(math.Round(seconds * float64(time.Second))), nil
}

func checkSeconds(seconds float64) error {
	switch {
	case math.IsNaN(seconds):
		return errSyntax
	case seconds < 0:
		return errors.New("a wait is not negative")
	case seconds > Max.Seconds():
		return fmt.Errorf("a wait is at most %v", Max)
	}
	return nil
}
