package adb

import (
	"image"
)

// parseBounds reads "[left,top][right,bottom]". A rectangle whose corners are swapped has no area;
// swapped says so.
func parseBounds(s string) (r image.Rectangle, swapped bool) {
	var v [4]int
	rest := s
	for i, end := range [4]byte{',', ']', ',', ']'} {
		if end == ',' {
			if rest == "" || rest[0] != '[' {
				return image.Rectangle{}, false
			}
			rest = rest[1:]
		}
		n, ok := coordinate(&rest, end)
		if !ok {
			return image.Rectangle{}, false
		}
		v[i] = n
	}
	swapped = v[0] > v[2] || v[1] > v[3]
	r = image.Rect(v[0], v[1], v[2], v[3])
	if v[0] > v[2] {
		r.Max.X = r.Min.X
	}
	if v[1] > v[3] {
		r.Max.Y = r.Min.Y
	}
	return r, swapped
}

// maxCoordinate is beyond every screen and every page; a larger number is taken as that.
const maxCoordinate = 1 << 24

// coordinate reads a whole number that ends with end, and moves behind it.
func coordinate(s *string, end byte) (int, bool) {
	n, i, negative := 0, 0, false
	text := *s
	if i < len(text) && text[i] == '-' {
		negative = true
		i++
	}
	first := i
	for ; i < len(text) && text[i] >= '0' && text[i] <= '9'; i++ {
		n = min(10*n+int(text[i]-'0'), maxCoordinate)
	}
	if i == first || i >= len(text) || text[i] != end {
		return 0, false
	}
	*s = text[i+1:]
	if negative {
		n = -n
	}
	return n, true
}
