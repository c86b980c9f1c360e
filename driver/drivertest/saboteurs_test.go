package drivertest_test

import (
	"context"
	"errors"
	"image"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/drivertest"
)

// saboteur is a driver, or a wrapper, that breaks one rule.
type saboteur struct {
	name   string
	caught string // a case that must fail
	made   func(*toyDriver) driver.Driver
	set    func(*drivertest.Config) // where the broken thing is a wrapper
}

func saboteurs() []saboteur {
	return append(append(spaceSaboteurs(), callSaboteurs()...), dataSaboteurs()...)
}

func spaceSaboteurs() []saboteur {
	return []saboteur{
		{name: "refuses the last pixel", caught: "space/upright/edges", made: func(d *toyDriver) driver.Driver { return lastPixel{d} }},
		{name: "sends what is off the screen", caught: "space/upright/off-screen", made: func(d *toyDriver) driver.Driver { return noBounds{d} }},
		{name: "taps in points", caught: "space/upright/nodes", made: func(d *toyDriver) driver.Driver { return inPoints{d} }},
		{name: "checks against the unrotated size", caught: "space/turned/off-screen", made: func(d *toyDriver) driver.Driver { return unrotatedBounds{d} }},
		{name: "has the tree of the unrotated screen", caught: "space/turned/sizes", made: func(d *toyDriver) driver.Driver { return unrotatedTree{d} }},
		{name: "returns the frame unrotated", caught: "space/turned/edges", made: func(d *toyDriver) driver.Driver { return lyingFrame{d} }},
		{name: "calls one rotation another", caught: "truth/rotation", made: func(d *toyDriver) driver.Driver { return mirrored{d} }},
		{name: "taps where it should hold", caught: "gesture/hold", made: func(d *toyDriver) driver.Driver { return noHold{d} }},
		{name: "wants a duration", caught: "gesture/default", made: func(d *toyDriver) driver.Driver { return noDefault{d} }},
		{name: "swipes backwards", caught: "gesture/path", made: func(d *toyDriver) driver.Driver { return backwards{d} }},
		{name: "holds for no time", caught: "gesture/hold-default", made: func(d *toyDriver) driver.Driver { return shortHold{d} }},
		{name: "sends any key", caught: "key/unknown", made: func(d *toyDriver) driver.Driver { return anyKey{d} }},
		{name: "presses a key twice", caught: "key/pressed", made: func(d *toyDriver) driver.Driver { return keyTwice{d} }},
		{name: "describes a key that it lacks", caught: "key/described", made: func(d *toyDriver) driver.Driver { return moreKeys{d} }},
		{name: "describes a size of its own", caught: "describe/size", made: func(d *toyDriver) driver.Driver { return otherSize{d} }},
		{name: "describes an address that nothing reads", caught: "describe/address", made: func(d *toyDriver) driver.Driver { return noAddress{d} }},
		{name: "describes another phone", caught: "describe/open", made: func(d *toyDriver) driver.Driver { return otherAddress{d} }},
		{name: "describes an operation that it lacks", caught: "op/stop", made: func(d *toyDriver) driver.Driver { return moreOps{d} }},
	}
}

// refused is what a driver says of a point that it does not like.
func (d *toyDriver) refused(ctx context.Context, op driver.Op, err error) error {
	return d.Do(ctx, op, d.limit, func(context.Context) error { return err })
}

// raw sends events without a look at their points.
func (d *toyDriver) raw(ctx context.Context, op driver.Op, events ...drivertest.Event) error {
	return d.Do(ctx, op, d.limit, func(ctx context.Context) error { return d.send(ctx, events...) })
}

func tapAt(at image.Point) drivertest.Event {
	return touch(drivertest.KindTap, at, image.Point{}, 0)
}

type lastPixel struct{ *toyDriver }

func (d lastPixel) Tap(ctx context.Context, at image.Point) error {
	if size := d.phone.size(); at.X >= size.X-1 || at.Y >= size.Y-1 {
		return d.refused(ctx, driver.OpTap, driver.ErrOffScreen)
	}
	return d.toyDriver.Tap(ctx, at)
}

type noBounds struct{ *toyDriver }

func (d noBounds) Tap(ctx context.Context, at image.Point) error {
	return d.raw(ctx, driver.OpTap, tapAt(at))
}

type inPoints struct{ *toyDriver }

func (d inPoints) Tap(ctx context.Context, at image.Point) error {
	if !at.In(image.Rectangle{Max: d.phone.size()}) {
		return d.toyDriver.Tap(ctx, at)
	}
	return d.raw(ctx, driver.OpTap, tapAt(at.Div(2)))
}

