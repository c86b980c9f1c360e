package sim

import (
	"image"
	"image/color"
	"math"
	"sync"
)

// canvas is a frame while it is painted. Pixels are indexes into a palette that grows with the colours
// used, so that a frame is small and quick to fill, dim and encode.
type canvas struct {
	size    image.Point
	pix     []uint8
	clip    image.Rectangle
	colors  []uint32 // 0xRRGGBB by index
	indexes map[uint32]uint8
}

func newCanvas(size image.Point) *canvas {
	return &canvas{
		size: size, pix: make([]uint8, size.X*size.Y), clip: image.Rectangle{Max: size},
		colors: []uint32{0}, indexes: map[uint32]uint8{0: 0},
	}
}

func (c *canvas) image() *image.Paletted {
	pal := make(color.Palette, len(c.colors))
	for i, rgb := range c.colors {
		pal[i] = color.NRGBA{uint8(rgb >> 16), uint8(rgb >> 8), uint8(rgb), 0xff}
	}
	return &image.Paletted{Pix: c.pix, Stride: c.size.X, Rect: image.Rectangle{Max: c.size}, Palette: pal}
}

// index returns the palette index of a colour, the nearest one when the palette is full.
func (c *canvas) index(rgb uint32) uint8 {
	if i, ok := c.indexes[rgb]; ok {
		return i
	}
	i := c.nearest(rgb)
	if len(c.colors) < 256 {
		c.colors = append(c.colors, rgb)
		i = uint8(len(c.colors) - 1)
	}
	c.indexes[rgb] = i
	return i
}

func (c *canvas) nearest(rgb uint32) uint8 {
	best, found := math.MaxInt, 0
	for i, other := range c.colors {
		d := 0
		for shift := 0; shift <= 16; shift += 8 {
			by := int(rgb>>shift&0xff) - int(other>>shift&0xff)
			d += by * by
		}
		if d < best {
			best, found = d, i
		}
	}
	return uint8(found)
}

// blend mixes two colours: part 0 is a, 1 is b.
func blend(a, b uint32, part float64) uint32 {
	var out uint32
	for shift := 0; shift <= 16; shift += 8 {
		x, y := float64(a>>shift&0xff), float64(b>>shift&0xff)
		out |= uint32(x+(y-x)*part+0.5) << shift
	}
	return out
}

func (c *canvas) fill(r image.Rectangle, rgb uint32) {
	r = r.Intersect(c.clip)
	if r.Empty() {
		return
	}
	i := c.index(rgb)
	first := c.pix[r.Min.Y*c.size.X+r.Min.X:][:r.Dx()]
	for x := range first {
		first[x] = i
	}
	for y := r.Min.Y + 1; y < r.Max.Y; y++ {
		copy(c.pix[y*c.size.X+r.Min.X:][:r.Dx()], first)
	}
}

// shade paints one pixel with a colour that covers a part of it, in quarters.
func (c *canvas) shade(x, y int, rgb uint32, quarters int) {
	if quarters <= 0 || !image.Pt(x, y).In(c.clip) {
		return
	}
	at := &c.pix[y*c.size.X+x]
	if quarters < 4 {
		rgb = blend(c.colors[*at], rgb, float64(quarters)/4)
	}
	*at = c.index(rgb)
}

// round fills a rectangle with round corners.
func (c *canvas) round(r image.Rectangle, radius int, rgb uint32) {
	radius = min(radius, r.Dx()/2, r.Dy()/2)
	if radius <= 0 {
		c.fill(r, rgb)
		return
	}
	c.fill(image.Rect(r.Min.X, r.Min.Y+radius, r.Max.X, r.Max.Y-radius), rgb)
	for dy := range radius {
		edge := cornerEdge(radius, dy)
		in := int(math.Ceil(edge))
		for _, y := range []int{r.Min.Y + dy, r.Max.Y - 1 - dy} {
			c.fill(image.Rect(r.Min.X+in, y, r.Max.X-in, y+1), rgb)
			q := int((float64(in) - edge) * 4)
			c.shade(r.Min.X+in-1, y, rgb, q)
			c.shade(r.Max.X-in, y, rgb, q)
		}
	}
}

// cornerEdge returns how far a round corner is from the side in the row dy from its top.
func cornerEdge(radius, dy int) float64 {
	y := float64(radius) - float64(dy) - 0.5
	return float64(radius) - math.Sqrt(float64(radius)*float64(radius)-y*y)
}

