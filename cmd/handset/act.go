package main

import (
	"cmp"
	"context"
	"image"
	"strings"
	"time"
	"unicode/utf8"

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
	case c.Long < 0:
		return p, usagef("tap: --long %v: want a time such as 1s", c.Long)
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

// labelPoint finds the one thing on the screen that has a label: exactly, or else as a part of it.
func labelPoint(ctx context.Context, d driver.Driver, label string) (image.Point, error) {
	t, err := d.Tree(ctx)
	if err != nil {
		return image.Point{}, err
	}
	for _, m := range []driver.Match{driver.ByText(label), driver.Contains(label)} {
		found := t.FindAll(m, driver.OnScreen(t.Bounds()))
		if len(found) == 0 {
			continue
		}
		n := found[0]
		if len(found) > 1 {
			n = clickableOf(t, found)
		}
		if n == nil {
			return image.Point{}, incompletef("tap: %d things on the screen are labelled %q; see handset tree and use --ref", len(found), label)
		}
		seen := n.Bounds.Intersect(t.Bounds())
		return seen.Min.Add(seen.Max).Div(2), nil
	}
	return image.Point{}, incompletef("tap: nothing on the screen is labelled %q; see handset tree", label)
}

// clickableOf returns the thing that several nodes of one label belong to: the only clickable one among
// them, or the clickable one that holds them all.
func clickableOf(t *driver.Tree, found []*driver.Node) *driver.Node {
	var one *driver.Node
	for _, n := range found {
		path := t.Path(n)
		for i := len(path) - 1; i >= 0; i-- {
			if !path[i].Is(driver.Clickable) {
				continue
			}
			if one != nil && one != path[i] {
				return nil
			}
			one = path[i]
			break
		}
	}
	return one
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
	if c.Over < 0 || c.Hold < 0 {
		return usagef("swipe: a time is not negative")
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

type keyCmd struct {
	Key string `arg:"" help:"Its name; handset info lists those of the phone."`
}

// Run presses a key.
func (c *keyCmd) Run(a *app) error {
	return a.act(func(ctx context.Context, d driver.Driver) error {
		key := driver.ParseKey(c.Key)
		if err := d.Key(ctx, key); err != nil {
			return err
		}
		a.done("key", map[string]any{"key": key})
		return nil
	})
}

type typeCmd struct {
	Text  string `arg:"" help:"The text; - reads it from stdin, without the newline at its end. What looks like a flag goes behind --."`
	Clear bool   `help:"Empty the field first."`
}

// Run types.
func (c *typeCmd) Run(a *app) error {
	text := c.Text
	if text == "-" {
		data, err := readAll(a.stdin)
		if err != nil {
			return err
		}
		text = strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r") // of a line, as echo prints it
	}
	if !utf8.ValidString(text) {
		return usagef("type: the text is not UTF-8")
	}
	return a.act(func(ctx context.Context, d driver.Driver) error {
		op := driver.Type
		if c.Clear {
			op = driver.SetText
		}
		if err := op(ctx, d, text); err != nil {
			return err
		}
		a.done("type", map[string]any{"runes": len([]rune(text))})
		return nil
	})
}

type launchCmd struct {
	App string `arg:"" help:"An id such as com.android.settings, or a name such as Settings or 设置."`
}

// Run brings an app to the front.
func (c *launchCmd) Run(a *app) error {
	return a.act(func(ctx context.Context, d driver.Driver) error {
		if err := d.Launch(ctx, c.App); err != nil {
			return err
		}
		app, err := driver.Foreground(ctx, d)
		if real(err) != nil {
			return err
		}
		a.say(map[string]any{"done": "launch", "app": app}, "%s", strings.TrimSpace(app.String()+" "+app.Page))
		return nil
	})
}
