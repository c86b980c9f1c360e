package drivertest

import (
	"context"
	"errors"
	"fmt"
	"image"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/handset-go/handset/driver"
)

const (
	ruleSpace = "every point and the bounds of every node are pixels of the upright frame that Screenshot returns"
	ruleEdges = "0 and the last pixel are legal"
	ruleOff   = "a point outside the frame is ErrOffScreen, and nothing is sent for it"
)

// spaceCases are the cases about coordinates, for the phone and for each further one, upright and turned.
func spaceCases(cfg *Config) []Case {
	cases := spaceOn("space", nil)
	for _, name := range slices.Sorted(maps.Keys(cfg.More)) {
		cases = append(cases, spaceOn("space/"+name, cfg.More[name])...)
	}
	return cases
}

func spaceOn(prefix string, open func(testing.TB) *Phone) []Case {
	var cases []Case
	for _, turn := range []struct {
		name     string
		rotation int
	}{{"upright", 0}, {"turned", 1}, {"turned-left", 3}} {
		for _, c := range []struct {
			name, rule string
			check      func(*bench) error
		}{
			{"sizes", ruleSpace, sizesAgree},
			{"nodes", ruleSpace, nodesAreWhereTheySay},
			{"edges", ruleEdges, edgesAreLegal},
			{"off-screen", ruleOff, offScreenIsRefused},
		} {
			cases = append(cases, Case{
				Name: prefix + "/" + turn.name + "/" + c.name, Rule: c.rule, open: open,
				check: func(b *bench) error { return b.turned(turn.rotation, c.check) },
			})
		}
	}
	return cases
}

// turned turns the phone and then checks. check may open fresh phones by turned itself.
func (b *bench) turned(rotation int, check func(*bench) error) error {
	if rotation != 0 {
		before, err := b.size()
		if err != nil {
			return err
		}
		if err := b.rotate(rotation); err != nil {
			return err
		}
		after, err := b.size()
		if err != nil {
			return err
		}
		if want := image.Pt(before.Y, before.X); after != want {
			return fmt.Errorf("the frame of the turned phone is %v, want %v, upright as a person holds it", after, want)
		}
	}
	b.ready()
	return check(b)
}

// rotate turns the phone by the harness's way or the driver's.
func (b *bench) rotate(rotation int) error {
	if b.Rotate != nil {
		return b.Rotate(rotation)
	}
	err := b.try(func(ctx context.Context) error { return driver.Rotate(ctx, b.Driver, rotation) })
	if errors.Is(err, errors.ErrUnsupported) {
		return skipf("the harness has no Rotate, and neither has the driver")
	}
	return err
}

// tree reads the tree, and skips the case for a driver that has none.
func (b *bench) tree() (*driver.Tree, error) {
	var tree *driver.Tree
	err := b.try(func(ctx context.Context) (err error) {
		tree, err = b.Driver.Tree(ctx)
		return err
	})
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return nil, skipf("the driver has no trees")
	case err == nil && (tree == nil || tree.Root == nil):
		return nil, errors.New("the tree is nil, and so is the error")
	}
	return tree, err
}

// sizesAgree compares the frame, its picture and the tree.
func sizesAgree(b *bench) error {
	var screen *driver.Screen
	err := b.try(func(ctx context.Context) (err error) {
		screen, err = b.Driver.Screenshot(ctx)
		return err
	})
	if err != nil {
		return err
	}
	picture, err := screen.Image()
	if err != nil {
		return fmt.Errorf("the picture cannot be decoded: %w", err)
	}
	if got := picture.Bounds().Size(); got != screen.Size() {
		return fmt.Errorf("the screen says %v and its picture is %v", screen.Size(), got)
	}
	tree, err := b.tree()
	if err != nil {
		return err
	}
	if tree.Size != screen.Size() {
		return fmt.Errorf("the frame is %v and the tree is of %v", screen.Size(), tree.Size)
	}
	for n := range tree.Root.All() {
		if n.Bounds.Min.X > n.Bounds.Max.X || n.Bounds.Min.Y > n.Bounds.Max.Y {
			return fmt.Errorf("the bounds %v of %q are inverted", n.Bounds, n.Label())
		}
	}
	return nil
}

// maxNodes bounds how many nodes are touched: each wants a phone that nobody has touched yet.
const maxNodes = 6

// nodesAreWhereTheySay touches the middle of nodes and looks at what the phone saw.
func nodesAreWhereTheySay(b *bench) error {
	tree, err := b.tree()
	if err != nil {
		return err
	}
	if b.Log == nil {
		return skipf("the harness has no Log")
	}
	targets := spread(touchable(tree), maxNodes)
	if len(targets) == 0 {
		return skipf("the first page has no node to touch")
	}
	rotation := tree.Rotation
	for i, n := range targets {
		if i > 0 {
			b.fresh()
			if rotation != 0 {
				if err := b.rotate(rotation); err != nil {
					return err
				}
			}
		}
		if err := b.touchNode(n); err != nil {
			return err
		}
	}
	return nil
}

// touchable are the nodes that can be clicked, are in the frame and have nothing but their own on top.
func touchable(tree *driver.Tree) []*driver.Node {
	return tree.FindAll(driver.HasFlag(driver.Clickable), func(_ *driver.Tree, n *driver.Node) bool {
		at := n.Center()
		if !at.In(tree.Bounds()) || n.Label() == "" && n.ID == "" && len(n.Children) == 0 {
			return false
		}
		return slices.Contains(tree.Path(tree.NodeAt(at)), n)
	})
}

