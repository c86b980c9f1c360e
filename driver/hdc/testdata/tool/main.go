// Command tool is the simulated hdc, for tests with the race detector: a binary of theirs takes long to start.
package main

import (
	"os"

	"github.com/handset-go/handset/internal/phonefront/hdc"
)

func main() {
	if code, ok := hdc.AsTool(os.Args, os.LookupEnv); ok {
		os.Exit(code)
	}
	os.Exit(2)
}
