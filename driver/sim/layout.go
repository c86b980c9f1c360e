package sim

import (
	"image"
	"strings"

	"github.com/handset-go/handset/driver"
)

// The sizes of things, in density-independent pixels.
const (
	dpStatus = 28 // the status bar
	dpNav    = 20 // the strip of the gesture bar
	dpTitle  = 60
	dpRow    = 56
	dpTall   = 76 // a row with two lines
	dpHeader = 44
	dpButton = 48
	dpField  = 56
	dpSlider = 72
	dpImage  = 190
	dpIcon   = 104 // a cell of the launcher
	dpEdge   = 18
	dpGap    = 8
)

// The colours, 0xRRGGBB, in the light and the dark theme.
type theme struct {
	page, plate, text, faint, line, accent, onAccent, bar, field, off uint32
}

var (
	light = theme{0xF6F7FA, 0xFFFFFF, 0x1B1C20, 0x6A6E78, 0xDFE2E8, 0x1A66D9, 0xFFFFFF, 0xFFFFFF, 0xE9ECF2, 0xB4B8C2}
	dark  = theme{0x121317, 0x1E2026, 0xECEDF1, 0x9CA1AD, 0x34373F, 0x7FB0FF, 0x10203C, 0x1A1C21, 0x2C2F37, 0x5C606B}
)

func (p *Phone) theme() *theme {
	if isOn(p.values["dark_theme"]) {
		return &dark
	}
	return &light
}

// layout places everything that is on the display.
func (p *Phone) layout() *scene {
	s := &scene{size: p.size()}
	frame := image.Rectangle{Max: s.size}
	if p.asleep {
		return s
	}
	if p.locked {
		s.windows = append(s.windows, p.lockWindow(frame), p.statusWindow(frame))
	} else {
		s.windows = p.appWindows(frame)
	}
	if p.headsUp && len(p.notes) > 0 && !p.shade {
		s.windows = append(s.windows, p.headsUpWindow(frame))
	}
	if p.shade {
		s.windows = append(s.windows, p.shadeWindow(frame))
	}
	for _, w := range s.windows {
		w.root.clip(frame)
	}
	markActive(s.windows)
	return s
}

// markActive marks the window that takes the input: the topmost that is not a bar, a keyboard or a note.
func markActive(ws []*window) {
	for i := len(ws) - 1; i >= 0; i-- {
		if k := ws[i].kind; k == driver.WindowApp || k == driver.WindowDialog || ws[i].modal {
			ws[i].active = true
			return
		}
	}
}

func (p *Phone) appWindows(frame image.Rectangle) []*window {
	t := p.front()
	room := frame
	room.Min.Y += p.dp(dpStatus)
	room.Max.Y -= p.dp(dpNav)
	var kb *window
	if p.keyboardUp() {
		kb = p.keyboardWindow(frame)
		room.Max.Y = kb.root.box.Min.Y
	}
	ws := []*window{p.appWindow(t, frame, room)}
	if kb != nil {
		ws = append(ws, kb)
	}
	ws = append(ws, p.statusWindow(frame))
	if t.dialog != nil {
		ws = append(ws, p.dialogWindow(t.dialog, frame))
	}
	return ws
}

// appWindow lays out the page in front.
func (p *Phone) appWindow(t *task, frame, room image.Rectangle) *window {
	pg := t.page()
	b := &builder{p: p, app: t.app, page: pg, th: p.theme()}
	if t.app == p.launcher() {
		b.th = &dark
	}
	root := &view{class: "FrameLayout", box: frame, look: lookPlate, ink: ink{back: b.th.page}}
	if t.app == p.launcher() {
		root.look, root.ink = lookCanvas, ink{glyph: "wallpaper"}
	}
	content := &view{class: "FrameLayout", id: "android:content", box: room}
	inner := &view{class: "LinearLayout", box: room}
	root.add(content.add(inner))
	top := room.Min.Y
	if !pg.screen.Bare {
		inner.add(b.titleBar(image.Rect(room.Min.X, top, room.Max.X, top+p.dp(dpTitle)), len(t.pages) > 1))
		top += p.dp(dpTitle)
	}
	head, y := b.column(pg.screen.Top, room.Min.X, room.Max.X, top)
	inner.add(head...)
	bottom := b.bottomBar(room)
	end := room.Max.Y
	if bottom != nil {
		end = bottom.box.Min.Y
	}
	inner.add(b.body(image.Rect(room.Min.X, y, room.Max.X, max(end, y))))
	if bottom != nil {
		inner.add(bottom)
	}
	page := t.pageName()
	return &window{kind: driver.WindowApp, title: t.app.ID + "/" + page, pkg: t.app.ID, page: page, root: root}
}

