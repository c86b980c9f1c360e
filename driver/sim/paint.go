package sim

import (
	"image"
	"unicode/utf8"

	"github.com/handset-go/handset/driver"
)

// scene paints all windows from the back to the front.
func (c *canvas) scene(p *Phone, s *scene) {
	for _, w := range s.windows {
		if w.dims {
			c.dim()
		}
		c.view(p, w.root)
	}
	c.clip = image.Rectangle{Max: s.size}
	c.gestureBar(p, s)
	if p.toast != "" && !p.locked {
		c.toast(p, s)
	}
}

// gestureBar is the short line at the bottom from which a swipe goes home.
func (c *canvas) gestureBar(p *Phone, s *scene) {
	w, h := p.dp(108), max(p.dp(4), 2)
	y := s.size.Y - p.dp(dpNav)/2 - h/2
	rgb := p.theme().faint
	if p.locked || p.front().app == p.launcher() {
		rgb = 0xFFFFFF
	}
	c.round(image.Rect((s.size.X-w)/2, y, (s.size.X+w)/2, y+h), h/2, rgb)
}

func (c *canvas) toast(p *Phone, s *scene) {
	scale := p.fontScale(15)
	text := fit(p.toast, (s.size.X-p.dp(80))/scale)
	w, h := textWidth(text)*scale+p.dp(40), lineHeight*scale+p.dp(16)
	x, y := (s.size.X-w)/2, s.size.Y*4/5-h
	c.round(image.Rect(x, y, x+w, y+h), h/2, 0x2E3138)
	c.text(text, image.Pt(x+p.dp(20), y+p.dp(8)), scale, 0xFFFFFF)
}

// view paints v and what is in it, within what can be seen.
func (c *canvas) view(p *Phone, v *view) {
	if v.seen.Empty() {
		return
	}
	c.clip = v.seen
	c.look(p, v)
	for _, k := range v.kids {
		c.view(p, k)
	}
}

func (c *canvas) look(p *Phone, v *view) {
	in := &v.ink
	switch v.look {
	case lookPlate:
		c.fill(v.box, in.back)
	case lookLine:
		c.fill(v.box, in.fore)
	case lookText:
		c.lines(v.box, in)
	case lookCard:
		c.ring(v.box, in.radius, max(p.dp(1), 1), in.fore, in.back)
	case lookButton, lookKey:
		c.round(v.box.Inset(c.inset(p, v)), in.radius, in.back)
		c.lines(v.box, in)
	case lookBubble:
		c.round(v.box, in.radius, in.back)
		c.lines(v.box.Inset(p.dp(8)).Add(image.Pt(p.dp(4), 0)), in)
	case lookSwitch:
		c.switchKnob(p, v)
	case lookCheck, lookRadio:
		c.mark(p, v)
	case lookSlider:
		c.slider(p, v)
	case lookField:
		c.field(p, v)
	case lookIcon:
		c.icon(p, v)
	case lookImage:
		c.round(v.box, in.radius, in.back)
		c.centered(in.glyph, v.box, in.scale, in.fore)
	case lookCanvas:
		c.wallpaper(v.box)
	default:
		c.sign(p, v)
	}
}

func (c *canvas) inset(p *Phone, v *view) int {
	if v.look == lookKey {
		return p.dp(3)
	}
	return 0
}

// lines draws text from the left, or in the middle, at half of the height of a box.
func (c *canvas) lines(r image.Rectangle, in *ink) {
	if len(in.lines) == 0 || in.scale == 0 {
		return
	}
	h := lineHeight * in.scale
	y := r.Min.Y + (r.Dy()-h*len(in.lines))/2
	for _, l := range in.lines {
		x := r.Min.X
		if in.center {
			x += (r.Dx() - textWidth(l)*in.scale) / 2
		}
		c.text(l, image.Pt(x, y), in.scale, in.fore)
		y += h
	}
}

func (c *canvas) centered(s string, r image.Rectangle, scale int, rgb uint32) {
	if s != "" && scale > 0 {
		c.lines(r, &ink{lines: []string{s}, scale: scale, fore: rgb, center: true})
	}
}

func (c *canvas) switchKnob(p *Phone, v *view) {
	r, pad := v.box, p.dp(4)
	back, x := v.ink.back, r.Min.X+r.Dy()/2
	if v.ink.on {
		back, x = v.ink.fore, r.Max.X-r.Dy()/2
	}
	c.round(r, r.Dy()/2, back)
	c.disc(image.Pt(x, (r.Min.Y+r.Max.Y)/2), r.Dy()/2-pad, 0xFFFFFF)
}

// mark is a check box or a radio button.
func (c *canvas) mark(p *Phone, v *view) {
	r, radius := v.box, p.dp(4)
	if v.look == lookRadio {
		radius = r.Dx() / 2
	}
	ground := p.theme().plate
	if !v.ink.on {
		c.ring(r, radius, p.dp(2), v.ink.back, ground)
		return
	}
	if v.look == lookRadio {
		c.ring(r, radius, p.dp(2), v.ink.fore, ground)
		c.disc(image.Pt((r.Min.X+r.Max.X)/2, (r.Min.Y+r.Max.Y)/2), r.Dx()/4, v.ink.fore)
		return
	}
	c.round(r, radius, v.ink.fore)
	a, w := r.Dx()/4, max(p.dp(2), 1)
	c.line(image.Pt(r.Min.X+a, r.Min.Y+2*a), image.Pt(r.Min.X+2*a-a/4, r.Max.Y-a), w, 0xFFFFFF)
	c.line(image.Pt(r.Min.X+2*a-a/4, r.Max.Y-a), image.Pt(r.Max.X-a, r.Min.Y+a), w, 0xFFFFFF)
}

