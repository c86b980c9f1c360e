package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

// maxInput bounds what is read of a file or of stdin.
const maxInput = 64 << 20

// readAll reads a bounded input.
func readAll(in io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxInput+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxInput {
		return nil, usagef("the input is longer than %d bytes", maxInput)
	}
	return data, nil
}

// load reads the file that a command was given; - is stdin. One that cannot be read is a mistake on the line.
func (a *app) load(command, file string) ([]byte, error) {
	if file == "" {
		return nil, usagef("%s: the name of the file is empty; - is stdin", command)
	}
	in := a.stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, usagef("%s: %v", command, err)
		}
		defer f.Close()
		in = f
	}
	data, err := readAll(in)
	if err != nil {
		return nil, usagef("%s: %v", command, err)
	}
	return data, nil
}

// nameOf is how errors call a file.
func nameOf(file string) string {
	if file == "-" {
		return "stdin"
	}
	return file
}

// binary says what data is that should be a text; nil for a text.
func binary(data []byte) error {
	kind := http.DetectContentType(data)
	switch {
	case strings.Contains(kind, "charset=utf-16"):
		return errors.New("it is UTF-16, as the > of PowerShell writes it: save it as UTF-8")
	case strings.HasPrefix(kind, "image/"):
		return fmt.Errorf("it is a picture (%s)", kind)
	case bytes.IndexByte(data, 0) >= 0:
		return fmt.Errorf("it is no text: byte %d is 0", bytes.IndexByte(data, 0))
	}
	return nil
}

// beginning returns the first words of a text, for an error.
func beginning(data []byte) string {
	words := []rune(strings.Join(strings.Fields(string(data)), " "))
	if len(words) > maxBeginning {
		return string(words[:maxBeginning]) + "…"
	}
	return string(words)
}

const maxBeginning = 60
