package drivertest

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"sync"
	"time"

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

// leads are how long the tap that hangs may take to have its turn. On a busy computer the first may not do: then
// the tap that was to wait has the turn, and rightly says that it may have been sent.
var leads = []time.Duration{2 * headStart, 20 * headStart, 100 * headStart}

// errSent is the error of a call that says MaybeDone.
var errSent = errors.New("the waiting call says that it may have been sent, without a turn")

// inTurn checks with each lead, on a fresh phone, until the calls have their turns as they should.
func (b *bench) inTurn(check func(lead time.Duration) error) error {
	err := check(leads[0])
	for _, lead := range leads[1:] {
		if !errors.Is(err, errSent) {
			break
		}
		b.fresh()
		err = check(lead)
	}
	return err
}

// queued starts a tap that waits for its turn behind one that hangs, on another driver of the device.
func (b *bench) queued(ctx context.Context, lead time.Duration) (second driver.Driver, done <-chan error, off func(), err error) {
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
	pause(lead)
	b.ready()
	done = start(func() error { return second.Tap(ctx, c.to) })
	pause(headStart)
	return second, done, off, nil
}

func waitingObeysCtx(b *bench) error {
	return b.inTurn(func(lead time.Duration) error {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		_, done, off, err := b.queued(ctx, lead)
		if err != nil {
			return err
		}
		cancel()
		return neverSent(done, off, context.Canceled)
	})
}

func waitingObeysClose(b *bench) error {
	return b.inTurn(func(lead time.Duration) error {
		second, done, off, err := b.queued(context.Background(), lead)
		if err != nil {
			return err
		}
		closed := start(second.Close)
		defer wait(closed, closeLimit)
		return neverSent(done, off, driver.ErrClosed)
	})
}

// neverSent wants the end of a tap that has not had its turn.
func neverSent(done <-chan error, off func(), want error) error {
	err := wait(done, patience)
	off()
	if !errors.Is(err, want) {
		return fmt.Errorf("the waiting call: got %v, want what matches %q", err, want)
	}
	if driver.MaybeDone(err) {
		return fmt.Errorf("%w: %w", errSent, err)
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
