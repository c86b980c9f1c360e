package wda

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

// TestHushedLeavesOurWordsAlone is a short text, which stands in every sentence.
func TestHushedLeavesOurWordsAlone(t *testing.T) {
	ours := fmt.Errorf("%w: no text field has the focus", driver.ErrNoTextInput)
	require.Equal(t, ours, hushed(ours, "e"))
	theirs := &Error{Message: `cannot type "e"`}
	err := hushed(fmt.Errorf("the text: %w", theirs), "e")
	require.NotContains(t, err.Error(), `"e"`)
	require.Contains(t, err.Error(), "the text: ")
	err = hushed(fmt.Errorf("the text: %w", &Error{Message: `cannot type "secret"`}), "secret")
	require.Contains(t, err.Error(), "(the text)")
	require.NotContains(t, err.Error(), "secret")
}
