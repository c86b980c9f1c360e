package main

import (
	"fmt"
	"io"
)

// maxInput bounds what is read of a file or of stdin.
const maxInput = 64 << 20

// readAll reads a bounded input.
func readAll(in io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxInput+1))
	if err != nil {
		return nil, fmt.Errorf("read the input: %w", err)
	}
	if len(data) > maxInput {
		return nil, usagef("the input is longer than %d bytes", maxInput)
	}
	return data, nil
}
