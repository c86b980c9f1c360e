package android

import (
	"image"
	"regexp"
	"strconv"
	"strings"

	"github.com/handset-go/handset/driver"
)

// dumpStyle is what the faults make of a dump.
type dumpStyle struct {
	singleQuotes, inverted, negative bool
	resourceID                       bool
}

func (d *Device) dumpStyle() dumpStyle {
	return dumpStyle{
		singleQuotes: d.faults.On(FaultDumpQuotes), inverted: d.faults.On(FaultDumpInverted), negative: d.faults.On(FaultDumpNegative),
		resourceID: d.profile.SDK >= 18,
	}
}

// xmlWriter writes a dump as Android's serializer does: no line breaks, attributes in a fixed order.
type xmlWriter struct {
	b          []byte
	style      dumpStyle
	hints      bool
	compressed bool
	scale      func(image.Point) image.Point
	order      int  // of drawing
	count      int  // of nodes
	u2         bool // as uiautomator2 writes it
	maxDepth   int  // nodes below are left out; 0 for no bound
	depth      int
}

func (x *xmlWriter) raw(s string) { x.b = append(x.b, s...) }

// attr writes an attribute. A value with a double quote stands between single ones.
func (x *xmlWriter) attr(name, value string) {
	quote := byte('"')
	if x.style.singleQuotes || strings.IndexByte(value, '"') >= 0 && strings.IndexByte(value, '\'') < 0 {
		quote = '\''
	}
	x.b = append(x.b, ' ')
	x.b = append(x.b, name...)
	x.b = append(x.b, '=', quote)
	x.escape(value, quote)
	x.b = append(x.b, quote)
}

// escape writes a value: & < and the quote as entities, line breaks and tabs by number, > as it is, other
// control characters as a dot.
func (x *xmlWriter) escape(s string, quote byte) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '&':
			x.raw("&amp;")
		case c == '<':
			x.raw("&lt;")
		case c == quote && c == '"':
			x.raw("&quot;")
		case c == quote:
			x.raw("&apos;")
		case c == '\n' || c == '\r' || c == '\t':
			x.raw("&#" + strconv.Itoa(int(c)) + ";")
		case c < 0x20:
			x.b = append(x.b, '.')
		case c >= 0xf0 && x.u2: // half an emoji is a dot each
			x.raw("..")
			i += 3
		default:
			x.b = append(x.b, c)
		}
	}
}

func (x *xmlWriter) flag(name string, on bool) {
	quote := "\""
	if x.style.singleQuotes {
		quote = "'"
	}
	x.raw(" " + name + "=" + quote + strconv.FormatBool(on) + quote)
}

// nodeFlags are the flags of a node in their order.
var nodeFlags = []struct {
	name string
	flag driver.Flag
}{
	{"checkable", driver.Checkable}, {"checked", driver.Checked}, {"clickable", driver.Clickable}, {"enabled", driver.Enabled},
	{"focusable", driver.Focusable}, {"focused", driver.Focused}, {"scrollable", driver.Scrollable},
	{"long-clickable", driver.LongClickable}, {"password", driver.Password}, {"selected", driver.Selected},
}

// node writes a node and those below it.
func (x *xmlWriter) node(n *driver.Node, index int) {
	x.count++
	x.raw("<node")
	if naf(n) {
		x.attr("NAF", "true")
	}
	x.attr("index", strconv.Itoa(index))
	x.attr("text", shownText(n))
	if x.style.resourceID {
		x.attr("resource-id", n.ID)
	}
	x.attr("class", n.Class)
	x.attr("package", n.Package)
	x.attr("content-desc", n.Desc)
	for _, f := range nodeFlags {
		x.flag(f.name, n.Flags&f.flag != 0)
	}
	if x.u2 {
		x.flag("visible-to-user", true)
	}
	x.attr("bounds", x.bounds(n.Bounds))
	if x.hints {
		x.attr("drawing-order", strconv.Itoa(x.order))
		x.attr("hint", n.Hint)
		x.order++
	}
	if x.u2 {
		x.attr("display-id", "0")
	}
	kids := x.kids(n)
	if x.maxDepth > 0 && x.depth+1 >= x.maxDepth {
		kids = nil
	}
	if len(kids) == 0 {
		x.raw(" />")
		return
	}
	x.raw(">")
	x.depth++
	for i, c := range kids {
		x.node(c, i)
	}
	x.depth--
	x.raw("</node>")
}

// kids are the children of a node. In a compressed dump those that say nothing give way to their own.
func (x *xmlWriter) kids(n *driver.Node) []*driver.Node {
	if !x.compressed {
		return n.Children
	}
	var list []*driver.Node
	for _, c := range n.Children {
		if unimportant(c) {
			list = append(list, x.kids(c)...)
		} else {
			list = append(list, c)
		}
	}
	return list
}

// shownText is the text attribute: dots for a password, and the hint of an empty field on all releases
// that have no attribute for it.
func shownText(n *driver.Node) string {
	if n.Flags&driver.Password != 0 {
		return strings.Repeat("•", len([]rune(n.Text)))
	}
	if n.Text == "" && n.Hint != "" {
		return n.Hint
	}
	return n.Text
}

// naf says that a node can be clicked and has no name, nor anything below it.
func naf(n *driver.Node) bool {
	if n.Flags&(driver.Clickable|driver.Enabled) != driver.Clickable|driver.Enabled {
		return false
	}
	for k := range n.All() {
		if k.Text != "" || k.Desc != "" {
			return false
		}
	}
	return true
}

// unimportant says that accessibility has no use for a node.
func unimportant(n *driver.Node) bool {
	return n.Text == "" && n.Desc == "" && n.Flags&(driver.Clickable|driver.LongClickable|driver.Checkable|driver.Scrollable|driver.Focusable) == 0
}

// bounds writes a rectangle, with the faults of rectangles.
func (x *xmlWriter) bounds(r image.Rectangle) string {
	min, max := r.Min, r.Max
	if x.scale != nil {
		min, max = x.scale(min), x.scale(max)
	}
	if x.style.negative && min.X == 0 && x.count%3 == 2 {
		min.X -= 12
	}
	if x.style.inverted && r.Dy() < 200 && r.Dy() > 0 {
		min.Y, max.Y = max.Y, min.Y
	}
	return "[" + strconv.Itoa(min.X) + "," + strconv.Itoa(min.Y) + "][" + strconv.Itoa(max.X) + "," + strconv.Itoa(max.Y) + "]"
}

// attribute is where a dump may be broken: at the blank before an attribute.
var attribute = regexp.MustCompile(`["'e] [a-zA-Z-]+=["']`)

// wrapped breaks a dump into lines of about 1 KB.
func wrapped(xml []byte) []byte {
	const width = 1024
	var out []byte
	for len(xml) > width {
		breaks := attribute.FindAllIndex(xml[:width], -1)
		if len(breaks) == 0 {
			break
		}
		at := breaks[len(breaks)-1][0] + 1
		out = append(append(out, xml[:at]...), '\n')
		xml = xml[at+1:]
	}
	return append(out, xml...)
}
