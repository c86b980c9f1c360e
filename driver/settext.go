package driver

import "context"

// SetTextDriver is a Driver that can replace the text of the focused field in one step.
type SetTextDriver interface {
	Driver
	// SetText replaces the text of the focused field.
	SetText(ctx context.Context, text string) error
}

// SetText replaces the text of the focused field. The slow path is ClearText, then Type.
func SetText(ctx context.Context, d Driver, text string) error {
	if d, ok := d.(SetTextDriver); ok {
		if err := d.SetText(ctx, text); !unsupported(err) {
			return err
		}
	}
	if _, ok := d.(TypeDriver); !ok {
		return noSlowPath(OpSetText, nil)
	}
	if err := ClearText(ctx, d); err != nil {
		return err
	}
	return partly(OpSetText, Type(ctx, d, text))
}