// builder makes the views of one screen.
type builder struct {
	p      *Phone
	app    *App
	page   *page
	th     *theme
	inBody bool // the widgets in hand belong to the body, which a search filters
}

func (b *builder) say(l Label, at place) string { return b.p.expand(l.In(b.p.lang), at) }

func (b *builder) titleBar(r image.Rectangle, up bool) *view {
	p := b.p
	bar := &view{class: "LinearLayout", id: "action_bar", box: r, look: lookPlate, ink: ink{back: b.th.bar}}
	x := r.Min.X + p.dp(dpEdge)
	if up {
		box := image.Rect(r.Min.X, r.Min.Y, r.Min.X+p.dp(dpTitle), r.Max.Y)
		bar.add(&view{
			class: "ImageButton", desc: T("Navigate up", "向上导航").In(p.lang), box: box, look: lookArrow, ink: ink{fore: b.th.text},
			flags: driver.Clickable | driver.Focusable, tap: p.pop,
		})
		x = box.Max.X
	}
	right := r.Max.X - p.dp(dpGap)
	var actions []*view
	for i := len(b.page.screen.Actions) - 1; i >= 0; i-- {
		w := &b.page.screen.Actions[i]
		if !p.holds(w.If, nowhere) {
			continue
		}
		v := b.button(w, nowhere, right, r)
		right = v.box.Min.X - p.dp(dpGap)
		actions = append([]*view{v}, actions...)
	}
	title := b.label(b.say(b.page.screen.Title, nowhere), image.Rect(x, r.Min.Y, right, r.Max.Y), 20, b.th.text)
	title.id = "title"
	return bar.add(title).add(actions...)
}

// button places a button as wide as its text, with its right end at x, in the middle of the band r.
func (b *builder) button(w *Widget, at place, x int, r image.Rectangle) *view {
	p := b.p
	label, scale := b.say(w.Text, at), p.fontScale(15)
	wide := textWidth(label)*scale + 2*p.dp(14)
	h := p.dp(40)
	mid := (r.Min.Y + r.Max.Y) / 2
	return b.buttonIn(w, at, image.Rect(x-wide, mid-h/2, x, mid-h/2+h))
}

func (b *builder) buttonIn(w *Widget, at place, r image.Rectangle) *view {
	p := b.p
	v := &view{
		class: "Button", id: w.ID, text: b.say(w.Text, at), desc: b.say(w.Desc, at), box: r, look: lookButton,
		ink: ink{scale: p.fontScale(15), fore: b.th.onAccent, back: b.th.accent, radius: p.dp(20), center: true},
	}
	if w.Color != 0 {
		v.ink.back, v.ink.fore = w.Color, 0xFFFFFF
	}
	v.ink.lines = []string{fit(v.text, r.Dx()/v.ink.scale)}
	if w.Off != "" && p.holds(w.Off, at) {
		v.ink.back, v.ink.fore = b.th.line, b.th.off
		v.flags |= driver.Clickable | driver.Focusable | disabled // as a disabled button of Android has them
		return v
	}
	b.act(v, w, at)
	return v
}

// text is a line or a paragraph that fills its box from the left, in the middle of its height.
func (b *builder) text(s string, r image.Rectangle, size int, fore uint32) *view {
	scale := b.p.fontScale(size)
	return &view{
		class: "TextView", text: s, box: r, look: lookText,
		ink: ink{lines: []string{fit(s, r.Dx()/scale)}, scale: scale, fore: fore, cursor: -1},
	}
}

// label is a line of text with tight bounds, at the left end of r and in the middle of its height.
func (b *builder) label(s string, r image.Rectangle, size int, fore uint32) *view {
	v := b.text(s, r, size, fore)
	wide, h := textWidth(v.ink.lines[0])*v.ink.scale, lineHeight*v.ink.scale
	y := (r.Min.Y + r.Max.Y - h) / 2
	v.box = image.Rect(r.Min.X, y, r.Min.X+wide, y+h)
	return v
}

// act gives a view what its widget does.
func (b *builder) act(v *view, w *Widget, at place) {
	p, app := b.p, b.app
	if len(w.Do) > 0 {
		v.flags |= driver.Clickable | driver.Focusable
		v.tap = func() { p.perform(w.Do, app, at) }
	}
	if len(w.Hold) > 0 {
		v.flags |= driver.LongClickable
		v.hold = func() { p.perform(w.Hold, app, at) }
	}
	if len(w.Double) > 0 {
		v.flags |= driver.Clickable
		v.double = func() { p.perform(w.Double, app, at) }
	}
}

