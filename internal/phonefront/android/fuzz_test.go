package android_test

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// FuzzShell holds that no command line makes the phone panic or outlive its context.
func FuzzShell(f *testing.F) {
	for _, s := range []string{"echo hi | cat", "input tap 1 2; wm size", `x=$(echo "a b"); echo ${x%b}`, "for i in *; do echo $i; done", "cat <<E\nx\nE",
		"am start -n a/.b", "dumpsys window | grep -E 'a|b'", "sed 's/a/b/g'", "uiautomator dump /dev/tty", "printf '%s' x", "[[ a == b ]]", "echo $((1+2))",
		"select x in a; do :; done", "echo ${|x}", "x=(1 2); echo ${x[1]}", "function f { echo; }; f", "cat <&3 2>&4", "time ls", "coproc x", "let x=1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, command string) {
		d, err := android.New(sim.New(nil), nil)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		late := time.AfterFunc(20*time.Second, func() { panic("still running: " + command) })
		defer late.Stop()
		d.Shell(ctx, command, android.Stdio{Out: io.Discard, Err: io.Discard})
	})
}
