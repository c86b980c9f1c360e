package wda

import (
	"regexp"
	"strings"
)

// findAll returns the elements of a tree that a locator finds, its root among them, in the order of the tree.
func findAll(root *element, using, value string) ([]*element, error) {
	match := func(ok func(*element) bool) []*element {
		var found []*element
		for e := range root.all() {
			if ok(e) {
				found = append(found, e)
			}
		}
		return found
	}
	switch using {
	case "name", "id", "accessibility id":
		return match(func(e *element) bool { return e.name() == value }), nil
	case "class name":
		return match(func(e *element) bool { return e.class() == value }), nil
	case "link text", "partial link text":
		return findLink(match, value, using != "link text")
	case "predicate string":
		ok, err := parsePredicate(value)
		if err != nil {
			return nil, err
		}
		return match(ok), nil
	case "class chain":
		return findChain(root, value)
	case "xpath":
		return findXPath(root, value)
	}
	return nil, fail(errArgument, "Invalid locator requested: %s", using)
}

// findLink reads "attribute=value", as WebDriverAgent uses the locators for links, or only the value of a name.
func findLink(match func(func(*element) bool) []*element, value string, part bool) ([]*element, error) {
	parts := strings.Split(value, "=")
	name, want := "name", parts[len(parts)-1]
	if len(parts) > 1 {
		name = parts[0]
	}
	if _, known := (&element{}).attribute(name); !known {
		return nil, fail(errUnknown, "The attribute '%s' is unknown", name)
	}
	return match(func(e *element) bool {
		v, _ := e.attribute(name)
		s := text(attributeText(v))
		return s == want || part && strings.Contains(s, want)
	}), nil
}

// searchIn returns the tree, and the element of the path or the root of the tree.
func (c *call) searchIn() (root, from *element, err error) {
	if root, err = c.tree(); err != nil {
		return nil, nil, err
	}
	id := c.params["uuid"]
	if id == "" {
		return root, root, nil
	}
	e, err := c.element(id)
	if err != nil {
		return nil, nil, err
	}
	for x := range root.all() { // the same one in this tree
		if x.Type == e.Type && x.name() == e.name() && x.Frame == e.Frame {
			return root, x, nil
		}
	}
	return nil, nil, stale(id)
}

func (c *call) located() (*element, []*element, error) {
	root, from, err := c.searchIn()
	if err != nil {
		return nil, nil, err
	}
	found, err := findAll(from, text(c.body["using"]), text(c.body["value"]))
	return root, found, err
}

func (c *call) findElement() (any, error) {
	root, found, err := c.located()
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fail(errNoElement, "unable to find an element using '%s', value '%s'", text(c.body["using"]), text(c.body["value"]))
	}
	return c.reference(root, found[0]), nil
}

func (c *call) findElements() (any, error) {
	root, found, err := c.located()
	if err != nil {
		return nil, err
	}
	list := []any{}
	for _, e := range found {
		list = append(list, c.reference(root, e))
	}
	return list, nil
}

func (c *call) activeElement() (any, error) {
	root, err := c.tree()
	if err != nil {
		return nil, err
	}
	for e := range root.all() {
		if e.Focused {
			return c.reference(root, e), nil
		}
	}
	return nil, fail(errNoElement, "unable to find an element using '(null)', value '(null)'")
}

// visibleCells are the cells of an element that can be seen.
func (c *call) visibleCells() (any, error) {
	root, from, err := c.searchIn()
	if err != nil {
		return nil, err
	}
	list := []any{}
	for e := range from.all() {
		if e.Type == "Cell" && e.Visible {
			list = append(list, c.reference(root, e))
		}
	}
	return list, nil
}

// like is NSPredicate's LIKE: ? is any character and * any text.
func like(s, pattern string, fold bool) bool {
	var b strings.Builder
	if fold {
		b.WriteString("(?i)")
	}
	b.WriteString("(?s)^")
	for _, r := range pattern {
		switch r {
		case '*':
			b.WriteString(".*")
		case '?':
			b.WriteString(".")
		default:
			b.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	b.WriteString("$")
	return regexp.MustCompile(b.String()).MatchString(s)
}
