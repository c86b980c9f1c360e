package adbserver_test

import (
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// BenchmarkShell measures one command from the dial to the end of its stream.
func BenchmarkShell(b *testing.B) {
	for _, command := range []string{"shell,v2,raw:true", "shell,v2,raw:input tap 500 900", "shell,v2,raw:dumpsys window displays | grep -E 'mCurrentFocus|mFocusedApp'",
		"exec:screencap -p", "shell,v2,raw:uiautomator dump /data/local/tmp/x; cat /data/local/tmp/x; rm /data/local/tmp/x"} {
		b.Run(command, func(b *testing.B) {
			d, err := android.New(sim.New(nil), nil)
			if err != nil {
				b.Fatal(err)
			}
			s, err := adbserver.Start(&adbserver.Options{Phones: []adbserver.Phone{{Device: d}}})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			for b.Loop() {
				c, err := net.Dial("tcp", s.Addr())
				if err != nil {
					b.Fatal(err)
				}
				fmt.Fprintf(c, "0012host:transport-any%04x%s", len(command), command)
				if _, err := io.Copy(io.Discard, c); err != nil {
					b.Fatal(err)
				}
				_ = c.Close()
			}
		})
	}
}
