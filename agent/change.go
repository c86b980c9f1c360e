package agent

import (
	"bytes"
	"image"

	"github.com/handset-go/handset/driver"
)

const (
	// statusBar is the part of the height, at the top, where a clock ticks: 1/22.
	statusBar = 22
	// samples is the grid on which two frames are compared: every third pixel both ways.
	samples = 3
	// changedShare is the part of the samples that must differ, in parts of a million. A cursor on a
	// phone is about 60 of them, a small check mark 600.
	changedShare = 250
	// tolerance is how far a colour channel may be off, of 255.
	tolerance = 16
	// closeSizes: encodings whose lengths differ by more than this part show different screens, and are not
	// decoded to find out.
	closeSizes = 50
)

// sameFrame says whether two frames show a person the same, but for the status bar and a cursor. It decodes
// them only where their bytes leave it open.
func sameFrame(a, b *driver.Screen) bool {
	if a == nil || b == nil {
		return false
	}
	if a == b {
		return true
	}
	if a.Size() != b.Size() || a.Health() != b.Health() {
		return false
	}
	x, _, errA := a.Encoded()
	y, _, errB := b.Encoded()
	if errA != nil || errB != nil {
		return false
	}
	if bytes.Equal(x, y) {
		return true
	}
	if d := len(x) - len(y); max(d, -d)*closeSizes > max(len(x), len(y)) {
		return false
	}
	m, errA := a.Image()
	n, errB := b.Image()
	return errA == nil && errB == nil && samePicture(m, n)
}

// samePicture compares two pictures of the same size.
func samePicture(m, n image.Image) bool {
	box := m.Bounds()
	off := n.Bounds().Min.Sub(box.Min)
	top := box.Min.Y + box.Dy()/statusBar
	differ, limit := 0, ((box.Dx()/samples+1)*((box.Max.Y-top)/samples+1)*changedShare)/1_000_000
	for y := top; y < box.Max.Y; y += samples {
		for x := box.Min.X; x < box.Max.X; x += samples {
			if !closeColour(m, n, x, y, off) {
				if differ++; differ > limit {
					return false
				}
			}
		}
	}
	return true
}

// closeColour compares one pixel of m with the one of n that lies off from it.
func closeColour(m, n image.Image, x, y int, off image.Point) bool {
	if a, ok := pix(m, x, y); ok {
		if b, ok := pix(n, x+off.X, y+off.Y); ok {
			return near(a[0], b[0]) && near(a[1], b[1]) && near(a[2], b[2])
		}
	}
	r, g, b, _ := m.At(x, y).RGBA()
	s, h, c, _ := n.At(x+off.X, y+off.Y).RGBA()
	return near(byte(r>>8), byte(s>>8)) && near(byte(g>>8), byte(h>>8)) && near(byte(b>>8), byte(c>>8))
}

// pix returns the bytes of a pixel without an allocation, for the kinds of picture that phones send.
func pix(m image.Image, x, y int) ([]byte, bool) {
	switch m := m.(type) {
	case *image.NRGBA:
		return m.Pix[m.PixOffset(x, y):], true
	case *image.RGBA:
		return m.Pix[m.PixOffset(x, y):], true
	}
	return nil, false
}

func near(a, b byte) bool {
	if a < b {
		a, b = b, a
	}
	return a-b <= tolerance
}
