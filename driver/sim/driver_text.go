package sim

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/handset-go/handset/driver"
)

// Type inserts text at the cursor. A newline for a field of one line is refused with nothing typed.
func (d *Driver) Type(ctx context.Context, text string) error {
	if text == "" {
		return nil
	}
	return d.do(ctx, driver.OpType, d.typable(text), func() error { return d.insert(text) })
}

func (d *Driver) insert(text string) error {
	if !d.phone.InsertText(text) {
		return noField()
	}
	return nil
}

func noField() error {
	return fmt.Errorf("%w: no field has the focus; tap one first", driver.ErrNoTextInput)
}

// typable refuses what the focused field cannot hold.
func (d *Driver) typable(text string) func() error {
	return func() error {
		f, ok := d.phone.Focused()
		switch {
		case !ok:
			return noField()
		case !utf8.ValidString(text):
			return fmt.Errorf("%w: it is not valid UTF-8", driver.ErrNoTextInput)
		case !f.Many && strings.ContainsAny(text, "\n\r"):
			return fmt.Errorf("%w: it has a newline and the field holds one line; press Enter instead", driver.ErrNoTextInput)
		}
		return nil
	}
}

// ClearText empties the focused field.
func (d *Driver) ClearText(ctx context.Context) error {
	return d.do(ctx, driver.OpClearText, d.typable(""), d.clear)
}

func (d *Driver) clear() error {
	if !d.phone.ClearText() {
		return noField()
	}
	return nil
}

// SetText replaces the text of the focused field.
func (d *Driver) SetText(ctx context.Context, text string) error {
	return d.do(ctx, driver.OpSetText, d.typable(text), func() error {
		if err := d.clear(); err != nil || text == "" {
			return err
		}
		return d.insert(text)
	})
}

// Clipboard returns the text on the clipboard.
func (d *Driver) Clipboard(ctx context.Context) (string, error) {
	return read(ctx, d, driver.OpClipboard, func() (string, error) { return d.phone.Clipboard(), nil })
}

// SetClipboard puts a text on the clipboard.
func (d *Driver) SetClipboard(ctx context.Context, text string) error {
	return d.do(ctx, driver.OpSetClipboard, nil, func() error { d.phone.SetClipboard(text); return nil })
}
