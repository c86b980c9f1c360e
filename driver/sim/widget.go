package sim

import (
	"image"
	"strconv"

	"github.com/handset-go/handset/driver"
)

// disabled marks a view that takes no touch; it is no flag of the tree.
const disabled driver.Flag = 1 << 31

// widget makes the view of a widget whose top left and width are given by r.
func (b *builder) widget(w *Widget, at place, r image.Rectangle) *view {
	switch w.Kind {
	case KindHeader:
		return b.header(w, at, r)
	case KindText, KindBig:
		return b.paragraph(w, at, r)
	case KindButton:
		return b.wideButton(w, at, r)
	case KindField:
		return b.fieldBand(w, at, r)
	case KindSlider:
		return b.slider(w, at, r)
	case KindBubble:
		return b.bubble(w, at, r)
	case KindImage:
		return b.image(w, at, r)
	case KindCanvas:
		r.Max.Y += b.p.dp(2 * dpImage)
		return b.canvas(w, at, r)
	case KindSpacer:
		return &view{box: tall(r, b.p.dp(dpEdge))}
	case KindDivider:
		return &view{class: "View", box: tall(r, max(b.p.dp(1), 1)), look: lookLine, ink: ink{fore: b.th.line}, plain: true}
	}
	return b.row(w, at, r)
}

func tall(r image.Rectangle, h int) image.Rectangle {
	r.Max.Y = r.Min.Y + h
	return r
}

// row is a line with a text, a note below it, and what stands at its right end.
func (b *builder) row(w *Widget, at place, r image.Rectangle) *view {
	p := b.p
	note := b.say(w.Note, at)
	h := p.dp(dpRow)
	if note != "" {
		h = p.dp(dpTall)
	}
	v := &view{class: "LinearLayout", id: w.ID, desc: b.say(w.Desc, at), box: tall(r, h), look: lookPlate, ink: ink{back: b.th.plate}}
	end, right := b.rowEnd(v.box, w, at)
	left := r.Min.X + p.dp(dpEdge)
	if w.Color != 0 {
		v.add(&view{
			class: "ImageView", id: "android:icon", box: square(left, v.box, p.dp(36)), look: lookImage,
			ink: ink{back: w.Color, radius: p.dp(18), glyph: first(b.say(w.Text, at)), scale: p.fontScale(16), fore: 0xFFFFFF},
		})
		left += p.dp(36 + 14)
	}
	mid := v.box.Max.Y
	if note != "" {
		mid = v.box.Min.Y + h*56/100
	}
	title := b.label(b.say(w.Text, at), image.Rect(left, v.box.Min.Y+p.dp(dpGap)/2, right, mid), 16, b.th.text)
	title.id = "android:title"
	v.add(title)
	if note != "" {
		sub := b.label(note, image.Rect(left, mid, right, v.box.Max.Y-p.dp(dpGap)), 13, b.th.faint)
		sub.id = "android:summary"
		v.add(sub)
	}
	v.add(end...)
	v.add(&view{box: image.Rect(left, v.box.Max.Y-max(p.dp(1), 1), r.Max.X, v.box.Max.Y), look: lookLine, ink: ink{fore: b.th.line}, plain: true})
	b.rowAct(v, w, at)
	return v
}

// rowAct makes a row do what its kind and its widget say.
func (b *builder) rowAct(v *view, w *Widget, at place) {
	p, app := b.p, b.app
	b.act(v, w, at)
	key := p.expand(w.Key, at)
	switch w.Kind {
	case KindSwitch, KindCheck:
		v.flags |= driver.Clickable | driver.Focusable
		name := b.english(w, at)
		v.tap = func() { p.flip(app, key, name); p.perform(w.Do, app, at) }
	case KindRadio:
		v.flags |= driver.Clickable | driver.Focusable
		value := p.expand(w.Value, at)
		v.tap = func() { p.choose(app, key, value); p.perform(w.Do, app, at) }
	}
	if w.Sorts && w.Each != "" {
		v.flags |= driver.LongClickable
		v.sorts = &at
	}
	if w.Off != "" && p.holds(w.Off, at) {
		v.flags |= disabled // it stays clickable, as a disabled view of Android does
		v.tap, v.hold, v.double = nil, nil, nil
	}
}

func (b *builder) english(w *Widget, at place) string { return b.p.expand(w.Text.En, at) }

