package driver

import "context"

// ClipboardDriver is a Driver that can read the clipboard.
type ClipboardDriver interface {
	Driver
	// Clipboard returns the text of the clipboard, "" if it holds none.
	Clipboard(ctx context.Context) (string, error)
}

// Clipboard returns the text of the clipboard. There is no slow path.
func Clipboard(ctx context.Context, d Driver) (string, error) {
	if d, ok := d.(ClipboardDriver); ok {
		return d.Clipboard(ctx)
	}
	return "", noSlowPath(OpClipboard, nil)
}
