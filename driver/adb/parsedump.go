package adb

import (
	"cmp"
	"fmt"
	"image"
	"slices"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
)

// ParseDump reads what `uiautomator dump` writes: a <hierarchy>, or the <displays> of --windows, of any
// release from Android 4.1 on, and of the tools that write the same with more attributes. Noise before
// and behind is passed over.
//
// Bounds are as the dump has them, in pixels of the display as it is turned; a rectangle whose corners are swapped, which Android 16
// gives to rows that are scrolled away, is empty and its node not visible. Size is the extent of all bounds. A
// flag is Known where the dump has its attribute. Of several displays it takes number 0. Text that a field shows as its hint is Hint
// and not Text.
func ParseDump(data []byte) (*driver.Tree, error) {
	text, err := dumpText(data)
	if err != nil {
		return nil, err
	}
	p := &dumpParser{scanner: scanner{text: text}, roles: map[string]driver.Role{}}
	if err := p.parse(); err != nil {
		return nil, err
	}
	return p.tree()
}

// dumpText cuts the dump out of its noise, and mends bytes that are no UTF-8.
func dumpText(data []byte) (string, error) {
	if len(data) > maxDump {
		return "", fmt.Errorf("%w: %d bytes are too many", errDump, len(data))
	}
	text := string(data)
	start := -1
	for _, mark := range []string{"<?xml", "<hierarchy", "<displays"} {
		if at := strings.Index(text, mark); at >= 0 && (start < 0 || at < start) {
			start = at
		}
	}
	if start < 0 {
		return "", fmt.Errorf("%w: no <hierarchy>", errDump)
	}
	text = text[start:]
	end := lastEnd(text)
	if end < 0 && !emptyHierarchy(text) {
		return "", fmt.Errorf("%w: it is cut off after %d bytes", errDump, len(text))
	}
	if end >= 0 {
		text = text[:end]
	}
	return strings.ToValidUTF8(text, "\ufffd"), nil
}

// lastEnd returns where the last </hierarchy> or the </displays> behind it ends, or -1.
func lastEnd(text string) int {
	const hierarchy, displays = "</hierarchy>", "</displays>"
	end := strings.LastIndex(text, hierarchy)
	if end >= 0 {
		end += len(hierarchy)
	}
	if at := strings.LastIndex(text[max(end, 0):], displays); at >= 0 {
		return max(end, 0) + at + len(displays)
	}
	return end
}

// emptyHierarchy says that the dump is <hierarchy rotation="0"/>.
func emptyHierarchy(text string) bool {
	at := strings.Index(text, "<hierarchy")
	if at < 0 {
		return false
	}
	end := strings.IndexByte(text[at:], '>')
	return end > 0 && text[at+end-1] == '/'
}

// dumpWindow is one <window> of --windows, or the one hierarchy of a plain dump.
type dumpWindow struct {
	driver.Node        // title, kind and bounds; its children are the hierarchy's
	layer       int    // higher is nearer to the person
	active      bool   // has the input focus
	display     string // id
	bare        bool   // there was no <window>
}

// dumpParser holds the state of one parse.
type dumpParser struct {
	scanner
	roles    map[string]driver.Role // by class
	slab     []driver.Node          // of which nodes are taken one by one
	stack    []*driver.Node         // open nodes
	open     []string               // names of open tags
	windows  []dumpWindow
	display  string
	rotation int
	nodes    int
}

func (p *dumpParser) parse() error {
	var t tag
	for {
		ok, err := p.next(&t)
		if err != nil || !ok {
			return cmp.Or(err, p.unclosed())
		}
		if t.closing {
			err = p.closeTag(t)
		} else {
			err = p.openTag(&t)
		}
		if err != nil {
			return err
		}
	}
}

func (p *dumpParser) unclosed() error {
	if len(p.open) > 0 {
		return fmt.Errorf("%w: it is cut off in <%s>", errDump, p.open[len(p.open)-1])
	}
	return nil
}

func (p *dumpParser) openTag(t *tag) error {
	if len(p.open) >= maxDepth {
		return p.errorf(t.start, "deeper than %d", maxDepth)
	}
	var err error
	switch t.name {
	case "displays":
		err = p.each(t, func(string, string) {})
	case "display":
		p.display = ""
		err = p.each(t, func(name, value string) {
			if name == "id" {
				p.display = value
			}
		})
	case "window":
		err = p.window(t)
	case "hierarchy":
		err = p.hierarchy(t)
	default:
		err = p.node(t)
	}
	if err == nil && !t.selfClose {
		p.open = append(p.open, t.name)
	}
	return err
}

func (p *dumpParser) closeTag(t tag) error {
	if len(p.open) == 0 || p.open[len(p.open)-1] != t.name {
		return p.errorf(t.start, "</%s> closes nothing", t.name)
	}
	p.open = p.open[:len(p.open)-1]
	switch t.name {
	case "displays", "display", "window":
	case "hierarchy":
		p.stack = p.stack[:0]
	default:
		p.stack = p.stack[:len(p.stack)-1]
	}
	return nil
}

