package handset_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/doc"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/handset-go/handset"

// std stands for the standard library alone.
var std = []string{}

// arrows says what each package may import, besides the standard library. A name without a dot in its
// first part is a package of this module; "x/..." is x and everything below it. The first row that
// matches counts. docs/design.md has the reasons.
var arrows = []struct {
	packages string
	may      []string
}{
	{"", std},
	{"action", std},
	{"internal/nap", std},
	{"internal/cmdrun", []string{"internal/nap"}},
	{"internal/posix", std},
	{"internal/apps", []string{"driver"}},
	{"driver", []string{"internal/nap"}},
	{"timing", []string{"internal/nap", "github.com/caarlos0/env/v11"}},
	{"driver/adb", []string{"driver", "internal/nap", "internal/cmdrun", "internal/posix", "internal/apps", "github.com/electricbubble/gadb"}},
	{"driver/hdc", []string{"driver", "internal/nap", "internal/cmdrun", "internal/posix", "internal/apps"}},
	{"driver/wda", []string{"driver", "internal/nap", "internal/apps", "github.com/electricbubble/gwda", "github.com/electricbubble/gidevice/...", "github.com/hashicorp/go-retryablehttp", "howett.net/plist"}},
	{"driver/sim", []string{"driver", "internal/nap", "github.com/hajimehoshi/bitmapfont/v3", "golang.org/x/image/..."}},
	{"driver/drivertest", []string{"driver", "internal/nap", "github.com/stretchr/testify/..."}},
	{"perception", []string{"driver"}},
	{"policy", []string{"driver", "internal/nap"}},
	{"agent", []string{"action", "driver", "perception", "policy", "timing", "internal/nap", "golang.org/x/image/..."}},
	{"agent/chat", []string{"agent", "action", "internal/nap", "github.com/hashicorp/go-retryablehttp"}},
	{"internal/phonefront/...", []string{"driver", "driver/sim", "internal/nap", "internal/posix", "internal/phonefront/...", "mvdan.cc/sh/v3/...", "golang.org/x/image/...", "howett.net/plist"}},
	{"internal/demomodel", []string{"internal/nap"}},
	{"cmd/...", []string{"..."}},
	{"examples/...", []string{"..."}},
}

type listed struct {
	ImportPath string
	Dir        string
	Imports    []string
	GoFiles    []string
}

func TestImportArrows(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		may, known := allowed(name)
		require.True(t, known, "package %s has no arrows: add it to the table and to docs/design.md", name)
		for _, imp := range p.Imports {
			if !strings.Contains(strings.SplitN(imp, "/", 2)[0], ".") {
				continue // the standard library
			}
			imp = strings.TrimPrefix(imp, module+"/")
			ok := slices.ContainsFunc(may, func(pattern string) bool { return matches(pattern, imp) })
			require.True(t, ok, "%s imports %s", p.ImportPath, imp)
		}
	}
}

func TestOnlyCmdrunRunsPrograms(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		if name == "internal/cmdrun" {
			continue
		}
		require.NotContains(t, p.Imports, "os/exec", "%s", p.ImportPath)
	}
}

// TestSmallDependencies holds what a program links that imports only the contracts.
func TestSmallDependencies(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./action", "./driver").CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, []string{module + "/action", module + "/driver", module + "/internal/nap"}, sorted(strings.Fields(string(out))))
}

func TestPackageComments(t *testing.T) {
	for _, p := range packages(t) {
		var text string
		for _, file := range p.GoFiles {
			f, err := parser.ParseFile(token.NewFileSet(), path.Join(p.Dir, file), nil, parser.PackageClauseOnly|parser.ParseComments)
			require.NoError(t, err)
			if f.Doc != nil {
				text += f.Doc.Text()
			}
		}
		require.NotEmpty(t, new(doc.Package).Synopsis(text), "%s has no package comment", p.ImportPath)
	}
}

func allowed(name string) ([]string, bool) {
	for _, a := range arrows {
		if matches(a.packages, name) {
			return a.may, true
		}
	}
	return nil, false
}

func matches(pattern, name string) bool {
	if pattern == "..." {
		return true
	}
	if prefix, ok := strings.CutSuffix(pattern, "/..."); ok {
		return name == prefix || strings.HasPrefix(name, prefix+"/")
	}
	return pattern == name
}

func packages(t *testing.T) []listed {
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,Imports,GoFiles", "./...").Output()
	require.NoError(t, err)
	var all []listed
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			require.NoError(t, err)
		}
		if len(p.GoFiles) > 0 {
			all = append(all, p)
		}
	}
}

func sorted(s []string) []string {
	slices.Sort(s)
	return s
}
