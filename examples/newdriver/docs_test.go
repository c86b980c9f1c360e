package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGuideShowsTheHarness keeps docs/writing-a-driver.md true.
func TestGuideShowsTheHarness(t *testing.T) {
	guide, err := os.ReadFile("../../docs/writing-a-driver.md")
	require.NoError(t, err)
	source, err := os.ReadFile("driver_test.go")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(source), "func TestContract")
	require.True(t, found)
	harness, _, _ := strings.Cut(rest, "\n}\n")
	require.Contains(t, string(guide), "func TestContract"+harness+"\n}\n")
}
