package android

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"strconv"
	"strings"
	"sync"

	"github.com/handset-go/handset/internal/nap"
	"github.com/handset-go/handset/internal/phonefront/phoneshell"
)

func itoa(n int) string { return strconv.Itoa(n) }

// displaysWarning is what Android 14 and later say of several displays.
const displaysWarning = `[Warning] Multiple displays were found, but no display id was specified! Defaulting to the first display found, however this default is not guaranteed to be consistent across captures. A display id should be specified.
A display ID can be specified with the [-d display-id] option.
See "dumpsys SurfaceFlinger --display-id" for valid display IDs.
`

func runScreencap(ctx context.Context, p *proc) int {
	d := p.d
	set, rest, unknown := p.Options("phaj", "d")
	if unknown != 0 || phoneshell.Has(set, 'h') {
		return p.Fail(1, "usage: screencap [-hp] [-d display-id] [FILENAME]\n   -h: this message\n   -p: save the file as a png.\n   -d: specify the display id to capture\nIf FILENAME ends with .png it will be saved as a png.\nIf FILENAME is not given, the results will be printed to stdout.")
	}
	if err := nap.For(ctx, d.latency.Screencap+d.faults.Duration(FaultScreencapSlow)); err != nil {
		return 137
	}
	id, given := set['d']
	switch {
	case d.profile.Cover.X > 0 && (id == d.darkID() || !given && d.profile.CoverFirst):
		if !given && d.faults.On(FaultScreencapWarn) {
			_, _ = p.Err.Write([]byte(displaysWarning))
		}
		return p.store(lastWord(rest), d.coverFrame(phoneshell.Has(set, 'p')))
	case given && id != d.activeID() && (id != "0" || d.profile.SDK > 28):
		if d.profile.SDK >= 34 {
			return p.Fail(1, "Display Id '%s' is not valid.", id)
		}
		return p.Fail(1, "Failed to get display token for display id %s", id)
	case d.faults.On(FaultScreencapRefuse):
		return p.captureRefused()
	}
	if d.faults.On(FaultScreencapWarn) && !given {
		_, _ = p.Err.Write([]byte(displaysWarning))
	}
	name := lastWord(rest)
	data := d.captured(phoneshell.Has(set, 'p') || strings.HasSuffix(name, ".png"), phoneshell.Has(set, 'j') && d.profile.SDK >= 36)
	return p.store(name, data)
}

// captureRefused fails as the release does.
func (p *proc) captureRefused() int {
	switch sdk := p.d.profile.SDK; {
	case sdk >= 36:
		return p.Fail(1, "Capturing failed.")
	case sdk >= 34:
		return p.Fail(1, "Failed to take screenshot. Status: -1")
	case sdk >= 31:
		return p.Fail(1, "Failed to take screenshot. Status: -1")
	}
	return 1
}

// store writes the picture to a file, or to stdout.
func (p *proc) store(name string, data []byte) int {
	if p.d.faults.On(FaultScreencapNoise) {
		p.Print("vendor: gralloc4 mapper loaded\n")
	}
	if name == "" {
		_, _ = p.Out.Write(data)
		return 0
	}
	f, err := p.Create(name, 0o660)
	if err != nil {
		return p.Fail(1, "Error opening file: %s (%s)", name, phoneshell.ErrnoOf(err))
	}
	if _, err := f.Write(data); err != nil {
		return p.Fail(1, "Error writing file: %s (%s)", name, phoneshell.ErrnoOf(err))
	}
	return 0
}

// captured is the picture as screencap prints it, with the faults of pictures.
func (d *Device) captured(asPNG, asJPEG bool) []byte {
	if d.faults.On(FaultScreencapEmpty) {
		return nil
	}
	var data []byte
	switch {
	case asJPEG:
		var b bytes.Buffer
		_ = jpeg.Encode(&b, d.Capture(), nil) // a picture in memory always encodes
		data = b.Bytes()
	case asPNG:
		data = d.pngBytes()
	default:
		data = d.raw()
	}
	if d.faults.On(FaultScreencapCut) {
		data = data[:len(data)/2]
	}
	return data
}

