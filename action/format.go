package action

import (
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"
)

// Format writes an action in the language of the AutoGLM protocol, so that Parse reads it back:
// do(action="Tap", element=[500,300]). (Points in PerMille of which ReadPoint would make fractions,
// which no model writes, are read back as those.) An action that is not one of this package gives "".
func Format(a Action) string {
	row, rec, ok := unpack(a)
	if !ok {
		return ""
	}
	var args []string
	if row.verb != VerbFinish {
		args = append(args, `action=`+quoted(string(row.verb)))
	}
	for i := range row.fields {
		f := &row.fields[i]
		if f.written(&rec) {
			args = append(args, f.argument(&rec))
		}
	}
	name := "do"
	if row.verb == VerbFinish {
		name = "finish"
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// FormatReply writes a whole reply as the protocol keeps it in the history.
func FormatReply(r Reply) string {
	return "<think>" + r.Thinking + "</think><answer>" + Format(r.Action) + "</answer>"
}

// argument writes the field as name=value.
func (f *field) argument(r *record) string {
	switch v := f.slot(r).(type) {
	case *Target:
		if v.Ref > 0 {
			return fmt.Sprintf("%s=%d", f.refKey(), v.Ref)
		}
		return f.arg + "=[" + v.At.String() + "]"
	case *time.Duration:
		return f.arg + `="` + number(v.Seconds()) + ` seconds"`
	case *float64:
		return f.arg + "=" + number(*v)
	case *[][]Point:
		return f.arg + "=" + pathsText(*v)
	case *string:
		return f.arg + "=" + quoted(*v)
	}
	return ""
}

// pathsText writes paths as lists, in do(...) and in JSON alike.
func pathsText(paths [][]Point) string {
	var b strings.Builder
	for i, path := range paths {
		b.WriteString([]string{"[", ","}[min(i, 1)])
		for j, p := range path {
			b.WriteString([]string{"[", ","}[min(j, 1)])
			b.WriteString("[" + p.String() + "]")
		}
		b.WriteByte(']')
	}
	return b.String() + "]"
}

// Redacted is the line of String for logs and traces: what is typed, single-letter keys, and all of
// a link but its host are left out. Messages are kept.
func Redacted(a Action) string { return line(a, true) }

// longest is how many characters of a text a line shows.
const longest = 80

// line is the short form of an action for people.
func line(a Action, hide bool) string {
	row, rec, ok := unpack(a)
	if !ok {
		return fmt.Sprintf("unknown action %T", a)
	}
	out := string(row.verb)
	for i := range row.fields {
		f := &row.fields[i]
		if f.written(&rec) {
			out += " " + f.short(&rec, hide)
		}
	}
	return out
}

func (f *field) short(r *record, hide bool) string {
	switch v := f.slot(r).(type) {
	case *Target:
		if f.key == "to" {
			return "-> " + v.String()
		}
		return v.String()
	case *time.Duration:
		return v.String()
	case *float64:
		return "x" + number(*v)
	case *[][]Point:
		return fmt.Sprintf("%d paths", len(*v))
	case *string:
		return f.shortText(*v, hide)
	}
	return ""
}

func (f *field) shortText(s string, hide bool) string {
	switch {
	case hide && f.key == "text":
		return fmt.Sprintf("(%d characters)", utf8.RuneCountInString(s))
	case hide && f.key == "key" && utf8.RuneCountInString(s) == 1:
		return "(1 character)"
	case hide && f.key == "url":
		return hostOf(s)
	case f.key == "app", f.key == "key", f.key == "url":
		return clip(s, longest)
	case f.warning:
		return fmt.Sprintf("(sensitive: %q)", clip(s, longest))
	}
	return fmt.Sprintf("%q", clip(s, longest))
}

func hostOf(link string) string {
	u, err := url.Parse(link)
	if err != nil || u.Host == "" {
		return "(a link)"
	}
	return u.Scheme + "://" + u.Host + "/…"
}
