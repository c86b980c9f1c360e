package action

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// ErrNoTarget is returned by Parse and View.Pixel for the point [-1,-1], by which a model says that
// it did not find what it was looking for. It is never a place to tap.
var ErrNoTarget = errors.New("element not found")

// ErrOutside is returned by Parse and View.Pixel for a point that is not in the range of its space.
var ErrOutside = errors.New("point outside the screen")

// A Space says what the numbers of a Point count. The zero value is PerMille. Spaces can be
// compared with ==.
type Space struct {
	unit   unit
	resize Resize
}

type unit uint8

const (
	unitPerMille unit = iota
	unitThousand
	unitSent
	unitResized
	unitFraction
)

// The spaces that need no further numbers.
var (
	// PerMille is AutoGLM's: 0 to 999 in thousandths of the picture. 1000 is accepted as the edge.
	PerMille = Space{}
	// Thousand is 0 to 1000, where 1000 is the far edge.
	Thousand = Space{unit: unitThousand}
	// Fraction is 0 to 1 of the picture, where 1 is the far edge. Parse reads points in it where that is
	// how the model wrote them: see ReadPoint.
	Fraction = Space{unit: unitFraction}
	// SentPixels are the pixels of the picture that was sent to the model.
	SentPixels = Space{unit: unitSent}
)

// SmartResized is the space of models that answer in pixels of the picture as their own
// preprocessing resized it.
func SmartResized(r Resize) Space { return Space{unitResized, r} }

// String is the name of the space in JSON: "per-mille", "thousand", "fraction", "sent" or
// "resized:FACTOR:MIN:MAX".
func (s Space) String() string {
	switch s.unit {
	case unitThousand:
		return "thousand"
	case unitFraction:
		return "fraction"
	case unitSent:
		return "sent"
	case unitResized:
		return fmt.Sprintf("resized:%d:%d:%d", s.resize.Factor, s.resize.MinPixels, s.resize.MaxPixels)
	}
	return "per-mille"
}

// ParseSpace reads the names that String writes.
func ParseSpace(name string) (Space, error) {
	for _, s := range []Space{PerMille, Thousand, Fraction, SentPixels} {
		if s.String() == name {
			return s, nil
		}
	}
	var r Resize
	n, err := fmt.Sscanf(name, "resized:%d:%d:%d", &r.Factor, &r.MinPixels, &r.MaxPixels)
	if err == nil && n == 3 && r.valid() == nil && SmartResized(r).String() == name {
		return SmartResized(r), nil
	}
	return Space{}, fmt.Errorf("unknown space %q: want per-mille, thousand, fraction, sent or resized:FACTOR:MIN:MAX", name)
}

// A Point is a place as a model named it. It becomes a pixel in View.Pixel only.
type Point struct {
	X, Y  float64
	Space Space
}

// String is the two numbers, without the space.
func (p Point) String() string { return number(p.X) + "," + number(p.Y) }

// check refuses what no picture of any size can hold.
func (p Point) check() error {
	if p.X == -1 && p.Y == -1 {
		return ErrNoTarget
	}
	limit := math.MaxFloat64
	switch p.Space.unit {
	case unitPerMille, unitThousand:
		limit = 1000
	case unitFraction:
		limit = 1
	}
	for _, v := range []float64{p.X, p.Y} {
		if !(v >= 0 && v <= limit) {
			return p.outside(limit)
		}
	}
	return nil
}

func (p Point) outside(limit float64) error {
	if limit == math.MaxFloat64 {
		return fmt.Errorf("%w: %s must be 0 or more", ErrOutside, p)
	}
	return fmt.Errorf("%w: %s must be within 0 to %s", ErrOutside, p, number(limit))
}

// A Target is where an action aims: at the row with the number Ref where that is above 0, and
// otherwise at a point.
type Target struct {
	At  Point
	Ref int
}

// String is the point, or "ref N".
func (t Target) String() string {
	if t.Ref > 0 {
		return "ref " + strconv.Itoa(t.Ref)
	}
	return t.At.String()
}

// number writes a coordinate without an exponent and without needless digits.
func number(v float64) string {
	return strconv.FormatFloat(v, 'f', -1, 64)
}
