package wda

import (
	"bytes"
	"context"
	"errors"

	"github.com/electricbubble/gwda"

	"github.com/handset-go/handset/driver"
)

// Clipboard returns the text of the clipboard. The system shows it to the app in front only: on a phone WebDriverAgent's own app
// is brought to the front for it, and then the app that was there. That takes a turn, as a gesture does.
func (d *Driver) Clipboard(ctx context.Context) (string, error) {
	var text string
	err := d.do(ctx, driver.OpSetClipboard, limitGesture, func(ctx context.Context) error {
		return d.inRunner(ctx, func(wd gwda.WebDriver) error {
			var raw *bytes.Buffer
			raw, err := wd.GetPasteboard(gwda.PasteboardTypePlaintext)
			if err == nil {
				text = raw.String()
			}
			return err
		})
	})
	if err != nil {
		return "", renamed(err, driver.OpClipboard)
	}
	return text, nil
}

// renamed gives an error the operation that it belongs to.
func renamed(err error, op driver.Op) error {
	var e *driver.Error
	if !errors.As(err, &e) {
		return err
	}
	return &driver.Error{Op: op, Device: e.Device, Err: e.Err}
}

// SetClipboard puts text on the clipboard, with WebDriverAgent's own app in front as for Clipboard.
func (d *Driver) SetClipboard(ctx context.Context, text string) error {
	return d.textCall(ctx, driver.OpSetClipboard, text, func(ctx context.Context) error {
		return d.inRunner(ctx, func(wd gwda.WebDriver) error {
			return wd.SetPasteboard(gwda.PasteboardTypePlaintext, text)
		})
	})
}

// inRunner does something with the pasteboard while WebDriverAgent's own app is in front. A simulator shows the pasteboard to
// everybody.
func (d *Driver) inRunner(ctx context.Context, f func(gwda.WebDriver) error) error {
	if d.info.simulator || d.info.runner == "" {
		return d.viaAgent(ctx, f)
	}
	before, err := d.front(ctx)
	if err != nil && !errors.Is(err, errNoFront) {
		return err
	}
	if before.ID == d.info.runner {
		return d.viaAgent(ctx, f)
	}
	defer d.goBack(ctx, before.ID)
	if err := d.activate(ctx, d.info.runner); err != nil {
		return err
	}
	return d.viaAgent(ctx, f)
}

// goBack brings the app to the front that was there.
func (d *Driver) goBack(ctx context.Context, id string) {
	err := driver.Undo(ctx, func(ctx context.Context) error {
		if id == springboard || id == "" {
			return d.viaAgent(ctx, func(wd gwda.WebDriver) error { return wd.Homescreen() })
		}
		return d.activate(ctx, id)
	})
	if err != nil {
		d.log.WarnContext(ctx, "WebDriverAgent's own app is left in front", "before", id, "error", err)
	}
}

func (d *Driver) activate(ctx context.Context, id string) error {
	return d.viaAgent(ctx, func(wd gwda.WebDriver) error { return wd.AppActivate(id) })
}
