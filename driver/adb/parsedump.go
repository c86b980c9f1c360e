package adb

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
)

// ParseDump reads what `uiautomator dump` writes: a <hierarchy>, or the <displays> of --windows, of
// any release from Android 4.1 on, and of the tools that write the same with more attributes. Noise
// before and behind is passed over.
//
// Bounds are as the dump has them, in pixels of the display as it is turned; a rectangle whose
// corners are swapped, which Android 16 gives to rows that are scrolled away, is empty and its node
// not visible. Size is the extent of all bounds. A flag is Known where the dump has its attribute.
// Of several displays it takes number 0. Text that a field shows as its hint is Hint and not Text.
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