// pngBytes is the frame as a PNG: the phone's own bytes where nothing was changed.
func (d *Device) pngBytes() []byte {
	if d.logicalSize() == d.phone.Size() && !d.faults.On(FaultScreencapBlack) {
		data, _ := d.phone.PNG()
		return data
	}
	var b bytes.Buffer
	_ = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, d.Capture()) // in memory it always encodes
	return b.Bytes()
}

// coverFrame is what a display shows that is off.
func (d *Device) coverFrame(asPNG bool) []byte {
	size := d.profile.Cover
	if !asPNG {
		return d.rawOf(black(size))
	}
	if data, ok := coverPNGs.Load(size); ok {
		return data.([]byte)
	}
	var b bytes.Buffer
	_ = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, black(size)) // in memory it always encodes
	data, _ := coverPNGs.LoadOrStore(size, b.Bytes())
	return data.([]byte)
}

// coverPNGs keeps the pictures of displays that are off, by their size: they are large, and never change.
var coverPNGs sync.Map

func black(size image.Point) *image.RGBA {
	m := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(m, m.Rect, image.Black, image.Point{}, draw.Src)
	return m
}

// raw is the frame without -p: a header of the release, then RGBA.
func (d *Device) raw() []byte { return d.rawOf(d.Capture()) }

func (d *Device) rawOf(m *image.RGBA) []byte {
	head := []uint32{uint32(m.Rect.Dx()), uint32(m.Rect.Dy()), 1, 1}[:d.profile.RawHeader/4]
	data := make([]byte, 0, len(head)*4+len(m.Pix))
	for _, v := range head {
		data = binary.LittleEndian.AppendUint32(data, v)
	}
	return append(data, m.Pix...)
}

// Capture returns the frame as apps see it: black where it is secure, scaled where the size is overridden.
func (d *Device) Capture() *image.RGBA {
	size := d.logicalSize()
	frame := d.phone.Frame().Image
	if d.faults.On(FaultScreencapBlack) {
		return black(size)
	}
	m := image.NewRGBA(image.Rectangle{Max: size})
	if frame.Rect.Size() == size {
		expandInto(m, frame)
	} else {
		scaleInto(m, frame)
	}
	return m
}

// expandInto copies a picture of the same size, much quicker than package draw does: many rows of a
// frame are like the one above.
func expandInto(m *image.RGBA, from *image.Paletted) {
	lines := make([][]byte, len(from.Palette))
	for i, c := range from.Palette {
		rgba := color.RGBAModel.Convert(c).(color.RGBA)
		lines[i] = bytes.Repeat([]byte{rgba.R, rgba.G, rgba.B, rgba.A}, m.Rect.Dx())
	}
	var above, done []byte
	for y := range m.Rect.Dy() {
		row := from.Pix[y*from.Stride:][:m.Rect.Dx()]
		out := m.Pix[y*m.Stride:][:4*len(row)]
		if bytes.Equal(row, above) {
			copy(out, done)
		} else {
			expandRow(out, row, lines)
		}
		above, done = row, out
	}
}

// expandRow copies runs of one colour from the line of that colour.
func expandRow(out, row []byte, lines [][]byte) {
	for x, end := 0, 0; x < len(row); x = end {
		for end = x + 1; end < len(row) && row[end] == row[x]; end++ {
		}
		copy(out[4*x:4*end], lines[row[x]])
	}
}

// scaleInto draws the nearest pixel of the picture.
func scaleInto(m *image.RGBA, from *image.Paletted) {
	to, size := m.Rect.Size(), from.Rect.Size()
	for y := range to.Y {
		for x := range to.X {
			m.Set(x, y, from.At(from.Rect.Min.X+x*size.X/to.X, from.Rect.Min.Y+y*size.Y/to.Y))
		}
	}
}
