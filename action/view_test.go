package action

import (
	"fmt"
	"image"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func frame(w, h int) View { return View{Frame: image.Pt(w, h)} }

// The vectors are those of Python's int(v/1000*W), which is not v*W/1000 for every width.
func TestPixelIsAutoGLMsBitForBit(t *testing.T) {
	for _, c := range []struct{ v, width, want int }{
		{512, 1080, 552}, {800, 2400, 1920}, {999, 1080, 1078}, {0, 1080, 0}, {500, 1080, 540},
		{175, 720, 125}, {350, 720, 251}, {575, 720, 413}, {700, 720, 503},
		{175, 1440, 251}, {350, 1440, 503}, {575, 1440, 827}, {700, 1440, 1007},
		{205, 2400, 491}, {1000, 1080, 1079},
	} {
		t.Run(fmt.Sprintf("%d of %d", c.v, c.width), func(t *testing.T) {
			px, err := frame(c.width, 1).Pixel(Point{X: float64(c.v)})
			require.NoError(t, err)
			require.Equal(t, image.Pt(c.want, 0), px)
		})
	}
}

// How many of 0 to 999 differ from the whole-number mapping, by width.
func TestPixelDiffersFromWholeNumbersWhereThePythonDoes(t *testing.T) {
	for width, want := range map[int]int{
		720: 4, 1440: 4, 2400: 10, 2720: 4, 3200: 7, 1290: 1,
		1080: 0, 1216: 0, 1260: 0, 1280: 0, 1179: 0, 1206: 0,
	} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			differ := 0
			for v := range 1000 {
				px, err := frame(width, 1).Pixel(Point{X: float64(v)})
				require.NoError(t, err)
				if px.X != v*width/1000 {
					differ++
				}
			}
			require.Equal(t, want, differ)
		})
	}
}

func TestPixelOfOtherSpacesAndViews(t *testing.T) {
	resized := SmartResized(Resize{Factor: 28})
	crop := View{Frame: image.Pt(1080, 2400), Crop: image.Rect(100, 200, 600, 1200)}
	half := View{Frame: image.Pt(1080, 2400), Sent: image.Pt(540, 1200)}
	for _, c := range []struct {
		name string
		view View
		at   Point
		want image.Point
	}{
		{"thousand", frame(720, 1280), Point{175, 1000, Thousand}, image.Pt(126, 1279)},
		{"thousand at the edge", frame(1080, 2400), Point{1000, 0, Thousand}, image.Pt(1079, 0)},
		{"sent unscaled", frame(1080, 2400), Point{1079, 2399, SentPixels}, image.Pt(1079, 2399)},
		{"sent, one past the end", frame(1080, 2400), Point{1080, 2400, SentPixels}, image.Pt(1079, 2399)},
		{"sent half as large", half, Point{270, 600, SentPixels}, image.Pt(540, 1200)},
		{"per mille does not care for the scale", half, Point{X: 500, Y: 500}, image.Pt(540, 1200)},
		{"per mille in a crop", crop, Point{X: 500, Y: 500}, image.Pt(350, 700)},
		{"last pixel of a crop", crop, Point{X: 1000, Y: 1000}, image.Pt(599, 1199)},
		{"sent in a crop", crop, Point{10, 20, SentPixels}, image.Pt(110, 220)},
		{"resized", frame(1080, 2400), Point{1092, 1204, resized}, image.Pt(1079, 1200)},
		{"resized middle", frame(1080, 2400), Point{546, 1204, resized}, image.Pt(540, 1200)},
		{"resized from the sent picture", half, Point{266, 602, resized}, image.Pt(540, 1200)},
	} {
		t.Run(c.name, func(t *testing.T) {
			px, err := c.view.Pixel(c.at)
			require.NoError(t, err)
			require.Equal(t, c.want, px)
		})
	}
}

func TestPixelRefuses(t *testing.T) {
	good := frame(1080, 2400)
	for _, c := range []struct {
		name string
		view View
		at   Point
		want error
	}{
		{"not found", good, Point{X: -1, Y: -1}, ErrNoTarget},
		{"not found in pixels", good, Point{-1, -1, SentPixels}, ErrNoTarget},
		{"negative", good, Point{X: -1, Y: 5}, ErrOutside},
		{"over 1000", good, Point{X: 1000.5, Y: 5}, ErrOutside},
		{"thousand over 1000", good, Point{5, 1001, Thousand}, ErrOutside},
		{"past the sent picture", good, Point{1081, 5, SentPixels}, ErrOutside},
		{"past the resized picture", good, Point{1093, 5, SmartResized(Resize{Factor: 28})}, ErrOutside},
		{"not a number", good, Point{X: math.NaN()}, ErrOutside},
		{"infinite", good, Point{math.Inf(1), 0, SentPixels}, ErrOutside},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := c.view.Pixel(c.at)
			require.ErrorIs(t, err, c.want)
		})
	}
	for name, v := range map[string]View{
		"no frame":         {},
		"crop outside":     {Frame: image.Pt(10, 10), Crop: image.Rect(5, 5, 11, 11)},
		"crop of nothing":  {Frame: image.Pt(10, 10), Crop: image.Rect(5, 5, 5, 9)},
		"negative picture": {Frame: image.Pt(10, 10), Sent: image.Pt(-1, 5)},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := v.Pixel(Point{X: 1, Y: 1})
			require.ErrorContains(t, err, "view: ")
		})
	}
}

