package adb

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/handset-go/handset/driver"
)

const (
	// maxText bounds one call, in bytes.
	maxText = 1 << 20
	// perByte is added to the limit of a call that types a long text.
	perByte = 10 * time.Millisecond
	// inputChunk is how many characters one `input text` carries, as slow phones lose keys of long
	// ones.
	inputChunk = 80
	// maxBroadcast is how many bytes one broadcast carries: 4094 bytes of a command hold that in
	// base64.
	maxBroadcast = 2500
)

// Type inserts text at the cursor. Plain ASCII goes as keys (`input text`); the rest needs
// ADBKeyBoard on the phone, which is switched on for the call and off again. Without it,
// ErrNoTextInput says what to install. Whether the text arrived is looked at the first time that the
// keyboard is used, after keys of 200 characters and more, and always with Options.ProveText.
func (d *Driver) Type(ctx context.Context, text string) error {
	return d.textCall(ctx, driver.OpType, text, d.typeText)
}

// ClearText empties the focused field with as many Delete keys as it holds characters, or through
// ADBKeyBoard where there is no tree to read that from.
func (d *Driver) ClearText(ctx context.Context) error {
	return d.textCall(ctx, driver.OpClearText, "", func(ctx context.Context, _ string) error { return d.clear(ctx) })
}

// SetText empties the focused field and types text, and does neither where it cannot do both.
func (d *Driver) SetText(ctx context.Context, text string) error {
	return d.textCall(ctx, driver.OpSetText, text, d.setText)
}

func (d *Driver) textCall(ctx context.Context, op driver.Op, text string, f func(context.Context, string) error) error {
	d.idle.note(0)
	return d.calls.Do(ctx, op, d.limit(limitText)+time.Duration(len(text))*perByte, func(ctx context.Context) error {
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
		return d.typeProved(ctx, text)
	}
	if !k.installed {
		return d.pasteText(ctx, text)
	}
	return d.broadcastProved(ctx, k, text, false)
}

func (d *Driver) setText(ctx context.Context, text string) error {
	k, err := d.canType(ctx, text)
	if err != nil {
		return err
	}
	if !plain(text) && k.installed {
		return d.broadcastProved(ctx, k, text, true)
	}
	if err := d.clear(ctx); err != nil || text == "" {
		return err
	}
	if !plain(text) {
		return d.pasteText(ctx, text)
	}
	return d.typeProved(ctx, text)
}

func (d *Driver) typeProved(ctx context.Context, text string) error {
	if err := d.typeKeys(ctx, text); err != nil {
		return err
	}
	return d.proveKeys(ctx, text)
}

// broadcastProved adds to the first proof of the keyboard one of this text, if that was asked for.
func (d *Driver) broadcastProved(ctx context.Context, k keyboards, text string, clear bool) error {
	if err := d.broadcastText(ctx, k, text, clear); err != nil || !d.opts.ProveText {
		return err
	}
	return d.proveText(ctx, text)
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
	case !plain(text) && !k.installed && !d.canPaste(ctx):
		return k, fmt.Errorf("%w: it is more than plain ASCII: install ADBKeyBoard on the phone (github.com/senzhk/ADBKeyBoard), or scrcpy 2.1 or newer on this computer (or name its server file, scrcpy=PATH)", driver.ErrNoTextInput)
	}
	return k, nil
}
