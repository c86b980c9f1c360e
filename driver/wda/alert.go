package wda

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/electricbubble/gwda"

	"github.com/handset-go/handset/driver"
)

// Alert is a question that the system or an app asks in front of everything else.
type Alert struct {
	Text    string   // its lines, joined by newlines
	Buttons []string // their labels, in the order of the tree
}

// ErrNoAlert: Alert and PressAlert, when there is none.
var ErrNoAlert = errors.New("no alert is open")

// opAlert and opPressAlert are Alert and PressAlert in errors.
const (
	opAlert      driver.Op = "alert"
	opPressAlert driver.Op = "press alert"
)

// Alert returns the alert that is open. ErrNoAlert says that there is none, which WebDriverAgent also says where it could
// not look.
func (d *Driver) Alert(ctx context.Context) (*Alert, error) {
	return value(ctx, d, opAlert, limitShort, d.alert)
}

func (d *Driver) alert(ctx context.Context) (*Alert, error) {
	var a Alert
	err := d.viaAgent(ctx, func(wd gwda.WebDriver) (err error) {
		if a.Text, err = wd.AlertText(); err == nil {
			a.Buttons, err = wd.AlertButtons()
		}
		return err
	})
	if err != nil {
		return nil, alertError(err)
	}
	return &a, nil
}

func alertError(err error) error {
	if hasCode(err, codeNoAlert) {
		return fmt.Errorf("%w: %w", ErrNoAlert, err)
	}
	return err
}

// PressAlert presses the button of the alert with the label. There is no "accept": WebDriverAgent takes the last button for
// it, which in many a question about permissions is the one that refuses.
func (d *Driver) PressAlert(ctx context.Context, label string) error {
	return d.do(ctx, opPressAlert, limitGesture, func(ctx context.Context) error {
		if strings.TrimSpace(label) == "" {
			return errors.New("want the label of a button")
		}
		a, err := d.alert(ctx)
		if err != nil {
			return err
		}
		if !slices.Contains(a.Buttons, label) {
			return fmt.Errorf("the alert has no button %q; it has %q", label, a.Buttons)
		}
		err = d.viaAgent(ctx, func(wd gwda.WebDriver) error { return wd.AlertAccept(label) })
		return alertError(err)
	})
}
