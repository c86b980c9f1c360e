package drivertest

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"testing"
	"time"

	"github.com/handset-go/handset/driver"
)

// The waits of the suite are wide: they tell a call that returned from one that hangs, and no more.
const (
	// headStart is how long a call that hangs is left alone before something happens to it.
	headStart = 50 * time.Millisecond
	// patience is how long a call that must return at once may take.
	patience = 3 * time.Second
	// callLimit bounds the calls that nothing holds.
	callLimit = 30 * time.Second
	// closeLimit bounds Close, which waits for an undo (5 s) and puts back what the driver holds (5 s).
	closeLimit = 15 * time.Second
)

// bench is where one case is checked: its phone, and what was opened and switched on for it.
type bench struct {
	t   testing.TB
	cfg *Config
	*Phone
	open func(testing.TB) *Phone
	used []driver.Driver
	offs []func()
	mark int // events before it are not the case's
}

// use opens a fresh phone, which is the bench's from now on.
func (b *bench) use(open func(testing.TB) *Phone) {
	b.Phone, b.mark = open(b.t), 0
	b.used = append(b.used, b.Driver)
}

// fresh replaces the phone by another of the same kind.
func (b *bench) fresh() {
	b.end()
	b.use(b.open)
}

// end switches the faults off and closes the drivers.
func (b *bench) end() {
	for _, off := range b.offs {
		off()
	}
	for _, d := range b.used {
		closed := start(func() error { return d.Close() })
		select {
		case <-closed:
		case <-time.After(closeLimit):
			b.t.Logf("Close did not return within %v", closeLimit)
		}
	}
	b.offs, b.used = nil, nil
}

// fault switches a fault on, until the case ends or off is called.
func (b *bench) fault(name string) (off func(), err error) {
	if b.Fault == nil {
		return nil, skipf("the harness has no Fault")
	}
	if off = b.Fault(name); off == nil {
		return nil, skipf("the phone does not have the fault %q", name)
	}
	b.offs = append(b.offs, off)
	return off, nil
}

// second opens another driver on the same device.
func (b *bench) second() (driver.Driver, error) {
	if b.Second == nil {
		return nil, skipf("the harness has no Second")
	}
	d, err := b.Second()
	if err == nil {
		b.used = append(b.used, d)
	}
	return d, err
}

// focus puts the cursor into an empty field; what happened up to then is not the case's.
func (b *bench) focus(multiline bool) error {
	if b.Focus == nil {
		return skipf("the harness has no Focus")
	}
	if err := b.Focus(multiline); err != nil {
		return fmt.Errorf("the harness could not focus a field: %w", err)
	}
	b.ready()
	return nil
}

// field returns what the focused field holds.
func (b *bench) field() (string, error) {
	if b.FieldText == nil {
		return "", skipf("the harness has no FieldText")
	}
	return b.FieldText()
}

// ready says that what happens from now on is the case's.
func (b *bench) ready() {
	if b.Log != nil {
		b.mark = len(b.Log())
	}
}

// events returns what happened to the phone since ready.
func (b *bench) events() ([]Event, error) {
	if b.Log == nil {
		return nil, skipf("the harness has no Log")
	}
	return slices.Clone(b.Log()[b.mark:]), nil
}

// nothingSent says what reached the phone since ready. A phone without a log cannot tell.
func (b *bench) nothingSent() error {
	if b.Log == nil {
		return nil
	}
	if sent, _ := b.events(); len(sent) > 0 {
		return fmt.Errorf("%d events reached the phone, the first: %s", len(sent), tell(sent[0]))
	}
	return nil
}

// tell describes an event in a message.
func tell(e Event) string {
	return fmt.Sprintf("%s at %v to %v key %q text %q app %q", e.Kind, e.At, e.To, e.Key, e.Text, e.App)
}

// size returns the size of the frame.
func (b *bench) size() (image.Point, error) {
	var size image.Point
	err := b.try(func(ctx context.Context) error {
		s, err := b.Driver.Screenshot(ctx)
		if err == nil && s == nil {
			return errors.New("the screenshot is nil, and so is the error")
		}
		if err == nil {
			size = s.Size()
		}
		return err
	})
	return size, err
}

// middle returns the middle of the frame.
func (b *bench) middle() (image.Point, error) {
	size, err := b.size()
	return size.Div(2), err
}

// errStuck is the error of a call that did not return.
var errStuck = errors.New("the call did not return")

// start runs f in a goroutine.
func start(f func() error) <-chan error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	return done
}

// wait returns what came of a call, or errStuck after d. It waits a little at a time: while the computer stands
// still, or has no time for the test, the call does not use up its own.
func wait(done <-chan error, d time.Duration) error {
	little := min(d/10, 50*time.Millisecond)
	for left := d; left > 0; left -= little {
		select {
		case err := <-done:
			return err
		case <-time.After(min(left, little)):
		}
	}
	select {
	case err := <-done:
		return err
	default:
		return fmt.Errorf("%w within %v", errStuck, d)
	}
}

// try makes a call that nothing holds.
func (b *bench) try(f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	return wait(start(func() error { return f(ctx) }), callLimit+patience)
}

// instead is the error of a call that ended in another way than the rule wants. What came is in it.
func instead(got error, want string) error {
	if got == nil {
		return fmt.Errorf("got no error, want %s", want)
	}
	return fmt.Errorf("got %w, want %s", got, want)
}

// pause leaves calls in progress alone for a while.
func pause(d time.Duration) { _ = wait(nil, d) }
