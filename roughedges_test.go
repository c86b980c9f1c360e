package handset_test

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

// sections are the tables of docs/rough-edges.md: the end of their headings, the folder of their tests, and how many
// entries they have.
var sections = []struct {
	over, dir string
	entries   int
}{
	{"over adb", "driver/adb", 119},
	{"over hdc", "driver/hdc", 67},
	{"over WebDriverAgent", "driver/wda", 66},
}

// TestTablesOfKnownBugs holds that the tables are complete: every entry has a test that exists, or says why there can be
// none.
func TestTablesOfKnownBugs(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("docs", "rough-edges.md"))
	require.NoError(t, err)
	parts := strings.Split(string(doc), "\n## Bugs that others shipped ")[1:]
	require.Len(t, parts, len(sections))
	tests := map[string]map[string]bool{}
	for i, s := range sections {
		require.True(t, strings.HasPrefix(parts[i], s.over), "the table %s", s.over)
		n := checkTable(t, parts[i], s.dir, tests)
		require.NotZero(t, n)
		if s.entries > 0 {
			require.Equal(t, s.entries, n, "an entry %s is missing", s.over)
		}
	}
}

var code = regexp.MustCompile("`([^`]+)`")

// checkTable checks each row of a table and returns how many there are.
func checkTable(t *testing.T, text, home string, tests map[string]map[string]bool) int {
	n := 0
	for line := range strings.Lines(text) {
		cells := strings.Split(line, " | ")
		number, err := strconv.Atoi(strings.TrimPrefix(cells[0], "| "))
		if err != nil {
			continue
		}
		n++
		require.Equal(t, n, number, home)
		require.Len(t, cells, 5, line)
		named := code.FindAllStringSubmatch(cells[4], -1)
		if len(named) == 0 {
			require.Regexp(t, `(?i)no test: \w`, cells[3]+cells[4], "%s, entry %d", home, number)
		}
		for _, m := range named {
			dir, name := home, m[1]
			if at := strings.LastIndex(name, "."); at >= 0 {
				dir, name = name[:at], name[at+1:]
			}
			if tests[dir] == nil {
				tests[dir] = testsIn(t, filepath.FromSlash(dir))
			}
			require.True(t, tests[dir][name], "%s, entry %d names %s, which is not in %s", home, number, name, dir)
		}
	}
	return n
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
