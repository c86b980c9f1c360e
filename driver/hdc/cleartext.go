package hdc

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/handset-go/handset/driver"
)

// ClearText empties the focused field: it selects all and deletes, looks whether that worked, and otherwise deletes
// character by character, as Ctrl+A types a letter in some apps.
func (d *Driver) ClearText(ctx context.Context) error {
	return d.textCall(ctx, driver.OpClearText, "", func(ctx context.Context, _ string) error {
		f, err := d.field(ctx, "")
		if err != nil {
			return err
		}
		return d.clear(ctx, f)
	})
}

// clear empties a field. Where the tree does not show it, nothing tells whether that worked.
func (d *Driver) clear(ctx context.Context, f *driver.Node) error {
	if f != nil && f.Text == "" {
		return nil
	}
	selected := pressing(codeCtrl, codeA).line + " && " + pressing(codeDelete).line
	if err := d.inject(ctx, guard{awake: true}, command{line: selected}); err != nil || f == nil {
		return err
	}
	for range 2 {
		left, err := d.left(ctx)
		if err != nil || left == 0 {
			return err
		}
		if err := d.deleteEach(ctx, left); err != nil {
			return err
		}
	}
	if left, err := d.left(ctx); err != nil || left == 0 {
		return err
	}
	return fmt.Errorf("%w: the field keeps its text, which may be fixed", driver.ErrNoTextInput)
}

// left returns how many characters the field with the focus has. Once something was deleted, an error means that it
// may have been.
func (d *Driver) left(ctx context.Context) (int, error) {
	t, err := d.tree(ctx)
	if err != nil {
		return 0, err
	}
	n := t.Find(driver.HasFlag(driver.Focused), driver.ByRole(driver.RoleEdit))
	if n == nil {
		return 0, nil
	}
	return utf8.RuneCountInString(n.Text), nil
}

// maxKeys is how many keys are pressed in one command line.
const maxKeys = 200

// deleteEach deletes so many characters before the cursor, and as many behind it, so that the cursor's place does not
// matter.
func (d *Driver) deleteEach(ctx context.Context, n int) error {
	for ; n > 0; n -= maxKeys {
		line := d.deleting(min(n, maxKeys))
		_, err := d.run(ctx, guard{awake: true}, line)
		driver.MarkSent(ctx) // the keys before may have deleted something
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *Driver) deleting(n int) string {
	if d.lacks.uinput.Load() {
		one := pressing(codeDelete).line + "; " + pressing(codeFwdDel).line
		return strings.TrimSuffix(strings.Repeat(one+"; ", n), "; ")
	}
	press := func(code int) string { return fmt.Sprintf(" -d %[1]d -u %[1]d", code) }
	return "uinput -K" + strings.Repeat(press(codeDelete), n) + strings.Repeat(press(codeFwdDel), n)
}
