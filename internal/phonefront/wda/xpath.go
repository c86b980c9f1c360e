package wda

import "slices"

// findXPath finds by the part of XPath 1.0 that is in use with elements: steps with / and //, names and *, . and .., the
// axes of steps, a path in parentheses, and conditions on attributes, positions, last(), contains, starts-with, and, or, not.
// A name that no element has is found nowhere.
func findXPath(root *element, path string) ([]*element, error) {
	p, err := parseXPath(path)
	if err != nil {
		return nil, err
	}
	t := newXPathTree(root)
	return slices.DeleteFunc(t.find(p), func(e *element) bool { return e == t.top }), nil
}

// xpathContext is what a condition is asked about.
type xpathContext struct {
	e       *element
	at, all int // its place among the hits, from 1, and how many there are
}

type xpathTest func(xpathContext) bool

// passed keeps those that pass the tests, one test after the other, with positions as they are after the one before.
func passed(of []*element, tests []xpathTest) []*element {
	for _, ok := range tests {
		var kept []*element
		for i, e := range of {
			if ok(xpathContext{e, i + 1, len(of)}) {
				kept = append(kept, e)
			}
		}
		of = kept
	}
	return of
}

// xpathPath is a path: the steps that begin at the top, or at what a path in parentheses has found and tests let through.
type xpathPath struct {
	group *xpathPath // nil where there is none
	tests []xpathTest
	steps []*xpathStep
}

type xpathStep struct {
	deep  bool // after //
	axis  string
	name  string // "*" for any element, "" for any node
	tests []xpathTest
}

// xpathTree is a source with what the axes need.
type xpathTree struct {
	top    *element // the document, above the root
	parent map[*element]*element
	order  map[*element]int
}

func newXPathTree(root *element) *xpathTree {
	t := &xpathTree{top: &element{Children: []*element{root}}, parent: map[*element]*element{}, order: map[*element]int{}}
	for e := range t.top.all() {
		t.order[e] = len(t.order)
		for _, k := range e.Children {
			t.parent[k] = e
		}
	}
	return t
}

func (t *xpathTree) find(p *xpathPath) []*element {
	found := []*element{t.top}
	if p.group != nil {
		found = passed(t.find(p.group), p.tests)
	}
	for _, s := range p.steps {
		found = t.step(s, found)
	}
	return found
}

// step returns what a step finds from all of from, each once and in the order of the source. Positions count from each of
// from by itself, and after // among the children of one parent.
func (t *xpathTree) step(s *xpathStep, from []*element) []*element {
	hits := map[*element]bool{}
	for _, e := range from {
		starts := []*element{e}
		if s.deep {
			starts = slices.Collect(e.all())
		}
		for _, start := range starts {
			of := slices.DeleteFunc(t.along(s.axis, start), func(e *element) bool { return !t.named(e, s.name) })
			for _, hit := range passed(of, s.tests) {
				hits[hit] = true
			}
		}
	}
	var found []*element
	for e := range hits {
		found = append(found, e)
	}
	slices.SortFunc(found, func(a, b *element) int { return t.order[a] - t.order[b] })
	return found
}

func (t *xpathTree) named(e *element, name string) bool {
	return name == "" || e != t.top && (name == "*" || name == e.class())
}

// xpathAxes are the axes that along knows.
var xpathAxes = []string{
	"child", "self", "parent", "ancestor", "ancestor-or-self", "descendant", "descendant-or-self", "following-sibling", "preceding-sibling",
}

// along returns a copy of the elements on an axis, from the nearest on.
func (t *xpathTree) along(axis string, e *element) []*element {
	switch axis {
	case "self":
		return []*element{e}
	case "parent", "ancestor", "ancestor-or-self":
		return t.upward(axis, e)
	case "descendant-or-self":
		return slices.Collect(e.all())
	case "descendant":
		return slices.Collect(e.all())[1:]
	case "following-sibling", "preceding-sibling":
		return t.beside(axis, e)
	}
	return slices.Clone(e.Children)
}

func (t *xpathTree) upward(axis string, e *element) []*element {
	var up []*element
	if axis == "ancestor-or-self" {
		up = append(up, e)
	}
	for p := t.parent[e]; p != nil; p = t.parent[p] {
		up = append(up, p)
		if axis == "parent" {
			break
		}
	}
	return up
}

func (t *xpathTree) beside(axis string, e *element) []*element {
	p := t.parent[e]
	if p == nil {
		return nil
	}
	at := slices.Index(p.Children, e)
	if axis == "following-sibling" {
		return slices.Clone(p.Children[at+1:])
	}
	before := slices.Clone(p.Children[:at])
	slices.Reverse(before)
	return before
}
