package main

import (
	"net"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// goWords are what no message shows to a person: names of Go's types and functions, and how it prints values.
var goWords = regexp.MustCompile(`strconv\.|time: (invalid|missing|unknown)|\*[a-z]+\.[A-Z]|%!|\bint64\b|\b64 bit\b|<nil>|\bEOL\b|map\[|\{0x|failed to|\[[A-Z][a-z]+ [A-Z][a-z]+ `)

// twice says that a prefix stands behind the same, as in "tap: tap adb:X: ".
func twice(message string) bool {
	before := ""
	for part := range strings.SplitSeq(strings.TrimPrefix(message, "handset: "), ": ") {
		word, _, _ := strings.Cut(part, " ")
		if word != "" && word == before {
			return true
		}
		before = word
	}
	return false
}

func TestTwice(t *testing.T) {
	require.True(t, twice("handset: tap: tap adb:X: boom"))
	require.True(t, twice("handset: tap adb:X: tap adb:X: boom"))
	require.False(t, twice("handset: tap adb:X: the point is off the screen"))
}

// Every command refuses nonsense in words for a person.
func TestErrorsAreForAPerson(t *testing.T) {
	attach(t, nil)
	missing := filepath.Join(t.TempDir(), "missing", "file")
	for _, args := range [][]string{
		{"tap", "5000,5"}, {"tap", "1,1", "--long", "5"}, {"tap", "--ref", "x"}, {"tap", "--ref", "77"}, {"tap", "--text", "nothing like it"},
		{"tap", "--double=x", "1,1"}, {"swipe", "1,1", "9999,1"}, {"swipe", "1,1", "2,2", "--over", "x"}, {"swipe", "1,1", "9999,1", "--hold", "1s"},
		{"key", "Foo"}, {"type", "hi"}, {"launch", "Nope"}, {"stop", "Nope"}, {"screenshot", "-o", missing}, {"tree", "--from", missing}, {"tree", "--format", "x"},
		{"parse", missing}, {"parse", "--size", "x"}, {"parse", "--dialect", "x"}, {"--yes", "install", missing}, {"--yes", "uninstall", "nope"}, {"--yes", "uninstall", "com.nope"},
		{"connect", ""}, {"connect", "a b"}, {"connect", "127.0.0.1:99999"}, {"disconnect", "127.0.0.1:1"}, {"pair", "x", "1"}, {"tcpip", "0"}, {"tcpip", "x"}, {"track", "--count", "x"},
		{"-d", "adb:nobody", "info"}, {"-d", "adb:X?limit=x", "info"}, {"-d", "hdc:", "info"}, {"-d", "wda:127.0.0.1:1", "info"}, {"-d", "wda:", "info"},
		{"-d", "sim:", "tap", "5000,5"}, {"-d", "sim:", "key", "Foo"}, {"-d", "sim:", "launch", "Nope"}, {"-d", "sim:", "--yes", "install", missing}, {"-d", "sim:", "tcpip"},
		{"-d", "sim:?density=x", "info"}, {"run", ""}, {"run", "--max-steps", "x", "task"}, {"run", "--max-steps=-1", "task"}, {"run", "--max-time", "x", "task"},
		{"run", "--base-url", "foo", "task"}, {"run", "--mode", "x", "task"}, {"run", "--system-prompt", missing, "task"}, {"run", "--api-key-env", "NOPE", "task"},
		{"sim", "--adb", "foo"}, {"sim", "--wda", "foo"}, {"sim", "--control", "127.0.0.1:99999"}, {"sim", "--profile", "x"}, {"sim", "--fault", "x"}, {"sim", "--density", "x"},
		{"sim", "--density", "5"}, {"sim", "--size", "5"}, {"sim", "--wda", "127.0.0.1:0", "--wda-version", "99"}, {"demo-model", "--addr", "x"}, {"nonsense"}, {"info", "-d"},
	} {
		r := run(t, args...)
		told := r.err
		if args[0] == "parse" && r.out != "" {
			told = r.out
		}
		require.NotEqual(t, exitDone, r.status, "%v", args)
		require.Regexp(t, `^(handset: |\{)`, told, "%v", args)
		require.NotRegexp(t, goWords, told, "%v", args)
		require.False(t, twice(told), "%v: %s", args, told)
	}
}

// An address to listen at that makes no sense is a mistake on the line; one that is taken is not.
func TestAddressesToListenAt(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, taken.Close()) }()
	for _, args := range [][]string{{"sim", "--adb"}, {"sim", "--wda"}, {"sim", "--control"}, {"demo-model", "--addr"}} {
		run(t, append(args, "nowhere")...).fails(t, exitUsage, "nowhere", "want HOST:PORT")
		run(t, append(args, "127.0.0.1:99999")...).fails(t, exitUsage, "want HOST:PORT")
		run(t, append(args, taken.Addr().String())...).fails(t, exitOther, "address already in use")
	}
	run(t, "sim", "--wda", "127.0.0.1:0", "--wda-version", "99").fails(t, exitUsage, "want 1.0.0 to 16")
}
