package adb

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/handset-go/handset/driver"
)

// proofFrom is the length, in characters, from which a text that went as keys is looked for in the
// field: slow phones lose keys of long texts, and say nothing. A shorter one is looked for with
// Options.ProveText.
const proofFrom = 200

// proveKeys looks whether what was typed as keys is in the field.
func (d *Driver) proveKeys(ctx context.Context, text string) error {
	if !d.opts.ProveText && len(text) < proofFrom {
		return nil
	}
	return d.proveText(ctx, text)
}

// proveText reads the focused field and compares. What cannot be read, as a password or a page without
// a tree, is trusted.
func (d *Driver) proveText(ctx context.Context, text string) error {
	t, err := d.tree(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		d.log.InfoContext(ctx, "what was typed cannot be read back", "error", err)
		return nil
	}
	n := t.Find(driver.HasFlag(driver.Focused), driver.ByRole(driver.RoleEdit))
	if n == nil || n.Is(driver.Password) {
		return nil
	}
	want, got := telling(text), telling(n.Text)
	switch count, all := utf8.RuneCountInString(got), utf8.RuneCountInString(want); {
	case count < all:
		return fmt.Errorf("the field holds %d of %d characters: the phone or the app lost some; clear it and type again, in smaller parts", count, all)
	case d.opts.ProveText && !strings.Contains(got, want):
		return fmt.Errorf("the field does not hold what was typed: the phone lost or reordered characters, or the app changed them")
	}
	return nil
}

// telling leaves out what dumps show in another way: spaces, and characters beyond the basic plane,
// which some print as dots.
func telling(s string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r == '.' || r > 0xffff || r == utf8.RuneError || unicode.IsSpace(r) || unicode.In(r, unicode.Cf, unicode.Mn) {
			return -1
		}
		return r
	}, s)
}
