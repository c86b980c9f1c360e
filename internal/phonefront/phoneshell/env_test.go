package phoneshell_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEnvAssignments: what env is given is in the environment that it prints, or that its command gets.
func TestEnvAssignments(t *testing.T) {
	s := newSystem(nil)
	s.Env = []string{"PATH=/bin", "HOME=/"}
	for command, want := range map[string]string{
		"env A=1":                             "A=1\nHOME=/\nPATH=/bin\nTMPDIR=/data/local/tmp\n",
		"env HOME=/x=y A= TMPDIR=/t":          "A=\nHOME=/x=y\nPATH=/bin\nTMPDIR=/t\n",
		"env A=1 printenv A; echo $?":         "1\n0\n",
		"/bin/env A=1 printenv A HOME":        "1\n/\n",
		"env A=1 A=2 env B=3 printenv A B":    "2\n3\n",
		"A=1 env A=2 printenv A":              "2\n",
		"env A=1 sh -c 'echo $A; printenv A'": "1\n1\n",
		"env A=1 true; printenv A; echo $?":   "1\n",
		"env A=1 sh -c 'exit 3'; echo $?":     "3\n",
		"env A=1 nosuch; echo $?":             "env: nosuch: not found\n127\n",
		"printenv A=1 HOME; echo $?":          "/\n1\n",
	} {
		require.Equal(t, want, run(t.Context(), s, command), command)
	}
}
