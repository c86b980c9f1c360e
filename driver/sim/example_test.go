package sim_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
)

// A test can say "the message was sent" instead of "tap was called".
func Example() {
	ctx := context.Background()
	p := sim.New(nil)
	d := sim.Open(p, nil)
	defer d.Close()

	press := func(m driver.Match) {
		n, err := driver.Find(ctx, d, m)
		if err != nil || n == nil {
			fmt.Println("not there:", err)
			return
		}
		if err := d.Tap(ctx, n.Center()); err != nil {
			fmt.Println(err)
		}
	}
	if err := d.Launch(ctx, "Messages"); err != nil {
		fmt.Println(err)
	}
	press(driver.ByText("Alice"))
	press(driver.ByRole(driver.RoleEdit))
	if err := driver.Type(ctx, d, "See you at noon 😀"); err != nil {
		fmt.Println(err)
	}
	press(driver.ByText("Send"))

	for _, e := range p.Events("message_sent") {
		fmt.Println(e.String("to"), "got:", e.String("text"))
	}
	// Output:
	// Alice got: See you at noon 😀
}

// An app is data.
func ExampleOptions_apps() {
	lamp := sim.App{
		ID: "org.example.lamp", Name: sim.T("Lamp", "灯"),
		Screens: []sim.Screen{{
			ID: "main", Title: sim.T("Lamp", "灯"),
			Body: []sim.Widget{
				{Kind: sim.KindSwitch, Text: sim.T("Light", "灯光"), Key: "lamp.light"},
				{Kind: sim.KindButton, Text: sim.T("Blink", "闪烁"), Off: "!lamp.light", Do: []sim.Effect{sim.Emit("blinked")}},
			},
		}},
	}
	p := sim.New(&sim.Options{Apps: []sim.App{lamp}, Start: lamp.ID})
	for _, text := range []string{"Blink", "Light", "Blink"} {
		p.Tap(p.Tree().Find(driver.ByText(text)).Center())
	}
	for _, e := range p.Log() {
		line, _ := json.Marshal(e.Data)
		fmt.Println(e.Name, string(line))
	}
	// Output:
	// tap {"on":"Blink","x":540,"y":463}
	// tap {"on":"Light","x":92,"y":310}
	// switch {"app":"Lamp","key":"lamp.light","name":"Light","on":true}
	// tap {"on":"Blink","x":540,"y":463}
	// blinked {"app":"Lamp"}
}
