package adb

import (
	"context"
	"crypto/rand"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

const (
	// readyLimit bounds the wait for the keyboard to take over the field, which takes it up to 3 s.
	readyLimit = 4 * time.Second
	readyPoll  = 150 * time.Millisecond
	// crashAge is how old a debt is that a program left behind and did not only begin a moment ago.
	crashAge = 30 * time.Second
)

const (
	currentKeyboard = "settings get secure default_input_method"
	// fieldLines tell which input method is at work and on what kind of field.
	fieldLines = `dumpsys input_method | grep -E 'mCurId=|mInputStarted=|inputType=0x|mInputEditorInfo: null'`
)

// keyboards is what a phone has to type with.
type keyboards struct {
	current   string // the id of the one that is on
	installed bool   // ours is there
	enabled   bool   // and may be chosen
	field     field
}

// field is the text field that takes the text, as far as the phone tells.
type field struct {
	keyboard string // the input method that serves it, "" if not told
	none     bool   // there is certainly no field
	oneLine  bool   // a line end would not be text in it
}

// keyboards asks what there is, once what is owed is put back. `ime list` may be forbidden; the
// settings and the package tell too.
func (d *Driver) keyboards(ctx context.Context) (keyboards, error) {
	if d.ime.owes() {
		if err := d.payDebt(ctx); err != nil {
			return keyboards{}, err
		}
	}
	id := d.opts.Keyboard
	parts, err := d.askAll(ctx, currentKeyboard, "ime list -s", "settings get secure enabled_input_methods", "ime list -s -a",
		"pm path "+packagePart(id), fieldLines)
	if err != nil {
		return keyboards{}, err
	}
	k := keyboards{current: strings.TrimSpace(parts[0]), field: parseField(parts[5])}
	k.enabled = listsKeyboard(parts[1]+"\n"+parts[2], id)
	k.installed = k.enabled || listsKeyboard(parts[3], id) || strings.Contains(parts[4], "package:")
	return k, nil
}

// fieldOnly asks what a text of plain ASCII needs to know.
func (d *Driver) fieldOnly(ctx context.Context) (keyboards, error) {
	out, err := d.ask(ctx, fieldLines)
	if err != nil {
		return keyboards{}, err
	}
	return keyboards{field: parseField(string(out.stdout))}, nil
}

func packagePart(component string) string {
	pkg, _, _ := strings.Cut(component, "/")
	return pkg
}

// sameComponent compares two ids, of which either may shorten its class.
func sameComponent(a, b string) bool {
	p, ok := componentIn(a)
	q, ok2 := componentIn(b)
	return ok && ok2 && p == q
}

// listsKeyboard says that id is in a list with an id on each line, or between colons with subtypes
// behind semicolons.
func listsKeyboard(list, id string) bool {
	for _, word := range strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(" \n\r\t:;", r) }) {
		if sameComponent(word, id) {
			return true
		}
	}
	return false
}

var (
	servingLine = regexp.MustCompile(`\bmCurId=(\S+)`)
	startedLine = regexp.MustCompile(`\bmInputStarted=(true|false)`)
	typeLine    = regexp.MustCompile(`\binputType=0x([0-9a-fA-F]+)`)
)

// Bits of android.text.InputType.
const (
	inputClass     = 0xf
	inputClassText = 0x1
	inputMultiLine = 0x20000 | 0x40000
)

// parseField reads fieldLines. The last words are the input method's own.
func parseField(text string) field {
	var f field
	if m := servingLine.FindStringSubmatch(text); m != nil {
		f.keyboard = m[1]
	}
	if all := startedLine.FindAllStringSubmatch(text, -1); all != nil {
		f.none = all[len(all)-1][1] == "false"
	}
	if strings.Contains(text, "mInputEditorInfo: null") {
		f.none = true
	}
	if all := typeLine.FindAllStringSubmatch(text, -1); all != nil {
		n, err := strconv.ParseUint(all[len(all)-1][1], 16, 64)
		f.oneLine = err == nil && n != 0 && (n&inputClass != inputClassText || n&inputMultiLine == 0)
	}
	return f
}

