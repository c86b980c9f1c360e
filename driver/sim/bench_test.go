package sim_test

import (
	"image"
	"testing"

	"github.com/handset-go/handset/driver/sim"
)

// BenchmarkFrame draws a page anew, as it is after each change.
func BenchmarkFrame(b *testing.B) {
	p := sim.New(&sim.Options{Start: "com.android.settings"})
	n := 0
	for b.Loop() {
		n++
		p.SetValue("tick", "")
		p.Frame()
	}
}

// BenchmarkPNG draws and encodes a page anew.
func BenchmarkPNG(b *testing.B) {
	p := sim.New(&sim.Options{Start: "com.android.settings"})
	for b.Loop() {
		p.SetValue("tick", "")
		p.PNG()
	}
}

// BenchmarkFrameAgain takes a frame when nothing has changed.
func BenchmarkFrameAgain(b *testing.B) {
	p := sim.New(&sim.Options{Start: "com.android.settings"})
	for b.Loop() {
		p.Frame()
	}
}

func BenchmarkTree(b *testing.B) {
	p := sim.New(&sim.Options{Start: "com.android.settings"})
	for b.Loop() {
		p.Tree()
	}
}

func BenchmarkTap(b *testing.B) {
	p := sim.New(&sim.Options{Start: "com.android.settings"})
	for b.Loop() {
		p.Tap(image.Pt(5, 300))
		p.ClearLog()
	}
}
