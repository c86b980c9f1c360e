package adb

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/handset-go/handset/driver"
)

// The editor actions: what the key at the lower right of a keyboard does to a text field. The key
// Enter does the field's own action in most fields of one line; these are for the rest, and need the
// keyboard of Options.Keyboard on the phone.
const (
	EditorGo       driver.Key = "EditorGo"
	EditorSearch   driver.Key = "EditorSearch"
	EditorSend     driver.Key = "EditorSend"
	EditorNext     driver.Key = "EditorNext"
	EditorDone     driver.Key = "EditorDone"
	EditorPrevious driver.Key = "EditorPrevious"
)

// editorActions are in the order of their numbers in android.view.inputmethod.EditorInfo, from
// firstAction on.
var editorActions = []driver.Key{EditorGo, EditorSearch, EditorSend, EditorNext, EditorDone, EditorPrevious}

const firstAction = 2 // IME_ACTION_GO

// EditorActions lists the editor actions that Key takes.
func EditorActions() []driver.Key { return slices.Clone(editorActions) }

// editorAction returns the number of an editor action, which is written with any case and with or
// without separators.
func editorAction(key driver.Key) (int, bool) {
	name := strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.TrimSpace(string(key)))
	i := slices.IndexFunc(editorActions, func(k driver.Key) bool { return strings.EqualFold(string(k), name) })
	return firstAction + i, i >= 0
}

// editorAction has our keyboard do an editor action in the focused field.
func (d *Driver) editorAction(ctx context.Context, action int) error {
	k, err := d.keyboards(ctx)
	switch {
	case err != nil:
		return err
	case k.field.none:
		return fmt.Errorf("%w: no text field has the focus: tap one first", driver.ErrNoTextInput)
	case !k.installed:
		return fmt.Errorf("%w: editor actions need ADBKeyBoard on the phone (github.com/senzhk/ADBKeyBoard); the key Enter does the field's own in most",
			driver.ErrNoTextInput)
	}
	defer d.screen.forget()
	return d.broadcastAll(ctx, k, []order{{fmt.Sprintf("ADB_EDITOR_CODE --ei code %d", action), ""}})
}