func (c *canvas) disc(center image.Point, radius int, rgb uint32) {
	c.round(image.Rect(center.X-radius, center.Y-radius, center.X+radius, center.Y+radius), radius, rgb)
}

// ring draws the outline of a rectangle with round corners on ground that has the colour inner.
func (c *canvas) ring(r image.Rectangle, radius, width int, rgb, inner uint32) {
	c.round(r, radius, rgb)
	c.round(r.Inset(width), radius-width, inner)
}

// line draws a straight stroke.
func (c *canvas) line(from, to image.Point, width int, rgb uint32) {
	n := max(abs(to.X-from.X), abs(to.Y-from.Y), 1)
	for i := 0; i <= n; i++ {
		x := from.X + (to.X-from.X)*i/n
		y := from.Y + (to.Y-from.Y)*i/n
		c.fill(image.Rect(x-width/2, y-width/2, x-width/2+width, y-width/2+width), rgb)
	}
}

// dim makes everything painted so far darker.
func (c *canvas) dim() {
	var to [256]uint8
	for i := range len(c.colors) {
		to[i] = c.index(blend(c.colors[i], 0, 0.55))
	}
	for i, p := range c.pix {
		c.pix[i] = to[p]
	}
}

// gradient fills a rectangle from the colour top to the colour bottom.
func (c *canvas) gradient(r image.Rectangle, top, bottom uint32, steps int) {
	for i := range steps {
		y0, y1 := r.Min.Y+r.Dy()*i/steps, r.Min.Y+r.Dy()*(i+1)/steps
		c.fill(image.Rect(r.Min.X, y0, r.Max.X, y1), blend(top, bottom, float64(i)/float64(steps)))
	}
}

// text draws a line with its top left at a point, and returns where it ends.
func (c *canvas) text(s string, at image.Point, scale int, rgb uint32) int {
	for _, r := range s {
		w := runeWidth(r)
		if w > 0 && r > ' ' {
			c.glyph(r, at, scale, rgb)
		}
		at.X += w * scale
	}
	return at.X
}

func (c *canvas) glyph(r rune, at image.Point, scale int, rgb uint32) {
	g := cachedGlyph(r)
	c.dots(&g, at, scale, rgb)
}

// dots draws a bitmap with its top left at a point.
func (c *canvas) dots(g *glyph, at image.Point, scale int, rgb uint32) {
	for y, row := range g.rows {
		for x := 0; row != 0 && x < 16; x++ {
			if row>>(15-x)&1 == 0 {
				continue
			}
			run := x + 1
			for run < 16 && row>>(15-run)&1 == 1 {
				run++
			}
			c.fill(image.Rect(at.X+x*scale, at.Y+y*scale, at.X+run*scale, at.Y+(y+1)*scale), rgb)
			x = run
		}
	}
	if scale >= 2 {
		c.smooth(g, at, scale, rgb)
	}
}

// smooth rounds the steps of slanting strokes: where two dots touch at their corners only, the two free
// squares beside them are half filled.
func (c *canvas) smooth(g *glyph, at image.Point, scale int, rgb uint32) {
	on := func(x, y int) bool { return x >= 0 && y >= 0 && x < 16 && y < lineHeight && g.rows[y]>>(15-x)&1 == 1 }
	for y := range lineHeight {
		if g.rows[y] == 0 && (y == 0 || g.rows[y-1] == 0) && (y == lineHeight-1 || g.rows[y+1] == 0) {
			continue
		}
		for x := range g.wide {
			if on(x, y) {
				continue
			}
			for _, d := range [4]image.Point{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
				if on(x+d.X, y) && on(x, y+d.Y) && !on(x+d.X, y+d.Y) {
					c.triangle(at.Add(image.Pt(x*scale, y*scale)), scale, d, rgb)
				}
			}
		}
	}
}

// triangle fills the half of a square that lies in the direction d.
func (c *canvas) triangle(at image.Point, side int, d image.Point, rgb uint32) {
	for i := range side {
		n := side - 1 - i
		if n == 0 {
			continue
		}
		y := at.Y + i
		if d.Y > 0 {
			y = at.Y + side - 1 - i
		}
		x := at.X
		if d.X > 0 {
			x = at.X + side - n
		}
		c.fill(image.Rect(x, y, x+n, y+1), rgb)
	}
}

// glyphs keeps the bitmaps that were read from the font.
var glyphs sync.Map // rune -> glyph

func cachedGlyph(r rune) glyph {
	if g, ok := glyphs.Load(r); ok {
		return g.(glyph)
	}
	g := glyphOf(r)
	glyphs.Store(r, g)
	return g
}
