package adb

import "github.com/handset-go/handset/driver"

// slabSize is how many nodes are allocated at a time.
const slabSize = 256

// flags are the attributes that are true or false.
var flagOf = map[string]driver.Flag{
	"checkable": driver.Checkable, "checked": driver.Checked, "clickable": driver.Clickable, "enabled": driver.Enabled,
	"focusable": driver.Focusable, "focused": driver.Focused, "scrollable": driver.Scrollable,
	"long-clickable": driver.LongClickable, "password": driver.Password, "selected": driver.Selected,
	"visible-to-user": driver.Visible, "displayed": driver.Visible,
}

// node reads a node's tag. Its name is "node", or the class in dumps of the Appium server.
func (p *dumpParser) node(t *tag) error {
	if len(p.windows) == 0 {
		return p.errorf(t.start, "<%s> stands outside a hierarchy", t.name)
	}
	if p.nodes++; p.nodes > maxNodes {
		return p.errorf(t.start, "more than %d nodes", maxNodes)
	}
	n := p.newNode()
	if err := p.attributes(t, n); err != nil {
		return err
	}
	if n.Class == "" && t.name != "node" {
		n.Class = t.name
	}
	p.finish(n)
	parent := &p.windows[len(p.windows)-1].Node
	if len(p.stack) > 0 {
		parent = p.stack[len(p.stack)-1]
	}
	parent.Children = append(parent.Children, n)
	if !t.selfClose {
		p.stack = append(p.stack, n)
	}
	return nil
}

func (p *dumpParser) newNode() *driver.Node {
	if len(p.slab) == 0 {
		p.slab = make([]driver.Node, slabSize)
	}
	n := &p.slab[0]
	p.slab = p.slab[1:]
	return n
}

func (p *dumpParser) attributes(t *tag, n *driver.Node) error {
	for {
		name, value, ok, err := p.attr(t)
		if !ok {
			return err
		}
		switch name {
		case "text":
			n.Text = value
		case "content-desc":
			n.Desc = value
		case "hint":
			n.Hint = value
		case "resource-id":
			n.ID = value
		case "class":
			n.Class = value
		case "package":
			n.Package = value
		case "bounds":
			var swapped bool
			if n.Bounds, swapped = parseBounds(value); swapped {
				n.Set(driver.Visible, false)
			}
		default:
			setFlag(n, name, value)
		}
	}
}

// setFlag marks a flag as known. A value that is neither true nor false leaves it unknown; a
// rectangle that is swapped keeps the node invisible, whatever else is said.
func setFlag(n *driver.Node, name, value string) {
	f, ok := flagOf[name]
	if !ok || value != "true" && value != "false" || f == driver.Visible && n.Not(driver.Visible) {
		return
	}
	n.Set(f, value == "true")
}

// finish fills in what follows from the attributes.
func (p *dumpParser) finish(n *driver.Node) {
	role, ok := p.roles[n.Class]
	if !ok {
		role = roleOf(n.Class)
		p.roles[n.Class] = role
	}
	n.Role = role
	if role == driver.RoleView {
		n.Role = roleOfView(n)
	}
	if role == driver.RoleEdit && n.Hint != "" && n.Text == n.Hint {
		n.Text = "" // an empty field shows its hint as its text
	}
}
