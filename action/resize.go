package action

import (
	"fmt"
	"image"
	"math"
)

// Resize is what the preprocessing of a Qwen-VL kind of model does to a picture: both sides become
// multiples of Factor, and the area is kept between MinPixels and MaxPixels. A limit of 0 is the
// default of the reference code (qwen-vl-utils: 4 and 16384 tiles of Factor²). A server that was
// started with other limits resizes differently, so they must be told here.
type Resize struct {
	// Factor is 28 for Qwen2-VL, Qwen2.5-VL, UI-TARS-1.5 and UI-Venus 1.0, and 32 for Qwen3-VL.
	Factor               int
	MinPixels, MaxPixels int
}

const (
	minTiles  = 4
	maxTiles  = 16384
	maxRatio  = 200
	maxFactor = 1024
	maxSide   = 1 << 20
)

func (r Resize) valid() error {
	if r.Factor < 1 || r.Factor > maxFactor {
		return fmt.Errorf("resize factor %d: want 1 to %d", r.Factor, maxFactor)
	}
	low, high := r.limits()
	if low < 0 || high < low {
		return fmt.Errorf("resize limits %d and %d pixels contradict each other", low, high)
	}
	return nil
}

func (r Resize) limits() (low, high int) {
	low, high = r.MinPixels, r.MaxPixels
	if low == 0 {
		low = minTiles * r.Factor * r.Factor
	}
	if high == 0 {
		high = maxTiles * r.Factor * r.Factor
	}
	return low, high
}

// Size returns the size in pixels to which a picture of the given size is resized. Sides are
// rounded half to even, as the reference code does. A picture that is over 200 times as long as it
// is wide is an error.
func (r Resize) Size(of image.Point) (image.Point, error) {
	if err := r.valid(); err != nil {
		return image.Point{}, err
	}
	if of.X < 1 || of.Y < 1 || of.X > maxSide || of.Y > maxSide {
		return image.Point{}, fmt.Errorf("resize: a picture of %dx%d has no usable size", of.X, of.Y)
	}
	if max(of.X, of.Y) > maxRatio*min(of.X, of.Y) {
		return image.Point{}, fmt.Errorf("resize: a picture of %dx%d is too long for its width", of.X, of.Y)
	}
	low, high := r.limits()
	w, h := float64(of.X), float64(of.Y)
	size := r.tiles(w, h, math.RoundToEven)
	switch area := size.X * size.Y; {
	case area > high:
		b := math.Sqrt(w * h / float64(high))
		size = r.tiles(w/b, h/b, math.Floor)
	case area < low:
		b := math.Sqrt(float64(low) / (w * h))
		size = r.tiles(w*b, h*b, math.Ceil)
	}
	return size, nil
}

func (r Resize) tiles(w, h float64, round func(float64) float64) image.Point {
	side := func(v float64) int { return max(r.Factor, int(round(v/float64(r.Factor)))*r.Factor) }
	return image.Pt(side(w), side(h))
}
