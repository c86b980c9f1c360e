package drivertest

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"sync"

	"github.com/handset-go/handset/driver"
)

const ruleTurns = "operations that change the phone take turns per device; two drivers on one device share the queue"

func turnCases() []Case {
	return []Case{
		{Name: "turns/ctx", Rule: "waiting for a turn obeys ctx, and nothing is sent", check: waitingObeysCtx},
		{Name: "turns/close", Rule: "waiting for a turn obeys Close, and nothing is sent", check: waitingObeysClose},
		{Name: "turns/all", Rule: ruleTurns, check: everyGestureArrivesOnce},
		{Name: "turns/reads", Rule: "a Driver may be used from several goroutines", check: readsBesideGestures},
	}
}

// queued starts a tap that waits for its turn behind one that hangs, on another driver of the device.
func (b *bench) queued(ctx context.Context) (second driver.Driver, done <-chan error, off func(), err error) {
	if second, err = b.second(); err != nil {
		return nil, nil, nil, err
	}
	c, err := b.caller()
	if err != nil {
		return nil, nil, nil, err
	}
	_, off, err = b.hung(context.Background(), driver.OpTap)
	if err != nil {
		return nil, nil, nil, err
	}
	pause(2 * headStart) // on a busy computer the first tap may be slow to take its turn
	b.ready()
	done = start(func() error { return second.Tap(ctx, c.to) })
	pause(headStart)
	return second, done, off, nil
}

func waitingObeysCtx(b *bench) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_, done, off, err := b.queued(ctx)
	if err != nil {
		return err
	}
	cancel()
	return b.neverSent(done, off, context.Canceled)
}

func waitingObeysClose(b *bench) error {
	second, done, off, err := b.queued(context.Background())
	if err != nil {
		return err
	}
	closed := start(second.Close)
	defer wait(closed, closeLimit)
	return b.neverSent(done, off, driver.ErrClosed)
}

// neverSent wants the end of a tap that has not had its turn. The tap that hangs is at another point.
func (b *bench) neverSent(done <-chan error, off func(), want error) error {
	err := wait(done, patience)
	off()
	if !errors.Is(err, want) {
		return fmt.Errorf("the waiting call: got %v, want what matches %q", err, want)
	}
	if driver.MaybeDone(err) {
		return fmt.Errorf("the waiting call says that it may have been sent, without a turn: %w", err)
	}
	return nil
}

// The size of the crowd.
const (
	crowd = 4 // goroutines on each driver
	turns = 3 // taps of each goroutine
)

// everyGestureArrivesOnce taps a different point in each call, from many goroutines on two drivers.
func everyGestureArrivesOnce(b *bench) error {
	second, err := b.second()
	if err != nil {
		return err
	}
	size, err := b.size()
	if err != nil {
		return err
	}
	b.ready()
	want := crowdPoints(size, 2*crowd*turns)
	if err := tapAll([]driver.Driver{b.Driver, second}, want); err != nil {
		return err
	}
	all, err := b.events()
	if err != nil {
		return err
	}
	return b.separate(touches(all), want)
}

// crowdPoints are n points of the frame far from each other.
func crowdPoints(size image.Point, n int) []image.Point {
	points := make([]image.Point, n)
	for i := range points {
		points[i] = image.Pt(size.X/4+i*size.X/(2*n), size.Y/4+i*size.Y/(2*n))
	}
	return points
}

// tapAll taps the points from many goroutines, on the drivers in turn.
func tapAll(on []driver.Driver, at []image.Point) error {
	var wg sync.WaitGroup
	errs := make([]error, len(at))
	for from := range len(at) / turns {
		wg.Go(func() {
			for i := from * turns; i < (from+1)*turns; i++ {
				errs[i] = on[from%len(on)].Tap(context.Background(), at[i])
			}
		})
	}
	err := wait(start(func() error { wg.Wait(); return nil }), callLimit)
	if err != nil {
		return err
	}
	return errors.Join(errs...)
}

// separate wants one tap on each point, and no two at a time.
func (b *bench) separate(got []Event, want []image.Point) error {
	if len(got) != len(want) {
		return fmt.Errorf("the phone saw %d touches, want %d", len(got), len(want))
	}
	for _, at := range want {
		if !slices.ContainsFunc(got, func(e Event) bool { return e.Kind == KindTap && near(e.At, at, b.cfg.Slack) }) {
			return fmt.Errorf("the phone did not see the tap on %v", at)
		}
	}
	slices.SortFunc(got, func(x, y Event) int { return x.Began.Compare(y.Began) })
	for i := 1; i < len(got); i++ {
		if got[i].Began.Before(got[i-1].Ended) {
			return fmt.Errorf("the tap on %v began before the one on %v had ended", got[i].At, got[i-1].At)
		}
	}
	return nil
}

// readsBesideGestures reads from several goroutines while others tap.
func readsBesideGestures(b *bench) error {
	c, err := b.caller()
	if err != nil {
		return err
	}
	ops := []driver.Op{driver.OpScreenshot, driver.OpTap, driver.OpTree, driver.OpForeground, driver.OpTap, driver.OpDescribe}
	errs := make([]error, len(ops))
	var wg sync.WaitGroup
	for i, op := range ops {
		wg.Go(func() {
			for range turns {
				_, err := c.do(context.Background(), op)
				if err != nil && !dull(err) && !errors.Is(err, driver.ErrNoTree) && !b.isRefusal(err) {
					errs[i] = fmt.Errorf("%s: %w", op, err)
				}
			}
		})
	}
	if err := wait(start(func() error { wg.Wait(); return nil }), callLimit); err != nil {
		return err
	}
	return errors.Join(errs...)
}
