package hdc

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
)

// ParseLayout reads what `uitest dumpLayout` writes: one tree with a node for each window, or the list of windows of
// dumpLayout -i, of any release from API 9 on. Space and line breaks do not matter, and noise before the first node is
// passed over.
//
// Bounds are the visible part, in pixels of the display as it is turned; where they are empty text, which a dump that
// races with the page has, they are origBounds, which are not clipped. A flag is Known where its attribute says true or
// false; of text fields the class tells Multiline. Windows stand in the tree with the one in front last. App is the window
// with the focus, and Page its pagePath, or its ability where there is none.
func ParseLayout(data []byte) (*driver.Tree, error) {
	t, _, err := parseLayout(data)
	return t, err
}

// parseLayout also returns how many nodes had no bounds where origBounds has some.
func parseLayout(data []byte) (t *driver.Tree, blanks int, err error) {
	if len(data) > maxLayout {
		return nil, 0, fmt.Errorf("%w: %d bytes are too many", errLayout, len(data))
	}
	p := &layoutParser{jsonScanner: jsonScanner{text: strings.ToValidUTF8(string(data), "\ufffd")}}
	if err := p.parse(); err != nil {
		return nil, 0, err
	}
	t, err = p.tree()
	return t, p.blanks, err
}

// layoutParser holds the state of one parse.
type layoutParser struct {
	jsonScanner
	slab    []driver.Node // of which nodes are taken one by one
	raw     attributes    // of the node that is read now
	root    *driver.Node  // nil where the document is a list of windows
	windows []layoutWindow
	nodes   int
	blanks  int
}

// layoutWindow is a window and what only windows have.
type layoutWindow struct {
	node                  *driver.Node
	bundle, ability, page string
}

// parse reads the document.
func (p *layoutParser) parse() error {
	p.start()
	switch p.peek() {
	case '[':
		return p.array(func() error {
			w, err := p.node(1)
			if err == nil {
				p.windows = append(p.windows, w)
			}
			return err
		})
	case '{':
		w, err := p.node(0)
		if err != nil {
			return err
		}
		if p.root = w.node; w.bundle != "" {
			p.root, p.windows = nil, []layoutWindow{w} // a dump of one window
		}
		return nil
	}
	return p.errorf("no node")
}

// start moves to the first node: to the bracket before its attributes.
func (p *layoutParser) start() {
	at := strings.Index(p.text, `"attributes"`)
	if at < 0 {
		return
	}
	brace := strings.LastIndexByte(p.text[:at], '{')
	if brace < 0 || strings.TrimSpace(p.text[brace+1:at]) != "" {
		return
	}
	p.pos = brace
	if before := strings.TrimRight(p.text[:brace], " \t\r\n"); strings.HasSuffix(before, "[") && !strings.HasSuffix(before, `:[`) {
		p.pos = len(before) - 1
	}
}

// node reads a node and everything below it. Those of depth 1 are windows.
func (p *layoutParser) node(depth int) (layoutWindow, error) {
	w := layoutWindow{}
	switch p.nodes++; {
	case depth > maxDepth:
		return w, p.errorf("deeper than %d", maxDepth)
	case p.nodes > maxNodes:
		return w, p.errorf("more than %d nodes", maxNodes)
	}
	n := p.newNode()
	w.node = n
	seen := false
	err := p.object(func(name string) error {
		switch {
		case name == "attributes" && p.peek() == '{':
			seen = true
			if err := p.attributes(n); err != nil {
				return err
			}
			w.bundle, w.ability, w.page = p.raw.bundle, p.raw.ability, p.raw.page
			return nil
		case name == "children" && p.peek() == '[':
			return p.children(n, depth)
		}
		return p.skip(depth)
	})
	if err == nil && !seen {
		err = p.errorf("a node without attributes")
	}
	return w, err
}

func (p *layoutParser) children(n *driver.Node, depth int) error {
	return p.array(func() error {
		w, err := p.node(depth + 1)
		if err != nil {
			return err
		}
		n.Children = append(n.Children, w.node)
		if depth == 0 {
			p.windows = append(p.windows, w)
		}
		return nil
	})
}

// slabSize is how many nodes are allocated at a time.
const slabSize = 256

func (p *layoutParser) newNode() *driver.Node {
	if len(p.slab) == 0 {
		p.slab = make([]driver.Node, slabSize)
	}
	n := &p.slab[0]
	p.slab = p.slab[1:]
	return n
}

// tree makes the tree of what was read.
func (p *layoutParser) tree() (*driver.Tree, error) {
	root := p.root
	if root == nil {
		root = &driver.Node{}
	}
	root.Role, root.Children = driver.RoleWindow, nil
	for i := range p.windows {
		w := &p.windows[i]
		w.place()
		root.Children = append(root.Children, w.node)
	}
	slices.Reverse(root.Children) // the dump begins with the window in front
	if root.Bounds.Empty() {
		for _, w := range p.windows {
			root.Bounds = root.Bounds.Union(w.node.Bounds)
		}
	}
	t := &driver.Tree{Root: root, Size: root.Bounds.Max, App: inFront(p.windows), At: time.Now()}
	if root.Bounds.Min != (image.Point{}) {
		root.Bounds.Min = image.Point{}
	}
	if t.Size.X <= 0 || t.Size.Y <= 0 {
		return nil, fmt.Errorf("%w: the screen has the size %dx%d: the phone may still be starting", errLayout, t.Size.X, t.Size.Y)
	}
	return t, nil
}

// place fills in, for everything in a window, what only the window tells.
func (w *layoutWindow) place() {
	kind := w.kind()
	w.node.Role = driver.RoleWindow
	for n := range w.node.All() {
		n.Package, n.Window = w.bundle, kind
		if kind == driver.WindowKeyboard && len(n.Children) == 0 && n.Is(driver.Clickable) {
			n.Role = driver.RoleKey
		}
	}
}

// desktop is the bundle of the system's own windows: the desktop, the status bar, the lock screen, the panels.
const desktop = "com.ohos.sceneboard"

// kind says what kind of window it is, by its bundle, ability and id.
func (w *layoutWindow) kind() string {
	switch {
	case strings.HasPrefix(w.node.ID, "keyboardPanel"), isKeyboard(w.bundle):
		return driver.WindowKeyboard
	case w.bundle == desktop, w.bundle == "com.ohos.systemui":
		return driver.WindowSystem
	case w.ability != "", w.page != "":
		return driver.WindowApp
	}
	return ""
}

// isKeyboard says that a bundle is an input method, as far as its name tells.
func isKeyboard(bundle string) bool {
	low := strings.ToLower(bundle)
	return strings.Contains(low, "inputmethod") || strings.Contains(low, "keyboard") || strings.HasSuffix(low, ".ime") ||
		strings.Contains(low, ".ime.") || strings.HasSuffix(low, ".input")
}

// inFront returns the app of the window with the focus, or of the first window of an app, or the desktop.
func inFront(windows []layoutWindow) driver.App {
	for _, want := range []func(*layoutWindow) bool{
		func(w *layoutWindow) bool { return w.node.Is(driver.Focused) && w.node.Window != driver.WindowKeyboard },
		func(w *layoutWindow) bool { return w.node.Window == driver.WindowApp },
		func(w *layoutWindow) bool { return w.node.Window == "" },
		func(w *layoutWindow) bool { return w.node.Window == driver.WindowSystem },
	} {
		for i := range windows {
			if w := &windows[i]; w.bundle != "" && want(w) {
				return driver.App{ID: w.bundle, Page: orElse(w.page, w.ability)}
			}
		}
	}
	return driver.App{}
}
