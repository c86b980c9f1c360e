package adb_test

import (
	"context"
	"fmt"
	"log"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// simulated starts a simulated phone behind an adb server's socket, so that the example needs no phone.
func simulated() (server string, end func()) {
	device, err := android.New(sim.New(nil), &android.Options{Serial: "emulator-5554"})
	if err != nil {
		log.Fatal(err)
	}
	s, err := adbserver.Start(&adbserver.Options{Phones: []adbserver.Phone{{Device: device}}})
	if err != nil {
		log.Fatal(err)
	}
	return s.Addr(), func() { _ = s.Close() }
}

func Example() {
	server, end := simulated() // with a phone on a cable, leave Server empty
	defer end()
	ctx := context.Background()

	d, err := adb.New(ctx, "", &adb.Options{Server: server})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()

	if err := d.Launch(ctx, "Settings"); err != nil {
		log.Fatal(err)
	}
	bluetooth, err := driver.Find(ctx, d, driver.ByText("Bluetooth"))
	if err != nil {
		log.Fatal(err)
	}
	if err := d.Tap(ctx, bluetooth.Center()); err != nil {
		log.Fatal(err)
	}
	app, err := d.Foreground(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(app.ID)
	// Output: com.android.settings
}

func ExampleDevices() {
	server, end := simulated()
	defer end()
	devices, err := adb.Devices(context.Background(), &adb.Options{Server: server})
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range devices {
		fmt.Println(d.Address, d.State, d.Model, d.Advice)
	}
	// Output: adb:emulator-5554 device Pixel 8
}
