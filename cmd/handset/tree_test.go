package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const dump = `UI hierchary dumped to: /dev/tty
<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0"><node index="0" text="" resource-id="" class="android.widget.FrameLayout" package="com.example" content-desc="" checkable="false" checked="false" clickable="false" enabled="true" focusable="false" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,0][1000,2000]"><node index="0" text="Send" resource-id="com.example:id/send" class="android.widget.Button" package="com.example" content-desc="" checkable="false" checked="false" clickable="true" enabled="true" focusable="true" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[800,1900][1000,2000]" /></node></hierarchy>`

// saved writes a file and returns its name.
func saved(t *testing.T, content string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "saved")
	require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
	return file
}

func TestTreeFromFile(t *testing.T) {
	file := saved(t, dump)
	out := run(t, "tree", "--from", file).ok(t)
	require.Contains(t, out, "app com.example · ")
	require.Contains(t, out, "1000x2000")
	require.Contains(t, out, "\n1 btn Send 900,975\n")
	require.Equal(t, out, feed(t, dump, "tree", "--from", "-").ok(t))

	rows := object(t, run(t, "--json", "tree", "--from", file).ok(t))
	require.NotEmpty(t, rows["snapshot"])
	require.Equal(t, []any{map[string]any{"ref": 1.0, "role": "btn", "label": "Send", "at": []any{900.0, 975.0}, "px": []any{900.0, 1950.0}}}, rows["rows"])

	require.JSONEq(t, `{"size":[1000,2000],"rotation":0,"app":"com.example","root":{"role":"view","class":"android.widget.FrameLayout","package":"com.example","bounds":[0,0,1000,2000],"enabled":true,"children":[
		{"role":"button","class":"android.widget.Button","text":"Send","id":"com.example:id/send","package":"com.example","bounds":[800,1900,1000,2000],"clickable":true,"enabled":true,"focusable":true}]}}`,
		withoutVisible(run(t, "tree", "--format", "json", "--from", file).ok(t)))
}

// withoutVisible takes out a flag that the dump does not have and the reader concludes.
func withoutVisible(s string) string { return strings.ReplaceAll(s, `,"visible":true`, "") }

func TestTreeFromWhatIsNoDump(t *testing.T) {
	for name, content := range map[string]string{
		"nothing": "", "an error": "ERROR: could not get idle state.", "a page": "<html><body>404</body></html>", "bytes": "\x00\x01\x02", "half": dump[:400],
	} {
		t.Run(name, func(t *testing.T) {
			file := saved(t, content)
			r := run(t, "tree", "--from", file)
			r.fails(t, exitIncomplete, file)
			require.Empty(t, r.out)
		})
	}
	run(t, "tree", "--from", filepath.Join(t.TempDir(), "missing")).fails(t, exitUsage, "missing")
	run(t, "tree", "--format", "yaml").fails(t, exitUsage, "rows")
}

func TestTreeOfAPhone(t *testing.T) {
	attach(t, nil)
	rows := run(t, "tree").ok(t)
	require.Contains(t, rows, "app com.android.launcher3 · ")
	require.Regexp(t, `(?m)^\d+ btn Settings \d+,\d+$`, rows)
	whole := object(t, run(t, "tree", "--format", "json").ok(t))
	require.Equal(t, []any{1080.0, 2400.0}, whole["size"])
	require.Equal(t, "com.android.launcher3", whole["app"])
}

func TestTreeThatThereIsNot(t *testing.T) {
	attach(t, nil, "dump-idle")
	run(t, "tree").fails(t, exitDevice, "tree adb:SIM0001", "no tree of the screen now")
}

// The file of the refs holds no text of the screen, and nobody else can read it.
func TestRowsAreKeptWithoutTheirText(t *testing.T) {
	attach(t, nil)
	run(t, "tree").ok(t)
	files, err := filepath.Glob(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "handset", "*"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	data, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.NotContains(t, string(data), "Settings")
	info, err := os.Stat(files[0])
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm()&0o077)

	require.NoError(t, os.WriteFile(files[0], []byte("{"), 0o600))
	run(t, "tap", "--ref", "1").fails(t, exitOther, "run handset tree again")
}

func TestRowsThatCannotBeKept(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", filepath.Join(saved(t, "a file"), "below"))
	r := run(t, "-d", "sim:", "tree")
	require.Contains(t, r.ok(t), "Settings")
	require.Contains(t, r.err, "tap --ref will not work")
}
