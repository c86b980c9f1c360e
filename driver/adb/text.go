package adb

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/handset-go/handset/driver"
)

const (
	// maxText bounds one call, in bytes.
	maxText = 1 << 20
	// perByte is added to the limit of a call that types a long text.
	perByte = 10 * time.Millisecond
	// inputChunk is how many characters one `input text` carries, as slow phones lose keys of long ones.
	inputChunk = 80
	// maxBroadcast is how many bytes one broadcast carries: 4094 bytes of a command hold that in base64.
	maxBroadcast = 2700
)

// Type inserts text at the cursor. Plain ASCII goes as keys (`input text`); the rest needs ADBKeyBoard on the phone, which is
// switched on for the call and off again. Without it, ErrNoTextInput says what to install. Whether the text arrived is looked at
// the first time that the keyboard is used; from then on it is trusted.
func (d *Driver) Type(ctx context.Context, text string) error {
	return d.textCall(ctx, driver.OpType, text, d.typeText)
}

// ClearText empties the focused field with as many Delete keys as it holds characters, or through ADBKeyBoard where there is no tree
// to read that from.
func (d *Driver) ClearText(ctx context.Context) error {
	return d.textCall(ctx, driver.OpClearText, "", func(ctx context.Context, _ string) error { return d.clear(ctx) })
}

// SetText empties the focused field and types text, and does neither where it cannot do both.
func (d *Driver) SetText(ctx context.Context, text string) error {
	return d.textCall(ctx, driver.OpSetText, text, d.setText)
}

func (d *Driver) textCall(ctx context.Context, op driver.Op, text string, f func(context.Context, string) error) error {
	return d.do(ctx, op, limitText+time.Duration(len(text))*perByte, func(ctx context.Context) error {
		switch {
		case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
			return errors.New("the text is not clean UTF-8")
		case len(text) > maxText:
			return fmt.Errorf("a text of %d bytes is too long; %d is the most", len(text), maxText)
		}
		return f(ctx, text)
	})
}

func (d *Driver) typeText(ctx context.Context, text string) error {
	if text == "" {
		return nil
	}
	k, err := d.canType(ctx, text)
	if err != nil {
		return err
	}
	if plain(text) {
		return d.typeKeys(ctx, text)
	}
	return d.broadcastText(ctx, k, text, false)
}

func (d *Driver) setText(ctx context.Context, text string) error {
	k, err := d.canType(ctx, text)
	if err != nil {
		return err
	}
	if !plain(text) {
		return d.broadcastText(ctx, k, text, true)
	}
	if err := d.clear(ctx); err != nil || text == "" {
		return err
	}
	return d.typeKeys(ctx, text)
}

