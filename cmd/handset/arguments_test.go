package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
)

// An argument that begins with "-" is a flag only if it can be one; the others are told how they are written.
func TestArgumentsThatBeginWithADash(t *testing.T) {
	cases := []struct {
		name string
		args []string
		says []string
	}{
		{"a point left of the screen", []string{"tap", "-1,5"}, []string{`point "-1,5" is off the screen`, "0,0"}},
		{"behind two dashes", []string{"tap", "--", "-1,5"}, []string{`point "-1,5" is off the screen`}},
		{"with a flag behind it", []string{"tap", "-1,-5", "--double"}, []string{`point "-1,-5" is off the screen`}},
		{"in thousandths", []string{"tap", "--rel", "-1,5"}, []string{`point "-1,5" is off the screen`}},
		{"the start of a swipe", []string{"swipe", "-1,5", "3,4"}, []string{`point "-1,5" is off`}},
		{"the end of a swipe", []string{"swipe", "3,4", "5,-1", "--rel"}, []string{`point "5,-1" is off the screen`}},
		{"a letter", []string{"type", "-xello"}, []string{"unknown flag -x", `handset type -- "-xello"`, "handset type --help"}},
		{"letters of flags and others", []string{"type", "-hello"}, []string{"unknown flag -e", `handset type -- "-hello"`}},
		{"a flag and words", []string{"type", "-v is verbose"}, []string{`handset type -- "-v is verbose"`}},
		{"two dashes", []string{"type", "--foo"}, []string{"unknown flag --foo", `handset type -- "--foo"`}},
		{"a typing mistake", []string{"type", "--claer", "text"}, []string{`did you mean "--clear"`}},
		{"a key", []string{"key", "-b"}, []string{`handset key -- "-b"`}},
		{"an app", []string{"launch", "-a"}, []string{`handset launch -- "-a"`}},
		{"an app to end", []string{"stop", "-a"}, []string{`handset stop -- "-a"`}},
		{"a file", []string{"install", "-a.apk"}, []string{`handset install -- "-a.apk"`}},
		{"a task", []string{"run", "-open Settings"}, []string{`handset run -- "-open Settings"`}},
		{"a command without arguments", []string{"info", "-x"}, []string{"unknown flag -x", "try: handset info --help"}},
		{"one number too many", []string{"type", "-5", "-6"}, []string{"unexpected argument -6"}},
		{"a value that is missing", []string{"tree", "--from"}, []string{"--from: its value is missing"}},
		{"a value that a flag follows", []string{"tree", "--from", "--yes"}, []string{"--from: its value is missing", "--from=--yes"}},
		{"a negative value", []string{"tap", "--ref", "-3"}, []string{"--ref=-3"}},
		{"a negative number", []string{"pinch", "5,5", "-2"}, []string{"pinch by -2: want more than 1"}},
		{"a word for a number", []string{"pinch", "5,5", "-?"}, []string{"want a number such as 2 or 0.5", `"-?"`}},
		{"an address that is missing", []string{"info", "-d"}, []string{"-d: its value is missing"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := run(t, c.args...)
			r.fails(t, exitUsage, append(c.says, "handset: ")...)
			require.NotContains(t, r.err, "\x00")
			require.Empty(t, r.out)
		})
	}
	r := run(t, "info", "-x")
	require.NotContains(t, r.err, "goes behind", "info has no arguments that could")
}

func TestTextThatBeginsWithADash(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		text string
	}{
		{"a number", []string{"type", "-5"}, "-5"},
		{"a number behind a flag", []string{"type", "--clear", "-5.5"}, "-5.5"},
		{"a number before a flag", []string{"type", "-5", "--clear"}, "-5"},
		{"an item of a list", []string{"type", "- milk"}, "- milk"},
		{"chinese", []string{"type", "-你好"}, "-你好"},
		{"behind two dashes", []string{"type", "--", "-5"}, "-5"},
		{"a flag behind two dashes", []string{"type", "--", "--json"}, "--json"},
		{"two dashes behind two", []string{"type", "--", "--"}, "--"},
	} {
		t.Run(c.name, func(t *testing.T) {
			device, _ := attach(t, &sim.Options{Start: "com.handset.notes"})
			focusNote(t)
			run(t, c.args...).ok(t)
			field, ok := device.Phone().Focused()
			require.True(t, ok)
			require.Equal(t, c.text, field.Text)
		})
	}
}

// The value of a flag is nobody else's.
func TestFlagsKeepTheirValues(t *testing.T) {
	attach(t, nil)
	run(t, "-yd", "adb:SIM0001", "info").ok(t)
	run(t, "-dadb:SIM0001", "-vy", "info").ok(t)
	run(t, "--device=adb:SIM0001", "info").ok(t)
	run(t, "screenshot", "-o", "-").ok(t)
	run(t, "-d", "-5", "info").fails(t, exitUsage, "--device=-5")
	run(t, "--device=-5", "info").fails(t, exitDevice, "-5 is not attached")
}
