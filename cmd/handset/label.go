package main

import (
	"context"
	"image"
	"strings"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/perception"
)

// labelPoint finds the one thing on the screen that has a label: that of a node or of a row, exactly or else as a part.
func labelPoint(ctx context.Context, d driver.Driver, label string) (image.Point, error) {
	t, err := d.Tree(ctx)
	if err != nil {
		return image.Point{}, err
	}
	l := &labelled{tree: t, rows: perception.Render(t, nil)}
	part := strings.ToLower(label)
	for _, look := range []func() ([]string, image.Point){
		func() ([]string, image.Point) { return l.nodes(driver.ByText(label)) },
		func() ([]string, image.Point) { return l.rowsWith(func(s string) bool { return s == label }) },
		func() ([]string, image.Point) { return l.nodes(driver.Contains(label)) },
		func() ([]string, image.Point) {
			return l.rowsWith(func(s string) bool { return strings.Contains(strings.ToLower(s), part) })
		},
	} {
		switch found, at := look(); len(found) {
		case 0:
		case 1:
			return at, nil
		default:
			return image.Point{}, incompletef("tap: %d things on the screen are labelled %q; see handset tree and use --ref:\n%s", len(found), label, strings.Join(found, "\n"))
		}
	}
	return image.Point{}, incompletef("tap: nothing on the screen is labelled %q; see handset tree", label)
}

// labelled looks for what has a label.
type labelled struct {
	tree *driver.Tree
	rows *perception.Snapshot
}

// nodes finds nodes. Several that belong to one thing are that thing.
func (l *labelled) nodes(m driver.Match) (found []string, at image.Point) {
	nodes := l.tree.FindAll(m, driver.OnScreen(l.tree.Bounds()))
	if one := clickableOf(l.tree, nodes); len(nodes) > 1 && one != nil {
		nodes = []*driver.Node{one}
	}
	for _, n := range nodes {
		found = append(found, l.lineOf(n))
		seen := n.Bounds.Intersect(l.tree.Bounds())
		at = seen.Min.Add(seen.Max).Div(2)
	}
	return found, at
}

// rowsWith finds the rows whose label is as is says.
func (l *labelled) rowsWith(is func(label string) bool) (found []string, at image.Point) {
	for i := range l.rows.Rows {
		if r := &l.rows.Rows[i]; r.Label != "" && is(r.Label) {
			found, at = append(found, r.String()), r.At
		}
	}
	return found, at
}

// lineOf is how the tree prints the row of a node, or else its label.
func (l *labelled) lineOf(n *driver.Node) string {
	path := l.tree.Path(n)
	for i := len(path) - 1; i >= 0; i-- {
		for k := range l.rows.Rows {
			if r := &l.rows.Rows[k]; r.Node == path[i] && r.Role != "scroll" && r.Role != "list" {
				return r.String()
			}
		}
	}
	return n.Label()
}

// clickableOf returns the thing that several nodes of one label belong to: the only clickable one among
// them, or the clickable one that holds them all.
func clickableOf(t *driver.Tree, found []*driver.Node) *driver.Node {
	var one *driver.Node
	for _, n := range found {
		path := t.Path(n)
		for i := len(path) - 1; i >= 0; i-- {
			if !path[i].Is(driver.Clickable) {
				continue
			}
			if one != nil && one != path[i] {
				return nil
			}
			one = path[i]
			break
		}
	}
	return one
}
