package wda

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/handset-go/handset/driver"
)

// xmlSource reads the XML of /source. It is a small part of XML, made by one writer: tags, attributes, references to characters.
// Whatever wraps the application (AppiumAUT, hierarchy) is passed over.
type xmlSource struct {
	builder
	src   string
	at    int
	stack []frameOf
	roots []*driver.Node
}

// frameOf is an open tag.
type frameOf struct {
	name string
	node *driver.Node // nil for one that wraps
}

func (p *xmlSource) errorf(format string, args ...any) error {
	return fmt.Errorf("the XML of the source, at byte %d: %s", p.at, fmt.Sprintf(format, args...))
}

// parse reads the whole.
func (p *xmlSource) parse() error {
	for {
		i := strings.IndexByte(p.src[p.at:], '<')
		if i < 0 {
			break
		}
		p.at += i
		if err := p.markup(); err != nil {
			return err
		}
	}
	if len(p.stack) > 0 {
		return p.errorf("it breaks off inside <%s>", p.stack[len(p.stack)-1].name)
	}
	return nil
}

// markup reads what begins at a "<".
func (p *xmlSource) markup() error {
	rest := p.src[p.at:]
	switch {
	case strings.HasPrefix(rest, "<!--"):
		return p.skip("-->")
	case strings.HasPrefix(rest, "<![CDATA["):
		return p.skip("]]>")
	case strings.HasPrefix(rest, "<?"):
		return p.skip("?>")
	case strings.HasPrefix(rest, "<!"):
		return p.skip(">")
	case strings.HasPrefix(rest, "</"):
		return p.closeTag()
	}
	return p.openTag()
}

func (p *xmlSource) skip(end string) error {
	i := strings.Index(p.src[p.at:], end)
	if i < 0 {
		return p.errorf("no %q follows", end)
	}
	p.at += i + len(end)
	return nil
}

func (p *xmlSource) closeTag() error {
	end := strings.IndexByte(p.src[p.at:], '>')
	if end < 0 {
		return p.errorf("it breaks off inside a tag")
	}
	name := strings.TrimSpace(p.src[p.at+2 : p.at+end])
	if len(p.stack) == 0 || p.stack[len(p.stack)-1].name != name {
		return p.errorf("</%s> closes nothing", shorten(name))
	}
	p.stack = p.stack[:len(p.stack)-1]
	p.at += end + 1
	return nil
}

func (p *xmlSource) openTag() error {
	p.at++
	name := p.name()
	if name == "" {
		return p.errorf("a tag has no name")
	}
	var e element
	known := uint8(0)
	for {
		p.space()
		switch {
		case p.at >= len(p.src):
			return p.errorf("it breaks off inside <%s>", name)
		case p.src[p.at] == '>':
			p.at++
			return p.begin(name, &e, known, true)
		case strings.HasPrefix(p.src[p.at:], "/>"):
			p.at += 2
			return p.begin(name, &e, known, false)
		}
		attr, value, err := p.attribute()
		if err != nil {
			return err
		}
		known |= e.set(attr, value)
	}
}

// The coordinates that an element has named.
const (
	hasX = 1 << iota
	hasY
	hasW
	hasH
	hasFrame = hasX | hasY | hasW | hasH
)

// begin makes the node of a tag. With open, what follows is inside it.
func (p *xmlSource) begin(name string, e *element, known uint8, open bool) error {
	f := frameOf{name: name}
	if kind, ok := strings.CutPrefix(name, typePrefix); ok {
		if e.kind = kind; p.nodes >= maxNodes {
			return p.errorf("more than %d elements", maxNodes)
		}
		e.framed = known&hasFrame == hasFrame
		parent := p.parent()
		f.node = p.node(e, parent)
		if parent == nil {
			p.roots = append(p.roots, f.node)
		}
	}
	if !open {
		return nil
	}
	if len(p.stack) >= maxDepth {
		return p.errorf("elements are nested more than %d deep", maxDepth)
	}
	p.stack = append(p.stack, f)
	return nil
}

func (p *xmlSource) parent() *driver.Node {
	for i := len(p.stack) - 1; i >= 0; i-- {
		if p.stack[i].node != nil {
			return p.stack[i].node
		}
	}
	return nil
}

// set takes an attribute, and returns which coordinate it was.
func (e *element) set(attr, value string) uint8 {
	coordinate := func(to *float64, bit uint8) uint8 {
		f, ok := number(value)
		if !ok {
			return 0
		}
		*to = f
		return bit
	}
	switch attr {
	case "name":
		e.name = value
	case "label":
		e.label = value
	case "value":
		e.value = value
	case "enabled":
		e.enabled = value
	case "visible":
		e.visible = value
	case "focused":
		e.focused = value
	case "placeholderValue":
		e.placeholder = value
	case "traits":
		e.traits = value
	case "bundleId":
		e.bundle = value
	case "x":
		return coordinate(&e.x, hasX)
	case "y":
		return coordinate(&e.y, hasY)
	case "width":
		return coordinate(&e.w, hasW)
	case "height":
		return coordinate(&e.h, hasH)
	}
	return 0
}

func (p *xmlSource) space() {
	for p.at < len(p.src) && strings.IndexByte(" \t\r\n", p.src[p.at]) >= 0 {
		p.at++
	}
}

// name reads up to what cannot be in a name.
func (p *xmlSource) name() string {
	start := p.at
	for p.at < len(p.src) && strings.IndexByte(" \t\r\n=/><\"'", p.src[p.at]) < 0 {
		p.at++
	}
	return p.src[start:p.at]
}

func (p *xmlSource) attribute() (name, value string, err error) {
	name = p.name()
	p.space()
	if name == "" || p.at >= len(p.src) || p.src[p.at] != '=' {
		return "", "", p.errorf("want an attribute, as NAME=\"VALUE\"")
	}
	p.at++
	p.space()
	if p.at >= len(p.src) || p.src[p.at] != '"' && p.src[p.at] != '\'' {
		return "", "", p.errorf("the value of %s has no quotes", shorten(name))
	}
	quote := p.src[p.at]
	p.at++
	end := strings.IndexByte(p.src[p.at:], quote)
	if end < 0 {
		return "", "", p.errorf("the value of %s does not end", shorten(name))
	}
	value = p.src[p.at : p.at+end]
	p.at += end + 1
	return name, unescape(value), nil
}

var named = map[string]string{"amp": "&", "lt": "<", "gt": ">", "quot": `"`, "apos": "'"}

// unescape replaces references to characters. One that is none stays as it is.
func unescape(s string) string {
	i := strings.IndexByte(s, '&')
	if i < 0 {
		return s
	}
	var b strings.Builder
	for ; i >= 0; i = strings.IndexByte(s, '&') {
		b.WriteString(s[:i])
		s = s[i:]
		end := strings.IndexByte(s[:min(len(s), 12)], ';')
		if end < 0 {
			b.WriteByte('&')
			s = s[1:]
			continue
		}
		b.WriteString(reference(s[:end+1]))
		s = s[end+1:]
	}
	b.WriteString(s)
	return b.String()
}

// reference returns the character of "&name;", "&#10;" or "&#xA;", or the reference itself.
func reference(ref string) string {
	in := ref[1 : len(ref)-1]
	if c, ok := named[in]; ok {
		return c
	}
	digits, ok := strings.CutPrefix(in, "#")
	if !ok {
		return ref
	}
	base := 10
	if hex := strings.TrimLeft(digits, "xX"); len(hex)+1 == len(digits) {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || !utf8.ValidRune(rune(n)) || n == 0 {
		return ref
	}
	return string(rune(n))
}
