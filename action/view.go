package action

import (
	"fmt"
	"image"
	"math"
)

// A View is what a model was shown: Sent is the size of the picture it got, which shows the Crop of
// a Frame. A zero Crop is the whole frame, and a zero Sent is the crop unscaled. All are in pixels.
type View struct {
	Frame image.Point
	Crop  image.Rectangle
	Sent  image.Point
}

// Pixel turns a point of a model into a pixel of the frame. It is the only such step.
//
// Relative points follow the protocol bit for bit: the pixel is int(v/1000*W), W being the width of
// the crop, and the end of the range is the last pixel. ErrNoTarget is returned for [-1,-1], and
// ErrOutside for a point outside the picture.
func (v View) Pixel(p Point) (image.Point, error) {
	crop, sent, err := v.shape()
	if err != nil {
		return image.Point{}, err
	}
	if err := p.check(); err != nil {
		return image.Point{}, err
	}
	seen, err := p.Space.seen(sent)
	if err != nil {
		return image.Point{}, err
	}
	if p.X > float64(seen.X) || p.Y > float64(seen.Y) {
		return image.Point{}, fmt.Errorf("%w: %s in a picture of %dx%d", ErrOutside, p, seen.X, seen.Y)
	}
	x := p.Space.along(p.X, seen.X, crop.Dx())
	y := p.Space.along(p.Y, seen.Y, crop.Dy())
	return crop.Min.Add(image.Pt(x, y)), nil
}

// PerMille is the way back: the whole numbers from 0 to 999 that Pixel maps closest to a pixel of
// the frame. A pixel outside the crop gives the nearest number inside.
func (v View) PerMille(px image.Point) Point {
	crop, _, err := v.shape()
	if err != nil {
		return Point{}
	}
	at := px.Sub(crop.Min)
	return Point{X: nearestPerMille(at.X, crop.Dx()), Y: nearestPerMille(at.Y, crop.Dy())}
}

func (v View) shape() (crop image.Rectangle, sent image.Point, err error) {
	if v.Frame.X < 1 || v.Frame.Y < 1 {
		return crop, sent, fmt.Errorf("view: a frame of %dx%d has no pixels", v.Frame.X, v.Frame.Y)
	}
	whole := image.Rectangle{Max: v.Frame}
	if crop = v.Crop; crop == (image.Rectangle{}) {
		crop = whole
	}
	if crop.Empty() || !crop.In(whole) {
		return crop, sent, fmt.Errorf("view: crop %v is not inside the frame of %dx%d", crop, v.Frame.X, v.Frame.Y)
	}
	if sent = v.Sent; sent == (image.Point{}) {
		sent = crop.Size()
	}
	if sent.X < 1 || sent.Y < 1 {
		return crop, sent, fmt.Errorf("view: a sent picture of %dx%d has no pixels", sent.X, sent.Y)
	}
	return crop, sent, nil
}

// seen is the size, in units of the space, of the picture that the model saw.
func (s Space) seen(sent image.Point) (image.Point, error) {
	switch s.unit {
	case unitSent:
		return sent, nil
	case unitFraction:
		return image.Pt(1, 1), nil
	case unitResized:
		return s.resize.Size(sent)
	}
	return image.Pt(1000, 1000), nil
}

// along maps one coordinate. The order of the operations is part of the protocol: v/1000*W is not
// v*W/1000 for every width (175 of 720 is 125 one way and 126 the other).
func (s Space) along(v float64, seen, width int) int {
	var px float64
	switch s.unit {
	case unitPerMille, unitResized:
		px = v / float64(seen) * float64(width)
	default:
		px = v * float64(width) / float64(seen)
	}
	return min(int(px), width-1)
}

func nearestPerMille(px, width int) float64 {
	px = min(max(px, 0), width-1)
	guess := math.Floor(float64(px) * 1000 / float64(width))
	best, miss := 0.0, math.MaxInt
	for v := max(guess-1, 0); v <= min(guess+2, 999); v++ {
		d := PerMille.along(v, 1000, width) - px
		if d = max(d, -d); d < miss {
			best, miss = v, d
		}
	}
	return best
}
