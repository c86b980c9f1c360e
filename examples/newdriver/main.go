// Command newdriver shows what it takes to drive something else than a phone: driver.go is a whole driver, kiosk.go the
// coffee machine that it drives, and driver_test.go the harness that proves it.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/handset-go/handset/driver"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "newdriver:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	machine := newKiosk()
	d := Open("hall", 5*time.Second, machine.dial)
	defer d.Close()

	tea, err := driver.WaitFor(ctx, d, driver.ByText("Tea"))
	if err != nil {
		return err
	}
	if err := d.Tap(ctx, tea.Center()); err != nil {
		return err
	}
	app, err := driver.Foreground(ctx, d) // by the tree: the driver has no Foreground of its own
	if err != nil {
		return err
	}
	fmt.Println("the machine makes", app.ID)
	fmt.Println("it did", machine.obeyed())
	return nil
}
