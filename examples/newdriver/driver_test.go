package main

import (
	"context"
	"fmt"
	"image"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/drivertest"
)

// TestContract is the harness: how to get a kiosk, and what the kiosk tells of what was done to it.
func TestContract(t *testing.T) {
	open := func(limit time.Duration) func(testing.TB) *drivertest.Phone {
		return func(t testing.TB) *drivertest.Phone {
			w := &wire{kiosk: newKiosk()}
			made := func() *Driver { return Open(t.Name(), limit, w.dial) }
			return &drivertest.Phone{
				Driver: made(),
				Second: func() (driver.Driver, error) { return made(), nil },
				Log:    func() []drivertest.Event { return events(w.kiosk.obeyed()) },
				Fault:  w.fault,
			}
		}
	}
	drivertest.Run(t, &drivertest.Config{
		Open:       open(10 * time.Second),
		Impatient:  open(300 * time.Millisecond),
		Apps:       drivertest.Apps{ID: "drink.tea", Name: "Tea", Other: "drink.cocoa", Unknown: "Beer"},
		Ops:        []driver.Op{driver.OpLongPress, driver.OpForeground},
		Unreported: driver.Enabled | driver.Focused | driver.Visible,
	})
}

// events reads the kiosk's log.
func events(lines []string) []drivertest.Event {
	var out []drivertest.Event
	for _, line := range lines {
		var e drivertest.Event
		var ms int
		switch verb, rest, _ := strings.Cut(line, " "); verb {
		case "TOUCH":
			_, _ = fmt.Sscan(rest, &e.At.X, &e.At.Y, &e.To.X, &e.To.Y, &ms)
			e.Kind, e.Over = drivertest.KindSwipe, time.Duration(ms)*time.Millisecond
			if ms == 0 {
				e.Kind, e.To = drivertest.KindTap, image.Point{}
			}
		case "KEY":
			e.Kind, e.Key = drivertest.KindKey, driver.Key(strings.Trim(rest, `"`))
		case "START":
			e.Kind, e.App = drivertest.KindLaunch, rest
		}
		out = append(out, e)
	}
	return out
}

// wire is the line to a kiosk, with the faults that a line can have.
type wire struct {
	*kiosk
	mu    sync.Mutex
	state string // the fault, "" for none
}

func (w *wire) fault(name string) func() {
	switch name {
	case drivertest.FaultHang, drivertest.FaultBreak, drivertest.FaultOffline:
		w.set(name)
		return func() { w.set("") }
	}
	return nil
}

func (w *wire) set(fault string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.state = fault
}

func (w *wire) dial(ctx context.Context) (net.Conn, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch w.state {
	case drivertest.FaultHang:
		near, _ := net.Pipe() // nobody reads what is sent
		return near, nil
	case drivertest.FaultOffline:
		return nil, io.ErrUnexpectedEOF
	case drivertest.FaultBreak:
		conn, err := w.kiosk.dial(ctx)
		return broken{conn}, err
	}
	return w.kiosk.dial(ctx)
}

// broken is a line that carries what is sent, and not the answer.
type broken struct{ net.Conn }

func (c broken) Read([]byte) (int, error) {
	_, _ = io.ReadAll(c.Conn) // the kiosk has done it by then
	return 0, io.ErrUnexpectedEOF
}

func ExampleOpen() {
	if err := run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// the machine makes drink.tea
	// it did [TOUCH 120 160 120 160 0]
}
