package main

import (
	"context"
	"image"
	"strconv"
	"strings"

	"github.com/handset-go/handset/action"
	"github.com/handset-go/handset/driver"
)

// place is a point as the command line gives it.
type place struct {
	px  image.Point
	rel *action.Point // in thousandths or fractions of the frame instead; nil for pixels
}

// parsePlace reads "X,Y".
func parsePlace(s string, rel bool) (place, error) {
	left, right, ok := strings.Cut(s, ",")
	left, right = strings.TrimSpace(left), strings.TrimSpace(right)
	if !ok {
		return place{}, usagef("point %q: want X,Y", s)
	}
	if !rel {
		x, err1 := strconv.Atoi(left)
		y, err2 := strconv.Atoi(right)
		if err1 != nil || err2 != nil {
			return place{}, usagef("point %q: want X,Y in whole pixels; --rel takes 0-999", s)
		}
		if x < 0 || y < 0 {
			return place{}, usagef("point %q is off the screen, whose first pixel is 0,0", s)
		}
		return place{px: image.Pt(x, y)}, nil
	}
	x, err1 := strconv.ParseFloat(left, 64)
	y, err2 := strconv.ParseFloat(right, 64)
	if err1 != nil || err2 != nil {
		return place{}, usagef("point %q: want X,Y in 0-999 of the screen, such as 500,500", s)
	}
	if x < 0 || y < 0 {
		return place{}, usagef("point %q is off the screen, whose first point is 0,0", s)
	}
	p := action.ReadPoint(x, y)
	if _, err := (action.View{Frame: image.Pt(1000, 1000)}).Pixel(p); err != nil {
		return place{}, usagef("--rel: %v", err)
	}
	return place{rel: &p}, nil
}

// pixel returns the place in pixels of the frame, whose size a screenshot tells.
func (p place) pixel(ctx context.Context, d driver.Driver) (image.Point, error) {
	if p.rel == nil {
		return p.px, nil
	}
	s, err := d.Screenshot(ctx)
	if err != nil {
		return image.Point{}, err
	}
	return action.View{Frame: s.Size()}.Pixel(*p.rel)
}
