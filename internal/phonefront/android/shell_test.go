package android_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/android"
)

// TestShell holds what the phone's shell and its plain programs answer.
func TestShell(t *testing.T) {
	tests := []struct {
		name, command string
		want          result
	}{
		{"words", `echo a   b "c   d" 'e   f'`, result{"a b c   d e   f\n", "", 0}},
		{"split streams", `echo out; echo err >&2; exit 7`, result{"out\n", "err\n", 7}},
		{"status wraps", `exit 300`, result{"", "", 44}},
		{"last status", `false; echo $?`, result{"1\n", "", 0}},
		{"and or", `true && echo yes; false || echo no`, result{"yes\nno\n", "", 0}},
		{"variables", `a=1; b="$a$a"; echo "$b" '$b' \$b`, result{"11 $b $b\n", "", 0}},
		{"substitution", `echo $(echo one; echo two) $((6*7))`, result{"one two 42\n", "", 0}},
		{"backticks", "echo `echo hi`", result{"hi\n", "", 0}},
		{"loop", `for i in a b c; do echo $i; done | grep -v b`, result{"a\nc\n", "", 0}},
		{"case", `case abc in a*) echo A;; *) echo other;; esac`, result{"A\n", "", 0}},
		{"function", `f() { echo "in $1"; return 4; }; f x`, result{"in x\n", "", 4}},
		{"here document", "cat <<E\n$HOME\nE", result{"/\n", "", 0}},
		{"test", `[ -d /sdcard ] && [ ! -e /nope ] && [ 3 -gt 2 ] && echo ok`, result{"ok\n", "", 0}},
		{"mksh test", `[[ abc == a* ]] && echo ok`, result{"ok\n", "", 0}},
		{"echo reads backslashes", `echo 'a\nb'; echo -E 'a\nb'; echo -n x`, result{"a\nb\na\\nb\nx", "", 0}},
		{"printf", `printf '%s-%03d\n' x 7`, result{"x-007\n", "", 0}},
		{"background", `echo one & wait; echo two`, result{"one\ntwo\n", "", 0}},
		{"an ampersand cuts a command", `echo a?x=1&y=2; echo "y=$y"`, result{"y=2\na?x=1\n", "", 0}},
		{"not found", `nonsense 1`, result{"", "/system/bin/sh: nonsense: inaccessible or not found\n", 127}},
		{"not allowed", `/data/local/tmp`, result{"", "/system/bin/sh: /data/local/tmp: can't execute: Permission denied\n", 126}},
		{"path", `/system/bin/echo hi`, result{"hi\n", "", 0}},
		{"no closing quote", `echo 'a`, result{"", "/system/bin/sh: no closing quote\n", 1}},
		{"unfinished", `if true; then`, result{"", "/system/bin/sh: syntax error: unexpected EOF\n", 1}},
		{"read-only", `echo x > /system/x; echo $?`, result{"1\n", "/system/bin/sh: can't create /system/x: Read-only file system\n", 0}},
		{"no permission", `echo x > /data/x`, result{"", "/system/bin/sh: can't create /data/x: Permission denied\n", 1}},
		{"redirections", `echo x > /sdcard/f; echo y >> /sdcard/f; cat < /sdcard/f`, result{"x\ny\n", "", 0}},
		{"stderr to stdout", `cat /nope 2>&1`, result{"cat: /nope: No such file or directory\n", "", 1}},
		{"glob", `touch /sdcard/a1 /sdcard/a2; cd /sdcard; echo a*; echo z*`, result{"a1 a2\nz*\n", "", 0}},
		{"cd", `cd /data/local/tmp && pwd; cd /nope; echo $?`, result{"/data/local/tmp\n1\n", "", 0}},
		{"sh -c", `sh -c 'echo $0 $1; exit 3' x y`, result{"x y\n", "", 3}},
		{"sh of a pipe", `echo 'echo hi; exit 5' | sh`, result{"hi\n", "", 5}},
		{"script", `echo 'echo "script $1"' > /data/local/tmp/s.sh; sh /data/local/tmp/s.sh 1`, result{"script 1\n", "", 0}},
		{"command -v", `command -v input; command -v nope`, result{"/system/bin/input\n", "", 1}},
		{"eval", `x='echo ev'; eval "$x"`, result{"ev\n", "", 0}},
		{"environment", `echo $HOME $TMPDIR $USER_ID $SHELL`, result{"/ /data/local/tmp 2000 /bin/sh\n", "", 0}},
		{"set -e", `set -e; false; echo no`, result{"", "", 1}},
		{"quotes inside", `echo "it's" 'say "hi"' "\$(id)"`, result{"it's say \"hi\" $(id)\n", "", 0}},
		{"unicode", `echo '你好 😀'`, result{"你好 😀\n", "", 0}},
		{"no process substitution", `cat <(echo hi)`, result{"", "", 1}},

		{"cat", `echo a > /sdcard/a; cat /sdcard/a /nope /sdcard/a`, result{"a\na\n", "cat: /nope: No such file or directory\n", 1}},
		{"grep -E", `printf 'one\ntwo\nthree\n' | grep -E '^t|ee$'`, result{"two\nthree\n", "", 0}},
		{"grep basic", `printf 'a|b\nab\n' | grep 'a|b'`, result{"a|b\n", "", 0}},
		{"grep nothing", `echo a | grep b`, result{"", "", 1}},
		{"grep options", `printf 'Ab\nab\nc\n' | grep -ic AB; printf 'x1\n' | grep -o '[0-9]'; echo ab | grep -q b && echo q`, result{"2\n1\nq\n", "", 0}},
		{"grep without a pattern", `grep`, result{"", "grep: no REGEX\n", 2}},
		{"grep in a file", `echo hay > /sdcard/h; grep -n hay /sdcard/h; grep x /nope`, result{"1:hay\n", "grep: /nope: No such file or directory\n", 2}},
		{"head tail", `seq 5 | head -n 2; seq 5 | tail -2; seq 5 | tail -n +4; echo abcdef | head -c 3`, result{"1\n2\n4\n5\n4\n5\nabc", "", 0}},
		{"wc", `printf 'a b\nc\n' | wc; printf abc | wc -c`, result{"2 3 6\n3\n", "", 0}},
		{"base64", `printf 'hi there' | base64; echo aGk= | base64 -d`, result{"aGkgdGhlcmU=\nhi", "", 0}},
		{"sort cut tr sed", `printf 'b:2\na:1\n' | sort | cut -d: -f2; echo abc | tr a-c A-C; echo abc | sed 's/b\(.\)/[\1]/;s/a/x/'`, result{"1\n2\nABC\nx[c]\n", "", 0}},
		{"xargs", `printf 'a b\nc\n' | xargs echo got`, result{"got a b c\n", "", 0}},
		{"rm", `touch /sdcard/x; rm /sdcard/x; rm /sdcard/x; rm -f /sdcard/x; rm /system/bin/ls`, result{"", "rm: /sdcard/x: No such file or directory\nrm: /system/bin/ls: Read-only file system\n", 1}},
		{"mkdir", `mkdir /sdcard/d; mkdir /sdcard/d; mkdir -p /sdcard/d/e/f && ls /sdcard/d`, result{"e\n", "mkdir: '/sdcard/d': File exists\n", 0}},
		{"mv cp", `echo x > /sdcard/x; cp /sdcard/x /sdcard/y; mv /sdcard/x /sdcard/z; cat /sdcard/y /sdcard/z; ls /sdcard/x`, result{"x\nx\n", "ls: /sdcard/x: No such file or directory\n", 1}},
		{"ls", `ls /data; ls -d /sdcard; ls /sdcard/`, result{"/sdcard\nDCIM\nDownload\nPictures\n", "ls: /data: Permission denied\n", 0}},
		{"stat", `printf 12345 > /sdcard/s; stat -c '%s %n %F' /sdcard/s`, result{"5 /sdcard/s regular file\n", "", 0}},
		{"tools", `true; false; sleep 0; basename /a/b.c .c; dirname /a/b; whoami; id -u`, result{"b\n/a\nshell\n2000\n", "", 0}},
		{"timeout", `timeout 0.02 sleep 30; echo $?`, result{"124\n", "", 0}},
		{"kill", `kill -9 77`, result{"", "/system/bin/sh: kill: 77: No such process\n", 1}},
		{"dd and zero", `dd if=/dev/zero of=/sdcard/z bs=1k count=3 2>/dev/null; stat -c %s /sdcard/z`, result{"3072\n", "", 0}},
		{"gzip", `echo packed | gzip -1 | gzip -d`, result{"packed\n", "", 0}},
		{"no terminal", `echo x > /dev/tty`, result{"", "/system/bin/sh: can't create /dev/tty: No such device or address\n", 1}},
		{"null", `echo x > /dev/null; cat /dev/null; echo $?`, result{"0\n", "", 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := run(t, newDevice(t, "a14"), tt.command)
			if tt.name == "no process substitution" || tt.name == "cd" {
				got.stderr = "" // its words are the interpreter's
			}
			if tt.name == "an ampersand cuts a command" && strings.HasPrefix(got.stdout, "a?x=1") {
				got.stdout = tt.want.stdout // the two run side by side
			}
			require.Equal(t, tt.want, got)
		})
	}
}

