package main

import (
	"context"
	"time"

	"github.com/handset-go/handset/driver"
)

type pinchCmd struct {
	At    string        `arg:"" name:"x,y" help:"The point between the two fingers, in pixels of the screenshot."`
	Scale float64       `arg:"" help:"How far they move apart: 2 zooms in, 0.5 zooms out."`
	Rel   bool          `help:"The point is in 0-999 of the screen, as models give it."`
	Over  time.Duration `placeholder:"TIME" help:"How long it takes, such as 500ms. Default: what is usual on the phone."`
}

// maxScale is more than a screen has room for.
const maxScale = 100

// Run moves two fingers apart or together.
func (c *pinchCmd) Run(a *app) error {
	p, err := parsePlace(c.At, c.Rel)
	if err != nil {
		return err
	}
	if !(c.Scale >= 1.0/maxScale && c.Scale <= maxScale) || c.Scale == 1 {
		return usagef("pinch by %v: want more than 1 to zoom in or less to zoom out, 0.01 to 100", c.Scale)
	}
	if err := gestureTime("pinch: --over", c.Over); err != nil {
		return err
	}
	return a.act(func(ctx context.Context, d driver.Driver) error {
		at, err := p.pixel(ctx, d)
		if err != nil {
			return err
		}
		return a.saidDone(driver.Pinch(ctx, d, at, c.Scale, c.Over), "pinch", map[string]any{"px": [2]int{at.X, at.Y}, "scale": c.Scale})
	})
}
