package drivertest

import (
	"context"
	"errors"
	"fmt"

	"github.com/handset-go/handset/driver"
)

func undoCases() []Case {
	return []Case{
		{
			Name: "undo/done", Rule: "what a driver changes to do its work, the same call puts back",
			check: putBackByTheCall,
		},
		{
			Name: "undo/cancelled", Rule: "after a cancelled call the undo goes on, and the next call waits for it",
			check: putBackBeforeTheNextCall,
		},
		{
			Name: "undo/closed", Rule: "Close waits for the undo of what it ended",
			check: putBackBeforeCloseReturns,
		},
		{
			Name: "undo/close", Rule: "a closed driver holds nothing of the phone",
			check: putBackByClose,
		},
	}
}

func (b *bench) state() (string, error) {
	if b.State == nil {
		return "", skipf("the harness has no State")
	}
	return b.State()
}

// unchanged compares the state with an earlier one.
func (b *bench) unchanged(before string) error {
	after, err := b.state()
	if err != nil {
		return err
	}
	if after != before {
		return fmt.Errorf("left behind: the phone was %q and is %q", before, after)
	}
	return nil
}

func putBackByTheCall(b *bench) error {
	before, err := b.state()
	if err != nil {
		return err
	}
	for _, op := range []driver.Op{driver.OpType, driver.OpClearText, driver.OpTree, driver.OpScreenshot} {
		c, err := b.prepare(op)
		if err != nil {
			return err
		}
		c.text = "naïve 文字 😀"
		err = b.try(func(ctx context.Context) error {
			_, err := c.do(ctx, op)
			return err
		})
		if err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, driver.ErrNoTextInput) && !b.isRefusal(err) {
			return fmt.Errorf("%s: %w", op, err)
		}
		if err := b.unchanged(before); err != nil {
			return fmt.Errorf("after %s: %w", op, err)
		}
	}
	return nil
}

// typing starts to type, on a phone that hangs from the moment when the text is put in.
func (b *bench) typing(ctx context.Context) (before string, done <-chan error, off func(), err error) {
	if before, err = b.state(); err != nil {
		return "", nil, nil, err
	}
	c, err := b.prepare(driver.OpType)
	if err != nil {
		return "", nil, nil, err
	}
	if off, err = b.fault(FaultHangTyping); err != nil {
		return "", nil, nil, err
	}
	c.text = "naïve 文字 😀"
	done = start(func() error { return driver.Type(ctx, b.Driver, c.text) })
	pause(headStart)
	return before, done, off, nil
}

func putBackBeforeTheNextCall(b *bench) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	before, done, off, err := b.typing(ctx)
	if err != nil {
		return err
	}
	cancel()
	err = wait(done, patience)
	off()
	if errors.Is(err, driver.ErrNoTextInput) {
		return skipf("the driver did not type: %v", err)
	}
	if !errors.Is(err, context.Canceled) {
		return instead(err, "what matches context.Canceled")
	}
	if _, err := b.size(); err != nil {
		return fmt.Errorf("the next call: %w", err)
	}
	return b.unchanged(before)
}

func putBackBeforeCloseReturns(b *bench) error {
	before, done, off, err := b.typing(context.Background())
	if err != nil {
		return err
	}
	closed := start(b.Driver.Close)
	err = wait(done, patience)
	off()
	if errors.Is(err, driver.ErrNoTextInput) {
		return skipf("the driver did not type: %v", err)
	}
	if !errors.Is(err, driver.ErrClosed) {
		return instead(err, "what matches ErrClosed")
	}
	if err := wait(closed, closeLimit); err != nil {
		return err
	}
	return b.unchanged(before)
}

// putBackByClose opens a second driver, works with it and closes it.
func putBackByClose(b *bench) error {
	before, err := b.state()
	if err != nil {
		return err
	}
	second, err := b.second()
	if err != nil {
		return err
	}
	c, err := b.caller()
	if err != nil {
		return err
	}
	for _, op := range driver.Operations(second) {
		if !op.Reads() || op == driver.OpLogs {
			continue
		}
		err := b.try(func(ctx context.Context) error {
			_, err := c.on(second).do(ctx, op)
			return err
		})
		if err != nil && !dull(err) {
			return fmt.Errorf("%s: %w", op, err)
		}
	}
	if err := wait(start(second.Close), closeLimit); err != nil {
		return err
	}
	return b.unchanged(before)
}
