package sim

import (
	"image"
	"strings"

	"github.com/handset-go/handset/driver"
)

// keyboard is the state of the on-screen keyboard.
type keyboard struct {
	hidden  bool
	shift   bool
	symbols bool
}

const dpKey = 50

var (
	letterRows = []string{"qwertyuiop", "asdfghjkl", "zxcvbnm"}
	symbolRows = []string{"1234567890", "@#$%&-+()", "*\"':;!?"}
)

// keyboardWindow is the on-screen keyboard over the lower part of the screen.
func (p *Phone) keyboardWindow(frame image.Rectangle) *window {
	h := 4*p.dp(dpKey) + p.dp(dpNav) + p.dp(dpGap)
	if limit := frame.Dy() * 55 / 100; h > limit {
		h = limit
	}
	r := image.Rect(0, frame.Dy()-h, frame.Dx(), frame.Dy())
	k := &keys{p: p, b: &builder{p: p, th: p.theme()}, row: (h - p.dp(dpNav+dpGap)) / 4, left: r.Min.X, right: r.Max.X}
	root := &view{class: "FrameLayout", id: "android:inputArea", box: r, look: lookPlate, ink: ink{back: k.b.th.field}}
	k.y = r.Min.Y + p.dp(dpGap)/2
	rows := letterRows
	if p.keyboard.symbols {
		rows = symbolRows
	}
	for i, letters := range rows {
		root.add(k.letters(letters, i == 2)...)
		k.y += k.row
	}
	root.add(k.lastRow()...)
	return &window{kind: driver.WindowKeyboard, title: "InputMethod", pkg: strings.SplitN(p.ime, "/", 2)[0], root: root}
}

// keys places the keys of a keyboard, row by row.
type keys struct {
	p           *Phone
	b           *builder
	row         int
	left, right int
	y           int
}

func (k *keys) letters(letters string, last bool) []*view {
	p, unit := k.p, (k.right-k.left)/10
	x := k.left + (k.right-k.left-unit*len(letters))/2
	var views []*view
	for _, r := range letters {
		s := string(r)
		if p.keyboard.shift {
			s = strings.ToUpper(s)
		}
		views = append(views, k.key(s, s, image.Rect(x, k.y, x+unit, k.y+k.row), func() { p.typeKey(s) }))
		x += unit
	}
	if last {
		shift := k.key("⇧", "Shift", image.Rect(k.left, k.y, k.left+unit*3/2, k.y+k.row), func() { p.keyboard.shift = !p.keyboard.shift })
		del := k.key("⌫", "Delete", image.Rect(k.right-unit*3/2, k.y, k.right, k.y+k.row), func() { p.edit(driver.KeyDelete) })
		shift.ink.on = p.keyboard.shift
		views = append([]*view{shift}, append(views, del)...)
	}
	return views
}

func (k *keys) lastRow() []*view {
	p, unit := k.p, (k.right-k.left)/10
	band := func(from, to int) image.Rectangle {
		return image.Rect(k.left+unit*from, k.y, k.left+unit*to, k.y+k.row)
	}
	mode := "?123"
	if p.keyboard.symbols {
		mode = "ABC"
	}
	w := p.inputWidget()
	enter := "↵"
	if !w.Many {
		enter = map[string]Label{
			"send": T("Send", "发送"), "search": T("Search", "搜索"), "done": T("Done", "完成"), "go": T("Go", "前往"), "next": T("Next", "下一项"),
		}[or(w.Action, "done")].In(p.lang)
	}
	end := k.key(enter, "Enter", image.Rect(k.left+unit*8, k.y, k.right, k.y+k.row), func() { p.edit(driver.KeyEnter) })
	end.ink.back, end.ink.fore = k.b.th.accent, k.b.th.onAccent
	return []*view{
		k.key(mode, "Symbols", band(0, 2), func() { p.keyboard.symbols = !p.keyboard.symbols }),
		k.key(",", ",", band(2, 3), func() { p.typeKey(",") }),
		k.key("", "Space", band(3, 7), func() { p.typeKey(" ") }),
		k.key(".", ".", band(7, 8), func() { p.typeKey(".") }),
		end,
	}
}

func (k *keys) key(label, desc string, r image.Rectangle, tap func()) *view {
	p := k.p
	return &view{
		class: "Button", id: "key", text: label, desc: desc, box: r, look: lookKey, flags: driver.Clickable, tap: tap,
		ink: ink{
			lines: []string{label}, scale: p.fontScale(18), fore: k.b.th.text, back: k.b.th.plate, radius: p.dp(6), center: true, cursor: -1,
		},
	}
}

// typeKey is a tap on a key of the on-screen keyboard.
func (p *Phone) typeKey(s string) {
	if w := p.inputWidget(); w != nil {
		p.insert(w, s)
		p.keyboard.shift = false
	}
}