// withKeyboard runs f with our keyboard on, and puts the person's own back however f ends.
func (d *Driver) withKeyboard(ctx context.Context, k keyboards, f func(context.Context) error) (err error) {
	switched := !sameComponent(k.current, d.opts.Keyboard)
	if switched {
		if err := d.switchKeyboard(ctx, k); err != nil {
			return err
		}
	}
	defer func() {
		err = withUndo(err, driver.Undo(ctx, d.payDebt))
	}()
	if err := d.awaitKeyboard(ctx); err != nil {
		return err
	}
	if switched {
		if err := nap.For(ctx, d.opts.KeyboardWait); err != nil {
			return err
		}
	}
	return f(ctx)
}

// switchKeyboard turns our keyboard on. The debt is noted first, here and on the phone.
func (d *Driver) switchKeyboard(ctx context.Context, k keyboards) error {
	if k.current != "null" && !isComponent(k.current) {
		return fmt.Errorf("%w: the phone does not tell which input method is on (%s)", driver.ErrNoTextInput, complaint([]byte(k.current)))
	}
	owed := debt{k.current, !k.enabled, time.Now().Unix(), self()}
	d.ime.mu.Lock()
	d.ime.owed, d.ime.late = &owed, rand.Text()
	end := d.ime.late
	d.ime.mu.Unlock()
	err := d.selectKeyboard(ctx, owed, end)
	if err == nil {
		d.ime.mu.Lock()
		d.ime.late = ""
		d.ime.mu.Unlock()
	} else {
		err = withUndo(err, driver.Undo(ctx, d.payDebt))
	}
	return err
}

// withUndo adds to an error that the phone could not be left as it was.
func withUndo(err, undo error) error {
	switch {
	case undo == nil:
		return err
	case err == nil:
		return undo
	}
	return fmt.Errorf("%w; and %w", err, undo)
}

// selectKeyboard enables and chooses our keyboard. One that was installed a moment ago is not known to the
// system yet, and is asked for again. The line says end in the debt file when it is over.
func (d *Driver) selectKeyboard(ctx context.Context, owed debt, end string) error {
	id := quote(d.opts.Keyboard)
	line := fmt.Sprintf("echo %s > %s; ime enable %s; ime set %s; echo %s >> %s", quote(owed.String()), debtFile, id, id, end, debtFile)
	for until := time.Now().Add(readyLimit); ; {
		out, err := d.run(ctx, request{line: line})
		if err != nil {
			return err
		}
		switch text := string(out.stdout) + string(out.stderr); {
		case strings.Contains(text, "WRITE_SECURE_SETTINGS"):
			return fmt.Errorf("%w: the phone forbids switching the input method: choose %s by hand, or %s",
				driver.ErrNoTextInput, packagePart(d.opts.Keyboard), d.blockedCure(ctx))
		case !strings.Contains(text, "Unknown input method"):
			return nil
		case time.Now().After(until):
			return fmt.Errorf("%w: the app %s is installed, and the phone does not know its input method %s: start the app once, or restart the phone",
				driver.ErrNoTextInput, packagePart(d.opts.Keyboard), d.opts.Keyboard)
		}
		if err := nap.For(ctx, readyPoll); err != nil {
			return err
		}
	}
}

// awaitKeyboard waits until our keyboard is on and serves a field: before that it receives nothing,
// and nothing says so.
func (d *Driver) awaitKeyboard(ctx context.Context) error {
	var on bool
	var f field
	for end := time.Now().Add(readyLimit); ; {
		parts, err := d.askAll(ctx, currentKeyboard, fieldLines)
		if err != nil {
			return err
		}
		on, f = sameComponent(strings.TrimSpace(parts[0]), d.opts.Keyboard), parseField(parts[1])
		serves := f.keyboard == "" || sameComponent(f.keyboard, d.opts.Keyboard)
		switch {
		case on && serves && !f.none:
			return nil
		case time.Now().After(end):
			return d.notReady(on && serves)
		}
		if err := nap.For(ctx, readyPoll); err != nil {
			return err
		}
	}
}

func (d *Driver) notReady(on bool) error {
	if on {
		return fmt.Errorf("%w: no text field has the focus: tap one first", driver.ErrNoTextInput)
	}
	return fmt.Errorf("%w: the input method %s does not come on", driver.ErrNoTextInput, d.opts.Keyboard)
}