// rowEnd makes the switch, the buttons or the arrow at the right end, and says how far the text may reach.
func (b *builder) rowEnd(band image.Rectangle, w *Widget, at place) ([]*view, int) {
	p, right := b.p, band.Max.X-b.p.dp(dpEdge)
	on := isOn(p.operand(w.Key, at))
	var end *view
	switch w.Kind {
	case KindSwitch:
		end = &view{class: "Switch", id: "android:switch_widget", look: lookSwitch, box: sized(right, band, p.dp(50), p.dp(28))}
		end.ink = ink{on: on, back: b.th.off, fore: b.th.accent}
	case KindCheck:
		end = &view{class: "CheckBox", id: "android:checkbox", look: lookCheck, box: sized(right, band, p.dp(24), p.dp(24))}
		end.ink = ink{on: on, back: b.th.off, fore: b.th.accent}
	case KindRadio:
		on = p.operand(w.Key, at) == p.expand(w.Value, at)
		end = &view{class: "RadioButton", id: "android:checkbox", look: lookRadio, box: sized(right, band, p.dp(24), p.dp(24))}
		end.ink = ink{on: on, back: b.th.off, fore: b.th.accent}
	}
	if end != nil {
		end.flags |= driver.Checkable
		if on {
			end.flags |= driver.Checked
		}
		if w.Off != "" && p.holds(w.Off, at) {
			end.flags |= disabled
		}
		return []*view{end}, end.box.Min.X - p.dp(dpGap)
	}
	return b.rowMore(band, w, at, right)
}

func (b *builder) rowMore(band image.Rectangle, w *Widget, at place, right int) ([]*view, int) {
	p := b.p
	var views []*view
	for i := len(w.More) - 1; i >= 0; i-- {
		m := &w.More[i]
		if !p.holds(m.If, at) {
			continue
		}
		if m.Kind != KindButton {
			s := b.say(m.Text, at)
			wide := textWidth(s) * p.fontScale(14)
			t := b.label(s, image.Rect(right-wide, band.Min.Y, right, band.Max.Y), 14, b.th.faint)
			t.id = m.ID
			views = append(views, t)
			right = t.box.Min.X - p.dp(dpGap)
			continue
		}
		btn := b.button(m, at, right, band)
		views = append(views, btn)
		right = btn.box.Min.X - p.dp(dpGap)
	}
	if len(w.More) == 0 && opens(w.Do) {
		views = append(views, &view{box: sized(right, band, p.dp(12), p.dp(12)), look: lookChevron, ink: ink{fore: b.th.off}, plain: true})
		right -= p.dp(12 + dpGap)
	}
	return views, right
}

func opens(effects []Effect) bool {
	for _, e := range effects {
		if e.Kind == EffectGo {
			return true
		}
	}
	return false
}

// sized returns a rectangle with its right end at x, in the middle of the band's height.
func sized(x int, band image.Rectangle, w, h int) image.Rectangle {
	y := (band.Min.Y + band.Max.Y - h) / 2
	return image.Rect(x-w, y, x, y+h)
}

func square(x int, band image.Rectangle, side int) image.Rectangle {
	return sized(x+side, band, side, side)
}

func first(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}

func (b *builder) header(w *Widget, at place, r image.Rectangle) *view {
	r = tall(r, b.p.dp(dpHeader))
	v := b.text(b.say(w.Text, at), r, 14, b.th.accent)
	v.box.Min = v.box.Min.Add(image.Pt(b.p.dp(dpEdge), b.p.dp(dpGap)))
	v.id = or(w.ID, "android:title")
	return v
}

// paragraph is text of as many lines as it needs, large for KindBig.
func (b *builder) paragraph(w *Widget, at place, r image.Rectangle) *view {
	p, size := b.p, 15
	if w.Kind == KindBig {
		size = 40
	}
	s, scale := b.say(w.Text, at), p.fontScale(size)
	x0, x1 := r.Min.X+p.dp(dpEdge), r.Max.X-p.dp(dpEdge)
	lines := wrap(s, (x1-x0)/scale)
	pad := p.dp(10)
	v := b.text(s, image.Rect(x0, r.Min.Y, x1, r.Min.Y+2*pad+len(lines)*lineHeight*scale), size, b.th.text)
	v.id, v.desc = w.ID, b.say(w.Desc, at)
	v.ink.lines, v.ink.center = lines, w.Kind == KindBig
	b.act(v, w, at)
	return v
}

func (b *builder) wideButton(w *Widget, at place, r image.Rectangle) *view {
	p := b.p
	r = tall(r, p.dp(dpButton+2*dpGap))
	return b.buttonIn(w, at, r.Inset(p.dp(dpGap)))
}

func (b *builder) fieldBand(w *Widget, at place, r image.Rectangle) *view {
	p, h := b.p, dpField
	if w.Many {
		h = 3 * dpField
	}
	band := tall(r, p.dp(h+dpGap))
	box := &view{class: "LinearLayout", box: band, look: lookNone}
	inner := image.Rect(r.Min.X+p.dp(dpEdge), r.Min.Y+p.dp(dpGap)/2, r.Max.X-p.dp(dpEdge), band.Max.Y-p.dp(dpGap)/2)
	return box.add(b.field(w, at, inner))
}

