package phoneshell_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/phoneshell"
)

// TestPatterns expands as mksh does, which opens only the folders whose own part of the path is a pattern: /data can
// be passed through on every phone, and listed on none.
func TestPatterns(t *testing.T) {
	s := newSystem(nil)
	s.FS.Plant(phoneshell.EACCES, "data", "data/app", "data/local")
	s.FS.Plant(0, "data/local/tmp")
	require.Empty(t, run(t.Context(), s, "cd /data/local/tmp; mkdir a b .c; echo 1 >z1; echo 2 >z2; echo 3 >a/x; echo 4 >b/y; echo 5 >.c/x"))
	for name, c := range map[string]struct{ command, want string }{
		"a folder":                    {"echo /data/local/tmp/*", "/data/local/tmp/a /data/local/tmp/b /data/local/tmp/z1 /data/local/tmp/z2"},
		"a prefix":                    {"cat /data/local/tmp/z*", "1\n2"},
		"one character":               {"echo /data/local/tmp/?", "/data/local/tmp/a /data/local/tmp/b"},
		"a set":                       {"echo /data/local/tmp/z[2-9]", "/data/local/tmp/z2"},
		"a pattern in the middle":     {"echo /data/local/tmp/*/x", "/data/local/tmp/a/x"},
		"patterns one in another":     {"cat /data/local/tmp/*/[xy]", "3\n4"},
		"only folders":                {"echo /data/local/tmp/*/", "/data/local/tmp/a/ /data/local/tmp/b/"},
		"hidden ones":                 {"echo /data/local/tmp/.c/*", "/data/local/tmp/.c/x"},
		"from inside":                 {"cd /data/local/tmp && echo z*", "z1 z2"},
		"from a folder not to list":   {"cd /data && echo local/tmp/z*", "local/tmp/z1 local/tmp/z2"},
		"by the way up":               {"cd /data/local && echo tmp/a/../z*", "tmp/a/../z1 tmp/a/../z2"},
		"a variable":                  {"d=/data/local/tmp; for f in $d/z*; do echo ${f##*/}; done", "z1\nz2"},
		"a folder not to list":        {"echo /data/*", "/data/*"},
		"through one not to list":     {"echo /data/*/tmp", "/data/*/tmp"},
		"in a folder not to list":     {"cd /data && echo *", "*"},
		"no match":                    {"echo /data/local/tmp/q*", "/data/local/tmp/q*"},
		"no folder":                   {"echo /data/nowhere/*", "/data/nowhere/*"},
		"nothing behind a pattern":    {"echo /data/local/tmp/*/nosuch", "/data/local/tmp/*/nosuch"},
		"a file is no folder":         {"echo /data/local/tmp/z1/*", "/data/local/tmp/z1/*"},
		"in quotes":                   {"echo '/data/local/tmp/z*' \"/data/local/tmp/z*\"", "/data/local/tmp/z* /data/local/tmp/z*"},
		"a command goes on after one": {"ls /data/q* >/dev/null 2>&1; echo on", "on"},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want+"\n", run(t.Context(), s, c.command)) })
	}
}
