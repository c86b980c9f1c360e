package android_test

import (
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// TestCaptureIsTheFrame compares each pixel of a capture with the frame, on pages with text, a gradient, a
// single colour and a rotation.
func TestCaptureIsTheFrame(t *testing.T) {
	for _, opts := range []sim.Options{
		{}, {Start: "com.android.settings"}, {Start: "com.handset.wallet"}, {Start: "com.android.settings", Rotation: 1},
		{Size: image.Pt(321, 479), Density: 160},
	} {
		p := sim.New(&opts)
		d, err := android.New(p, nil)
		require.NoError(t, err)
		got, want := d.Capture(), p.Frame().Image
		require.Equal(t, want.Rect.Size(), got.Rect.Size())
		differ := 0
		for y := range want.Rect.Dy() {
			for x := range want.Rect.Dx() {
				r, g, b, a := got.At(x, y).RGBA()
				wr, wg, wb, wa := want.At(x, y).RGBA()
				if r != wr || g != wg || b != wb || a != wa {
					differ++
				}
			}
		}
		require.Zero(t, differ, "%+v", opts)
	}
}

// TestDarkDisplay takes pictures of a display that is off, from two phones: they are black, and of its size.
func TestDarkDisplay(t *testing.T) {
	for range 2 {
		d := newDevice(t, "a14-folded")
		size := d.Profile().Cover
		m, err := png.Decode(strings.NewReader(run(t, d, "screencap -p").stdout))
		require.NoError(t, err)
		require.Equal(t, size, m.Bounds().Size())
		require.Equal(t, color.RGBA{A: 255}, color.RGBAModel.Convert(m.At(size.X/2, size.Y-1)))
		raw := run(t, d, "screencap").stdout
		require.Len(t, raw, 16+4*size.X*size.Y)
		require.Equal(t, uint32(size.X), binary.LittleEndian.Uint32([]byte(raw)))
		require.Equal(t, strings.Repeat("\x00\x00\x00\xff", size.X), raw[len(raw)-4*size.X:])
	}
}
