package adb_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/sim"
)

// The tests of known_*_test.go hold one by one what docs/rough-edges.md says of the bugs that other
// programs shipped.

// recorded opens the phone through a relay that keeps what the driver sends.
func (f *front) recorded(t testing.TB, change ...func(*adb.Options)) (*adb.Driver, *holder) {
	t.Helper()
	h := newHolder(t, f.server.Addr())
	opts := &adb.Options{Server: h.listener.Addr().String(), NoStart: true}
	for _, c := range change {
		c(opts)
	}
	d, err := adb.New(t.Context(), f.device.Serial(), opts)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	f.ready(d)
	return d, h
}

// inField opens a phone on which the search field of the settings has the focus.
func inField(t testing.TB, profile string, opts sim.Options) *front {
	t.Helper()
	opts.Start = "com.android.settings"
	f := newFront(t, profile, opts)
	f.phone.Tap(f.phone.Tree().Find(editField).Center())
	return f
}

var editField = driver.ByRole(driver.RoleEdit)

// typed returns the text of the focused field.
func (f *front) typed(t testing.TB) string {
	t.Helper()
	field, ok := f.phone.Focused()
	require.True(t, ok, "a field has the focus")
	return field.Text
}

// literals returns the strings that the driver's own code holds.
func literals(t testing.TB) string {
	t.Helper()
	var all strings.Builder
	files, err := fs.Glob(os.DirFS("."), "*.go")
	require.NoError(t, err)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, err := strconv.Unquote(lit.Value)
				require.NoError(t, err)
				all.WriteString(text + "\n")
			}
			return true
		})
	}
	return all.String()
}

// TestKnownToolsThatAreNotUsed holds that the driver never says what other programs came to grief over.
func TestKnownToolsThatAreNotUsed(t *testing.T) {
	all := literals(t)
	require.Contains(t, all, "input tap", "the strings are those of the driver")
	for _, never := range []string{
		"host:reconnect",          // takes a phone on the network away for good
		"exec-in",                 // ends before the phone has the data
		"am instrument",           // would keep the phone's only automation
		"screenrecord",            // leaves a film without its index
		"pm grant",                // ends with 0 for a package that is not there
		"yadb",                    // leaves the clipboard changed
		"/sdcard/window_dump.xml", // is everybody's
		"/storage/emulated/0/",    // is not there on every phone
		"input keyevent 26",       // turns off a display that is on
		"transport-any",           // may be another phone
	} {
		require.NotContains(t, all, never)
	}
}
