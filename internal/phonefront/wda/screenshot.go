package wda

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"strings"
)

// quarter are the quarter turns of the display that each orientation of a screenshot stands for.
var quarter = map[string]int{"portrait": 0, "landscapeLeft": 1, "portraitUpsideDown": 2, "landscapeRight": 3}

func (c *call) screenshot() (any, error) {
	if err := c.sleep(c.d.faults.Duration(FaultShotSlow)); err != nil {
		return nil, err
	}
	if c.d.faults.On(FaultShotFails) {
		return nil, fail(errCapture, "Cannot take a screenshot within 20000 ms timeout")
	}
	data, _ := c.d.phone.PNG()
	if want := text(c.set("screenshotOrientation")); want != "" && want != "auto" {
		if by := (c.d.phone.Rotation() - quarter[want] + 4) % 4; by != 0 {
			return c.encoded(turnImage(c.d.phone.Frame().Image, by))
		}
	}
	return c.base64(data), nil
}

// base64 writes a picture; old releases break the text into lines.
func (c *call) base64(data []byte) string {
	s := base64.StdEncoding.EncodeToString(data)
	if c.d.version.atLeast(plainBase64) {
		return s
	}
	const line = 64
	var b strings.Builder
	for len(s) > line {
		b.WriteString(s[:line] + "\r\n")
		s = s[line:]
	}
	b.WriteString(s)
	return b.String()
}

func (c *call) encoded(m image.Image) (any, error) {
	var b bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := enc.Encode(&b, m); err != nil {
		return nil, fail(errCapture, "%s", err.Error())
	}
	return c.base64(b.Bytes()), nil
}

// elementScreenshot is the part of a screenshot that an element covers.
func (c *call) elementScreenshot() (any, error) {
	e, err := c.element(c.params["uuid"])
	if err != nil {
		return nil, err
	}
	frame := c.d.phone.Frame().Image
	r := e.Box.Intersect(frame.Bounds())
	if r.Empty() {
		return nil, fail(errCapture, "The element has no size on the screen")
	}
	return c.encoded(frame.SubImage(r))
}

// turnImage turns a picture of the phone clockwise by quarters.
func turnImage(m *image.Paletted, quarters int) *image.Paletted {
	size := m.Rect.Size()
	r := image.Rect(0, 0, size.X, size.Y)
	if quarters%2 == 1 {
		r = image.Rect(0, 0, size.Y, size.X)
	}
	out := image.NewPaletted(r, m.Palette)
	for y := range size.Y {
		row := m.Pix[m.PixOffset(m.Rect.Min.X, m.Rect.Min.Y+y):]
		for x := range size.X {
			to := image.Pt(x, y)
			switch quarters {
			case 1:
				to = image.Pt(size.Y-1-y, x)
			case 2:
				to = image.Pt(size.X-1-x, size.Y-1-y)
			case 3:
				to = image.Pt(y, size.X-1-x)
			}
			out.Pix[to.Y*out.Stride+to.X] = row[x]
		}
	}
	return out
}
