package hdc_test

import (
	"image"
	"testing"

	"github.com/handset-go/handset/driver/sim"
)

// BenchmarkCalls measures calls over the simulated hdc, which is a process of this binary for each.
func BenchmarkCalls(b *testing.B) {
	r := newRig(b, sim.Options{Start: "com.huawei.hmos.settings"}, "")
	d := r.open()
	for _, call := range []struct {
		name string
		do   func() error
	}{
		{"tap", func() error { return d.Tap(b.Context(), image.Pt(5, 5)) }},
		{"screenshot", func() error { _, err := d.Screenshot(b.Context()); return err }},
		{"tree", func() error { _, err := d.Tree(b.Context()); return err }},
		{"foreground", func() error { _, err := d.Foreground(b.Context()); return err }},
		{"launch", func() error { return d.Launch(b.Context(), "com.huawei.hmos.settings") }},
	} {
		b.Run(call.name, func(b *testing.B) {
			for b.Loop() {
				if err := call.do(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
