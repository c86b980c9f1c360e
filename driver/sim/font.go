package sim

import (
	"unicode"
	"unicode/utf8"

	"github.com/hajimehoshi/bitmapfont/v3"
	"golang.org/x/image/math/fixed"
)

// The font is a bitmap of 12 pixels: half of that for Latin letters, all of it for Chinese ones, in lines
// of 16. Larger sizes are whole multiples.
const (
	lineHeight = 16
	emojiWidth = 12
)

// fontScale turns a text size in dp into the multiple of the font that comes nearest.
func (p *Phone) fontScale(size int) int {
	return max((size*p.density/160+6)/13, 1)
}

// runeWidth returns the width of a character at scale 1.
func runeWidth(r rune) int {
	switch {
	case r >= ' ' && r < 0x7f:
		return 6
	case r == '\u200d' || r >= '\ufe00' && r <= '\ufe0f' || unicode.Is(unicode.Mn, r) || unicode.IsControl(r) || r >= 0x1f3fb && r <= 0x1f3ff:
		return 0
	case r >= 0x10000:
		return emojiWidth
	}
	adv, ok := bitmapfont.FaceSC.GlyphAdvance(r)
	if !ok {
		return emojiWidth
	}
	return adv.Round()
}

// textWidth returns the width of a line at scale 1.
func textWidth(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// fit cuts a line to a width, at scale 1, and marks the cut.
func fit(s string, room int) string {
	if textWidth(s) <= room {
		return s
	}
	const dots = "…"
	room -= textWidth(dots)
	n := 0
	for i, r := range s {
		if n += runeWidth(r); n > room {
			return s[:i] + dots
		}
	}
	return s
}

// wrap breaks a text into lines of a width, at scale 1: at spaces where there are any, and between Chinese
// characters anywhere.
func wrap(s string, room int) []string {
	var lines []string
	start, space, wide := 0, -1, 0
	for i, r := range s {
		if r == '\n' {
			lines = append(lines, s[start:i])
			start, space, wide = i+1, -1, 0
			continue
		}
		w := runeWidth(r)
		if wide+w > room && i > start {
			cut, next := breakAt(s, start, space, i, r)
			lines = append(lines, s[start:cut])
			start, space = next, -1
			if next > i {
				wide = 0
				continue
			}
			wide = textWidth(s[next:i])
		}
		if r == ' ' {
			space = i
		}
		wide += w
	}
	return append(lines, s[start:])
}

// breakAt says where a line that began at start ends, and where the next begins, when r at i has no room.
func breakAt(s string, start, space, i int, r rune) (cut, next int) {
	before, _ := utf8.DecodeLastRuneInString(s[start:i])
	switch {
	case r == ' ':
		return i, i + 1
	case space > start && runeWidth(r) < 12 && runeWidth(before) < 12:
		return space, space + 1
	}
	return i, i
}

// glyph is the bitmap of a character: rows of bits, the leftmost pixel highest.
type glyph struct {
	rows [lineHeight]uint16
	wide int
}

// glyphOf returns the bitmap of a character. One that the font lacks is a box, every emoji the same face.
func glyphOf(r rune) glyph {
	if r >= 0x10000 {
		return emojiGlyph
	}
	var g glyph
	_, mask, at, adv, ok := bitmapfont.FaceSC.Glyph(fixed.Point26_6{}, r)
	if !ok {
		return emojiGlyph
	}
	g.wide = adv.Round()
	for y := range lineHeight {
		for x := range g.wide {
			if _, _, _, a := mask.At(at.X+x, at.Y+y).RGBA(); a != 0 {
				g.rows[y] |= 1 << (15 - x)
			}
		}
	}
	if g.rows == [lineHeight]uint16{} && g.wide > 0 && !unicode.IsSpace(r) {
		return missing(g.wide)
	}
	return g
}

// missing is a box that stands for a character that the font lacks.
func missing(wide int) glyph {
	g := glyph{wide: wide}
	top := uint16(0xffff) << (16 - wide + 1)
	for y := 2; y < 13; y++ {
		g.rows[y] = 1<<15 | 1<<(16-wide+1)
	}
	g.rows[2], g.rows[12] = top, top
	return g
}

// emojiGlyph stands for every character outside of the basic plane.
var emojiGlyph = glyph{wide: emojiWidth, rows: [lineHeight]uint16{
	2: 0b0001111100000000, 3: 0b0110000011000000, 4: 0b0100000001000000, 5: 0b1001000100100000, 6: 0b1001000100100000,
	7: 0b1000000000100000, 8: 0b1010000010100000, 9: 0b1001111100100000, 10: 0b0100000001000000, 11: 0b0110000011000000,
	12: 0b0001111100000000,
}}
