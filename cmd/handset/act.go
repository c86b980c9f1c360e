package main

import (
	"cmp"
	"context"
	"image"
	"time"

	"github.com/handset-go/handset/driver"
)

type tapCmd struct {
	At     string        `arg:"" optional:"" name:"x,y" help:"A point, in pixels of the screenshot."`
	Ref    int           `placeholder:"N" help:"A row of the tree that was printed last, by its number. It must be on the screen as it was."`
	Text   string        `placeholder:"LABEL" help:"The thing with this label, or else with this in its label."`
	Rel    bool          `help:"The point is in 0-999 of the screen, as models give it; 0.5,0.5 is the middle, too."`
	Long   time.Duration `placeholder:"TIME" help:"Hold for this long, such as 1s."`
	Double bool          `help:"Tap twice."`
}

// Run taps.
func (c *tapCmd) Run(a *app) error {
	p, err := c.check()
	if err != nil {
		return err
	}
	return a.act(func(ctx context.Context, d driver.Driver) error {
		at, err := c.target(ctx, a, d, p)
		if err != nil {
			return err
		}
		if err := c.tap(ctx, d, at); err != nil {
			return err
		}
		a.done("tap", map[string]any{"px": [2]int{at.X, at.Y}})
		return nil
	})
}

// check refuses what makes no sense, before a phone is looked for. It returns the point, if one is given.
func (c *tapCmd) check() (p place, err error) {
	given := 0
	for _, is := range []bool{c.At != "", c.Ref != 0, c.Text != ""} {
		if is {
			given++
		}
	}
	switch {
	case given != 1:
		return p, usagef("tap: want one of X,Y, --ref N and --text LABEL")
	case c.Double && c.Long != 0:
		return p, usagef("tap: --double and --long exclude each other")
	case gestureTime("tap: --long", c.Long) != nil:
		return p, gestureTime("tap: --long", c.Long)
	case c.Rel && c.At == "":
		return p, usagef("tap: --rel goes with X,Y")
	case c.At != "":
		return parsePlace(c.At, c.Rel)
	}
	return p, nil
}

func (c *tapCmd) tap(ctx context.Context, d driver.Driver, at image.Point) error {
	switch {
	case c.Double:
		return driver.DoubleTap(ctx, d, at)
	case c.Long != 0:
		return driver.LongPress(ctx, d, at, c.Long)
	}
	return d.Tap(ctx, at)
}

// target finds the point, in pixels.
func (c *tapCmd) target(ctx context.Context, a *app, d driver.Driver, p place) (image.Point, error) {
	switch {
	case c.Ref != 0:
		return a.refPoint(ctx, d, c.Ref)
	case c.Text != "":
		return labelPoint(ctx, d, c.Text)
	}
	return p.pixel(ctx, d)
}

type swipeCmd struct {
	From string        `arg:"" help:"X,Y where the finger touches, in pixels of the screenshot."`
	To   string        `arg:"" help:"X,Y where it lets go."`
	Rel  bool          `help:"The points are in 0-999 of the screen, as models give them."`
	Over time.Duration `placeholder:"TIME" help:"How long it takes, such as 300ms. Default: what is usual on the phone."`
	Hold time.Duration `placeholder:"TIME" help:"Rest for so long first, such as 1s, to pick something up and drag it."`
}

// Run swipes, or drags where the finger rests first.
func (c *swipeCmd) Run(a *app) error {
	start, err1 := parsePlace(c.From, c.Rel)
	end, err2 := parsePlace(c.To, c.Rel)
	if err := cmp.Or(err1, err2); err != nil {
		return err
	}
	if err := cmp.Or(gestureTime("swipe: --over", c.Over), gestureTime("swipe: --hold", c.Hold)); err != nil {
		return err
	}
	return a.act(func(ctx context.Context, d driver.Driver) error {
		from, err := start.pixel(ctx, d)
		if err != nil {
			return err
		}
		to, err := end.pixel(ctx, d)
		if err != nil {
			return err
		}
		if c.Hold > 0 {
			err = driver.Drag(ctx, d, from, to, c.Hold, c.Over)
		} else {
			err = d.Swipe(ctx, from, to, c.Over)
		}
		if err == nil {
			a.done("swipe", map[string]any{"px_from": [2]int{from.X, from.Y}, "px_to": [2]int{to.X, to.Y}})
		}
		return err
	})
}

// maxGesture is the longest that a driver keeps a finger on the screen.
const maxGesture = 10 * time.Minute

// gestureTime refuses a time that no gesture takes. 0 is the driver's default.
func gestureTime(flag string, t time.Duration) error {
	if t < 0 || t > maxGesture {
		return usagef("%s %v: want a time such as 1s, not negative and 10m at most", flag, t)
	}
	return nil
}
