package main

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// odd are files that neither tree --from nor parse can make anything of.
func odd(t *testing.T) map[string]string {
	t.Helper()
	var picture bytes.Buffer
	require.NoError(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 9, 9))))
	return map[string]string{"picture": picture.String(), "utf-16": "\xff\xfe<\x00h\x00", "zeros": "a\x00b"}
}

func TestTreeFromOddFiles(t *testing.T) {
	files := odd(t)
	says := map[string]string{
		"picture": "it is a picture (image/png); want a uiautomator dump", "utf-16": "PowerShell", "zeros": "byte 1 is 0",
		"nothing": "it is empty; want a uiautomator dump", "blank": "it is empty",
		"complaint": `it begins with "ERROR: null root node returned by UiTestAutomationBridge."`, "page": `it begins with "<html>`, "json": `it begins with "{`,
	}
	files["nothing"], files["blank"], files["page"], files["json"] = "", " \n\t", "<html>\n<body>404", `{"value":{"error":"invalid session id"}}`
	files["complaint"] = "ERROR: null root node returned by UiTestAutomationBridge.\n"
	for name, content := range files {
		t.Run(name, func(t *testing.T) {
			file := saved(t, content)
			r := run(t, "tree", "--from", file)
			r.fails(t, exitIncomplete, "tree: "+file+": ", says[name])
			require.Empty(t, r.out)
			feed(t, content, "tree", "--from", "-").fails(t, exitIncomplete, "tree: stdin: ", says[name])
		})
	}
}

func TestParseOfOddFiles(t *testing.T) {
	for name, content := range odd(t) {
		r := feed(t, content, "parse")
		require.Equal(t, exitIncomplete, r.status, name)
		require.Contains(t, object(t, r.out)["error"].(map[string]any)["message"], "this is no reply: it is ", name)
		require.Equal(t, r.out, run(t, "parse", saved(t, content)).out)
	}
	for _, blank := range []string{"", " \n"} {
		require.Contains(t, feed(t, blank, "parse").out, "the reply is empty")
	}
}

// A file that cannot be read is a mistake on the line, for each command that reads one.
func TestFilesThatCannotBeRead(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	for _, command := range [][]string{{"tree", "--from"}, {"parse"}} {
		for name, says := range map[string]string{t.TempDir(): "is a directory", missing: "no such file", "": "the name of the file is empty"} {
			r := run(t, append(command, name)...)
			r.fails(t, exitUsage, "handset: "+command[0]+": ", name, says)
			require.Empty(t, r.out)
		}
		r := in(t.Context(), t, iotest.ErrReader(errors.New("the pipe burst")), append(command, "-")...)
		r.fails(t, exitUsage, "handset: "+command[0]+": the pipe burst")
	}
	if os.Getuid() == 0 {
		return // who may read everything
	}
	file := saved(t, "x")
	require.NoError(t, os.Chmod(file, 0))
	run(t, "parse", file).fails(t, exitUsage, "permission denied")
}
