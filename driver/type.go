package driver

import "context"

// TypeDriver is a Driver that can insert text at the cursor.
type TypeDriver interface {
	Driver
	// Type inserts text at the cursor of the focused field, unchanged, any Unicode. ErrNoTextInput says
	// that it cannot, with nothing typed. An empty text does nothing.
	Type(ctx context.Context, text string) error
}

// Type inserts text at the cursor of the focused field. There is no slow path: keys cannot carry text.
func Type(ctx context.Context, d Driver, text string) error {
	if d, ok := d.(TypeDriver); ok {
		return d.Type(ctx, text)
	}
	return noSlowPath(OpType, nil)
}
