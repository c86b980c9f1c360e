package adb

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/handset-go/handset/driver"
)

// plain says that every character has a key: printable ASCII.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// typeKeys types plain text in command lines of several `input text` each.
func (d *Driver) typeKeys(ctx context.Context, text string) error {
	if len(text) <= maxInjected {
		if done, err := d.injectText(ctx, text); done {
			return err
		}
	}
	var line strings.Builder
	typed := false
	flush := func() error {
		if line.Len() == 0 {
			return nil
		}
		defer line.Reset()
		return partly(ctx, &typed, d.input(ctx, line.String()))
	}
	for _, chunk := range keyChunks(text) {
		command := "input text " + inputWord(chunk)
		if line.Len()+len(command)+lineExtra > maxService {
			if err := flush(); err != nil {
				return err
			}
		}
		if line.Len() > 0 {
			line.WriteString(" && ")
		}
		line.WriteString(command)
	}
	return flush()
}

// keyChunks splits plain text for `input text`, which types "%s" as a space and knows no way to
// write it: a text with those two characters is split between them.
func keyChunks(text string) []string {
	var chunks []string
	start := 0
	for i := 1; i <= len(text); i++ {
		split := i == len(text) || i-start >= inputChunk || text[i-1] == '%' && text[i] == 's'
		if split {
			chunks = append(chunks, text[start:i])
			start = i
		}
	}
	return chunks
}

// inputWord writes a chunk as `input text` and the phone's shell take it. The wrapper script of old
// releases would split it at its spaces, which is why they go as %s.
func inputWord(chunk string) string { return quote(strings.ReplaceAll(chunk, " ", "%s")) }

// partly keeps in mind, over several commands of one call, that one has done something: a later one
// that was refused does not undo that.
func partly(ctx context.Context, did *bool, err error) error {
	if err != nil && *did {
		driver.MarkSent(ctx)
	}
	*did = true
	return err
}

// maxKeys is how many Delete keys go into one command line.
const maxKeys = 400

// clear empties the focused field. Delete before and behind the cursor, as often as the field has
// characters, needs no place for the cursor.
func (d *Driver) clear(ctx context.Context) error {
	t, err := d.tree(ctx)
	if err != nil {
		return d.clearBlind(ctx, err)
	}
	n := t.Find(driver.HasFlag(driver.Focused), driver.ByRole(driver.RoleEdit))
	if n == nil {
		return fmt.Errorf("%w: no text field has the focus: tap one first", driver.ErrNoTextInput)
	}
	length := utf8.RuneCountInString(n.Text)
	if length > maxKeys {
		if done, err := d.clearLong(ctx); done || err != nil {
			return err
		}
	}
	deleted := false
	for left := length; left > 0; left -= maxKeys {
		times := min(left, maxKeys)
		line := "input keyevent" + strings.Repeat(fmt.Sprintf(" %d", keycodeDelete), times) + strings.Repeat(fmt.Sprintf(" %d", keycodeFwdDel), times)
		if err := partly(ctx, &deleted, d.input(ctx, line)); err != nil {
			return err
		}
	}
	return nil
}

// clearLong empties a long field through our keyboard, where there is one: each key takes a phone
// some 10 ms. It says whether the field is empty now.
func (d *Driver) clearLong(ctx context.Context) (done bool, err error) {
	k, err := d.keyboards(ctx)
	if err != nil || !k.installed {
		return false, err
	}
	if err := d.clearByKeyboard(ctx, k); err != nil {
		return false, err
	}
	t, err := d.tree(ctx)
	if err != nil {
		return false, err
	}
	n := t.Find(driver.HasFlag(driver.Focused), driver.ByRole(driver.RoleEdit))
	return n != nil && n.Text == "", nil
}
