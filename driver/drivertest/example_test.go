package drivertest_test

import (
	"fmt"
	"testing"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/drivertest"
	"github.com/handset-go/handset/driver/sim"
)

// open returns a fresh phone, its driver, and what the phone itself can tell.
func open(testing.TB) *drivertest.Phone {
	p := sim.New(nil)
	return &drivertest.Phone{
		Driver:  sim.Open(p, nil),
		Second:  func() (driver.Driver, error) { return sim.Open(p, nil), nil },
		Address: p.Address(),
	}
}

// A driver's own test is a function such as this one.
func ExampleRun() {
	_ = func(t *testing.T) {
		drivertest.Run(t, &drivertest.Config{
			Open: open,
			Apps: drivertest.Apps{ID: "com.android.settings", Name: "Settings"},
			Ops:  []driver.Op{driver.OpType, driver.OpLongPress},
		})
	}
}

func ExampleCases() {
	for _, c := range drivertest.Cases(&drivertest.Config{Open: open})[2:4] {
		fmt.Printf("%s: %s\n", c.Name, c.Rule)
	}
	// Output:
	// space/upright/edges: 0 and the last pixel are legal
	// space/upright/off-screen: a point outside the frame is ErrOffScreen, and nothing is sent for it
}