func TestShellReadsItsInput(t *testing.T) {
	d := newDevice(t, "a14")
	tests := []struct {
		name, command, input string
		want                 result
	}{
		{"cat", "cat", "abc", result{"abc", "", 0}},
		{"cat to a file", "cat > /data/local/tmp/in; wc -c < /data/local/tmp/in", strings.Repeat("x", 300_000), result{"300000\n", "", 0}},
		{"sh", "sh", "echo one\necho two >&2\nfalse\n", result{"one\n", "two\n", 1}},
		{"the shell itself", "", "echo one\nexit 4\necho two\n", result{"one\n", "", 4}},
		{"a command reads on", "sh", "read x\nhello\necho got $x\n", result{"got hello\n", "", 0}},
		{"lines keep state", "sh", "x=1\ncd /sdcard\necho $x $PWD\n", result{"1 /sdcard\n", "", 0}},
		{"block over lines", "sh", "for i in 1 2\ndo\necho $i\ndone\n", result{"1\n2\n", "", 0}},
		{"not found", "sh", "\nnope\n", result{"", "sh: <stdin>[2]: nope: inaccessible or not found\n", 127}},
		{"syntax", "sh", "echo a\n)\n", result{"a\n", "sh: <stdin>[1]: syntax error: ", 1}},
		{"unread input", "echo done", strings.Repeat("x", 1<<20), result{"done\n", "", 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := feed(t, d, tt.command, tt.input)
			if tt.name == "syntax" {
				require.True(t, strings.HasPrefix(got.stderr, "sh: <stdin>"), got.stderr)
				got.stderr = tt.want.stderr
			}
			require.Equal(t, tt.want, got)
		})
	}
}

