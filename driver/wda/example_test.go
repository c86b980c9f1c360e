package wda_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/wda"
	front "github.com/handset-go/handset/internal/phonefront/wda"
)

// simulated starts a simulated iPhone behind WebDriverAgent's interface, so that the example needs no phone.
func simulated() *front.Server {
	phone, err := front.NewPhone("iphone-15", nil)
	if err != nil {
		log.Fatal(err)
	}
	s, err := front.Listen("127.0.0.1:0", phone, nil)
	if err != nil {
		log.Fatal(err)
	}
	return s
}

func Example() {
	server := simulated() // with an iPhone on a cable, give New "" instead of an address
	defer server.Close()
	ctx := context.Background()

	d, err := wda.New(ctx, server.Addr(), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()

	if err := d.Launch(ctx, "com.apple.Preferences"); err != nil {
		log.Fatal(err)
	}
	bluetooth, err := driver.Find(ctx, d, driver.ByRole(driver.RoleSwitch), driver.ByText("Bluetooth"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("on:", bluetooth.Is(driver.Checked))
	if err := d.Tap(ctx, bluetooth.Center()); err != nil { // points are pixels of the frame, at any scale
		log.Fatal(err)
	}
	if bluetooth, err = driver.Find(ctx, d, driver.ByRole(driver.RoleSwitch), driver.ByText("Bluetooth")); err != nil {
		log.Fatal(err)
	}
	fmt.Println("on:", bluetooth.Is(driver.Checked))
	// Output:
	// on: true
	// on: false
}

func ExampleDriver_PressAlert() {
	server := simulated()
	defer server.Close()
	ctx := context.Background()
	d, err := wda.New(ctx, server.Addr(), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()

	if err := d.Launch(ctx, "com.apple.camera"); err != nil {
		log.Fatal(err)
	}
	alert, err := d.Alert(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(alert.Buttons) > 1)
	if err := d.PressAlert(ctx, alert.Buttons[len(alert.Buttons)-1]); err != nil {
		log.Fatal(err)
	}
	_, err = d.Alert(ctx)
	fmt.Println(errors.Is(err, wda.ErrNoAlert))
	// Output:
	// true
	// true
}
