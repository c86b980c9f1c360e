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

// takenTries is how often our keyboard is switched on again that another program has switched off.
const takenTries = 5

var (
	// errTakenAway is an order that was not sent, as our keyboard was not on any more.
	errTakenAway = fmt.Errorf("%w: another program on this phone switches the input method: let one of them type at a time", driver.ErrNoTextInput)
	// errTakenLate is one that was sent when our keyboard may not have been on any more.
	errTakenLate = errors.New("another program on this phone switched the input method meanwhile, and the text may not have arrived: " +
		"look at the field, and let one program type at a time")
)

// order is one broadcast to our keyboard.
type order struct{ action, message string }

// broadcastText types any text through our keyboard, after clearing the field if asked.
func (d *Driver) broadcastText(ctx context.Context, k keyboards, text string, clear bool) error {
	var orders []order
	if clear {
		orders = append(orders, order{"ADB_CLEAR_TEXT", ""})
	}
	for _, chunk := range textChunks(text, maxBroadcast) {
		orders = append(orders, order{"ADB_INPUT_B64", base64.StdEncoding.EncodeToString([]byte(chunk))})
	}
	err := d.broadcastAll(ctx, k, orders)
	if errors.Is(err, errTakenLate) && d.inField(ctx, text) {
		err = nil
	}
	if err != nil {
		return err
	}
	if err = d.prove(ctx, text); errors.Is(err, driver.ErrNoTextInput) && !clear {
		driver.MarkRefused(ctx)
	}
	return err
}

// broadcastAll sends orders in turn, with our keyboard on. Another program that types on the phone may
// put the person's own back in between: then ours is switched on again for what was not sent yet.
func (d *Driver) broadcastAll(ctx context.Context, k keyboards, orders []order) error {
	sent := 0
	for n := 0; ; n++ {
		err := d.withKeyboard(ctx, k, func(ctx context.Context) error {
			for ; sent < len(orders); sent++ {
				if err := d.broadcast(ctx, orders[sent]); err != nil {
					if sent > 0 {
						driver.MarkSent(ctx) // those before it are not undone
					}
					return err
				}
			}
			return d.stillOn(ctx)
		})
		if !errors.Is(err, errTakenAway) || n == takenTries {
			return err
		}
		if k, err = d.keyboards(ctx); err != nil {
			return err
		}
	}
}

// stillOn says that our keyboard is on after the last order as it was before.
func (d *Driver) stillOn(ctx context.Context) error {
	out, err := d.ask(ctx, currentKeyboard)
	if err == nil && !sameComponent(strings.TrimSpace(string(out.stdout)), d.opts.Keyboard) {
		err = errTakenLate
	}
	return err
}

// inField says that the focused field certainly holds the text.
func (d *Driver) inField(ctx context.Context, text string) bool {
	t, err := d.tree(ctx)
	if err != nil {
		return false
	}
	n := t.Find(driver.HasFlag(driver.Focused), driver.ByRole(driver.RoleEdit))
	want := telling(text)
	return n != nil && want != "" && strings.Contains(telling(n.Text), want)
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

// keyboardOff is printed in place of a broadcast that nothing would receive.
const keyboardOff = "::handset-off::"

// broadcast sends one order to our keyboard, if that is on. The phone prints the same whether or not
// anything received it; what it prints of errors counts, and its status does not.
func (d *Driver) broadcast(ctx context.Context, o order) error {
	out, err := d.act(ctx, broadcastLine(d.opts.Keyboard, o))
	if err != nil {
		return err
	}
	switch text := string(out.stdout) + string(out.stderr); {
	case strings.Contains(text, keyboardOff):
		driver.MarkRefused(ctx)
		return errTakenAway
	case !strings.Contains(text, "Broadcast completed"):
		return fmt.Errorf("%w: am broadcast ended with %d: %s", driver.ErrNoTextInput, out.code, complaint(out.stderr, out.stdout))
	}
	return nil
}

// broadcastLine asks on the phone whether the keyboard is on, by either form of its id, and broadcasts.
func broadcastLine(keyboard string, o order) string {
	line := "am broadcast -a " + o.action + " -p " + packagePart(keyboard)
	if o.message != "" {
		line += " --es msg " + o.message
	}
	return fmt.Sprintf(`case "$(%s)" in %s) %s;; *) echo %s;; esac`, currentKeyboard, strings.Join(forms(keyboard), "|"), line, keyboardOff)
}

// forms returns an id with its class written out, and shortened where that can be.
func forms(component string) []string {
	p, _ := componentIn(component)
	all := []string{quote(p.pkg + "/" + p.page)}
	if short, ok := strings.CutPrefix(p.page, p.pkg+"."); ok {
		all = append(all, quote(p.pkg+"/."+short))
	}
	return all
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
	return d.broadcastAll(ctx, k, []order{{"ADB_CLEAR_TEXT", ""}})
}
