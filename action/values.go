package action

import (
	"math"
	"strings"
	"time"
)

// textOf reads a text. Only what is typed may be blank.
func textOf(f *field, a *arg) (string, *SyntaxError) {
	v := a.val
	if v.kind == isList || v.kind == isDict {
		return "", faultf(v.at, "%s must be text: write %s=\"...\"", a.key, f.arg)
	}
	if f.required && !f.blank && strings.TrimSpace(v.text) == "" {
		return "", faultf(v.at, "%s is empty", f.arg)
	}
	return v.text, nil
}

// pointOf reads a place: two numbers, or the four of a box, whose centre is meant.
func pointOf(a *arg, in Space) (Point, *SyntaxError) {
	n, fault := numbersOf(a.val, nil)
	if fault != nil {
		return Point{}, fault
	}
	p := Point{Space: in}
	switch len(n) {
	case 2:
		p.X, p.Y = n[0], n[1]
	case 4:
		for _, corner := range []Point{{n[0], n[1], in}, {n[2], n[3], in}} { // pixels are beyond the range in a corner first
			if err := corner.check(); err != nil {
				return Point{}, placed(a.val.at, err)
			}
		}
		p.X, p.Y = (n[0]+n[2])/2, (n[1]+n[3])/2
	default:
		return Point{}, faultf(a.val.at, "a place is two numbers [x,y], not %d; a row is named by ref=N", len(n))
	}
	if err := p.check(); err != nil {
		return Point{}, placed(a.val.at, err)
	}
	return p, nil
}

// numbersOf collects the numbers of a value, whatever brackets and quotes are around them.
func numbersOf(v value, out []float64) ([]float64, *SyntaxError) {
	var fault *SyntaxError
	switch v.kind {
	case isNumber:
		return append(out, v.num), nil
	case isList:
		for i := 0; i < len(v.list) && fault == nil; i++ {
			out, fault = numbersOf(v.list[i], out)
		}
		return out, fault
	case isDict:
		for i := 0; i < len(v.dict) && fault == nil; i++ {
			out, fault = numbersOf(v.dict[i].val, out)
		}
		return out, fault
	case isString:
		return numbersIn(v, out)
	}
	return nil, placeholder(v)
}

// numbersIn reads a string such as "[100,200]" or "500, 300".
func numbersIn(v value, out []float64) ([]float64, *SyntaxError) {
	for _, part := range strings.FieldsFunc(v.text, isBetween) {
		n, ok := parseNumber(part)
		if !ok {
			return nil, placeholder(v)
		}
		out = append(out, n)
	}
	return out, nil
}

func isBetween(c rune) bool { return strings.ContainsRune(" \t\r\n,\uff0c;[]()", c) }

func placeholder(v value) *SyntaxError {
	return faultf(v.at, "%q is not a number: [x,y] stands for two numbers from 0 to 999, such as [500,300]", clip(v.text, 20))
}

// maxPaths is the number of fingers that a touch screen tells apart.
const maxPaths = 10

// pathsOf reads the paths of a gesture. A single path may come without the outer list.
func pathsOf(a *arg, in Space) ([][]Point, *SyntaxError) {
	paths := a.val.list
	if len(paths) > 0 && !nested(paths[0]) {
		paths = []value{a.val}
	}
	if len(paths) == 0 || len(paths) > maxPaths {
		return nil, faultf(a.val.at, "paths must hold 1 to %d lists of points: %s", maxPaths, fieldPaths.sample)
	}
	out := make([][]Point, len(paths))
	for i, path := range paths {
		if len(path.list) == 0 {
			return nil, faultf(path.at, "a path must be a list of points [[x,y],[x,y]]")
		}
		for _, at := range path.list {
			p, fault := pointOf(&arg{key: a.key, val: at}, in)
			if fault != nil {
				return nil, fault
			}
			out[i] = append(out[i], p)
		}
	}
	return out, nil
}

// nested reports whether a value is a list of lists.
func nested(v value) bool {
	return len(v.list) > 0 && v.list[0].kind == isList
}

const minScale, maxScale = 0.01, 100

func scaleOf(a *arg) (float64, *SyntaxError) {
	n, ok := parseNumber(strings.TrimSpace(a.val.text))
	if !ok || !(n >= minScale && n <= maxScale) {
		return 0, faultf(a.val.at, "scale must be a number from %v to %v", minScale, maxScale)
	}
	return n, nil
}

// Limits of what a model may ask for: a longer time is a mistake of units.
const (
	maxWait = time.Hour
	maxHold = time.Minute
)

// durationOf reads a time: a bare number is seconds, except under a name that ends in _ms.
func durationOf(a *arg, verb Verb) (time.Duration, *SyntaxError) {
	unit := time.Second
	if strings.HasSuffix(a.key, "_ms") {
		unit = time.Millisecond
	}
	limit := maxHold
	if verb == VerbWait {
		limit = maxWait
	}
	n, named, ok := timeIn(a.val.text)
	if named > 0 {
		unit = named
	}
	ns := math.Round(n * float64(unit))
	switch {
	case !ok:
		return 0, faultf(a.val.at, "%q is no time: write a number of seconds, such as \"3 seconds\"", clip(a.val.text, 20))
	case ns < 0:
		return 0, faultf(a.val.at, "a time cannot be negative")
	case ns > float64(limit):
		return 0, faultf(a.val.at, "the time is over the limit of %d seconds for %s", int(limit.Seconds()), verb)
	}
	return time.Duration(ns), nil
}

// timeIn splits a text such as "1.5 seconds" into a number and its unit, which is 0 if unnamed.
func timeIn(text string) (n float64, unit time.Duration, ok bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	digits := len(text) - len(strings.TrimLeft(text, "+-.0123456789"))
	n, ok = parseNumber(text[:digits])
	name := strings.TrimSpace(text[digits:])
	if !ok || name == "" {
		return n, 0, ok
	}
	unit, ok = timeUnits[name]
	return n, unit, ok
}

var timeUnits = map[string]time.Duration{
	"ms": time.Millisecond, "millisecond": time.Millisecond, "milliseconds": time.Millisecond, "毫秒": time.Millisecond,
	"s": time.Second, "sec": time.Second, "secs": time.Second, "second": time.Second, "seconds": time.Second,
	"秒": time.Second, "秒钟": time.Second,
	"m": time.Minute, "min": time.Minute, "mins": time.Minute, "minute": time.Minute, "minutes": time.Minute, "分钟": time.Minute,
}

// clip shortens a text to n characters.
func clip(s string, n int) string {
	count := 0
	for i := range s {
		if count == n {
			return s[:i] + "…"
		}
		count++
	}
	return s
}
