package wda

import (
	"bytes"
	"encoding/json"
	"image"
	"math"
	"regexp"
	"time"

	"github.com/handset-go/handset/driver"
)

// The formats of a source.
const (
	FormatXML  = "xml"
	FormatJSON = "json"
)

// SourceFormat tells which format the source of an iPhone has, as ParseSource reads it: FormatXML, FormatJSON, or "" for neither. It
// looks at the beginning only.
func SourceFormat(data []byte) string {
	head := data[:min(len(data), 8<<10)]
	data = bytes.TrimSpace(data)
	switch {
	case len(data) == 0:
		return ""
	case data[0] == '<' && bytes.Contains(head, []byte("<"+typePrefix)), data[0] == '<' && bytes.Contains(head, []byte("<AppiumAUT")):
		return FormatXML
	case data[0] == '{' && textValue.Match(head) && bytes.Contains(head, []byte(typePrefix)):
		return FormatXML // in an envelope
	case data[0] == '{' && (bytes.Contains(head, []byte(`"isEnabled"`)) || bytes.Contains(head, []byte(`"rawIdentifier"`)) ||
		bytes.Contains(head, []byte(`"`+typePrefix))):
		return FormatJSON
	}
	return ""
}

var textValue = regexp.MustCompile(`"value"\s*:\s*"\s*(?:<|\\u003c)`)

// ParseSource reads the source of a page as WebDriverAgent writes it, XML or JSON, with its envelope or without. scale is how many
// pixels of the frame a point has; zero or less leaves the points as they are. The tree's rotation is not known. A source
// without elements, and one in which no element has a frame, is driver.ErrNoTree.
func ParseSource(data []byte, scale float64) (*driver.Tree, error) {
	t, window, err := parseSource(data)
	if err != nil {
		return nil, err
	}
	if scale <= 0 || math.IsInf(scale, 0) || math.IsNaN(scale) {
		scale = 1
	}
	place(t, scale, scale)
	t.Size = image.Pt(int(math.Round(window.w*scale)), int(math.Round(window.h*scale)))
	return t, nil
}

// parseSource returns the tree in points, with the size of the window.
func parseSource(data []byte) (*driver.Tree, size, error) {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if len(data) == 0 {
		return nil, size{}, noTree("the source is empty")
	}
	if data[0] == '{' {
		in, isText, err := unwrap(data)
		if err != nil {
			return nil, size{}, err
		}
		if !isText {
			return parseJSON(in)
		}
		data = in
	}
	return parseXML(string(data))
}

// unwrap takes a source out of its envelope, {"value": …}, and out of the wrapper of 2016, {"tree": …}. isText says that it was a
// text in there, and is XML.
func unwrap(data []byte) (in []byte, isText bool, err error) {
	for range 3 {
		var e struct {
			Value    json.RawMessage `json:"value"`
			Tree     json.RawMessage `json:"tree"`
			Type     json.RawMessage `json:"type"`
			Children json.RawMessage `json:"children"`
		}
		if err := json.Unmarshal(data, &e); err != nil {
			return nil, false, noTree("the JSON of the source: " + err.Error())
		}
		switch {
		case e.Type != nil || e.Children != nil:
			return data, false, nil
		case e.Tree != nil:
			data = e.Tree
		case len(e.Value) > 0 && e.Value[0] == '"':
			text, err := jsonText(e.Value)
			return []byte(text), true, err
		case len(e.Value) > 0 && e.Value[0] == '{':
			data = e.Value
		default:
			return nil, false, noTree("the JSON has no element in it")
		}
	}
	return data, false, nil
}

func parseXML(text string) (*driver.Tree, size, error) {
	p := &xmlSource{src: text}
	if err := p.parse(); err != nil {
		return nil, size{}, noTree(err.Error())
	}
	switch len(p.roots) {
	case 0:
		return nil, size{}, noTree("the source has no element")
	case 1:
		return p.tree(p.roots[0])
	}
	return p.tree(&driver.Node{Role: driver.RoleView, Children: p.roots})
}

func parseJSON(data []byte) (*driver.Tree, size, error) {
	var p jsonSource
	root, err := p.parse(data)
	if err != nil {
		return nil, size{}, noTree(err.Error())
	}
	return p.tree(root)
}

// tree makes the tree of a root. A snapshot that failed can still have given one, of elements without type and frame.
func (b *builder) tree(root *driver.Node) (*driver.Tree, size, error) {
	if b.lost == b.nodes {
		return nil, size{}, noTree("no element has a type and a frame: the snapshot failed; restart the phone, or WebDriverAgent")
	}
	if !b.window.ok() {
		for n := range root.All() {
			if !n.Bounds.Empty() {
				b.window = size{float64(n.Bounds.Max.X), float64(n.Bounds.Max.Y)}
				break
			}
		}
	}
	if !b.window.ok() {
		return nil, size{}, noTree("no element has a frame: the snapshot failed; restart the phone, or WebDriverAgent")
	}
	tighten(root)
	return &driver.Tree{Root: root, App: b.app, At: time.Now()}, b.window, nil
}

// tighten makes the windows over the app's own as large as what is in them: that of the status bar, or of the keyboard, spans the
// whole screen and lets touches through. One that asks a question takes them all.
func tighten(root *driver.Node) {
	main := true
	for _, w := range root.Children {
		if w.Class != typePrefix+"Window" {
			continue
		}
		if !main && !asks(w) {
			shrink(w)
		}
		main = false
	}
}

func asks(w *driver.Node) bool {
	for n := range w.All() {
		if n.Window == driver.WindowDialog {
			return true
		}
	}
	return false
}

// shrink makes what only holds other nodes as large as they are.
func shrink(n *driver.Node) image.Rectangle {
	holds := n.Class == typePrefix+"Window" || n.Class == typePrefix+"Other"
	if !holds || n.Label() != "" || n.ID != "" {
		return n.Bounds
	}
	var all image.Rectangle
	for _, c := range n.Children {
		all = all.Union(shrink(c))
	}
	n.Bounds = all.Intersect(n.Bounds)
	return n.Bounds
}

// place converts the bounds from points to pixels.
func place(t *driver.Tree, sx, sy float64) {
	if sx == 1 && sy == 1 {
		return
	}
	at := func(p image.Point) image.Point {
		return image.Pt(int(math.Round(float64(p.X)*sx)), int(math.Round(float64(p.Y)*sy)))
	}
	for n := range t.Root.All() {
		n.Bounds = image.Rectangle{Min: at(n.Bounds.Min), Max: at(n.Bounds.Max)}
	}
}

type noTreeError struct{ why string }

func noTree(why string) error { return &noTreeError{why} }

// Error says why there is no tree.
func (e *noTreeError) Error() string { return driver.ErrNoTree.Error() + ": " + e.why }

// Is makes it match driver.ErrNoTree.
func (e *noTreeError) Is(target error) bool { return target == driver.ErrNoTree }
