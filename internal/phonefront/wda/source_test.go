package wda

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
)

// xmlNode is an element of a source as a client reads it.
type xmlNode struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Kids    []xmlNode  `xml:",any"`
}

func (n *xmlNode) attr(name string) (string, bool) {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value, true
		}
	}
	return "", false
}

func (n *xmlNode) names() []string {
	var names []string
	for _, a := range n.Attrs {
		names = append(names, a.Name.Local)
	}
	return names
}

// first returns the first node of a type, or nil.
func (n *xmlNode) first(typ string) *xmlNode {
	if n.XMLName.Local == "XCUIElementType"+typ {
		return n
	}
	for i := range n.Kids {
		if f := n.Kids[i].first(typ); f != nil {
			return f
		}
	}
	return nil
}

func (n *xmlNode) count() int {
	all := 1
	for i := range n.Kids {
		all += n.Kids[i].count()
	}
	return all
}

func (n *xmlNode) depth() int {
	deepest := 0
	for i := range n.Kids {
		deepest = max(deepest, n.Kids[i].depth())
	}
	return deepest + 1
}

func readSource(t *testing.T, s any) *xmlNode {
	t.Helper()
	var n xmlNode
	require.NoError(t, xml.Unmarshal([]byte(s.(string)), &n))
	return &n
}

func (c *client) source(query string) *xmlNode {
	c.t.Helper()
	return readSource(c.t, c.ok("GET", "+/source"+query, "").value)
}

func TestSourceAttributesByVersion(t *testing.T) {
	base := "type value name label enabled visible"
	cases := map[string]struct{ field, application string }{
		"2":  {base[:len("type value name")] + " enabled visible x y width height", "type name label enabled visible x y width height"},
		"7":  {"type value name enabled visible accessible x y width height index", "type name label enabled visible accessible x y width height index"},
		"16": {"type value name enabled visible accessible x y width height index placeholderValue traits", "type name label enabled visible accessible x y width height index processId bundleId"},
	}
	for version, k := range cases {
		c := open(t, &Options{Version: version}, settingsApp)
		root := c.source("")
		require.Equal(t, "XCUIElementTypeApplication", root.XMLName.Local)
		require.Equal(t, k.application, strings.Join(root.names(), " "), version)
		require.Equal(t, k.field, strings.Join(root.first("SearchField").names(), " "), version)
		require.Equal(t, version == "2", root.first("StatusBar") != nil, "the status bar is in the app on old systems")
	}
}