// spread returns at most most of all, evenly from the first to the last.
func spread[T any](all []T, most int) []T {
	if len(all) <= most {
		return all
	}
	some := make([]T, most)
	for i := range some {
		some[i] = all[i*(len(all)-1)/(most-1)]
	}
	return some
}

func (b *bench) touchNode(n *driver.Node) error {
	at := n.Center()
	b.ready()
	if err := b.try(func(ctx context.Context) error { return b.Driver.Tap(ctx, at) }); err != nil {
		return err
	}
	e, err := b.oneTouch(KindTap)
	if err != nil {
		return fmt.Errorf("after a tap on the middle of %q, %v: %w", n.Label(), at, err)
	}
	if !near(e.At, at, b.cfg.Slack) {
		return fmt.Errorf("the middle of %q is %v, and the phone was touched at %v", n.Label(), at, e.At)
	}
	if e.Touch != "" && !names(n, e.Touch) {
		return fmt.Errorf("a tap on the middle of %q, %v, hit %q", n.Label(), at, e.Touch)
	}
	if n.Not(driver.Enabled) {
		return fmt.Errorf("%q took a tap, and the tree says that it is not enabled", n.Label())
	}
	return nil
}

// names says that the node, or one in it, is called what.
func names(n *driver.Node, what string) bool {
	for c := range n.All() {
		if c.Text == what || c.Desc == what || c.Hint == what || c.ID == what || strings.HasSuffix(c.ID, "/"+what) {
			return true
		}
	}
	return false
}

// oneTouch returns the only touch since ready, which must be of the kind.
func (b *bench) oneTouch(kind string) (Event, error) {
	all, err := b.events()
	if err != nil {
		return Event{}, err
	}
	seen := fold(touches(all))
	if len(seen) != 1 {
		return Event{}, fmt.Errorf("the phone saw %d touches, want one", len(seen))
	}
	if seen[0].Kind != kind {
		return Event{}, fmt.Errorf("the phone saw a %s, want a %s", tell(seen[0]), kind)
	}
	return seen[0], nil
}

// edgesAreLegal touches the four corners.
func edgesAreLegal(b *bench) error {
	size, err := b.size()
	if err != nil {
		return err
	}
	last := size.Sub(image.Pt(1, 1))
	for _, at := range []image.Point{{}, last, {X: last.X}, {Y: last.Y}} {
		b.ready()
		if err := b.try(func(ctx context.Context) error { return b.Driver.Tap(ctx, at) }); err != nil {
			return fmt.Errorf("tap %v in a frame of %v: %w", at, size, err)
		}
		e, err := b.oneTouch(KindTap)
		if err != nil {
			return fmt.Errorf("tap %v: %w", at, err)
		}
		if !near(e.At, at, b.cfg.Slack) {
			return fmt.Errorf("tap %v touched %v", at, e.At)
		}
	}
	return nil
}

// offScreenIsRefused gives each gesture points beyond each side.
func offScreenIsRefused(b *bench) error {
	size, err := b.size()
	if err != nil {
		return err
	}
	b.ready()
	in := size.Div(2)
	for _, out := range []image.Point{
		{-1, in.Y}, {in.X, -1}, {size.X, in.Y}, {in.X, size.Y}, size, {1 << 20, 1 << 20}, {-1 << 20, in.Y},
	} {
		for _, g := range pointed(b.Driver, in, out) {
			if err := b.refuses(g.op, out, g.call); err != nil {
				return fmt.Errorf("%s with %v in a frame of %v: %w", g.op, out, size, err)
			}
		}
	}
	return nil
}

// refuses wants ErrOffScreen of a call, and nothing sent.
func (b *bench) refuses(op driver.Op, out image.Point, call func(context.Context) error) error {
	switch err := b.try(call); {
	case err == nil:
		return errors.New("it was done")
	case op != driver.OpTap && op != driver.OpSwipe && errors.Is(err, errors.ErrUnsupported):
		return b.nothingSent() // the driver does not have it
	case b.isRefusal(err):
		return b.nothingSent()
	case !errors.Is(err, driver.ErrOffScreen):
		return fmt.Errorf("%w; want ErrOffScreen", err)
	case driver.MaybeDone(err):
		return fmt.Errorf("%w; nothing may be sent", err)
	}
	return b.nothingSent()
}

type pointedCall struct {
	op   driver.Op
	call func(context.Context) error
}

// pointed are the gestures that take points, each with one that is out of the frame.
func pointed(d driver.Driver, in, out image.Point) []pointedCall {
	swipe := func(from, to image.Point) func(context.Context) error {
		return func(ctx context.Context) error { return d.Swipe(ctx, from, to, moving) }
	}
	drag := func(from, to image.Point) func(context.Context) error {
		return func(ctx context.Context) error { return driver.Drag(ctx, d, from, to, holding, moving) }
	}
	return []pointedCall{
		{driver.OpTap, func(ctx context.Context) error { return d.Tap(ctx, out) }},
		{driver.OpSwipe, swipe(in, out)},
		{driver.OpSwipe, swipe(out, in)},
		{driver.OpSwipe, swipe(out, out)},
		{driver.OpDoubleTap, func(ctx context.Context) error { return driver.DoubleTap(ctx, d, out) }},
		{driver.OpLongPress, func(ctx context.Context) error { return driver.LongPress(ctx, d, out, holding) }},
		{driver.OpDrag, drag(in, out)},
		{driver.OpDrag, drag(out, in)},
		{driver.OpPinch, func(ctx context.Context) error { return driver.Pinch(ctx, d, out, 0.5, time.Millisecond) }},
		{driver.OpGesture, func(ctx context.Context) error {
			return driver.Gesture(ctx, d, []driver.Stroke{{{At: in}, {At: out, After: moving}}})
		}},
	}
}