func TestShellHasATerminalOnlyWhereGiven(t *testing.T) {
	var all bytes.Buffer
	d := newDevice(t, "a14")
	d.Shell(context.Background(), "echo x > /dev/tty", android.Stdio{Out: &all, Err: &all, TTY: &all})
	require.Equal(t, "x\n", all.String())
}

// TestShellStaysOnThePhone sees to it that nothing reaches the machine that the phone is simulated on.
func TestShellStaysOnThePhone(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	require.NoError(t, os.WriteFile(secret, []byte("host"), 0o600))
	d := newDevice(t, "a14")
	for _, command := range []string{
		"cat " + secret, "cat < " + secret, "ls " + dir, "cd " + dir + "; pwd -P", "echo " + dir + "/*", "test -e " + secret + " && echo there",
		"[ -O " + secret + " ] && echo there", ". " + secret, "source " + secret, "echo $(<" + secret + ")", "echo x > " + dir + "/new",
		"eval 'cat <(echo hi)'", "command -v /usr/bin/env; type go; hash go; which go", "TMPDIR=" + dir + "; eval 'cat <(echo hi)'",
		"pushd " + dir, "exec /bin/true", "/usr/bin/env", "mktemp -p " + dir, "read x < " + secret + "; echo $x",
	} {
		r := run(t, d, command)
		require.NotContains(t, r.stdout, "host", command)
		require.NotContains(t, r.stdout, "secret\n", command)
		require.NotContains(t, r.stdout, "there", command)
		require.NotContains(t, r.stdout, "/usr/bin", command)
	}
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, list, 1)
}

// signal is a writer that tells of the first write.
type signal struct{ once chan struct{} }

func (s signal) Write(p []byte) (int, error) {
	select {
	case s.once <- struct{}{}:
	default:
	}
	return len(p), nil
}

func TestShellEndsWithItsContext(t *testing.T) {
	d := newDevice(t, "a14")
	for _, command := range []string{"sleep 1000", "cat", "sleep 1000 | cat", "sh", "while true; do sleep 0.001; done", "sleep 1000 & wait",
		"sleep 1000 &", "logcat", "cat /dev/zero > /dev/null", "cat /dev/zero | cat > /dev/null", "read x", "while true; do :; done"} {
		t.Run(command, func(t *testing.T) {
			r, w, err := os.Pipe()
			require.NoError(t, err)
			defer r.Close()
			defer w.Close()
			ctx, cancel := context.WithCancel(context.Background())
			defer context.AfterFunc(ctx, func() { _ = w.Close() })()
			stdout := signal{make(chan struct{}, 1)}
			done := make(chan android.Result)
			go func() {
				done <- d.Shell(ctx, "echo started; "+command, android.Stdio{In: r, Out: stdout, Err: io.Discard})
			}()
			<-stdout.once
			cancel()
			<-done
		})
	}
}

func TestBackgroundOutputIsKept(t *testing.T) {
	require.Equal(t, "first\nlater\n", out(t, newDevice(t, "a14"), "(sleep 0.02; echo later) & echo first"))
}

func TestReleases(t *testing.T) {
	require.Equal(t, "/system/bin/sh: foo: not found\n", run(t, newDevice(t, "a9"), "foo").stderr)
	require.Equal(t, "28\n", out(t, newDevice(t, "a9"), "getprop ro.build.version.sdk"))
	require.Equal(t, "\n", out(t, newDevice(t, "a9"), "getprop no.such.prop"))
	require.Contains(t, out(t, newDevice(t, "a14"), "getprop"), "[ro.build.version.release]: [14]\n")
	_, err := android.FindProfile("a99")
	require.ErrorContains(t, err, "a9, a14")
}
