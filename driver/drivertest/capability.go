package drivertest

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/handset-go/handset/driver"
)

const ruleCapability = "what a driver does by itself has the effect of the slow path"

func capabilityCases() []Case {
	var cases []Case
	for _, c := range []struct {
		op   driver.Op
		hide func(driver.Driver) driver.Driver // nil where the driver does not have the operation itself
	}{
		{driver.OpLongPress, hidden[driver.LongPressDriver]},
		{driver.OpDoubleTap, hidden[driver.DoubleTapDriver]},
		{driver.OpGesture, hidden[driver.GestureDriver]},
		{driver.OpClearText, hidden[driver.ClearTextDriver]},
		{driver.OpForeground, hidden[driver.ForegroundDriver]},
		{driver.OpRotation, hidden[driver.RotationDriver]},
		{driver.OpDrag, dragHidden},
		{driver.OpSetText, setTextHidden},
		{driver.OpResolve, resolveHidden},
	} {
		cases = append(cases, Case{
			Name: "capability/" + slug(c.op), Rule: ruleCapability,
			check: func(b *bench) error { return likeTheSlowPath(b, c.op, c.hide) },
		})
	}
	return cases
}

// hidden hides every capability of a driver that has T: embedding does that.
func hidden[T driver.Driver](d driver.Driver) driver.Driver {
	if _, ok := d.(T); !ok {
		return nil
	}
	return struct{ driver.Driver }{d}
}

// dragHidden leaves Gesture, which the slow path of Drag is made of.
func dragHidden(d driver.Driver) driver.Driver {
	g, ok := d.(driver.GestureDriver)
	if hidden[driver.DragDriver](d) == nil || !ok {
		return nil
	}
	return struct{ driver.GestureDriver }{g}
}

func setTextHidden(d driver.Driver) driver.Driver {
	t, ok := d.(driver.TypeDriver)
	if hidden[driver.SetTextDriver](d) == nil || !ok {
		return nil
	}
	return struct{ driver.TypeDriver }{t}
}

func resolveHidden(d driver.Driver) driver.Driver {
	a, ok := d.(driver.AppsDriver)
	if hidden[driver.ResolveDriver](d) == nil || !ok {
		return nil
	}
	return struct{ driver.AppsDriver }{a}
}

// effect is what an operation returned and did.
type effect struct {
	result any
	events []Event
	field  string
}

// likeTheSlowPath does an operation by the driver's own way and by the slow path, on a fresh phone each.
func likeTheSlowPath(b *bench, op driver.Op, hide func(driver.Driver) driver.Driver) error {
	if hide(b.Driver) == nil {
		return skipf("the driver leaves %s to the slow path", op)
	}
	fast, err := b.effect(op, func(d driver.Driver) driver.Driver { return d })
	if errors.Is(err, errors.ErrUnsupported) {
		return skipf("the driver leaves %s to the slow path: %v", op, err)
	}
	if err != nil {
		return fmt.Errorf("by the driver: %w", err)
	}
	b.fresh()
	slow, err := b.effect(op, hide)
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, driver.ErrNoTree) {
		return skipf("the slow path of %s does not work here: %v", op, err)
	}
	if err != nil {
		return fmt.Errorf("by the slow path: %w", err)
	}
	return b.same(fast, slow)
}

// effect does an operation on the driver that way makes.
func (b *bench) effect(op driver.Op, way func(driver.Driver) driver.Driver) (*effect, error) {
	c, err := b.prepare(op)
	if err != nil {
		return nil, err
	}
	if op == driver.OpClearText || op == driver.OpSetText {
		if err := b.typeInto(false, "before"); err != nil {
			return nil, err
		}
		b.ready()
	}
	var e effect
	err = b.try(func(ctx context.Context) (err error) {
		e.result, err = c.on(way(c.d)).do(ctx, op)
		return err
	})
	if err != nil {
		return nil, err
	}
	if b.Log != nil {
		all, _ := b.events()
		e.events = fold(all)
	}
	if needsField(op) {
		e.field, err = b.field()
	}
	if op.Gesture() && b.Log == nil {
		return nil, skipf("the harness has no Log")
	}
	return &e, err
}

// same compares two effects. How text got out of a field (by keys or at once) is not one.
func (b *bench) same(x, y *effect) error {
	if x.field != y.field {
		return fmt.Errorf("the field holds %q by the one and %q by the other", x.field, y.field)
	}
	if !alike(x.result, y.result) {
		return fmt.Errorf("the results differ: %v and %v", x.result, y.result)
	}
	xt, yt := touches(x.events), touches(y.events)
	if len(xt) != len(yt) {
		return fmt.Errorf("the one makes %d touches and the other %d", len(xt), len(yt))
	}
	for i := range xt {
		if !b.sameTouch(xt[i], yt[i]) {
			return fmt.Errorf("the touches differ: %s and %s", tell(xt[i]), tell(yt[i]))
		}
	}
	return nil
}

func (b *bench) sameTouch(x, y Event) bool {
	kind := x.Kind == y.Kind || x.Kind == KindTouch || y.Kind == KindTouch
	return kind && near(x.At, y.At, b.cfg.Slack) && near(x.To, y.To, b.cfg.Slack)
}

// alike compares results as far as two phones of one kind must give the same: of a frame and a tree the size,
// of an app the id.
func alike(x, y any) bool {
	switch x := x.(type) {
	case *driver.Screen:
		y, ok := y.(*driver.Screen)
		return ok && x.Size() == y.Size()
	case *driver.Tree:
		y, ok := y.(*driver.Tree)
		return ok && x.Size == y.Size && x.Rotation == y.Rotation && len(x.FindAll()) == len(y.FindAll())
	case driver.App:
		y, ok := y.(driver.App)
		return ok && x.ID == y.ID
	case *driver.Description:
		y, ok := y.(*driver.Description)
		return ok && x.Platform == y.Platform && reflect.DeepEqual(x.Ops, y.Ops) && reflect.DeepEqual(x.Keys, y.Keys)
	}
	return reflect.DeepEqual(x, y)
}
