package sim

import (
	"fmt"
	"image"
	"strings"

	"github.com/handset-go/handset/driver"
)

// statusWindow is the bar at the top: the clock and the battery.
func (p *Phone) statusWindow(frame image.Rectangle) *window {
	th := p.theme()
	back, fore := th.bar, th.text
	if p.locked || p.front().app == p.launcher() {
		back, fore = 0x101A33, 0xFFFFFF
	}
	r := tall(frame, p.dp(dpStatus))
	b := &builder{p: p, th: th}
	root := &view{class: "FrameLayout", id: "status_bar", box: r, look: lookPlate, ink: ink{back: back}}
	pad := p.dp(dpEdge)
	clock := b.label(p.clockText, image.Rect(r.Min.X+pad, r.Min.Y, r.Min.X+p.dp(90), r.Max.Y), 13, fore)
	clock.id = "clock"
	level := fmt.Sprintf("%d%%", p.battery)
	wide := textWidth(level) * p.fontScale(13)
	x := r.Max.X - pad - p.dp(24)
	cell := &view{box: sized(r.Max.X-pad, r, p.dp(20), p.dp(11)), look: lookBattery, plain: true}
	cell.ink = ink{part: float64(p.battery) / 100, fore: fore, back: back}
	text := b.label(level, image.Rect(x-wide, r.Min.Y, x, r.Max.Y), 13, fore)
	text.id, text.desc = "battery", T("Battery ", "电量").In(p.lang)+level
	root.add(clock, text, cell).add(p.statusIcons(b, r, x-wide-p.dp(8), fore)...)
	return &window{kind: driver.WindowSystem, title: "StatusBar", pkg: p.face.system, root: root}
}

// statusIcons are short words for what is on: a plane, Bluetooth, the network.
func (p *Phone) statusIcons(b *builder, r image.Rectangle, right int, fore uint32) []*view {
	var words []string
	if isOn(p.values["airplane"]) {
		words = append(words, "✈")
	} else if isOn(p.values["wifi"]) {
		words = append(words, "WiFi")
	}
	if isOn(p.values["bluetooth"]) {
		words = append(words, "BT")
	}
	var views []*view
	for _, w := range words {
		wide := textWidth(w) * p.fontScale(12)
		v := b.label(w, image.Rect(right-wide, r.Min.Y, right, r.Max.Y), 12, fore)
		views = append(views, v)
		right -= wide + p.dp(8)
	}
	return views
}

// lockWindow is the lock screen.
func (p *Phone) lockWindow(frame image.Rectangle) *window {
	root := &view{class: "FrameLayout", id: "keyguard", box: frame, look: lookCanvas, ink: ink{glyph: "wallpaper"}}
	b := &builder{p: p, th: &dark}
	mid := frame.Dy() / 4
	if p.asking {
		root.add(p.pinPad(b, frame)...)
		return &window{kind: driver.WindowSystem, title: "Keyguard", pkg: p.face.system, root: root, modal: true}
	}
	clock := b.text(p.clockText, image.Rect(0, mid, frame.Dx(), mid+p.dp(90)), 64, 0xFFFFFF)
	clock.id, clock.ink.center = "clock_view", true
	hint := b.text(T("Swipe up to unlock", "上滑解锁").In(p.lang),
		image.Rect(0, frame.Dy()-p.dp(90), frame.Dx(), frame.Dy()-p.dp(40)), 16, 0xFFFFFF)
	hint.id, hint.ink.center = "keyguard_indication", true
	root.add(clock, hint)
	y := mid + p.dp(110)
	for i := range p.notes {
		card := p.noteCard(b, i, image.Rect(p.dp(12), y, frame.Dx()-p.dp(12), y))
		card.tap, card.flags = nil, 0
		root.add(card)
		y = card.box.Max.Y + p.dp(dpGap)
	}
	return &window{kind: driver.WindowSystem, title: "Keyguard", pkg: p.face.system, root: root, modal: true}
}

