package hdc_test

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/hdc"
)

// FuzzPrograms holds that no arguments make a program of the phone panic or outlive the phone.
func FuzzPrograms(f *testing.F) {
	for _, s := range []string{"uitest dumpLayout -a -b x -w 7 -m false", "uitest uiInput swipe 1 2 3 4 600", "uitest uiInput keyEvent 2072 2017",
		"uitest uiInput fling 1 1 99999999999 2 200 7", "uitest uiInput inputText 5 5 'a b'", "uitest screenCap -p /data/local/tmp/x.png",
		"uinput -T -m 1 2 3 4 5 6 7 8 -k 100 50", "uinput -K -d 2 -u 2 -t x -l 5", "uinput -M -m 1 2 -c 0 -s 5", "snapshot_display -w 9 -h 9 -t png -f x",
		"aa start -a b -b c --ps d e -W", "aa dump -a", "bm dump -n com.ohos.mms", "hidumper -s WindowManagerService -a '-w 2'", "param set a b",
		"power-shell timeout -o 5", "hilog -x -z -3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, command string) {
		d, err := hdc.New(sim.New(&sim.Options{Platform: sim.PlatformHarmony}), nil)
		if err != nil {
			t.Fatal(err)
		}
		stop := time.AfterFunc(time.Second, func() { _ = d.Close() })
		defer stop.Stop()
		late := time.AfterFunc(30*time.Second, func() { panic("still running: " + command) })
		defer late.Stop()
		d.Shell(command, io.Discard)
		_ = d.Close()
	})
}

// FuzzTool holds that no arguments make the tool panic, and that its status is 0.
func FuzzTool(f *testing.F) {
	for _, s := range []string{"-t x shell echo hi", "-s 1:2 list targets -v", "-s : list targets", "fport rm a b", "fport tcp:x y", "tconn a:b -remove",
		"-p -l9 -v", "tmode port x", "shell", "uninstall -k", "rport tcp:1 tcp:2", "-t", "-e x kill -r", "tconn :", "hilog -x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Fields(line)
		if slices.Contains(args, "file") || slices.Contains(args, "install") || slices.Contains(args, "fport") && strings.Count(line, "tcp:") > 1 {
			return // these reach for files and ports of this machine
		}
		d, err := hdc.New(sim.New(&sim.Options{Platform: sim.PlatformHarmony}), nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := hdc.Serve(nil, d)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		var out, errs bytes.Buffer
		tool := hdc.Tool{Addr: s.Addr(), Args: args, Dir: t.TempDir(), Out: &out, Err: &errs}
		if code := tool.Run(ctx); code != 0 {
			t.Fatal(code)
		}
	})
}
