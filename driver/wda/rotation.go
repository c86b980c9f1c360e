package wda

import (
	"context"
	"fmt"

	"github.com/electricbubble/gwda"

	"github.com/handset-go/handset/driver"
)

// angles are what WebDriverAgent calls 0 to 3 quarter turns to the left, as the picture on the display turns to the right. LANDSCAPE,
// for it, is the home button on the right.
var angles = [4]int{0, 270, 180, 90}

// Rotation returns the quarter turns of the interface from portrait.
func (d *Driver) Rotation(ctx context.Context) (int, error) {
	return value(ctx, d, driver.OpRotation, limitShort, d.rotation)
}

func (d *Driver) rotation(ctx context.Context) (int, error) {
	var r gwda.Rotation
	err := d.viaAgent(ctx, func(wd gwda.WebDriver) (err error) {
		r, err = wd.Rotation()
		return err
	})
	if err != nil {
		return 0, err
	}
	for turns, z := range angles {
		if r.Z == z {
			return turns, nil
		}
	}
	return 0, fmt.Errorf("WebDriverAgent tells a rotation of %d degrees", r.Z)
}

// Rotate turns the phone, and waits until the window has turned too. An app that does not turn is an error.
func (d *Driver) Rotate(ctx context.Context, rotation int) error {
	return d.do(ctx, driver.OpRotate, limitGesture, func(ctx context.Context) error {
		if rotation < 0 || rotation > 3 {
			return fmt.Errorf("a rotation of %d: want 0 to 3 quarter turns", rotation)
		}
		d.screen.forget()
		err := d.viaAgent(ctx, func(wd gwda.WebDriver) error {
			return wd.SetRotation(gwda.Rotation{Z: angles[rotation]})
		})
		if says(err, "Unable To Rotate Device") {
			return fmt.Errorf("the app in front does not turn: %w", err)
		}
		return err
	})
}
