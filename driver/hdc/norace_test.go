//go:build !race

package hdc_test

// raced says that this is a binary with the race detector.
const raced = false
