package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"
	"mvdan.cc/sh/v3/shell"
)

// lineOf is a command line in a help or in a document: what is behind two blanks is a remark.
var lineOf = regexp.MustCompile(`(?m)(?:^|[|;] |^[A-Z_]+=\S+ )\s*(?:\$ )?(handset (?:.+?))(?:$| {2,}| [>|#] )`)

// Every command line that a help or a document shows is one that the command takes.
func TestExamplesAreCommandLines(t *testing.T) {
	texts := map[string]string{"handset --help": description}
	for _, c := range testParser().Model.Children {
		texts["handset "+c.Name+" --help"] = c.Detail
	}
	for _, pattern := range []string{"../../*.md", "../../docs/*.md", "../../examples/*/README.md"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			texts[file] = strings.Join(codeLines(string(data)), "\n")
		}
	}
	total := 0
	for name, text := range texts {
		for _, m := range lineOf.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "<command>") {
				continue
			}
			args, err := shell.Fields(m[1], nil)
			require.NoError(t, err, "%s: %s", name, m[1])
			_, err = parse(testParser(), args[1:])
			require.NoError(t, err, "%s: %s", name, m[1])
			total++
		}
	}
	require.Greater(t, total, 40, "the pattern finds them")
}

// codeLines are the lines of the code blocks of a document.
func codeLines(text string) []string {
	var lines []string
	code := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			code = !code
		} else if code {
			lines = append(lines, strings.TrimRight(line, "\n"))
		}
	}
	return lines
}

func testParser() *kong.Kong {
	a := &app{cli: &cli{}, stderr: io.Discard, text: io.Discard}
	return a.parser(func() {})
}

// The help of a command is about that command: it explains no flag of all commands, and fits a terminal.
func TestHelpOfEachCommand(t *testing.T) {
	for _, c := range testParser().Model.Children {
		t.Run(c.Name, func(t *testing.T) {
			out := run(t, c.Name, "--help").ok(t)
			require.Contains(t, out, "Usage: handset "+c.Name)
			require.Contains(t, out, "\n"+firstWords(c.Help))
			require.Contains(t, out, "see handset --help")
			require.NotContains(t, out, "PHONE_AGENT_DEVICE_ID")
			require.NotContains(t, out, "PHONE_AGENT_LANG")
			for _, f := range c.Flags {
				require.Contains(t, out, "--"+f.Name)
				require.NotEmpty(t, f.Help, f.Name)
			}
			for _, p := range c.Positional {
				require.NotEmpty(t, p.Help, p.Name)
			}
			require.Less(t, strings.Count(out, "\n"), 50)
		})
	}
}

// firstWords are those before a line is broken.
func firstWords(s string) string {
	words := strings.Fields(s)
	return strings.Join(words[:min(len(words), 4)], " ")
}
