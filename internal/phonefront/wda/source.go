package wda

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth is the deepest snapshot that the accessibility server gives.
const maxDepth = 62

// source answers with the tree in one of three formats.
func (c *call) source() (any, error) {
	format := c.query.Get("format")
	if format == "" {
		format = "xml"
	}
	if !slices.Contains([]string{"xml", "json", "description"}, format) {
		return nil, fail(errArgument, "Unknown source format '%s'. Only the following source formats are supported: "+
			"(\n    xml,\n    json,\n    description\n)", format)
	}
	if err := c.sleep(c.d.faults.Duration(FaultTreeSlow)); err != nil {
		return nil, err
	}
	root, err := c.tree()
	if c.d.faults.On(FaultTreeFails) || err != nil && isUnknown(err) {
		return nil, nsError("Cannot get '%s' source of the current application", format)
	}
	if err != nil {
		return nil, err
	}
	depth := int(c.setNumber("snapshotMaxDepth"))
	if !c.d.version.atLeast(version{2, 5, 2}) {
		depth = 50
	}
	if depth > maxDepth {
		return nil, nsError("Cannot get '%s' source of the current application: kAXErrorIllegalArgument, the depth %d is beyond %d", format, depth, maxDepth)
	}
	root.cut(depth)
	excluded := c.excluded()
	switch format {
	case "json":
		return c.jsonNode(root, excluded), nil
	case "description":
		return describeTree(root), nil
	}
	return c.xmlSource(root, excluded), nil
}

func isUnknown(err error) bool {
	e, ok := err.(*wireError)
	return ok && e.code == errUnknown && strings.Contains(e.message, "kAXError")
}

// cut drops what is deeper than a snapshot goes, without a word.
func (e *element) cut(depth int) {
	if depth <= 1 {
		e.Children = nil
		return
	}
	for _, k := range e.Children {
		k.cut(depth - 1)
	}
}

func (c *call) excluded() []string {
	if !c.d.version.atLeast(hasExclusion) {
		return nil
	}
	return strings.FieldsFunc(c.query.Get("excluded_attributes"), func(r rune) bool { return r == ',' || r == ' ' })
}

func (c *call) xmlSource(root *element, excluded []string) string {
	x := &xmlWriter{c: c, excluded: excluded}
	x.b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
	scope := c.query.Get("scope")
	if scope == "" {
		x.element(root, 0, 0)
		return x.b.String()
	}
	scope = escapeXML(scope)
	x.b.WriteString("<" + scope + ">\n")
	x.element(root, 1, 0)
	x.b.WriteString("</" + scope + ">\n")
	return x.b.String()
}

// xmlWriter writes elements as one release does.
type xmlWriter struct {
	c        *call
	excluded []string
	b        strings.Builder
}

// element writes an element with what is below it. index is its place among its siblings.
func (x *xmlWriter) element(e *element, depth, index int) {
	pad := strings.Repeat("  ", depth)
	x.b.WriteString(pad + "<" + e.class())
	for _, a := range x.attributes(e, index) {
		if !slices.Contains(x.excluded, a.name) {
			x.b.WriteString(" " + a.name + "=\"" + escapeXML(a.value) + "\"")
		}
	}
	if len(e.Children) == 0 {
		x.b.WriteString("/>\n")
		return
	}
	x.b.WriteString(">\n")
	for i, k := range e.Children {
		x.element(k, depth+1, i)
	}
	x.b.WriteString(pad + "</" + e.class() + ">\n")
}

type attribute struct{ name, value string }

// attributes are those that the release has, in its order. One without a value is left out.
func (x *xmlWriter) attributes(e *element, index int) []attribute {
	v := x.c.d.version
	all := []attribute{{"type", e.class()}}
	add := func(name, value string) { all = append(all, attribute{name, value}) }
	if e.Value != nil {
		add("value", *e.Value)
	}
	if e.name() != "" {
		add("name", e.name())
	}
	if e.Label != "" {
		add("label", e.Label)
	}
	add("enabled", strconv.FormatBool(e.Enabled))
	add("visible", strconv.FormatBool(e.Visible))
	if v.atLeast(hasAccessible) {
		add("accessible", strconv.FormatBool(e.Accessible))
	}
	add("x", strconv.Itoa(e.Frame.Min.X))
	add("y", strconv.Itoa(e.Frame.Min.Y))
	add("width", strconv.Itoa(e.Frame.Dx()))
	add("height", strconv.Itoa(e.Frame.Dy()))
	if v.atLeast(hasAccessible) {
		add("index", strconv.Itoa(index))
	}
	if truth(x.c.set("includeHittableInPageSource")) {
		add("hittable", strconv.FormatBool(e.Visible))
	}
	if e.Placeholder != nil && v.atLeast(hasPlaceholder) {
		add("placeholderValue", *e.Placeholder)
	}
	if truth(x.c.set("includeNativeFrameInPageSource")) {
		add("nativeFrame", nsRect(e))
	}
	if e.traits() != "" && v.atLeast(hasTraits) {
		add("traits", e.traits())
	}
	if truth(x.c.set("includeMinMaxValueInPageSource")) && e.Min != nil {
		add("minValue", *e.Min)
		add("maxValue", *e.Max)
	}
	if e.Type == "Application" && v.atLeast(hasProcessID) {
		add("processId", strconv.Itoa(e.PID))
		add("bundleId", e.Bundle)
	}
	return all
}

