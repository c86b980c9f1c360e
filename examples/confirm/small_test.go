package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/policy"
)

func TestSmall(t *testing.T) {
	screen := func(texts ...string) *driver.Tree {
		root := &driver.Node{}
		for _, text := range texts {
			root.Children = append(root.Children, &driver.Node{Text: text})
		}
		return &driver.Tree{Root: root}
	}
	cases := []struct {
		name  string
		tree  *driver.Tree
		allow bool
	}{
		{"cheap", screen("Total ¥49.99"), true},
		{"dear", screen("Total ¥50.00"), false},
		{"a cheap part of a dear whole", screen("¥1.00", "Total ¥99.00"), false},
		{"no price", screen("Pay"), false},
		{"nothing to read", nil, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			answer, err := small(t.Context(), &policy.Request{Tree: c.tree, Reason: "it costs ¥1.00 only", Label: "Pay ¥1.00"})
			require.NoError(t, err)
			require.Equal(t, c.allow, answer.Allow)
		})
	}
}
