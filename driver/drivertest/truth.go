package drivertest

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/handset-go/handset/driver"
)

func truthCases() []Case {
	return []Case{
		{Name: "truth/health", Rule: "the health of a normal frame is ok", check: healthOK},
		{Name: "truth/now", Rule: "Screenshot returns the frame that the phone shows now", check: frameIsNew},
		{Name: "truth/flags", Rule: "a flag that is set is known, and what the tool does not report is unknown, not false", check: flagsAreKnown},
		{Name: "truth/enabled", Rule: "what the tool does not report is unknown, not false", check: notAllDisabled},
		{Name: "truth/rotation", Rule: "the tree, Rotation and the phone agree on how it is turned", check: rotationAgrees},
	}
}

func (b *bench) screenshot() (*driver.Screen, error) {
	var s *driver.Screen
	err := b.try(func(ctx context.Context) (err error) {
		s, err = b.Driver.Screenshot(ctx)
		return err
	})
	if err == nil && s == nil {
		err = errors.New("the screenshot is nil, and so is the error")
	}
	return s, err
}

func healthOK(b *bench) error {
	s, err := b.screenshot()
	if err != nil {
		return err
	}
	if s.Health() != driver.HealthOK {
		return fmt.Errorf("the health is %q, want %q", s.Health(), driver.HealthOK)
	}
	if s.At().IsZero() {
		return errors.New("the frame has no time")
	}
	return nil
}

func frameIsNew(b *bench) error {
	before, err := b.picture()
	if err != nil {
		return err
	}
	if err := b.launch(b.cfg.Apps.ID); err != nil {
		return err
	}
	after, err := b.picture()
	if err != nil {
		return err
	}
	if bytes.Equal(before, after) {
		return fmt.Errorf("the frame is the same before and after %q came to the front", b.cfg.Apps.ID)
	}
	return nil
}

func (b *bench) picture() ([]byte, error) {
	s, err := b.screenshot()
	if err != nil {
		return nil, err
	}
	data, _, err := s.Encoded()
	return data, err
}

func flagsAreKnown(b *bench) error {
	tree, err := b.tree()
	if err != nil {
		return err
	}
	for n := range tree.Root.All() {
		if bad := n.Flags &^ n.Known; bad != 0 {
			return fmt.Errorf("%q has the flags %v, which it says it does not know", n.Label(), bad)
		}
		if bad := n.Known & b.cfg.Unreported; bad != 0 {
			return fmt.Errorf("%q knows the flags %v, which the tool does not report", n.Label(), bad)
		}
	}
	return nil
}

// notAllDisabled looks for the mark of a driver that takes a missing "enabled" for false.
func notAllDisabled(b *bench) error {
	tree, err := b.tree()
	if err != nil {
		return err
	}
	for _, f := range []driver.Flag{driver.Enabled, driver.Visible} {
		off := tree.FindAll(func(_ *driver.Tree, n *driver.Node) bool { return n.Not(f) })
		all := tree.FindAll()
		if len(all) > 1 && len(off) == len(all) {
			return fmt.Errorf("all %d nodes of the page say that they are not %v", len(all), f)
		}
	}
	return nil
}

func rotationAgrees(b *bench) error {
	if err := b.rotate(1); err != nil {
		return err
	}
	tree, err := b.tree()
	if err != nil {
		return err
	}
	var got int
	err = b.try(func(ctx context.Context) (err error) {
		got, err = driver.Rotation(ctx, b.Driver)
		return err
	})
	if err != nil {
		return err
	}
	if tree.Rotation != 1 || got != 1 {
		return fmt.Errorf("the phone was turned to 1; the tree says %d and Rotation says %d", tree.Rotation, got)
	}
	return nil
}

func faultCases() []Case {
	return []Case{
		{Name: "fault/no-picture", Rule: "a failed screenshot is an error and never a made-up picture", check: noPicture},
		{Name: "fault/no-tree", Rule: "ErrNoTree says that there is no tree now", check: noTree},
		{Name: "fault/protected", Rule: "Health says that the system refused to show the page", check: func(b *bench) error {
			return unhealthy(b, FaultProtected, driver.HealthProtected)
		}},
		{Name: "fault/asleep", Rule: "Health or ErrAsleep says that the display is off", check: asleep},
		{Name: "fault/offline", Rule: "a device that has gone away is ErrOffline or ErrNoDevice", check: offline},
		{Name: "fault/blocked", Rule: "a system that refuses injected input is ErrInputBlocked", check: blocked},
	}
}

func noPicture(b *bench) error {
	off, err := b.fault(FaultNoPicture)
	if err != nil {
		return err
	}
	defer off()
	s, err := b.screenshot()
	if err == nil {
		return fmt.Errorf("the capture failed, and the driver returns a picture of %v", s.Size())
	}
	if s != nil {
		return fmt.Errorf("the driver returns a picture of %v beside the error %w", s.Size(), err)
	}
	return shaped(err)
}

func noTree(b *bench) error {
	if _, err := b.tree(); err != nil {
		return err
	}
	off, err := b.fault(FaultNoTree)
	if err != nil {
		return err
	}
	defer off()
	if _, err := b.tree(); !errors.Is(err, driver.ErrNoTree) {
		return fmt.Errorf("got %v, want what matches ErrNoTree", err)
	}
	return nil
}

func unhealthy(b *bench, fault string, want driver.Health) error {
	off, err := b.fault(fault)
	if err != nil {
		return err
	}
	defer off()
	s, err := b.screenshot()
	if err != nil {
		return err
	}
	if s.Health() != want {
		return fmt.Errorf("the health is %q, want %q", s.Health(), want)
	}
	return nil
}

func asleep(b *bench) error {
	err := unhealthy(b, FaultAsleep, driver.HealthAsleep)
	if errors.Is(err, driver.ErrAsleep) {
		return nil
	}
	return err
}

func offline(b *bench) error {
	c, err := b.caller()
	if err != nil {
		return err
	}
	off, err := b.fault(FaultOffline)
	if err != nil {
		return err
	}
	defer off()
	b.ready()
	for _, op := range []driver.Op{driver.OpScreenshot, driver.OpTree, driver.OpTap, driver.OpSwipe, driver.OpKey, driver.OpLaunch} {
		err := b.try(func(ctx context.Context) error {
			_, err := c.do(ctx, op)
			return err
		})
		gone := errors.Is(err, driver.ErrOffline) || errors.Is(err, driver.ErrNoDevice) || errors.Is(err, driver.ErrSessionLost)
		if !gone && !dull(err) && !b.isRefusal(err) {
			return fmt.Errorf("%s: got %v, want what matches ErrOffline or ErrNoDevice", op, err)
		}
	}
	return b.nothingSent()
}

func blocked(b *bench) error {
	c, err := b.caller()
	if err != nil {
		return err
	}
	off, err := b.fault(FaultBlocked)
	if err != nil {
		return err
	}
	defer off()
	b.ready()
	err = b.try(func(ctx context.Context) error { return c.d.Tap(ctx, c.at) })
	if !errors.Is(err, driver.ErrInputBlocked) {
		return fmt.Errorf("got %v, want what matches ErrInputBlocked", err)
	}
	if driver.MaybeDone(err) {
		return fmt.Errorf("%w; the phone has refused it", err)
	}
	return b.nothingSent()
}
