package android_test

import (
	"context"
	"encoding/binary"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/android"
)

func TestLogcatFormats(t *testing.T) {
	d := newDevice(t, "")
	out(t, d, "logcat -c; log -p w -t Short a text")
	const stamp = `\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}`
	for option, line := range map[string]string{
		"":                  stamp + ` {1,2}\d+ {1,2}\d+ W Short   : a text`,
		"-v threadtime":     stamp + ` {1,2}\d+ {1,2}\d+ W Short   : a text`,
		"-v brief":          `W/Short   \( {0,1}\d+\): a text`,
		"-vprocess":         `W\( {0,1}\d+\) a text  \(Short\)`,
		"-v tag":            `W/Short   : a text`,
		"-v thread":         `W\( {0,1}\d+: {0,1}\d+\) a text`,
		"-v raw":            `a text`,
		"-v time,color":     stamp + ` W/Short   \( {0,1}\d+\): a text`,
		"-v brief -v epoch": `W/Short   \( {0,1}\d+\): a text`,
		"-v long":           `\[ ` + stamp + ` {1,2}\d+: {0,1}\d+ W/Short    \]` + "\na text\n",
	} {
		require.Regexp(t, "^"+regexp.QuoteMeta("--------- beginning of main\n")+line+"\n$", out(t, d, "logcat -d "+option), option)
	}
	require.Contains(t, run(t, d, "logcat -d -v nonsense").stderr, "Invalid parameter")
	old := newDevice(t, "a6")
	require.Contains(t, out(t, old, "logcat -d"), "\nI/SystemServer( 4321): Boot completed\n", "before Android 7 the format is brief")
}

func TestLogcatFilters(t *testing.T) {
	d := newDevice(t, "")
	out(t, d, "logcat -c; log -p d -t One debug; log -p e -t One error; log -p i -t Two info")
	for filters, want := range map[string]string{
		"": "debug error info", "One:E": "error info", "*:S": "", "-s One": "debug error", "-s One:E": "error", "*:I": "error info",
		"One:S": "info", "*:S Two:V": "info", "-e ^in": "info", "--pid=1": "", "-b crash": "", "-b main,system": "debug error info",
	} {
		lines := strings.Fields(strings.ReplaceAll(out(t, d, "logcat -d -v raw "+filters), "--------- beginning of main", ""))
		require.Equal(t, want, strings.Join(lines, " "), filters)
	}
	require.Empty(t, out(t, d, "logcat -d -s Three"), "nothing is said of a buffer that has nothing")
	require.Empty(t, out(t, d, "logcat -d -t '12-31 23:59:59.999'"))
}

func TestLogcatBinary(t *testing.T) {
	for profile, header := range map[string]int{"a6": 24, "a14": 28} {
		d := newDevice(t, profile)
		out(t, d, "logcat -c; log -p e -t Tag one")
		got := out(t, d, "logcat -d -B")
		require.Equal(t, "\x06Tag\x00one\x00", got[header:], profile)
		require.Equal(t, len(got)-header, int(binary.LittleEndian.Uint16([]byte(got))))
		require.Equal(t, header, int(binary.LittleEndian.Uint16([]byte(got)[2:])))
	}
}

// TestLogcatFollowsPastClearing: a logcat that follows prints each line once, whatever is cleared meanwhile.
func TestLogcatFollowsPastClearing(t *testing.T) {
	d := newDevice(t, "")
	out(t, d, "logcat -c; log one")
	var got syncBuffer
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		d.Shell(ctx, "logcat -v raw", android.Stdio{Out: &got, Err: &got})
	}()
	want := logDivider
	for _, step := range []struct{ command, printed string }{
		{"true", "one\n"},
		{"logcat -c; log two", "two\n"}, // as many lines as before
		{"log three; log four", "three\nfour\n"},
		{"logcat -c; logcat -c", ""},
		{"log five", "five\n"}, // fewer
		{"logcat -c; log six; log seven; log eight", "six\nseven\neight\n"}, // more
	} {
		out(t, d, step.command)
		want += step.printed
		require.Eventually(t, func() bool { return strings.HasPrefix(got.String(), want) }, 10*time.Second, time.Millisecond, step.command)
	}
	cancel()
	<-ended
	require.Equal(t, want, got.String())
	require.Equal(t, logDivider+"eight\n", out(t, d, "logcat -d -v raw -t 1"))
	require.Empty(t, out(t, d, "logcat -c; logcat -c; logcat -d"))
}

const logDivider = "--------- beginning of main\n"
