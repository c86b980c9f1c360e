package hdc

import (
	"image"
	"strings"

	"github.com/handset-go/handset/driver"
)

// attributes are those of one node that need more than a look.
type attributes struct {
	bounds, orig          string
	original              string // the text before it was masked
	bundle, ability, page string // of windows only
}

// attributes reads the attributes of a node.
func (p *layoutParser) attributes(n *driver.Node) error {
	p.raw = attributes{}
	err := p.object(func(name string) error {
		if c := p.peek(); c == '{' || c == '[' {
			return p.skip(0)
		}
		value, err := p.scalar()
		if err == nil && value != "" {
			p.attribute(n, name, value)
		}
		return err
	})
	if err == nil {
		p.finish(n)
	}
	return err
}

func (p *layoutParser) attribute(n *driver.Node, name, value string) {
	switch name {
	case "bounds":
		p.raw.bounds = value
	case "origBounds":
		p.raw.orig = value
	case "type":
		n.Class = value
	case "text":
		n.Text = value
	case "originalText":
		p.raw.original = value
	case "description":
		n.Desc = value
	case "hint":
		n.Hint = value
	case "id":
		n.ID = value
	case "key":
		if n.ID == "" {
			n.ID = value
		}
	case "bundleName":
		p.raw.bundle = value
	case "abilityName":
		p.raw.ability = value
	case "pagePath":
		p.raw.page = value
	default:
		if f := flagOf(name); f != 0 && (value == "true" || value == "false") {
			n.Set(f, value == "true")
		}
	}
}

// flagOf returns the flag of an attribute that is true or false, or 0.
func flagOf(name string) driver.Flag {
	switch name {
	case "clickable":
		return driver.Clickable
	case "longClickable":
		return driver.LongClickable
	case "checkable":
		return driver.Checkable
	case "checked":
		return driver.Checked
	case "enabled":
		return driver.Enabled
	case "focused":
		return driver.Focused
	case "scrollable":
		return driver.Scrollable
	case "selected":
		return driver.Selected
	case "visible":
		return driver.Visible
	}
	return 0
}

// finish fills in what follows from the attributes.
func (p *layoutParser) finish(n *driver.Node) {
	bounds, ok := parseBounds(p.raw.bounds)
	if !ok {
		if bounds, ok = parseBounds(p.raw.orig); ok {
			p.blanks++
		}
	}
	n.Bounds = bounds
	if strings.TrimSpace(n.Desc) == "" {
		n.Desc = "" // often one blank
	}
	n.Role = roleOf(n)
	if n.Role != driver.RoleEdit && n.Class != "Search" {
		n.Hint = "" // of a Toggle it is the kind of the toggle
	}
	if many, ok := multiline(n.Class); ok {
		n.Set(driver.Multiline, many)
	}
	if n.Role == driver.RoleEdit && masked(n.Text, p.raw.original) {
		n.Set(driver.Password, true)
	}
	if isGlyph(n.Text) {
		n.Text = "" // drawn with an icon font
		if n.Role == driver.RoleText {
			n.Role = driver.RoleImage
		}
	}
}

// masked says that a field hides what it holds. From API 20 on a dump has the text before it was masked too.
func masked(text, original string) bool {
	if text == "" || strings.Trim(text, "•●*") != "" {
		return false
	}
	return original == "" && strings.Trim(text, "*") != "" || original != "" && original != text
}

// isGlyph says that a text is characters of a private use area only: pictures of an icon font.
func isGlyph(text string) bool {
	some := false
	for _, r := range text {
		private := r >= 0xe000 && r <= 0xf8ff || r >= 0xf0000 && r <= 0x10fffd
		if !private && r != ' ' {
			return false
		}
		some = some || private
	}
	return some
}

// parseBounds reads "[left,top][right,bottom]". A rectangle whose corners are swapped is empty.
func parseBounds(s string) (r image.Rectangle, ok bool) {
	var v [4]int
	for i, mark := range [4][2]byte{{'[', ','}, {0, ']'}, {'[', ','}, {0, ']'}} {
		if mark[0] != 0 {
			if s == "" || s[0] != mark[0] {
				return image.Rectangle{}, false
			}
			s = s[1:]
		}
		if v[i], s, ok = coordinate(s, mark[1]); !ok {
			return image.Rectangle{}, false
		}
	}
	return image.Rectangle{Min: image.Pt(v[0], v[1]), Max: image.Pt(max(v[0], v[2]), max(v[1], v[3]))}, true
}

// maxCoordinate is beyond every screen and every page; a larger number is taken as that.
const maxCoordinate = 1 << 24

// coordinate reads a whole number that ends with end, and returns what is behind it.
func coordinate(s string, end byte) (n int, rest string, ok bool) {
	i, sign := 0, 1
	if s != "" && s[0] == '-' {
		i, sign = 1, -1
	}
	first := i
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		n = min(10*n+int(s[i]-'0'), maxCoordinate)
	}
	if i == first || i >= len(s) || s[i] != end {
		return 0, "", false
	}
	return sign * n, s[i+1:], true
}
