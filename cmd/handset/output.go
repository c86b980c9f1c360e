package main

import (
	"bytes"
	"io"
	"unicode"
)

// output is a stream that remembers its first failure, such as that of a full disk.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// plain is a writer for people: what a phone or a model has put into a text cannot steer the terminal.
type plain struct{ w io.Writer }

func (p plain) Write(b []byte) (int, error) {
	if _, err := p.w.Write(bytes.Map(visible, b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// visible drops control characters, and those that turn the order of a line around.
func visible(r rune) rune {
	steers := unicode.IsControl(r) && r != '\n' && r != '\t'
	if steers || (r >= '\u202a' && r <= '\u202e') || (r >= '\u2066' && r <= '\u2069') {
		return -1
	}
	return r
}
