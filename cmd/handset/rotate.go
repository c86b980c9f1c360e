package main

import (
	"context"
	"strconv"

	"github.com/handset-go/handset/driver"
)

type rotateCmd struct {
	To string `arg:"" optional:"" help:"0 to 3 quarter turns from the natural orientation, or auto: as the phone is held (Android). Left out, the present one is printed."`
}

const rotateAuto = "auto"

// Run turns the display, or prints how it is turned.
func (c *rotateCmd) Run(a *app) error {
	turns, err := strconv.Atoi(c.To)
	switch {
	case c.To == "":
		return a.with(func(ctx context.Context, d driver.Driver) error { return a.printRotation(ctx, d) })
	case c.To == rotateAuto:
		return a.with(func(ctx context.Context, d driver.Driver) error { return a.autoRotate(ctx, d) })
	case err != nil || turns < 0 || turns > 3:
		return usagef("rotate %q: want 0 to 3 quarter turns, or auto", c.To)
	}
	return a.act(func(ctx context.Context, d driver.Driver) error {
		return a.saidDone(driver.Rotate(ctx, d, turns), "rotate", map[string]any{"rotation": turns})
	})
}

func (a *app) printRotation(ctx context.Context, d driver.Driver) error {
	turns, err := driver.Rotation(ctx, d)
	if err == nil {
		a.say(map[string]int{"rotation": turns}, "%d", turns)
	}
	return err
}

func (a *app) autoRotate(ctx context.Context, d driver.Driver) error {
	can, err := ability[turner](a, "have the display turn as the phone is held")
	if err != nil {
		return err
	}
	d = a.gate(nil).Guard(a.instead(d, driver.OpRotate, func(ctx context.Context) error { return can.AutoRotate(ctx, true) }))
	return a.saidDone(driver.Rotate(ctx, d, 0), "rotate", map[string]any{"rotation": rotateAuto})
}