func TestSourceQuery(t *testing.T) {
	c := open(t, nil, settingsApp)
	text := c.ok("GET", "+/source", "").value.(string)
	require.True(t, strings.HasPrefix(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<XCUIElementTypeApplication type="))
	without := c.source("?format=xml&excluded_attributes=visible,accessible")
	_, has := without.attr("visible")
	require.False(t, has)
	require.Equal(t, c.source("").count(), without.count())
	wrapped := c.source("?scope=AppiumAUT")
	require.Equal(t, "AppiumAUT", wrapped.XMLName.Local)
	require.Len(t, wrapped.Kids, 1)
	a := c.refuse(errArgument, "GET", "+/source?format=yaml", "")
	require.Contains(t, a.message(), "Unknown source format 'yaml'")
	require.Contains(t, c.ok("GET", "/source?format=description", "").value, "Application, {{0.0, 0.0}, {393.0, 852.0}}")
}

func TestSourceJSON(t *testing.T) {
	c := open(t, nil, settingsApp)
	root := c.ok("GET", "+/source?format=json", "").value.(map[string]any)
	require.Equal(t, "Application", root["type"])
	require.Equal(t, "1", root["isEnabled"])
	require.Equal(t, "{{0, 0}, {393, 852}}", root["frame"])
	require.Equal(t, map[string]any{"x": 0.0, "y": 0.0, "width": 393.0, "height": 852.0}, root["rect"])
	require.Nil(t, root["rawIdentifier"])
	var cell, leaf map[string]any
	var walk func(n map[string]any)
	walk = func(n map[string]any) {
		if n["name"] == "row_bluetooth" {
			cell = n
		}
		kids, has := n["children"].([]any)
		if !has {
			leaf = n
		}
		for _, k := range kids {
			walk(k.(map[string]any))
		}
	}
	walk(root)
	require.Equal(t, "row_bluetooth", cell["rawIdentifier"])
	require.Equal(t, "Bluetooth", cell["label"])
	require.NotContains(t, leaf, "children")
	short := c.ok("GET", "+/source?format=json&excluded_attributes=visible,frame", "").value.(map[string]any)
	require.NotContains(t, short, "isVisible")
	require.NotContains(t, short, "frame")
	require.NotEmpty(t, c.ok("GET", "/wda/accessibleSource", "").field("children"))
}

func TestSourceDepth(t *testing.T) {
	c := open(t, nil, settingsApp)
	whole := c.source("")
	c.ok("POST", "+/appium/settings", `{"settings":{"snapshotMaxDepth":8}}`)
	cut := c.source("")
	require.Equal(t, 8, cut.depth())
	require.Less(t, cut.count(), whole.count(), "without a word")
	c.ok("POST", "+/appium/settings", `{"settings":{"snapshotMaxDepth":62}}`)
	c.source("")
	c.ok("POST", "+/appium/settings", `{"settings":{"snapshotMaxDepth":63}}`)
	require.Contains(t, c.refuse(errUnknown, "GET", "+/source", "").message(), "kAXErrorIllegalArgument")
}

func TestSourceFaults(t *testing.T) {
	c := open(t, nil, settingsApp)
	plain := c.source("")
	with := func(fault string, check func(n *xmlNode)) {
		require.NoError(t, c.s.SetFault(fault, true))
		check(c.source(""))
		name, _, _ := strings.Cut(fault, "=")
		c.heal(name)
	}
	with(FaultTreeBig+"=100", func(n *xmlNode) {
		require.Equal(t, plain.count()+101, n.count())
		y, _ := n.Kids[0].Kids[1].Kids[99].attr("y")
		require.Greater(t, len(y), 3, "rows below the edge have their real place")
		visible, _ := n.Kids[0].Kids[1].Kids[99].attr("visible")
		require.Equal(t, "false", visible)
	})
	with(FaultTreeDeep+"=60", func(n *xmlNode) {
		require.Equal(t, 50, n.depth())
		require.Nil(t, n.first("Table"))
	})
	with(FaultTreeDegenerate, func(n *xmlNode) {
		require.Equal(t, "XCUIElementTypeAny", n.XMLName.Local)
		x, _ := n.attr("x")
		w, _ := n.attr("width")
		require.Equal(t, "-1 0", x+" "+w)
	})
	with(FaultTreeCovered, func(n *xmlNode) {
		name, _ := n.first("Button").attr("name")
		require.Equal(t, "Earlier button", name)
	})
	with(FaultTreeMarks, func(n *xmlNode) {
		label, _ := n.first("Switch").attr("label")
		require.Equal(t, "\u202aBluetooth\u202c", label)
	})
	for _, fault := range []string{FaultTreeFails, sim.FaultNoTree} {
		c.fault(fault)
		require.Contains(t, c.refuse(errUnknown, "GET", "+/source", "").message(), "Cannot get 'xml' source of the current application")
		c.heal(fault)
	}
}

func TestSourceOfFields(t *testing.T) {
	c := open(t, nil, "com.handset.wallet")
	c.ok("POST", "+/element/"+c.find("accessibility id", "row_transfer")+"/click", "")
	pin := c.find("class name", "XCUIElementTypeSecureTextField")
	c.ok("POST", "+/element/"+pin+"/value", `{"value":"1234"}`)
	value, _ := c.source("").first("SecureTextField").attr("value")
	require.Equal(t, "••••", value)
}

func TestSourceOfRadios(t *testing.T) {
	c := open(t, nil, settingsApp)
	for _, name := range []string{"row_display", "row_timeout", "timeout_60"} {
		c.ok("POST", "+/element/"+c.find("accessibility id", name)+"/click", "")
	}
	a := c.ok("POST", "+/elements", locator(t, "predicate string", "name == 'checkmark' AND value == '1'"))
	require.Len(t, a.value, 1)
	require.Equal(t, "60", c.s.Phone().Value("screen_timeout"))
}

func TestEscapeXML(t *testing.T) {
	require.Equal(t, "a&lt;b&gt;&amp;&quot;&#10;&#9;你\u202a🙂\ufffd", escapeXML("a<b>&\"\n\t你\u202a🙂\x00"))
}

// TestSamples compares the attributes of real sources with those of an old release.
func TestSamples(t *testing.T) {
	dir := os.Getenv("HANDSET_SAMPLES")
	if dir == "" {
		t.Skip("HANDSET_SAMPLES is not set: it names a folder of real sources")
	}
	files, err := filepath.Glob(filepath.Join(dir, "wda", "*.xml"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	ours := readSource(t, open(t, &Options{Version: "16"}, settingsApp).ok("GET", "+/source", "").value)
	known := map[string]bool{}
	types := map[string]bool{}
	var note func(n *xmlNode)
	note = func(n *xmlNode) {
		types[n.XMLName.Local] = true
		for _, a := range n.names() {
			known[a] = true
		}
		for i := range n.Kids {
			note(&n.Kids[i])
		}
	}
	note(ours)
	for _, f := range files {
		data, err := os.ReadFile(f)
		require.NoError(t, err)
		var n xmlNode
		require.NoError(t, xml.Unmarshal(data, &n), f)
		var check func(n *xmlNode)
		check = func(n *xmlNode) {
			for _, a := range n.names() {
				require.True(t, known[a], "%s: the attribute %s is in no source of ours", f, a)
			}
			for i := range n.Kids {
				check(&n.Kids[i])
			}
		}
		check(&n)
	}
	for _, typ := range []string{"Application", "Window", "NavigationBar", "Table", "Cell", "StaticText", "Switch", "Image", "Other"} {
		require.True(t, types["XCUIElementType"+typ], typ)
	}
}
