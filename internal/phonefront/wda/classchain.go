package wda

import (
	"strconv"
	"strings"
)

// findChain finds by a class chain such as **/XCUIElementTypeCell[`name == "x"`][2]/XCUIElementTypeButton.
func findChain(root *element, chain string) ([]*element, error) {
	steps, err := parseChain(chain)
	if err != nil {
		return nil, err
	}
	found := []*element{root}
	for _, s := range steps {
		var next []*element
		seen := map[*element]bool{}
		for _, e := range found {
			for _, hit := range s.find(e) {
				if !seen[hit] {
					seen[hit] = true
					next = append(next, hit)
				}
			}
		}
		found = next
	}
	return found, nil
}

// chainStep is one part of a class chain.
type chainStep struct {
	class string // "*" for any
	deep  bool   // **/
	tests []matcher
	index int // 0 for all, negative from the end
}

func (s *chainStep) find(e *element) []*element {
	var hits []*element
	look := func(k *element) {
		if s.class != "*" && s.class != k.class() {
			return
		}
		for _, ok := range s.tests {
			if !ok(k) {
				return
			}
		}
		hits = append(hits, k)
	}
	if s.deep {
		for k := range e.all() {
			if k != e {
				look(k)
			}
		}
	} else {
		for _, k := range e.Children {
			look(k)
		}
	}
	i := s.index
	switch {
	case i == 0:
		return hits
	case i < 0:
		i += len(hits) + 1
	}
	if i < 1 || i > len(hits) {
		return nil
	}
	return hits[i-1 : i]
}

func badChain(chain, why string) error {
	return fail(errSelector, "Cannot parse class chain query '%s': %s", chain, why)
}

func parseChain(chain string) ([]*chainStep, error) {
	var steps []*chainStep
	rest, deep := strings.TrimPrefix(chain, "/"), false
	for {
		if cut, ok := strings.CutPrefix(rest, "**/"); ok {
			rest, deep = cut, true
			continue
		}
		n := strings.IndexAny(rest, "/[")
		if n < 0 {
			n = len(rest)
		}
		class := rest[:n]
		if class != "*" && !strings.HasPrefix(class, "XCUIElementType") {
			return nil, badChain(chain, "'"+class+"' is not a valid class name")
		}
		s := &chainStep{class: class, deep: deep}
		rest, deep = rest[n:], false
		for strings.HasPrefix(rest, "[") {
			var err error
			if rest, err = s.bracket(chain, rest[1:]); err != nil {
				return nil, err
			}
		}
		steps = append(steps, s)
		if rest == "" {
			return steps, nil
		}
		if rest[0] != '/' {
			return nil, badChain(chain, "'"+rest+"' is not expected")
		}
		rest = rest[1:]
	}
}

// bracket reads a predicate between backticks, one about what is below between dollars, or an index.
func (s *chainStep) bracket(chain, rest string) (string, error) {
	if rest != "" && (rest[0] == '`' || rest[0] == '$') {
		quote := rest[:1]
		text, after, ok := strings.Cut(rest[1:], quote+"]")
		if !ok {
			return "", badChain(chain, "a predicate has no end")
		}
		m, err := parsePredicate(text)
		if err != nil {
			return "", err
		}
		if quote == "$" {
			m = somewhereBelow(m)
		}
		s.tests = append(s.tests, m)
		return after, nil
	}
	text, after, ok := strings.Cut(rest, "]")
	n, err := strconv.Atoi(text)
	if !ok || err != nil || n == 0 {
		return "", badChain(chain, "'"+text+"' is not a valid index")
	}
	s.index = n
	return after, nil
}

func somewhereBelow(m matcher) matcher {
	return func(e *element) bool {
		for k := range e.all() {
			if k != e && m(k) {
				return true
			}
		}
		return false
	}
}