// each calls f for each attribute of a tag.
func (p *dumpParser) each(t *tag, f func(name, value string)) error {
	for {
		name, value, ok, err := p.attr(t)
		if !ok {
			return err
		}
		f(name, value)
	}
}

func (p *dumpParser) window(t *tag) error {
	w := dumpWindow{display: p.display}
	w.Role, w.Class = driver.RoleWindow, "window"
	err := p.each(t, func(name, value string) {
		switch name {
		case "title":
			w.Text = value
		case "type":
			w.Window = windowKind(value)
		case "layer":
			w.layer = number(value)
		case "active", "focused":
			w.active = w.active || value == "true"
		case "bounds":
			w.Bounds, _ = parseBounds(value)
		}
	})
	p.windows = append(p.windows, w)
	return err
}

// windowKind names AccessibilityWindowInfo's types.
func windowKind(number string) string {
	switch number {
	case "1":
		return driver.WindowApp
	case "2":
		return driver.WindowKeyboard
	case "3", "4", "5", "6":
		return driver.WindowSystem
	}
	return ""
}

func (p *dumpParser) hierarchy(t *tag) error {
	if len(p.open) == 0 || p.open[len(p.open)-1] != "window" {
		w := dumpWindow{bare: true, active: true, display: p.display}
		w.Role, w.Class = driver.RoleWindow, "hierarchy"
		p.windows = append(p.windows, w)
	}
	p.stack = p.stack[:0]
	return p.each(t, func(name, value string) {
		if name == "rotation" && len(value) == 1 && value[0] >= '0' && value[0] <= '3' {
			p.rotation = int(value[0] - '0')
		}
	})
}

// tree joins the windows of the first display.
func (p *dumpParser) tree() (*driver.Tree, error) {
	windows := p.shown()
	if len(windows) == 0 {
		return nil, fmt.Errorf("%w: it has no nodes", errDump)
	}
	t := &driver.Tree{Rotation: p.rotation, At: time.Now()}
	t.Root = joined(windows)
	for n := range t.Root.All() {
		if !n.Bounds.Empty() {
			t.Size.X, t.Size.Y = max(t.Size.X, n.Bounds.Max.X), max(t.Size.Y, n.Bounds.Max.Y)
		}
	}
	t.App.ID = frontPackage(windows)
	return t, nil
}

// shown returns the windows with nodes of display 0, or of the first display, those in front last.
func (p *dumpParser) shown() []*dumpWindow {
	all := make([]*dumpWindow, 0, len(p.windows))
	for i := range p.windows {
		if len(p.windows[i].Children) > 0 {
			all = append(all, &p.windows[i])
		}
	}
	if len(all) == 0 {
		return nil
	}
	want := all[0].display
	if slices.ContainsFunc(all, func(w *dumpWindow) bool { return w.display == "0" }) {
		want = "0"
	}
	all = slices.DeleteFunc(all, func(w *dumpWindow) bool { return w.display != want })
	slices.SortStableFunc(all, func(a, b *dumpWindow) int { return a.layer - b.layer })
	return all
}

// joined returns one root: the one node of the one hierarchy, or a window above several.
func joined(windows []*dumpWindow) *driver.Node {
	if len(windows) == 1 && windows[0].bare && len(windows[0].Children) == 1 {
		return windows[0].Children[0]
	}
	root := &driver.Node{Role: driver.RoleWindow, Class: "displays"}
	for _, w := range windows {
		if w.Bounds.Empty() {
			for _, c := range w.Children {
				w.Bounds = w.Bounds.Union(c.Bounds)
			}
		}
		root.Bounds = root.Bounds.Union(w.Bounds)
		if w.Window != "" {
			for n := range w.All() {
				n.Window = w.Window
			}
		}
		root.Children = append(root.Children, &w.Node)
	}
	if len(windows) == 1 {
		return root.Children[0]
	}
	return root
}

// frontPackage returns the package of the window with the focus, or of the app in front.
func frontPackage(windows []*dumpWindow) string {
	for _, want := range []func(*dumpWindow) bool{
		func(w *dumpWindow) bool { return w.active && w.Window != driver.WindowKeyboard },
		func(w *dumpWindow) bool { return w.Window == driver.WindowApp },
		func(*dumpWindow) bool { return true },
	} {
		for _, w := range slices.Backward(windows) {
			if want(w) && packageOf(w.Children) != "" {
				return packageOf(w.Children)
			}
		}
	}
	return ""
}

func packageOf(nodes []*driver.Node) string {
	for _, n := range nodes {
		for m := range n.All() {
			if m.Package != "" {
				return m.Package
			}
		}
	}
	return ""
}

func number(s string) int {
	n := 0
	for _, c := range s {
		if c < '0' || c > '9' || n > 1<<20 {
			return 0
		}
		n = 10*n + int(c-'0')
	}
	return n
}

// parseBounds reads "[left,top][right,bottom]". A rectangle whose corners are swapped has no area; swapped says so.
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