// pinPad asks for the PIN: a dot for each digit entered, and the keys.
func (p *Phone) pinPad(b *builder, frame image.Rectangle) []*view {
	key, gap := p.dp(64), p.dp(16)
	left := (frame.Dx() - 3*key - 2*gap) / 2
	top := max(frame.Dy()-p.dp(72)-4*(key+gap), p.dp(96))
	ask := b.text(T("Enter PIN", "输入 PIN 码").In(p.lang), image.Rect(0, top-p.dp(88), frame.Dx(), top-p.dp(56)), 18, 0xFFFFFF)
	ask.id, ask.ink.center = "bouncer_message", true
	entered := b.text(strings.Repeat("•", len(p.digits)), image.Rect(0, top-p.dp(52), frame.Dx(), top-p.dp(12)), 26, 0xFFFFFF)
	entered.id, entered.ink.center = "pinEntry", true
	views := []*view{ask, entered}
	for i, text := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0", "OK"} {
		at := image.Pt(left+i%3*(key+gap), top+i/3*(key+gap))
		v := b.buttonIn(&Widget{ID: "key" + text, Text: T(text, "")}, nowhere, image.Rectangle{Min: at, Max: at.Add(image.Pt(key, key))})
		v.ink.radius, v.flags = key/2, driver.Clickable|driver.Focusable
		switch text {
		case "⌫":
			v.id, v.desc = "delete_button", T("Delete", "删除").In(p.lang)
			v.tap = func() { p.pressForPIN(driver.KeyDelete) }
		case "OK":
			v.id = "key_enter"
			v.tap = func() { p.pressForPIN(driver.KeyEnter) }
		default:
			v.tap = func() { p.enterPIN(text) }
		}
		views = append(views, v)
	}
	return views
}

// noteCard is a notification in the shade, at the top or on the lock screen.
func (p *Phone) noteCard(b *builder, i int, r image.Rectangle) *view {
	n := p.notes[i]
	r = tall(r, p.dp(dpTall))
	card := &view{
		class: "FrameLayout", id: "notification", box: r, look: lookCard, ink: ink{fore: b.th.line, back: b.th.plate, radius: p.dp(16)},
		flags: driver.Clickable | driver.Focusable, tap: func() { p.openNote(i) },
	}
	name, color := n.App, uint32(0x667788)
	if a := p.app(n.App); a != nil {
		name, color = a.Name.In(p.lang), a.Color
	}
	x, mid := r.Min.X+p.dp(64), r.Min.Y+r.Dy()/2
	icon := &view{box: square(r.Min.X+p.dp(14), r, p.dp(36)), look: lookImage, plain: true}
	icon.ink = ink{back: color, radius: p.dp(18), glyph: first(name), scale: p.fontScale(16), fore: 0xFFFFFF}
	title := b.label(n.Title, image.Rect(x, r.Min.Y+p.dp(6), r.Max.X-p.dp(12), mid), 15, b.th.text)
	title.id = "android:title"
	text := b.label(n.Text, image.Rect(x, mid, r.Max.X-p.dp(12), r.Max.Y-p.dp(8)), 14, b.th.faint)
	text.id = "android:text"
	return card.add(icon, title, text)
}

// headsUpWindow is the latest notification, hanging from the top.
func (p *Phone) headsUpWindow(frame image.Rectangle) *window {
	b := &builder{p: p, th: p.theme()}
	y := p.dp(dpStatus + 2)
	card := p.noteCard(b, len(p.notes)-1, image.Rect(p.dp(10), y, frame.Dx()-p.dp(10), y))
	return &window{kind: driver.WindowNotification, title: "NotificationShade", pkg: p.face.system, root: card}
}

// shadeWindow is the shade with the quick settings and the notifications.
func (p *Phone) shadeWindow(frame image.Rectangle) *window {
	b := &builder{p: p, th: p.theme()}
	r := frame
	r.Min.Y = p.dp(dpStatus)
	root := &view{class: "FrameLayout", id: "notification_panel", box: r, look: lookPlate, ink: ink{back: b.th.page}}
	y := r.Min.Y + p.dp(dpGap)
	for i, q := range quickSettings {
		col := i % 2
		x := r.Min.X + p.dp(10) + col*(r.Dx()-p.dp(10))/2
		box := image.Rect(x, y, x+(r.Dx()-p.dp(30))/2, y+p.dp(dpField))
		root.add(p.quickTile(b, q, box))
		if col == 1 {
			y += p.dp(dpField + dpGap)
		}
	}
	y += p.dp(dpGap)
	for i := range p.notes {
		card := p.noteCard(b, i, image.Rect(p.dp(10), y, r.Max.X-p.dp(10), y))
		root.add(card)
		y = card.box.Max.Y + p.dp(dpGap)
	}
	if len(p.notes) == 0 {
		none := b.text(T("No notifications", "没有通知").In(p.lang), tall(image.Rect(p.dp(dpEdge), y, r.Max.X, y), p.dp(dpRow)), 15, b.th.faint)
		none.id = "no_notifications"
		root.add(none)
	} else {
		w := &Widget{Kind: KindButton, ID: "dismiss_text", Text: T("Clear all", "全部清除")}
		btn := b.button(w, nowhere, r.Max.X-p.dp(12), tall(image.Rect(0, y, r.Max.X, y), p.dp(dpRow)))
		btn.flags, btn.tap = driver.Clickable|driver.Focusable, p.clearNotes
		root.add(btn)
	}
	return &window{kind: driver.WindowNotification, title: "NotificationShade", pkg: p.face.system, root: root, modal: true}
}

