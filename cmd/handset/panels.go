package main

import (
	"context"
	"fmt"
	"image"

	"github.com/handset-go/handset/driver"
)

type notificationsCmd struct {
	Quick bool `help:"The panel of quick settings instead." xor:"which"`
	Close bool `help:"Put both away." xor:"which"`
}

// Run shows the notifications. To the gate it is the swipe from the upper edge that a person would do.
func (c *notificationsCmd) Run(a *app) error {
	return a.with(func(ctx context.Context, d driver.Driver) error {
		can, err := ability[panels](a, "show the notifications by itself: swipe down from the upper edge, as in handset swipe --rel 500,0 500,600")
		if err != nil {
			return err
		}
		show := can.ShowNotifications
		switch {
		case c.Quick:
			show = can.ShowQuickSettings
		case c.Close:
			show = can.CollapsePanels
		}
		d = a.gate(nil).Guard(a.instead(d, driver.OpSwipe, show))
		return a.saidDone(d.Swipe(ctx, image.Pt(0, 0), image.Pt(0, 1), 0), "notifications", map[string]any{"quick": c.Quick, "close": c.Close})
	})
}

type batteryCmd struct{}

// Run prints the state of the battery.
func (c *batteryCmd) Run(a *app) error {
	return a.with(func(ctx context.Context, _ driver.Driver) error {
		can, err := ability[powered](a, "tell of its battery")
		if err != nil {
			return err
		}
		b, err := can.Battery(ctx)
		if err != nil {
			return err
		}
		if a.JSON {
			a.printJSON(map[string]any{"percent": b.Percent, "charging": b.Charging, "plugged": b.Plugged, "celsius": b.Celsius, "volts": b.Volts})
			return nil
		}
		rows := [][]string{{"percent", fmt.Sprint(b.Percent)}, {"charging", fmt.Sprint(b.Charging)}}
		if b.Plugged != "" {
			rows = append(rows, []string{"plugged", b.Plugged})
		}
		if b.Celsius != 0 {
			rows = append(rows, []string{"celsius", fmt.Sprintf("%.1f", b.Celsius)})
		}
		if b.Volts != 0 {
			rows = append(rows, []string{"volts", fmt.Sprintf("%.2f", b.Volts)})
		}
		a.table(rows)
		return nil
	})
}
