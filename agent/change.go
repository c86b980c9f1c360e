package agent

import (
	"bytes"
	"image"
	"image/color"

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
	a, b := colours(m), colours(n)
	differ, limit := 0, ((box.Dx()/samples+1)*((box.Max.Y-top)/samples+1)*changedShare)/1_000_000
	for y := top; y < box.Max.Y; y += samples {
		for x := box.Min.X; x < box.Max.X; x += samples {
			p, q := a(x, y), b(x+off.X, y+off.Y)
			if p != q && !(near(p[0], q[0]) && near(p[1], q[1]) && near(p[2], q[2])) {
				if differ++; differ > limit {
					return false
				}
			}
		}
	}
	return true
}

// colours returns what gives the colour of a pixel, without an allocation for the kinds of picture that phones
// send.
func colours(m image.Image) func(x, y int) [3]byte {
	switch m := m.(type) {
	case *image.NRGBA:
		return func(x, y int) [3]byte { return [3]byte(m.Pix[m.PixOffset(x, y):]) }
	case *image.RGBA:
		return func(x, y int) [3]byte { return [3]byte(m.Pix[m.PixOffset(x, y):]) }
	case *image.Paletted:
		table := make([][3]byte, 256)
		for i, c := range m.Palette {
			table[i] = bytesOf(c)
		}
		return func(x, y int) [3]byte { return table[m.Pix[m.PixOffset(x, y)]] }
	}
	return func(x, y int) [3]byte { return bytesOf(m.At(x, y)) }
}

func bytesOf(c color.Color) [3]byte {
	r, g, b, _ := c.RGBA()
	return [3]byte{byte(r >> 8), byte(g >> 8), byte(b >> 8)}
}

func near(a, b byte) bool {
	if a < b {
		a, b = b, a
	}
	return a-b <= tolerance
}