func nsRect(e *element) string {
	return fmt.Sprintf("{{%d, %d}, {%d, %d}}", e.Frame.Min.X, e.Frame.Min.Y, e.Frame.Dx(), e.Frame.Dy())
}

// escapeXML escapes a value; what XML does not allow is replaced.
func escapeXML(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch r {
		case '&':
			b.WriteString("&amp;")
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '"':
			b.WriteString("&quot;")
		case '\n':
			b.WriteString("&#10;")
		case '\r':
			b.WriteString("&#13;")
		case '\t':
			b.WriteString("&#9;")
		default:
			if r < 0x20 || r == 0xFFFE || r == 0xFFFF || r == utf8.RuneError {
				r = '\ufffd'
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}

// jsonNode writes an element as JSON: booleans are strings, and children are missing where there are none.
func (c *call) jsonNode(e *element, excluded []string) map[string]any {
	optional := func(p *string) any {
		if p == nil {
			return nil
		}
		return *p
	}
	filled := func(s string) any {
		if s == "" {
			return nil
		}
		return s
	}
	bit := func(on bool) string { return map[bool]string{true: "1", false: "0"}[on] }
	v := c.d.version
	m := map[string]any{
		"type": e.Type, "rawIdentifier": filled(e.RawID), "name": filled(e.name()), "value": optional(e.Value), "label": filled(e.Label),
		"rect": rectValue(e.Frame), "frame": nsRect(e), "isEnabled": bit(e.Enabled), "isVisible": bit(e.Visible),
	}
	if v.atLeast(hasAccessible) {
		m["isAccessible"], m["isFocused"] = bit(e.Accessible), bit(e.Focused)
	}
	if e.Placeholder != nil && v.atLeast(hasPlaceholder) {
		m["placeholderValue"] = *e.Placeholder
	}
	if v.atLeast(hasTraits) {
		m["traits"] = e.traits()
	}
	for _, name := range excluded {
		delete(m, name)
		if name != "" {
			delete(m, "is"+strings.ToUpper(name[:1])+name[1:])
		}
	}
	if len(e.Children) > 0 {
		var kids []any
		for _, k := range e.Children {
			kids = append(kids, c.jsonNode(k, excluded))
		}
		m["children"] = kids
	}
	return m
}

// describeTree is text for people, as XCTest's debugDescription.
func describeTree(root *element) string {
	var b strings.Builder
	b.WriteString("Attributes: " + describeLine(root) + "\nElement subtree:\n")
	var walk func(e *element, depth int)
	walk = func(e *element, depth int) {
		b.WriteString(strings.Repeat(" ", depth*2+1) + describeLine(e) + "\n")
		for _, k := range e.Children {
			walk(k, depth+1)
		}
	}
	walk(root, 0)
	return b.String()
}

func describeLine(e *element) string {
	r := e.Frame
	line := fmt.Sprintf("%s, {{%d.0, %d.0}, {%d.0, %d.0}}", e.Type, r.Min.X, r.Min.Y, r.Dx(), r.Dy())
	if e.RawID != "" {
		line += fmt.Sprintf(", identifier: '%s'", e.RawID)
	}
	if e.Label != "" {
		line += fmt.Sprintf(", label: '%s'", e.Label)
	}
	if e.Value != nil {
		line += ", value: " + *e.Value
	}
	return line
}

// accessibleSource is the tree of what accessibility stops at.
func (c *call) accessibleSource() (any, error) {
	root, err := c.tree()
	if err != nil {
		return nil, err
	}
	return accessibleNode(root), nil
}

func accessibleNode(e *element) map[string]any {
	m := map[string]any{
		"type": e.Type, "name": e.name(), "label": e.Label, "value": e.value(), "rect": rectValue(e.Frame),
		"isEnabled": map[bool]string{true: "1", false: "0"}[e.Enabled],
	}
	var kids []any
	for x := range e.all() {
		if x != e && x.Accessible {
			kids = append(kids, map[string]any{
				"type": x.Type, "name": x.name(), "label": x.Label, "value": x.value(), "rect": rectValue(x.Frame),
				"isEnabled": map[bool]string{true: "1", false: "0"}[x.Enabled],
			})
		}
	}
	if kids != nil {
		m["children"] = kids
	}
	return m
}
