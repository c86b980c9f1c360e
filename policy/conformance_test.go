package policy_test

import (
	"context"
	"image"
	"sync"
	"testing"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/drivertest"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/policy"
)

// hanging is a line to a phone that can stop answering.
type hanging struct {
	mu   sync.Mutex
	gate chan struct{}
}

func (h *hanging) fault(name string) func() {
	if name != drivertest.FaultHang {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	gate := make(chan struct{})
	h.gate = gate
	return sync.OnceFunc(func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.gate = nil
		close(gate)
	})
}

func (h *hanging) before(ctx context.Context, _ driver.Op) error {
	h.mu.Lock()
	gate := h.gate
	h.mu.Unlock()
	if gate == nil {
		return nil
	}
	select {
	case <-gate:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// behindAGate is a simulated phone whose driver is guarded.
func behindAGate(o *sim.Options, limit time.Duration) func(testing.TB) *drivertest.Phone {
	return func(testing.TB) *drivertest.Phone {
		p, h := sim.New(o), &hanging{}
		open := func() (driver.Driver, error) {
			yes := func(context.Context, *policy.Request) (policy.Answer, error) { return policy.Answer{Allow: true}, nil }
			return policy.New(&policy.Options{Confirm: yes}).Guard(sim.Open(p, &sim.DriverOptions{Before: h.before, Limit: limit})), nil
		}
		d, _ := open()
		return &drivertest.Phone{
			Driver: d, Address: p.Address(), Second: open, Fault: h.fault,
			Log:       func() []drivertest.Event { return touches(p) },
			Focus:     func(many bool) error { return focus(p, many) },
			FieldText: func() (string, error) { f, _ := p.Focused(); return f.Text, nil },
		}
	}
}

// focus taps an empty field: the search of the settings, or a new note.
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

func touches(p *sim.Phone) []drivertest.Event {
	kinds := map[string]string{
		"tap": drivertest.KindTap, "double_tap": drivertest.KindTap, "long_press": drivertest.KindHold, "swipe": drivertest.KindSwipe,
		"drag": drivertest.KindDrag, "pinch": drivertest.KindTouch, "key": drivertest.KindKey, "text": drivertest.KindText,
		"launch": drivertest.KindLaunch, "url": drivertest.KindURL,
	}
	var out []drivertest.Event
	for _, e := range p.Log() {
		number := func(field string) int { n, _ := e.Data[field].(int); return n }
		ms, _ := e.Data["ms"].(int64)
		if kind := kinds[e.Name]; kind != "" {
			out = append(out, drivertest.Event{
				Kind: kind, At: image.Pt(number("x"), number("y")), To: image.Pt(number("x2"), number("y2")), Over: time.Duration(ms) * time.Millisecond,
				Key: driver.Key(e.String("key")), Text: e.String("text") + e.String("url"), App: e.String("id"), Touch: e.String("on"),
			})
		}
	}
	return out
}

// A guarded driver is a driver: the gate lets harmless calls through unchanged, and keeps the rules of the
// contract about contexts, limits, errors and capabilities.
func TestConformance(t *testing.T) {
	drivertest.Run(t, &drivertest.Config{
		Open: behindAGate(nil, 20*time.Second),
		// A small phone, so that what is not hung is done long before the limit on a busy machine too.
		Impatient: behindAGate(&sim.Options{Size: image.Pt(240, 400), Density: 160}, 500*time.Millisecond),
		Apps:      drivertest.Apps{ID: "com.handset.notes", Name: "Notes", Other: "com.android.deskclock", Unknown: "Solitaire", Ambiguous: "Mail"},
		Ops: []driver.Op{
			driver.OpType, driver.OpClearText, driver.OpSetText, driver.OpDoubleTap, driver.OpLongPress, driver.OpDrag,
			driver.OpPinch, driver.OpGesture, driver.OpForeground, driver.OpResolve, driver.OpApps, driver.OpStop,
			driver.OpRotation, driver.OpRotate, driver.OpWake, driver.OpLock, driver.OpPowerState, driver.OpClipboard,
			driver.OpSetClipboard, driver.OpRelease, driver.OpDescribe,
		},
	})
}
