package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/wda"
)

type alertCmd struct {
	Label string `arg:"" optional:"" help:"The button to press, as it is printed. There is no accept: which button that is, no phone tells. Left out, the alert is printed."`
}

// Run prints the alert that is open on an iPhone, or presses one of its buttons.
func (c *alertCmd) Run(a *app) error {
	return a.with(func(ctx context.Context, d driver.Driver) error {
		can, err := ability[alerter](a, "tell of alerts: see handset tree")
		if err != nil {
			return err
		}
		now, err := can.Alert(ctx)
		switch {
		case errors.Is(err, wda.ErrNoAlert):
			return incompletef("alert: none is open on %s", a.addr)
		case err != nil:
			return err
		case c.Label == "":
			a.printAlert(now)
			return nil
		}
		i := slices.Index(now.Buttons, c.Label)
		if i < 0 {
			return incompletef("alert: it has no button %q; it has %q", c.Label, now.Buttons)
		}
		judged := a.gate(nil).Guard(a.asScreen(d, can, c.Label))
		return a.saidDone(judged.Tap(ctx, alertButton(i).Min), "alert", map[string]any{"button": c.Label})
	})
}

func (a *app) printAlert(now *wda.Alert) {
	if a.JSON {
		a.printJSON(map[string]any{"text": now.Text, "buttons": now.Buttons})
		return
	}
	fmt.Fprintln(a.text, now.Text)
	for _, b := range now.Buttons {
		fmt.Fprintf(a.text, "[%s]\n", b)
	}
}

// asScreen is the phone as if the alert were all that is on its screen, so that the gate judges the button that is pressed by
// its label and by the question, and reads both again after it has asked. A tap presses the button only if it still has
// its label.
func (a *app) asScreen(d driver.Driver, can alerter, label string) driver.Driver {
	var shown *wda.Alert
	return driver.Wrap(d, func(ctx context.Context, c *driver.Call, next func(context.Context) error) error {
		switch c.Op {
		case driver.OpTree:
			now, err := can.Alert(ctx)
			if shown = now; err == nil {
				c.Result = alertTree(now)
			}
			return err
		case driver.OpTap:
			if shown == nil || labelAt(shown, c.At) != label {
				return incompletef("alert: it has changed, and nothing was pressed: see handset alert")
			}
			return a.tell(ctx, c, func(ctx context.Context) error { return can.PressAlert(ctx, label) })
		}
		return next(ctx)
	})
}

// The alert as a screen: its text above its buttons, one below the other, in the upper half.
const (
	alertWide   = 1000
	alertHeight = 4000
	alertText   = 100
	alertRow    = 100
)

func alertButton(i int) image.Rectangle {
	return image.Rect(0, alertText+i*alertRow, alertWide, alertText+(i+1)*alertRow)
}

// labelAt returns the label of the button at a point.
func labelAt(now *wda.Alert, at image.Point) string {
	for i, label := range now.Buttons {
		if at.In(alertButton(i)) {
			return label
		}
	}
	return ""
}

func alertTree(now *wda.Alert) *driver.Tree {
	question := &driver.Node{Role: driver.RoleText, Text: now.Text, Bounds: image.Rect(0, 0, alertWide, alertText), Window: driver.WindowDialog}
	dialog := &driver.Node{Role: driver.RoleView, Bounds: question.Bounds, Window: driver.WindowDialog, Children: []*driver.Node{question}}
	for i, label := range now.Buttons {
		b := &driver.Node{Role: driver.RoleButton, Text: label, Bounds: alertButton(i), Window: driver.WindowDialog}
		b.Set(driver.Clickable, true)
		dialog.Children = append(dialog.Children, b)
		dialog.Bounds = dialog.Bounds.Union(b.Bounds)
	}
	screen := image.Pt(alertWide, max(alertHeight, 2*dialog.Bounds.Dy()))
	root := &driver.Node{Role: driver.RoleWindow, Bounds: image.Rectangle{Max: screen}, Children: []*driver.Node{dialog}}
	return &driver.Tree{Root: root, Size: screen, At: time.Now()}
}
