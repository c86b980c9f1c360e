package drivertest_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/drivertest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestSaboteurs tests the suite: each broken driver fails the case of the rule that it breaks, and what else it
// fails is in the golden file.
func TestSaboteurs(t *testing.T) {
	var report strings.Builder
	broken := map[string]bool{} // rules
	for _, s := range saboteurs() {
		fmt.Fprintf(&report, "%s\n", s.name)
		names := map[string]bool{}
		for _, r := range tryOut(t, s) {
			if r.Err != nil {
				fmt.Fprintf(&report, "\t%s\n", r.Name)
				names[r.Name], broken[r.Rule] = true, true
			}
		}
		require.True(t, names[s.caught], "a driver that %s passes %s", s.name, s.caught)
	}
	golden(t, "saboteurs.txt", report.String())
	for _, c := range drivertest.Cases(toyConfig(good)) {
		require.True(t, broken[c.Rule], "no saboteur breaks the rule of %s: %s", c.Name, c.Rule)
	}
}

// tryOut runs the suite on a broken driver, in virtual time: hangs cost nothing.
func tryOut(t *testing.T, s saboteur) []drivertest.Result {
	cfg := toyConfig(s.made)
	cfg.More = nil
	if s.set != nil {
		s.set(cfg)
	}
	var all []drivertest.Result
	synctest.Test(t, func(t *testing.T) { all = drivertest.Results(t, cfg) })
	return all
}

// golden compares with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "run go test -update")
	require.Equal(t, string(want), got, "run go test -update, and look at what changed")
}