func TestPerMilleIsTheWayBack(t *testing.T) {
	for _, width := range []int{1, 320, 720, 999, 1000, 1080, 1440, 3200} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			v := frame(width, width)
			for px := range width {
				p := v.PerMille(image.Pt(px, width-1-px))
				back, err := v.Pixel(p)
				require.NoError(t, err)
				require.LessOrEqual(t, p.X, 999.0)
				require.Equal(t, math.Trunc(p.X), p.X)
				if width <= 999 {
					require.Equal(t, image.Pt(px, width-1-px), back)
				}
				require.InDelta(t, px, back.X, float64(width)/1000)
			}
		})
	}
	crop := View{Frame: image.Pt(1080, 2400), Crop: image.Rect(100, 200, 600, 1200)}
	require.Equal(t, Point{X: 500, Y: 500}, crop.PerMille(image.Pt(350, 700)))
	require.Equal(t, Point{X: 0, Y: 999}, crop.PerMille(image.Pt(0, 2399)))
}

func TestSpaceNames(t *testing.T) {
	for _, s := range []Space{PerMille, Thousand, SentPixels, SmartResized(Resize{Factor: 28}), SmartResized(Resize{32, 1000, 2_000_000})} {
		t.Run(s.String(), func(t *testing.T) {
			back, err := ParseSpace(s.String())
			require.NoError(t, err)
			require.Equal(t, s, back)
		})
	}
	for _, bad := range []string{"", "pixels", "resized:28", "resized:0:0:0", "resized:28:9:5", "resized:28:0:0x"} {
		_, err := ParseSpace(bad)
		require.ErrorContains(t, err, "unknown space", bad)
	}
}

// Sizes that the reference code (qwen-vl-utils, its default limits) gives. Those at half a tile show
// that it rounds half to even.
func TestResizeGolden(t *testing.T) {
	for _, c := range []struct{ screen, by28, by32 image.Point }{
		{image.Pt(720, 1280), image.Pt(728, 1288), image.Pt(704, 1280)},
		{image.Pt(1078, 2400), image.Pt(1064, 2408), image.Pt(1088, 2400)},
		{image.Pt(1080, 2340), image.Pt(1092, 2352), image.Pt(1088, 2336)},
		{image.Pt(1080, 2376), image.Pt(1092, 2380), image.Pt(1088, 2368)},
		{image.Pt(1080, 2400), image.Pt(1092, 2408), image.Pt(1088, 2400)},
		{image.Pt(1179, 2556), image.Pt(1176, 2548), image.Pt(1184, 2560)},
		{image.Pt(1206, 2622), image.Pt(1204, 2632), image.Pt(1216, 2624)},
		{image.Pt(1216, 2688), image.Pt(1204, 2688), image.Pt(1216, 2688)},
		{image.Pt(1260, 2720), image.Pt(1260, 2716), image.Pt(1248, 2720)},
		{image.Pt(1280, 2832), image.Pt(1288, 2828), image.Pt(1280, 2816)},
		{image.Pt(1440, 3200), image.Pt(1428, 3192), image.Pt(1440, 3200)},
		{image.Pt(390, 844), image.Pt(392, 840), image.Pt(384, 832)},
	} {
		t.Run(c.screen.String(), func(t *testing.T) {
			got, err := Resize{Factor: 28}.Size(c.screen)
			require.NoError(t, err)
			require.Equal(t, c.by28, got)
			got, err = Resize{Factor: 32}.Size(c.screen)
			require.NoError(t, err)
			require.Equal(t, c.by32, got)
		})
	}
}

func TestResizeLimits(t *testing.T) {
	for _, c := range []struct {
		name     string
		resize   Resize
		of, want image.Point
	}{
		{"too large", Resize{Factor: 28, MaxPixels: 1_000_000}, image.Pt(1080, 2400), image.Pt(644, 1484)},
		{"too small", Resize{Factor: 28}, image.Pt(20, 20), image.Pt(56, 56)},
		{"thin", Resize{Factor: 28}, image.Pt(5, 900), image.Pt(28, 896)},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.resize.Size(c.of)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
	for name, c := range map[string]struct {
		resize Resize
		of     image.Point
	}{
		"ratio":       {Resize{Factor: 28}, image.Pt(10, 2001)},
		"no factor":   {Resize{}, image.Pt(10, 10)},
		"no size":     {Resize{Factor: 28}, image.Pt(0, 10)},
		"absurd size": {Resize{Factor: 28}, image.Pt(1<<40, 1<<40)},
		"limits":      {Resize{Factor: 28, MinPixels: 100, MaxPixels: 50}, image.Pt(10, 10)},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.resize.Size(c.of)
			require.Error(t, err)
		})
	}
}