// canType asks what the phone has, and says before the first key why a text cannot be typed.
func (d *Driver) canType(ctx context.Context, text string) (keyboards, error) {
	ask := d.keyboards
	if plain(text) {
		ask = d.fieldOnly
	}
	k, err := ask(ctx)
	switch {
	case err != nil:
		return k, err
	case k.field.none:
		return k, fmt.Errorf("%w: no text field has the focus: tap one first", driver.ErrNoTextInput)
	case k.field.oneLine && strings.ContainsAny(text, "\n\r"):
		return k, fmt.Errorf("%w: the field has one line and the text has more: leave out the line ends", driver.ErrNoTextInput)
	case !plain(text) && !k.installed:
		return k, fmt.Errorf("%w: it is more than plain ASCII: install ADBKeyBoard on the phone (github.com/senzhk/ADBKeyBoard)", driver.ErrNoTextInput)
	}
	return k, nil
}

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
		if line.Len()+len(command)+len(shellRaw)+4 > maxService {
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

// keyChunks splits plain text for `input text`, which types "%s" as a space and knows no way to write it: a text
// with those two characters is split between them.
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

// broadcastText types any text through our keyboard, after clearing the field if asked.
func (d *Driver) broadcastText(ctx context.Context, k keyboards, text string, clear bool) error {
	err := d.withKeyboard(ctx, k, func(ctx context.Context) error {
		typed := false
		if clear {
			if err := partly(ctx, &typed, d.broadcast(ctx, "ADB_CLEAR_TEXT", "")); err != nil {
				return err
			}
		}
		for _, chunk := range textChunks(text, maxBroadcast) {
			message := base64.StdEncoding.EncodeToString([]byte(chunk))
			if err := partly(ctx, &typed, d.broadcast(ctx, "ADB_INPUT_B64", message)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return d.prove(ctx, text)
}

// partly keeps in mind, over several commands of one call, that one has done something: a later one that was
// refused does not undo that.
func partly(ctx context.Context, did *bool, err error) error {
	if err != nil && *did {
		driver.MarkSent(ctx)
	}
	*did = true
	return err
}

// textChunks splits text into pieces of at most n bytes, between characters.
func textChunks(text string, n int) []string {
	var chunks []string
	for len(text) > n {
		cut := n
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		chunks = append(chunks, text[:cut])
		text = text[cut:]
	}
	return append(chunks, text)
}

// broadcast sends one order to our keyboard. The phone prints the same whether or not anything received it; what
// it prints of errors counts, and its status does not.
func (d *Driver) broadcast(ctx context.Context, action, message string) error {
	line := "am broadcast -a " + action + " -p " + packagePart(d.opts.Keyboard)
	if message != "" {
		line += " --es msg " + message
	}
	out, err := d.act(ctx, line)
	if err != nil {
		return err
	}
	if text := string(out.stdout) + string(out.stderr); !strings.Contains(text, "Broadcast completed") {
		return fmt.Errorf("%w: am broadcast ended with %d: %s", driver.ErrNoTextInput, out.code, complaint(out.stderr, out.stdout))
	}
	return nil
}

// prove looks, the first time, whether the text is in the focused field: an old ADBKeyBoard on a new
// Android receives nothing, and nothing says so. What cannot be read is trusted.
func (d *Driver) prove(ctx context.Context, text string) error {
	d.ime.mu.Lock()
	proven := d.ime.proven
	d.ime.mu.Unlock()
	if proven {
		return nil
	}
	t, err := d.tree(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		return nil
	}
	n := t.Find(driver.HasFlag(driver.Focused), driver.ByRole(driver.RoleEdit))
	if n == nil || n.Is(driver.Password) {
		return nil
	}
	if !arrived(text, n.Text) {
		return fmt.Errorf("%w: %s is on and typed nothing: update it (2.4 and older hear nothing on Android 14 and newer), "+
			"or give it more time (keyboard_wait)", driver.ErrNoTextInput, packagePart(d.opts.Keyboard))
	}
	d.ime.mu.Lock()
	d.ime.proven = true
	d.ime.mu.Unlock()
	return nil
}

// arrived says that a field may hold the text. Apps change what is typed, and dumps what is shown, so that one of
// the characters is enough; which are spaces, dots and those beyond the basic plane does not count.
func arrived(text, field string) bool {
	tells := func(r rune) bool { return r > ' ' && r != '.' && r <= 0xffff && !unicode.IsSpace(r) }
	ascii := !strings.ContainsFunc(text, func(r rune) bool { return tells(r) && r > '~' })
	any := false
	for _, r := range text {
		if !tells(r) || !ascii && r <= '~' {
			continue
		}
		if any = true; strings.ContainsRune(field, r) {
			return true
		}
	}
	return !any
}

// maxKeys is how many Delete keys go into one command line.
const maxKeys = 400

// clear empties the focused field. Delete before and behind the cursor, as often as the field has characters, needs no
// place for the cursor.
func (d *Driver) clear(ctx context.Context) error {
	t, err := d.tree(ctx)
	if err != nil {
		return d.clearBlind(ctx, err)
	}
	n := t.Find(driver.HasFlag(driver.Focused), driver.ByRole(driver.RoleEdit))
	if n == nil {
		return fmt.Errorf("%w: no text field has the focus: tap one first", driver.ErrNoTextInput)
	}
	deleted := false
	for left := utf8.RuneCountInString(n.Text); left > 0; left -= maxKeys {
		times := min(left, maxKeys)
		line := "input keyevent" + strings.Repeat(fmt.Sprintf(" %d", keycodeDelete), times) + strings.Repeat(fmt.Sprintf(" %d", keycodeFwdDel), times)
		if err := partly(ctx, &deleted, d.input(ctx, line)); err != nil {
			return err
		}
	}
	return nil
}

// clearBlind empties a field that no tree shows, through our keyboard.
func (d *Driver) clearBlind(ctx context.Context, noTree error) error {
	if ctx.Err() != nil || !errors.Is(noTree, driver.ErrNoTree) {
		return noTree
	}
	k, err := d.keyboards(ctx)
	if err != nil {
		return err
	}
	if !k.installed {
		return fmt.Errorf("%w: the length of the field cannot be read: %w", driver.ErrNoTextInput, noTree)
	}
	return d.withKeyboard(ctx, k, func(ctx context.Context) error { return d.broadcast(ctx, "ADB_CLEAR_TEXT", "") })
}
