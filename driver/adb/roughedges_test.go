package adb_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// knownBugs is how many entries the table of docs/rough-edges.md has.
const knownBugs = 119

// TestTableOfKnownBugs holds that the table is complete: every entry has a test that exists, or says
// why there can be none.
func TestTableOfKnownBugs(t *testing.T) {
	root := filepath.Join("..", "..")
	doc, err := os.ReadFile(filepath.Join(root, "docs", "rough-edges.md"))
	require.NoError(t, err)
	tests := map[string]map[string]bool{}
	next := 1
	for line := range strings.Lines(string(doc)) {
		cells := strings.Split(line, " | ")
		number, err := strconv.Atoi(strings.TrimPrefix(cells[0], "| "))
		if err != nil {
			continue
		}
		require.Equal(t, next, number)
		require.Len(t, cells, 5, line)
		next++
		named := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[4], -1)
		if len(named) == 0 {
			require.Regexp(t, `no test: \w`, cells[3], "entry %d", number)
			continue
		}
		for _, m := range named {
			dir, name := "driver/adb", m[1]
			if at := strings.LastIndex(name, "."); at >= 0 {
				dir, name = name[:at], name[at+1:]
			}
			if tests[dir] == nil {
				tests[dir] = testsIn(t, filepath.Join(root, filepath.FromSlash(dir)))
			}
			require.True(t, tests[dir][name], "entry %d names %s, which is not in %s", number, name, dir)
		}
	}
	require.Equal(t, knownBugs+1, next, "an entry is missing")
}

// testsIn lists the tests and fuzz targets of a folder.
func testsIn(t *testing.T, dir string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	files, err := fs.Glob(os.DirFS(dir), "*_test.go")
	require.NoError(t, err)
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if ok && f.Recv == nil && (strings.HasPrefix(f.Name.Name, "Test") || strings.HasPrefix(f.Name.Name, "Fuzz")) {
				found[f.Name.Name] = true
			}
		}
	}
	return found
}
