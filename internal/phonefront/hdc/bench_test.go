package hdc_test

import (
	"bytes"
	"context"
	"os/exec"
	"testing"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/hdc"
)

// BenchmarkCall is what a call costs: in this process, and as a program of its own.
func BenchmarkCall(b *testing.B) {
	d, err := hdc.New(sim.New(&sim.Options{Platform: sim.PlatformHarmony}), nil)
	if err != nil {
		b.Fatal(err)
	}
	s, err := hdc.Serve(nil, d)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	name, err := s.WriteTool(b.TempDir(), "")
	if err != nil {
		b.Fatal(err)
	}
	for what, line := range map[string]string{
		"true": "true", "tap": "uitest uiInput click 5 900", "dump": "uitest dumpLayout -p /data/local/tmp/l.json",
		"snapshot": "snapshot_display -f /data/local/tmp/p.jpeg",
	} {
		b.Run(what+"/inside", func(b *testing.B) {
			for b.Loop() {
				var out bytes.Buffer
				s.Run(context.Background(), "", &out, &out, "shell", line)
			}
		})
		b.Run(what+"/program", func(b *testing.B) {
			for b.Loop() {
				if err := exec.Command(name, "shell", line).Run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