type unrotatedBounds struct{ *toyDriver }

func (d unrotatedBounds) Tap(ctx context.Context, at image.Point) error {
	if !at.In(image.Rectangle{Max: d.phone.natural}) {
		return d.refused(ctx, driver.OpTap, driver.ErrOffScreen)
	}
	return d.raw(ctx, driver.OpTap, tapAt(at))
}

type unrotatedTree struct{ *toyDriver }

func (d unrotatedTree) Tree(ctx context.Context) (*driver.Tree, error) {
	t, err := d.toyDriver.Tree(ctx)
	if err != nil || t.Rotation%2 == 0 {
		return t, err
	}
	t.Size = d.phone.natural
	for n := range t.Root.All() {
		n.Bounds = image.Rect(n.Bounds.Min.Y, n.Bounds.Min.X, n.Bounds.Max.Y, n.Bounds.Max.X)
	}
	return t, nil
}

type lyingFrame struct{ *toyDriver }

func (d lyingFrame) Screenshot(ctx context.Context) (*driver.Screen, error) {
	if _, err := d.toyDriver.Screenshot(ctx); err != nil {
		return nil, err
	}
	return driver.NewScreenImage(image.NewRGBA(image.Rectangle{Max: d.phone.natural}), d.health())
}

type mirrored struct{ *toyDriver }

func (d mirrored) Rotation(ctx context.Context) (int, error) {
	r, err := d.toyDriver.Rotation(ctx)
	return (4 - r) % 4, err
}

type noHold struct{ *toyDriver }

func (d noHold) Swipe(ctx context.Context, from, to image.Point, over time.Duration) error {
	if from == to {
		return d.Tap(ctx, from)
	}
	return d.toyDriver.Swipe(ctx, from, to, over)
}

type noDefault struct{ *toyDriver }

func (d noDefault) Swipe(ctx context.Context, from, to image.Point, over time.Duration) error {
	if over <= 0 {
		return d.refused(ctx, driver.OpSwipe, errors.New("bad duration"))
	}
	return d.toyDriver.Swipe(ctx, from, to, over)
}

type backwards struct{ *toyDriver }

func (d backwards) Swipe(ctx context.Context, from, to image.Point, over time.Duration) error {
	return d.toyDriver.Swipe(ctx, to, from, over)
}

type shortHold struct{ *toyDriver }

func (d shortHold) LongPress(ctx context.Context, at image.Point, hold time.Duration) error {
	return d.act(ctx, driver.OpLongPress, touch(drivertest.KindHold, at, image.Point{}, max(hold, time.Millisecond)))
}

type anyKey struct{ *toyDriver }

func (d anyKey) Key(ctx context.Context, key driver.Key) error {
	return d.raw(ctx, driver.OpKey, drivertest.Event{Kind: drivertest.KindKey, Key: key})
}

type keyTwice struct{ *toyDriver }

func (d keyTwice) Key(ctx context.Context, key driver.Key) error {
	if err := d.toyDriver.Key(ctx, key); err != nil {
		return err
	}
	return d.toyDriver.Key(ctx, key)
}

type moreKeys struct{ *toyDriver }

func (d moreKeys) Describe(ctx context.Context) (*driver.Description, error) {
	desc, err := d.toyDriver.Describe(ctx)
	if err == nil {
		desc.Keys = append(desc.Keys, driver.KeyCamera)
	}
	return desc, err
}

type otherSize struct{ *toyDriver }

func (d otherSize) Describe(ctx context.Context) (*driver.Description, error) {
	desc, err := d.toyDriver.Describe(ctx)
	if err == nil {
		desc.Size = image.Pt(1080, 2400)
	}
	return desc, err
}

type noAddress struct{ *toyDriver }

func (d noAddress) Describe(ctx context.Context) (*driver.Description, error) {
	desc, err := d.toyDriver.Describe(ctx)
	if err == nil {
		desc.Address = strings.TrimPrefix(desc.Address, "toy:")
	}
	return desc, err
}

type otherAddress struct{ *toyDriver }

func (d otherAddress) Describe(ctx context.Context) (*driver.Description, error) {
	desc, err := d.toyDriver.Describe(ctx)
	if err == nil {
		desc.Address = "toy:other"
	}
	return desc, err
}

type moreOps struct{ *toyDriver }

func (d moreOps) Describe(ctx context.Context) (*driver.Description, error) {
	desc, err := d.toyDriver.Describe(ctx)
	if err == nil {
		desc.Ops = append(desc.Ops, driver.OpStop)
	}
	return desc, err
}