func (c *canvas) slider(p *Phone, v *view) {
	r := v.box
	y, h := (r.Min.Y+r.Max.Y)/2, p.dp(4)
	x := r.Min.X + int(float64(r.Dx())*v.ink.part)
	c.round(image.Rect(r.Min.X, y-h/2, r.Max.X, y-h/2+h), h/2, v.ink.back)
	c.round(image.Rect(r.Min.X, y-h/2, x, y-h/2+h), h/2, v.ink.fore)
	c.disc(image.Pt(min(max(x, r.Min.X+p.dp(10)), r.Max.X-p.dp(10)), y), p.dp(10), v.ink.fore)
}

// field is an edit field with its text, or its hint, and the cursor.
func (c *canvas) field(p *Phone, v *view) {
	in, r := &v.ink, v.box
	c.round(r, in.radius, in.back)
	if v.flags&driver.Focused != 0 {
		c.ring(r, in.radius, max(p.dp(2), 1), p.theme().accent, in.back)
	}
	inner := r.Inset(p.dp(12))
	c.clip = inner.Union(image.Rect(inner.Min.X, r.Min.Y, inner.Max.X, r.Max.Y)).Intersect(v.seen)
	h := lineHeight * in.scale
	y := r.Min.Y + (r.Dy()-h)/2
	if v.flags&driver.Multiline != 0 {
		y = inner.Min.Y
	}
	left := in.cursor
	for _, l := range in.lines {
		c.text(l, image.Pt(inner.Min.X, y), in.scale, in.fore)
		n := utf8.RuneCountInString(l)
		if left >= 0 && left <= n && v.flags&driver.Focused != 0 {
			x := inner.Min.X + textWidth(string([]rune(l)[:min(left, n)]))*in.scale
			c.fill(image.Rect(x, y, x+max(p.dp(2), 1), y+h), p.theme().accent)
			left = -1
		}
		left -= n + 1
		y += h
	}
	c.clip = v.seen
}

// icon is an app on the launcher: a plate with the first character of its name, and the name.
func (c *canvas) icon(p *Phone, v *view) {
	side := min(p.dp(58), v.box.Dx()-p.dp(8))
	x := (v.box.Min.X + v.box.Max.X - side) / 2
	y := v.box.Min.Y + p.dp(6)
	plate := image.Rect(x, y, x+side, y+side)
	c.round(plate, v.ink.radius, v.ink.back)
	if g, ok := icons[v.ink.icon]; ok {
		scale := max(side*7/12/g.wide, 1)
		at := image.Pt(plate.Min.X+(side-g.wide*scale)/2, plate.Min.Y+(side-lineHeight*scale)/2)
		c.dots(&g, at, scale, 0xFFFFFF)
	} else {
		c.centered(v.ink.glyph, plate, p.fontScale(28), 0xFFFFFF)
	}
	c.centered(v.ink.lines[0], image.Rect(v.box.Min.X, plate.Max.Y, v.box.Max.X, plate.Max.Y+p.dp(28)), v.ink.scale, v.ink.fore)
}

// wallpaper is a sky over hills.
func (c *canvas) wallpaper(r image.Rectangle) {
	c.gradient(r, 0x101A33, 0x3E6C9E, 48)
	for i, hill := range []uint32{0x2F5573, 0x24445C, 0x193246} {
		x := r.Min.X + r.Dx()*(i*2+1)/6
		radius := r.Dx() * (5 - i) / 8
		c.disc(image.Pt(x, r.Max.Y+radius*(2+i)/6), radius, hill)
	}
	c.disc(image.Pt(r.Max.X-r.Dx()/5, r.Min.Y+r.Dy()/6), min(r.Dx(), r.Dy())/14, 0xF3E7C4)
}

// sign draws the small signs: the arrow of the title bar, a chevron, the battery.
func (c *canvas) sign(p *Phone, v *view) {
	r, w := v.box, max(p.dp(2), 1)
	x, y := (r.Min.X+r.Max.X)/2, (r.Min.Y+r.Max.Y)/2
	switch v.look {
	case lookArrow:
		a := p.dp(8)
		c.line(image.Pt(x-a, y), image.Pt(x+a, y), w, v.ink.fore)
		c.line(image.Pt(x-a, y), image.Pt(x, y-a), w, v.ink.fore)
		c.line(image.Pt(x-a, y), image.Pt(x, y+a), w, v.ink.fore)
	case lookChevron:
		a := p.dp(5)
		c.line(image.Pt(x-a/2, y-a), image.Pt(x+a/2, y), w, v.ink.fore)
		c.line(image.Pt(x+a/2, y), image.Pt(x-a/2, y+a), w, v.ink.fore)
	case lookBattery:
		c.ring(r, p.dp(3), max(p.dp(1), 1), v.ink.fore, v.ink.back)
		inner := r.Inset(p.dp(2))
		inner.Max.X = inner.Min.X + int(float64(inner.Dx())*v.ink.part)
		c.fill(inner, v.ink.fore)
	}
}
