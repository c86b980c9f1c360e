package wda

import (
	"image"
	"math"
	"slices"

	"github.com/handset-go/handset/driver"
)

// window returns the size of the upright window in points.
func (d *Device) window() image.Point {
	p := d.profile.Points
	if d.phone.Rotation()%2 == 1 {
		return image.Pt(p.Y, p.X)
	}
	return p
}

// perPoint returns how many pixels a point is in each direction, as the phone is turned.
func (d *Device) perPoint() (x, y float64) {
	px, pt := d.phone.Size(), d.window()
	return float64(px.X) / float64(pt.X), float64(px.Y) / float64(pt.Y)
}

// spot is a place on the screen in points.
type spot struct{ x, y float64 }

// pixel returns the pixel that a point is in. A client that divides and this server that multiplies shall
// come out at the same pixel: hence the thousandth.
func (d *Device) pixel(at spot) image.Point {
	if d.faults.On(FaultTapTurned) {
		at = d.turned(at)
	}
	sx, sy := d.perPoint()
	whole := func(n float64) int { return int(math.Floor(min(max(n, -farAway), farAway) + 1e-3)) }
	return image.Pt(whole(at.x*sx), whole(at.y*sy))
}

// farAway bounds pixels that are off every screen.
const farAway = 1e6

// turned takes a point as one of the portrait window.
func (d *Device) turned(at spot) spot {
	w := d.window()
	switch d.phone.Rotation() {
	case 1:
		return spot{at.y, float64(w.Y) - at.x}
	case 2:
		return spot{float64(w.X) - at.x, float64(w.Y) - at.y}
	case 3:
		return spot{float64(w.X) - at.y, at.x}
	}
	return at
}

// integral returns the smallest rectangle of whole points round a rectangle of pixels.
func (d *Device) integral(r image.Rectangle) image.Rectangle {
	sx, sy := d.perPoint()
	floor := func(n int, s float64) int { return int(math.Floor(float64(n)/s + 1e-6)) }
	ceil := func(n int, s float64) int { return int(math.Ceil(float64(n)/s - 1e-6)) }
	return image.Rect(floor(r.Min.X, sx), floor(r.Min.Y, sy), ceil(r.Max.X, sx), ceil(r.Max.Y, sy))
}

func rectValue(r image.Rectangle) map[string]any {
	return map[string]any{"x": r.Min.X, "y": r.Min.Y, "width": r.Dx(), "height": r.Dy()}
}

func sizeValue(p image.Point) map[string]any { return map[string]any{"width": p.X, "height": p.Y} }

func (c *call) windowSize() (any, error) {
	if _, err := c.appHere(); err != nil {
		return nil, err
	}
	if c.d.faults.On(FaultWindowZero) {
		return sizeValue(image.Point{}), nil
	}
	return sizeValue(c.d.window()), nil
}

func (c *call) windowRect() (any, error) {
	if _, err := c.appHere(); err != nil {
		return nil, err
	}
	if c.d.faults.On(FaultWindowZero) {
		return rectValue(image.Rectangle{}), nil
	}
	return rectValue(image.Rectangle{Max: c.d.window()}), nil
}

// screen is measured on the home screen, which turns on an iPad only.
func (c *call) screen() (any, error) {
	d, size := c.d, c.d.profile.Points
	if d.profile.Tablet {
		size = d.window()
	}
	bar := image.Point{}
	if d.profile.Button {
		bar = image.Pt(size.X, 20)
	}
	value := map[string]any{"statusBarSize": sizeValue(bar), "scale": d.profile.Scale}
	if d.version.atLeast(version{8, 4, 0}) {
		value["screenSize"] = sizeValue(size)
	}
	if d.version.atLeast(version{16, 10, 0}) {
		value["displayId"] = 1
	}
	return value, nil
}

func (c *call) screens() (any, error) {
	return []any{map[string]any{
		"displayId": 1, "isMain": true, "scale": c.d.profile.Scale, "bounds": rectValue(image.Rectangle{Max: c.d.window()}),
		"traits": []any{},
	}}, nil
}

// outside says that an app's dialog is open and that a finger that rests does not touch it: on iOS that does
// nothing.
func (d *Device) outside(strokes []driver.Stroke) bool {
	ws := d.phone.Windows()
	i := slices.IndexFunc(ws, func(w window) bool { return w.Kind == driver.WindowDialog })
	if i < 0 {
		return false
	}
	for _, s := range strokes {
		for _, p := range s {
			if p.At != s[0].At || p.At.In(ws[i].Bounds) {
				return false
			}
		}
	}
	return true
}
