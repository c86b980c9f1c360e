package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSimOneFaceAtATime(t *testing.T) {
	run(t, "sim", "--hdc", t.TempDir(), "--wda", "127.0.0.1:0").fails(t, exitUsage, "one phone is one of")
	run(t, "sim", "--wda", "127.0.0.1:0", "--profile", "a14").fails(t, exitUsage, "a14")
	run(t, "sim", "--hdc", t.TempDir(), "--fault", "nonsense").fails(t, exitUsage, "nonsense")
}

func TestSimListHasEveryFace(t *testing.T) {
	j := object(t, run(t, "--json", "sim", "--list").ok(t))
	for _, face := range []string{"hdc", "wda"} {
		c, ok := j[face].(map[string]any)
		require.True(t, ok, face)
		require.NotEmpty(t, c["profiles"], face)
		require.NotEmpty(t, c["faults"], face)
	}
	require.Contains(t, run(t, "sim", "--list").ok(t), "iphone-15")
}

func TestTreeFromEveryPlatform(t *testing.T) {
	for _, c := range []struct{ name, text, says string }{
		{"uiautomator", `<?xml version='1.0' ?><hierarchy rotation="0"><node index="0" text="Wi-Fi" class="android.widget.Button" package="p" clickable="true" enabled="true" bounds="[0,0][100,100]"/></hierarchy>`, "Wi-Fi"},
		{"dumpLayout", `{"attributes":{"type":"root","bounds":"[0,0][100,100]"},"children":[{"attributes":{"bundleName":"b","type":"WindowScene","bounds":"[0,0][100,100]"},"children":[{"attributes":{"text":"Airplane","type":"Button","clickable":"true","enabled":"true","bounds":"[0,0][50,50]"},"children":[]}]}]}`, "Airplane"},
		{"WebDriverAgent", `<?xml version="1.0" encoding="UTF-8"?><XCUIElementTypeApplication type="XCUIElementTypeApplication" name="Settings" label="Settings" enabled="true" visible="true" x="0" y="0" width="100" height="100"><XCUIElementTypeButton type="XCUIElementTypeButton" name="General" label="General" enabled="true" visible="true" x="0" y="0" width="50" height="50"/></XCUIElementTypeApplication>`, "General"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "dump")
			require.NoError(t, os.WriteFile(file, []byte(c.text), 0o600))
			r := run(t, "tree", "--from", file)
			require.Contains(t, r.ok(t), c.says)
			require.Regexp(t, "^handset: .*dump is .*"+c.name, r.err, "which format it was read as")
			require.Contains(t, object(t, run(t, "--json", "tree", "--from", file).ok(t))["format"], c.name)
			require.NotEmpty(t, object(t, run(t, "tree", "--format", "json", "--from", file).ok(t))["root"])
		})
	}
	file := filepath.Join(t.TempDir(), "dump")
	require.NoError(t, os.WriteFile(file, []byte("hello"), 0o600))
	run(t, "tree", "--from", file).fails(t, exitIncomplete, `it begins with "hello"`)
}

func TestConnectByType(t *testing.T) {
	run(t, "--device-type", "hdc", "connect", "127.0.0.1:5").fails(t, exitDevice, "hdc is not installed")
	run(t, "--device-type", "hdc", "disconnect").fails(t, exitUsage, "one phone at a time")
	run(t, "--device-type", "ios", "connect", "127.0.0.1:5").fails(t, exitUsage, "-d")
}
