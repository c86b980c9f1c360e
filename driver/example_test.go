package driver_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"log"
	"time"

	"github.com/handset-go/handset/driver"
	_ "github.com/handset-go/handset/driver/sim" // registers "sim:"
)

// A phone is opened by its address, and driven by the core methods and the package functions.
func Example() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	d, err := driver.Open(ctx, "sim:")
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()

	if err := d.Launch(ctx, "Settings"); err != nil {
		log.Fatal(err)
	}
	n, err := driver.WaitFor(ctx, d, driver.ByText("Bluetooth"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n.Label(), d.Tap(ctx, n.Center()))

	app, err := driver.Foreground(ctx, d)
	fmt.Println(app.ID, err)
	// Output:
	// Bluetooth <nil>
	// com.android.settings <nil>
}

// A switch has mostly no text of its own: it is found by the words of its row.
func ExampleLabelled() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	d, err := driver.Open(ctx, "sim:?start=com.android.settings")
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()

	bluetooth := []driver.Match{driver.ByRole(driver.RoleSwitch), driver.Labelled("Bluetooth")}
	n, err := driver.WaitFor(ctx, d, bluetooth...)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n.Is(driver.Checked), d.Tap(ctx, n.Center()))
	n, err = driver.Find(ctx, d, bluetooth...)
	fmt.Println(n.Is(driver.Checked), err)
	// Output:
	// true <nil>
	// false <nil>
}

// An error says what was tried and why it failed, and matches the sentinels.
func Example_errors() {
	ctx := context.Background()
	d, err := driver.Open(ctx, "sim:errors")
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()

	err = d.Tap(ctx, image.Pt(5000, 5000))
	fmt.Println(errors.Is(err, driver.ErrOffScreen), driver.MaybeDone(err))
	err = d.Launch(ctx, "Setings")
	fmt.Println(errors.Is(err, driver.ErrAppNotFound))
	err = d.Key(ctx, "Eject")
	fmt.Println(errors.Is(err, errors.ErrUnsupported))
	// Output:
	// true false
	// true
	// true
}

// A wrapper sees every call. This one refuses what no test should press.
func ExampleWrap() {
	ctx := context.Background()
	d, err := driver.Open(ctx, "sim:")
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()

	d = driver.Wrap(d, func(ctx context.Context, c *driver.Call, next func(context.Context) error) error {
		fmt.Println("->", c.Op)
		if c.Op == driver.OpKey && c.Key == driver.KeyPower {
			return driver.ErrDenied
		}
		return next(ctx)
	})
	fmt.Println(d.Key(ctx, driver.KeyPower))
	fmt.Println(driver.LongPress(ctx, d, image.Pt(540, 1200), time.Second))
	// Output:
	// -> key
	// denied
	// -> long press
	// <nil>
}

// A driver is a function for each operation, on Calls.
func ExampleCalls() {
	calls := driver.NewCalls("lamp:1")
	defer calls.Close(nil)
	press := func(ctx context.Context, key driver.Key) error {
		return calls.Do(ctx, driver.OpKey, time.Second, func(ctx context.Context) error {
			if key != driver.KeyPower {
				return driver.Unsupported("no key %q; the keys are Power", key)
			}
			driver.MarkSent(ctx) // from here on it may have reached the lamp
			<-ctx.Done()         // a lamp that does not answer
			return ctx.Err()
		})
	}
	fmt.Println(press(context.Background(), driver.KeyHome))
	fmt.Println(press(context.Background(), driver.KeyPower))
	// Output:
	// key lamp:1: no key "Home"; the keys are Power
	// key lamp:1: the phone took too long: give it a longer limit, or restart the phone if it hangs (it may have reached the phone: look before doing it again)
}

func ExampleParseAddress() {
	a, err := driver.ParseAddress("adb:adb-X (2)._adb-tls-connect._tcp?server=10.0.0.7%3A5037")
	fmt.Printf("%q %q %v %v\n", a.Scheme, a.Device, a.Options, err)
	fmt.Println(a)
	// Output:
	// "adb" "adb-X (2)._adb-tls-connect._tcp" map[server:10.0.0.7:5037] <nil>
	// adb:adb-X (2)._adb-tls-connect._tcp?server=10.0.0.7%3A5037
}

func ExampleTree_Find() {
	send := &driver.Node{Role: driver.RoleButton, Text: "Send", Bounds: image.Rect(900, 2200, 1060, 2300)}
	send.Set(driver.Enabled, true)
	tree := &driver.Tree{Root: &driver.Node{Children: []*driver.Node{send}}, Size: image.Pt(1080, 2400)}
	n := tree.Find(driver.ByText("Send"), driver.ByRole(driver.RoleButton))
	fmt.Println(n.Center(), n.Is(driver.Enabled), n.Not(driver.Clickable)) // whether it is clickable nobody said
	// Output: (980,2250) true false
}
