package driver

import (
	"context"
	"strings"
	"unicode/utf8"
)

// ClearTextDriver is a Driver that can empty the focused field.
type ClearTextDriver interface {
	Driver
	// ClearText empties the focused field. ErrNoTextInput says that none has the focus.
	ClearText(ctx context.Context) error
}

// maxSlowClear bounds the key presses of the slow path.
const maxSlowClear = 500

// ClearText empties the focused field. The slow path reads its length from the tree, goes to its end and
// presses Delete as often.
func ClearText(ctx context.Context, d Driver) error {
	var cause error
	if d, ok := d.(ClearTextDriver); ok {
		if cause = d.ClearText(ctx); !unsupported(cause) {
			return cause
		}
	}
	field, err := Find(ctx, d, HasFlag(Focused), ByRole(RoleEdit))
	if unsupported(err) {
		return noSlowPath(OpClearText, cause)
	}
	if err != nil {
		return err
	}
	if field == nil {
		return &Error{Op: OpClearText, Device: address(ctx, d), Err: ErrNoTextInput}
	}
	n := utf8.RuneCountInString(field.Text)
	if n > maxSlowClear || strings.Contains(field.Text, "\n") { // the key goes to the end of the line only
		return noSlowPath(OpClearText, cause)
	}
	return deleteBack(ctx, d, n)
}

func deleteBack(ctx context.Context, d Driver, n int) error {
	if n == 0 {
		return nil
	}
	if err := d.Key(ctx, KeyMoveEnd); err != nil {
		return err
	}
	for range n {
		if err := d.Key(ctx, KeyDelete); err != nil {
			return partly(OpClearText, err)
		}
	}
	return nil
}

// address returns the address that d describes itself with, or "phone".
func address(ctx context.Context, d Driver) string {
	if desc, err := Describe(ctx, d); err == nil && desc.Address != "" {
		return desc.Address
	}
	return "phone"
}
