package sim_test

import (
	"context"
	"errors"
	"image"
	"sync"
	"testing"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/drivertest"
	"github.com/handset-go/handset/driver/sim"
)

// line is the line between the driver and the phone, with the faults that it can have.
type line struct {
	mu     sync.Mutex
	faults map[string]chan struct{} // closed where the fault is switched off
}

func (l *line) fault(name string) func() {
	l.mu.Lock()
	defer l.mu.Unlock()
	gate := make(chan struct{})
	l.faults[name] = gate
	return sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.faults, name)
		close(gate)
	})
}

func (l *line) has(name string) (chan struct{}, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	gate, on := l.faults[name]
	return gate, on
}

var errCapture = errors.New("the capture failed")

func (l *line) before(ctx context.Context, op driver.Op) error {
	if _, on := l.has(drivertest.FaultOffline); on {
		return driver.ErrOffline
	}
	if _, on := l.has(drivertest.FaultBlocked); on && op.Gesture() {
		return driver.ErrInputBlocked
	}
	if _, on := l.has(drivertest.FaultNoPicture); on && op == driver.OpScreenshot {
		return errCapture
	}
	gate, on := l.has(drivertest.FaultHang)
	if !on && op == driver.OpType {
		gate, on = l.has(drivertest.FaultHangTyping)
	}
	if !on {
		return nil
	}
	select {
	case <-gate:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// after breaks the line once, after a gesture or a text has reached the phone.
func (l *line) after(_ context.Context, op driver.Op) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.faults[drivertest.FaultBreak] == nil || op.Reads() {
		return nil
	}
	delete(l.faults, drivertest.FaultBreak)
	return driver.ErrOffline
}

// harness is a simulated phone for the conformance suite.
func harness(opts *sim.Options, limit time.Duration) *drivertest.Phone {
	p, l := sim.New(opts), &line{faults: map[string]chan struct{}{}}
	open := func() driver.Driver {
		return sim.Open(p, &sim.DriverOptions{Before: l.before, After: l.after, Limit: limit})
	}
	return &drivertest.Phone{
		Driver: open(), Address: p.Address(),
		Second:    func() (driver.Driver, error) { return open(), nil },
		Log:       func() []drivertest.Event { return events(p) },
		Fault:     func(name string) func() { return fault(p, l, name) },
		Focus:     func(many bool) error { return focus(p, many) },
		FieldText: func() (string, error) { return fieldText(p) },
		State:     func() (string, error) { return p.CurrentIME() + "\n" + p.Clipboard(), nil },
	}
}

// fault switches on a fault of the phone or of the line.
func fault(p *sim.Phone, l *line, name string) func() {
	phone := func(name string) func() {
		if err := p.SetFault(name, true); err != nil {
			return nil
		}
		return func() { _ = p.SetFault(name, false) }
	}
	switch name {
	case drivertest.FaultSlowLaunch:
		return phone(sim.FaultSlowLaunch)
	case drivertest.FaultNoTree:
		return phone(sim.FaultNoTree)
	case drivertest.FaultProtected:
		_, _ = p.StartApp("com.handset.wallet")
		return func() { _, _ = p.StartApp("com.android.launcher3") }
	case drivertest.FaultAsleep:
		p.Sleep()
		return p.Wake
	}
	return l.fault(name)
}

// focus opens a page with an empty field and taps it.
func focus(p *sim.Phone, many bool) error {
	app := "com.android.settings"
	p.SetValue("settings.query", "")
	if many {
		app = "com.handset.notes"
	}
	if err := p.StopApp(app); err != nil {
		return err
	}
	if _, err := p.StartApp(app); err != nil {
		return err
	}
	if many {
		p.Tap(p.Tree().Find(driver.ByID("new_button")).Center())
	}
	p.Tap(p.Tree().Find(driver.ByRole(driver.RoleEdit)).Center())
	return nil
}

func fieldText(p *sim.Phone) (string, error) {
	f, ok := p.Focused()
	if !ok {
		return "", errors.New("no field has the focus")
	}
	return f.Text, nil
}

// kinds are the suite's words for the phone's, which says "double_tap" of the second tap of two.
var kinds = map[string]string{
	"tap": drivertest.KindTap, "double_tap": drivertest.KindTap, "long_press": drivertest.KindHold,
	"swipe": drivertest.KindSwipe, "drag": drivertest.KindDrag, "pinch": drivertest.KindTouch, "key": drivertest.KindKey,
	"text": drivertest.KindText, "launch": drivertest.KindLaunch, "url": drivertest.KindURL,
}

func events(p *sim.Phone) []drivertest.Event {
	var out []drivertest.Event
	for _, e := range p.Log() {
		kind, ok := kinds[e.Name]
		if !ok {
			continue
		}
		number := func(field string) int { n, _ := e.Data[field].(int); return n }
		ms, _ := e.Data["ms"].(int64)
		out = append(out, drivertest.Event{
			Kind: kind, At: image.Pt(number("x"), number("y")), To: image.Pt(number("x2"), number("y2")),
			Over: time.Duration(ms) * time.Millisecond, Key: driver.Key(e.String("key")), Text: e.String("text") + e.String("url"),
			App: e.String("id"), Touch: e.String("on"),
		})
	}
	return out
}

func config() *drivertest.Config {
	with := func(opts sim.Options, limit time.Duration) func(testing.TB) *drivertest.Phone {
		return func(testing.TB) *drivertest.Phone { return harness(&opts, limit) }
	}
	return &drivertest.Config{
		Open: with(sim.Options{}, 20*time.Second),
		// A small phone, so that what is not hung is done long before the limit on a busy machine too.
		Impatient: with(sim.Options{Size: image.Pt(240, 400), Density: 160}, 500*time.Millisecond),
		More: map[string]func(testing.TB) *drivertest.Phone{
			"small":  with(sim.Options{Size: image.Pt(480, 800), Density: 240, Lang: sim.LangZh}, 20*time.Second),
			"tablet": with(sim.Options{Size: image.Pt(1600, 1200), Density: 213, Start: "com.android.settings"}, 20*time.Second),
		},
		Apps: drivertest.Apps{
			ID: "com.handset.notes", Name: "Notes", Other: "com.android.deskclock", Unknown: "Solitaire", Ambiguous: "Mail",
		},
		Ops: []driver.Op{
			driver.OpType, driver.OpClearText, driver.OpSetText, driver.OpDoubleTap, driver.OpLongPress, driver.OpDrag,
			driver.OpPinch, driver.OpGesture, driver.OpForeground, driver.OpResolve, driver.OpApps, driver.OpStop, driver.OpOpenURL,
			driver.OpRotation, driver.OpRotate, driver.OpWake, driver.OpLock, driver.OpPowerState, driver.OpClipboard,
			driver.OpSetClipboard, driver.OpRelease, driver.OpDescribe,
		},
	}
}

// TestConformance runs every rule of the contract.
func TestConformance(t *testing.T) {
	drivertest.Run(t, config())
}