func (b *builder) slider(w *Widget, at place, r image.Rectangle) *view {
	p, app, top := b.p, b.app, max(w.Max, 0)
	if top == 0 {
		top = 100
	}
	key := p.expand(w.Key, at)
	n, _ := strconv.Atoi(p.values[key])
	band := tall(r, p.dp(dpSlider))
	box := &view{class: "LinearLayout", box: band, look: lookPlate, ink: ink{back: b.th.plate}}
	half := band.Min.Y + band.Dy()*45/100
	title := b.label(b.say(w.Text, at), image.Rect(r.Min.X+p.dp(dpEdge), band.Min.Y, r.Max.X-p.dp(60), half), 16, b.th.text)
	title.id = "android:title"
	shown := strconv.Itoa(n)
	value := b.label(shown, image.Rect(r.Max.X-p.dp(60), band.Min.Y, r.Max.X-p.dp(dpEdge), half), 14, b.th.faint)
	value.id = "android:summary"
	bar := &view{
		class: "SeekBar", id: or(w.ID, "android:seekbar"), text: shown, desc: title.text, look: lookSlider,
		box:   image.Rect(r.Min.X+p.dp(dpEdge), half, r.Max.X-p.dp(dpEdge), band.Max.Y-p.dp(dpGap)),
		ink:   ink{part: float64(n) / float64(top), fore: b.th.accent, back: b.th.line},
		flags: driver.Focusable,
	}
	name := b.english(w, at)
	bar.slide = func(part float64) { p.slideTo(app, key, name, int(part*float64(top)+0.5)) }
	return box.add(title, value, bar)
}

func (b *builder) bubble(w *Widget, at place, r image.Rectangle) *view {
	p, scale := b.p, b.p.fontScale(15)
	mine := w.Mine || at.entry["from"] == "me"
	lines := wrap(b.say(w.Text, at), r.Dx()*7/10/scale)
	wide := 0
	for _, l := range lines {
		wide = max(wide, textWidth(l)*scale)
	}
	wide += 2 * p.dp(12)
	h := len(lines)*lineHeight*scale + 2*p.dp(8)
	band := tall(r, h+p.dp(10))
	x := r.Min.X + p.dp(12)
	back, fore := b.th.plate, b.th.text
	if mine {
		x = r.Max.X - p.dp(12) - wide
		back, fore = b.th.accent, b.th.onAccent
	}
	t := &view{
		class: "TextView", id: or(w.ID, "message_text"), text: b.say(w.Text, at), look: lookBubble,
		box: image.Rect(x, r.Min.Y+p.dp(5), x+wide, r.Min.Y+p.dp(5)+h),
		ink: ink{lines: lines, scale: scale, fore: fore, back: back, radius: p.dp(14), cursor: -1},
	}
	b.act(t, w, at)
	row := &view{class: "LinearLayout", box: band}
	return row.add(t)
}

func (b *builder) image(w *Widget, at place, r image.Rectangle) *view {
	p := b.p
	r = tall(r, p.dp(dpImage)).Inset(p.dp(dpGap))
	v := &view{
		class: "ImageView", id: w.ID, desc: b.say(w.Desc, at), box: r, look: lookImage,
		ink: ink{back: w.Color, radius: p.dp(12), glyph: b.say(w.Text, at), scale: p.fontScale(28), fore: 0xFFFFFF},
	}
	b.act(v, w, at)
	return v
}

// canvas has no tree inside, whatever it shows: its widgets are painted and take touches.
func (b *builder) canvas(w *Widget, at place, r image.Rectangle) *view {
	class := "SurfaceView"
	if w.Value == "web" {
		class = "WebView"
	}
	v := &view{class: class, id: w.ID, desc: b.say(w.Desc, at), box: r, look: lookPlate, ink: ink{back: b.th.page}, zoom: b.p.expand(w.Key, at)}
	kids, _ := b.column(w.More, r.Min.X, r.Max.X, r.Min.Y)
	for _, k := range kids {
		k.plain = true
	}
	b.act(v, w, at)
	return v.add(kids...)
}

// icon is an app on the launcher.
func (b *builder) icon(w *Widget, at place, r image.Rectangle) *view {
	p := b.p
	label, color, icon := b.say(w.Text, at), w.Color, ""
	if a := p.app(at.entry["id"]); a != nil {
		color, icon = a.Color, a.Icon
	}
	v := &view{
		class: "TextView", id: or(w.ID, "icon"), text: label, desc: label, box: r, look: lookIcon,
		ink: ink{
			back: color, scale: p.fontScale(13), fore: 0xFFFFFF, radius: p.dp(14),
			lines: []string{fit(label, r.Dx()/p.fontScale(13))}, glyph: first(label), icon: icon,
		},
	}
	b.act(v, w, at)
	return v
}
