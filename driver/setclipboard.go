package driver

import "context"

// SetClipboardDriver is a Driver that can write the clipboard.
type SetClipboardDriver interface {
	Driver
	SetClipboard(ctx context.Context, text string) error
}

// SetClipboard puts text on the clipboard. There is no slow path.
func SetClipboard(ctx context.Context, d Driver, text string) error {
	if d, ok := d.(SetClipboardDriver); ok {
		return d.SetClipboard(ctx, text)
	}
	return noSlowPath(OpSetClipboard, nil)
}
