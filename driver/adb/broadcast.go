package adb

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/handset-go/handset/driver"
)

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
	if err = d.prove(ctx, text); errors.Is(err, driver.ErrNoTextInput) && !clear {
		driver.MarkRefused(ctx)
	}
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

// broadcast sends one order to our keyboard. The phone prints the same whether or not anything
// received it; what it prints of errors counts, and its status does not.
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

// arrived says that a field may hold the text. Apps change what is typed, and dumps what is shown,
// so that one of the characters is enough; which are spaces, dots and those beyond the basic plane
// does not count.
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
	return d.clearByKeyboard(ctx, k)
}

func (d *Driver) clearByKeyboard(ctx context.Context, k keyboards) error {
	return d.withKeyboard(ctx, k, func(ctx context.Context) error { return d.broadcast(ctx, "ADB_CLEAR_TEXT", "") })
}
