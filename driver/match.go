package driver

import (
	"context"
	"errors"
	"fmt"
	"image"
	"regexp"
	"strings"
	"time"

	"github.com/handset-go/handset/internal/nap"
)

// Match says whether a node of a tree is one that is looked for.
type Match func(t *Tree, n *Node) bool

// ByText matches a node whose text, description or hint is s, apart from space around it.
func ByText(s string) Match {
	return func(_ *Tree, n *Node) bool {
		return s != "" && (strings.TrimSpace(n.Text) == s || strings.TrimSpace(n.Desc) == s || strings.TrimSpace(n.Hint) == s)
	}
}

// Contains matches a node whose text, description or hint contains s, whatever the case.
func Contains(s string) Match {
	low := strings.ToLower(s)
	has := func(t string) bool { return strings.Contains(strings.ToLower(t), low) }
	return func(_ *Tree, n *Node) bool { return s != "" && (has(n.Text) || has(n.Desc) || has(n.Hint)) }
}

// Matches matches a node whose text or description re matches.
func Matches(re *regexp.Regexp) Match {
	return func(_ *Tree, n *Node) bool { return re.MatchString(n.Text) || re.MatchString(n.Desc) }
}

// ByID matches a node by its whole id, or by the part after the last "/" ("com.x:id/ok" is "ok").
func ByID(id string) Match {
	return func(_ *Tree, n *Node) bool {
		return id != "" && (n.ID == id || n.ID[strings.LastIndexByte(n.ID, '/')+1:] == id)
	}
}

// ByRole matches a node by its role.
func ByRole(r Role) Match { return func(_ *Tree, n *Node) bool { return n.Role == r } }

// HasFlag matches a node for which the tool reported f as true.
func HasFlag(f Flag) Match { return func(_ *Tree, n *Node) bool { return n.Is(f) } }

// OnScreen matches a node of which some part is inside the rectangle, usually Tree.Bounds.
func OnScreen(r image.Rectangle) Match {
	return func(_ *Tree, n *Node) bool { return n.Bounds.Overlaps(r) }
}

// Find returns the first node, parents before children, that all of ms match, or nil.
func (t *Tree) Find(ms ...Match) *Node {
	for n := range t.Root.All() {
		if t.matches(n, ms) {
			return n
		}
	}
	return nil
}

// FindAll returns the nodes that all of ms match, parents before children.
func (t *Tree) FindAll(ms ...Match) []*Node {
	var found []*Node
	for n := range t.Root.All() {
		if t.matches(n, ms) {
			found = append(found, n)
		}
	}
	return found
}

func (t *Tree) matches(n *Node, ms []Match) bool {
	for _, m := range ms {
		if !m(t, n) {
			return false
		}
	}
	return true
}

// Find reads the tree once and returns the first node that all of ms match, or nil.
func Find(ctx context.Context, d Driver, ms ...Match) (*Node, error) {
	t, err := d.Tree(ctx)
	if err != nil {
		return nil, err
	}
	return t.Find(ms...), nil
}

// waitPoll is the pause between two trees of WaitFor.
const waitPoll = 250 * time.Millisecond

// WaitFor reads the tree until one node matches all of ms. It ends with ctx, and with the first error
// other than ErrNoTree. Give ctx a deadline. A switch mostly has no text of its own, and ByText beside its role
// never matches it: look for it with Labelled.
func WaitFor(ctx context.Context, d Driver, ms ...Match) (*Node, error) {
	for {
		n, err := Find(ctx, d, ms...)
		if n != nil || (err != nil && !errors.Is(err, ErrNoTree)) {
			return n, err
		}
		if nap.For(ctx, waitPoll) != nil {
			if err != nil {
				return nil, fmt.Errorf("wait for a node: %w; the last tree: %v", ctx.Err(), err)
			}
			return nil, fmt.Errorf("wait for a node: not on the screen: %w", ctx.Err())
		}
	}
}