func (b *builder) bottomBar(room image.Rectangle) *view {
	p, ws := b.p, b.page.screen.Bottom
	if len(ws) == 0 {
		return nil
	}
	h := p.dp(dpField + 2*dpGap)
	r := image.Rect(room.Min.X, room.Max.Y-h, room.Max.X, room.Max.Y)
	bar := &view{class: "LinearLayout", id: "bottom_bar", box: r, look: lookPlate, ink: ink{back: b.th.bar}}
	right := r.Max.X - p.dp(dpGap)
	var kids []*view
	for i := len(ws) - 1; i >= 0; i-- {
		w := &ws[i]
		if !p.holds(w.If, nowhere) {
			continue
		}
		var v *view
		switch w.Kind {
		case KindButton:
			v = b.button(w, nowhere, right, r)
		case KindField:
			v = b.field(w, nowhere, image.Rect(r.Min.X+p.dp(dpGap), r.Min.Y+p.dp(dpGap), right, r.Max.Y-p.dp(dpGap)))
		default:
			v = b.label(b.say(w.Text, nowhere), image.Rect(r.Min.X+p.dp(dpEdge), r.Min.Y, right, r.Max.Y), 16, b.th.text)
			v.id = w.ID
		}
		right = v.box.Min.X - p.dp(dpGap)
		kids = append([]*view{v}, kids...)
	}
	return bar.add(kids...)
}

// body lays out what scrolls, and keeps the page's scroll within what there is.
func (b *builder) body(area image.Rectangle) *view {
	s := b.page.screen
	list := &view{class: "RecyclerView", id: "list", box: area, page: b.page}
	var kids []*view
	var end int
	switch {
	case s.Grid:
		list.id = "workspace"
		kids, end = b.grid(s.Body, area)
	case len(s.Body) == 1 && (s.Body[0].Kind == KindCanvas || s.Body[0].Kind == KindField && s.Body[0].Many):
		kids, end = []*view{b.fill(&s.Body[0], area)}, area.Max.Y
	default:
		b.inBody = true
		kids, end = b.column(s.Body, area.Min.X, area.Max.X, area.Min.Y)
	}
	list.over = max(end-area.Max.Y, 0)
	if b.page.end {
		b.page.scroll = list.over
	}
	b.page.scroll = min(max(b.page.scroll, 0), list.over)
	for _, k := range kids {
		k.move(image.Pt(0, -b.page.scroll))
	}
	if list.over > 0 {
		list.flags |= driver.Scrollable | driver.Focusable
	}
	return list.add(kids...)
}

// fill is a widget that takes the whole body.
func (b *builder) fill(w *Widget, area image.Rectangle) *view {
	if w.Kind == KindCanvas {
		return b.canvas(w, nowhere, area)
	}
	return b.field(w, nowhere, area.Inset(b.p.dp(dpGap)))
}

// repeat calls f for each place that a widget stands at now.
func (b *builder) repeat(w *Widget, f func(at place)) {
	if w.Each == "" {
		if b.p.holds(w.If, nowhere) {
			f(nowhere)
		}
		return
	}
	name := b.p.expand(w.Each, nowhere)
	for i, e := range b.p.lists[name] {
		if at := (place{list: name, index: i, entry: e}); b.p.holds(w.If, at) {
			f(at)
		}
	}
}

// column places widgets below each other from y on, and returns where they end.
func (b *builder) column(ws []Widget, x0, x1, y int) ([]*view, int) {
	var views []*view
	for i := range ws {
		w := &ws[i]
		b.repeat(w, func(at place) {
			if b.filtered(w, at) {
				return
			}
			v := b.widget(w, at, image.Rect(x0, y, x1, y))
			y = v.box.Max.Y
			if w.Kind != KindSpacer {
				views = append(views, v)
			}
		})
	}
	return views, y
}

// filtered says that the screen's search leaves the widget out.
func (b *builder) filtered(w *Widget, at place) bool {
	key := b.page.screen.Filter
	if key == "" || !b.inBody || b.p.values[key] == "" {
		return false
	}
	if w.Kind == KindHeader || w.Kind == KindDivider {
		return true
	}
	shown := strings.ToLower(b.say(w.Text, at) + "\n" + b.say(w.Note, at))
	return !strings.Contains(shown, strings.ToLower(b.p.values[key]))
}

func (b *builder) grid(ws []Widget, area image.Rectangle) ([]*view, int) {
	var views []*view
	cols := max(area.Dx()/b.p.dp(96), 3)
	h := b.p.dp(dpIcon)
	n := 0
	for i := range ws {
		w := &ws[i]
		b.repeat(w, func(at place) {
			x := area.Min.X + area.Dx()*(n%cols)/cols
			x1 := area.Min.X + area.Dx()*(n%cols+1)/cols
			y := area.Min.Y + b.p.dp(dpEdge) + h*(n/cols)
			views = append(views, b.icon(w, at, image.Rect(x, y, x1, y+h)))
			n++
		})
	}
	return views, area.Min.Y + b.p.dp(dpEdge) + h*((n+cols-1)/cols)
}