// quickSettings are the tiles of the shade.
var quickSettings = []struct {
	key  string
	name Label
}{
	{"wifi", T("Internet", "互联网")},
	{"bluetooth", T("Bluetooth", "蓝牙")},
	{"airplane", T("Airplane mode", "飞行模式")},
	{"dark_theme", T("Dark theme", "深色主题")},
}

func (p *Phone) quickTile(b *builder, q struct {
	key  string
	name Label
}, r image.Rectangle) *view {
	on := isOn(p.values[q.key])
	v := b.buttonIn(&Widget{Kind: KindButton, ID: "tile_" + q.key, Text: q.name}, nowhere, r)
	v.class, v.desc = "Switch", q.name.In(p.lang)
	v.flags = driver.Clickable | driver.Focusable | driver.Checkable
	v.ink.back, v.ink.fore = b.th.line, b.th.text
	if on {
		v.flags |= driver.Checked
		v.ink.back, v.ink.fore = b.th.accent, b.th.onAccent
	}
	system := &App{Name: T("System", "系统")}
	v.tap = func() { p.flip(system, q.key, q.name.En) }
	return v
}

// dialogWindow is a question in front of the dimmed page.
func (p *Phone) dialogWindow(d *openDialog, frame image.Rectangle) *window {
	b := &builder{p: p, app: d.app, page: p.front().page(), th: p.theme()}
	wide := min(frame.Dx()-2*p.dp(28), p.dp(420))
	x0 := (frame.Dx() - wide) / 2
	inner := image.Rect(x0+p.dp(8), 0, x0+wide-p.dp(8), 0)
	var kids []*view
	y := p.dp(16)
	if s := b.say(d.Title, d.at); s != "" {
		t := b.paragraph(&Widget{Kind: KindText, ID: "alertTitle", Text: T(s, "")}, nowhere, image.Rect(inner.Min.X, y, inner.Max.X, y))
		kids, y = append(kids, t), t.box.Max.Y
		t.ink.scale = p.fontScale(16)
		t.id = b.dialogID(d, "alertTitle", "permission_message")
	}
	if s := b.say(d.Text, d.at); s != "" {
		t := b.paragraph(&Widget{Kind: KindText, ID: "android:message", Text: T(s, "")}, nowhere, image.Rect(inner.Min.X, y, inner.Max.X, y))
		t.ink.fore = b.th.faint
		kids, y = append(kids, t), t.box.Max.Y
	}
	y += p.dp(dpGap)
	for i := range d.Buttons {
		w := &d.Buttons[i]
		v := b.wideButton(w, d.at, image.Rect(inner.Min.X, y, inner.Max.X, y))
		v.flags |= driver.Clickable | driver.Focusable
		v.tap = func() { p.answer(d, w) }
		kids, y = append(kids, v), v.box.Max.Y+p.dp(2*dpGap)
	}
	box := image.Rect(x0, 0, x0+wide, y+p.dp(4))
	root := &view{class: "FrameLayout", box: box, look: lookCard, ink: ink{fore: b.th.line, back: b.th.plate, radius: p.dp(20)}}
	root.add((&view{class: "LinearLayout", id: "android:content", box: box}).add(kids...))
	root.move(image.Pt(0, max((frame.Dy()-box.Dy())/2, p.dp(dpStatus))))
	page := p.front().pageName()
	win := &window{
		kind: driver.WindowDialog, title: d.app.ID + "/" + page, pkg: d.app.ID, page: page, root: root,
		modal: true, dims: true,
	}
	if d.System {
		win.pkg, win.page = p.face.permissions, p.face.permissionPage
		win.title = win.pkg + "/" + win.page
	} else {
		win.outside = p.back
	}
	return win
}

func (b *builder) dialogID(d *openDialog, own, system string) string {
	if d.System {
		return system
	}
	return own
}

// answer closes a dialog and does what its button says.
func (p *Phone) answer(d *openDialog, w *Widget) {
	p.front().dialog = nil
	p.emit("dialog", map[string]any{"app": d.app.Name.En, "dialog": d.ID, "answer": w.Text.En})
	p.perform(w.Do, d.app, d.at)
	p.changed()
}
