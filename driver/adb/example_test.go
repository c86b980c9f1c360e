package adb_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"testing/fstest"

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

func ExampleFollow() {
	server, end := simulated()
	defer end()
	for devices, err := range adb.Follow(context.Background(), &adb.Options{Server: server}) {
		if err != nil {
			fmt.Println(err) // the server ended; the next one is waited for
			continue
		}
		fmt.Println(len(devices), "phone")
		break // or go on for as long as the program runs
	}
	// Output: 1 phone
}

func ExampleDriver_PullDir() {
	server, end := simulated()
	defer end()
	ctx := context.Background()
	d, err := adb.New(ctx, "", &adb.Options{Server: server})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	dir, err := os.MkdirTemp("", "handset")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	if err := d.PushDir(ctx, fstest.MapFS{"notes/today.txt": {Data: []byte("milk")}}, "/sdcard/Documents"); err != nil {
		log.Fatal(err)
	}
	if err := d.PullDir(ctx, "/sdcard/Documents", dir); err != nil {
		log.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "notes", "today.txt"))
	fmt.Println(string(text), err)
	// Output: milk <nil>
}
