package adb

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
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

// debtFile on the phone says which input method to put back, for the case that this program does not live to
// do it.
const debtFile = "/data/local/tmp/handset-keyboard"

// readDebt reads it, with the input method that is on.
const readDebt = "cat " + debtFile + " 2>/dev/null; echo; " + currentKeyboard

const (
	currentKeyboard = "settings get secure default_input_method"
	// fieldLines tell which input method is at work and on what kind of field.
	fieldLines = `dumpsys input_method | grep -E 'mCurId=|mInputStarted=|inputType=0x|mInputEditorInfo: null'`
)

// debt is an input method that was switched away from.
type debt struct {
	previous string // its id, "null" for none
	disable  bool   // ours was not enabled before
	since    int64  // Unix seconds
}

// imeDebt is what the driver owes the phone.
type imeDebt struct {
	mu      sync.Mutex
	owed    *debt
	suspect string // the debt file of another program that may still live
	proven  bool   // the keyboard was seen to type
}

func (b debt) String() string { return fmt.Sprintf("%s %t %d", b.previous, b.disable, b.since) }

// parseDebt reads a debt file.
func parseDebt(s string) (debt, bool) {
	f := strings.Fields(s)
	if len(f) != 3 || f[0] != "null" && !isComponent(f[0]) {
		return debt{}, false
	}
	since, err := strconv.ParseInt(f[2], 10, 64)
	return debt{f[0], f[1] == "true", since}, err == nil
}

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

// keyboards asks what there is. `ime list` may be forbidden; the settings and the package tell too.
func (d *Driver) keyboards(ctx context.Context) (keyboards, error) {
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

// listsKeyboard says that id is in a list with an id on each line, or between colons with subtypes behind semicolons.
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
		if undo := driver.Undo(ctx, d.payDebt); undo != nil && err == nil {
			err = undo
		} else if undo != nil {
			d.log.WarnContext(ctx, "the input method could not be put back yet", "error", undo)
		}
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
	owed := debt{k.current, !k.enabled, time.Now().Unix()}
	d.ime.mu.Lock()
	d.ime.owed = &owed
	d.ime.mu.Unlock()
	id := quote(d.opts.Keyboard)
	out, err := d.run(ctx, request{line: fmt.Sprintf("echo %s > %s; ime enable %s; ime set %s", quote(owed.String()), debtFile, id, id)})
	if err == nil && strings.Contains(string(out.stdout)+string(out.stderr), "WRITE_SECURE_SETTINGS") {
		err = fmt.Errorf("%w: the phone forbids switching the input method: choose %s by hand, or %s",
			driver.ErrNoTextInput, packagePart(d.opts.Keyboard), d.blockedCure(ctx))
	}
	if err != nil {
		if undo := driver.Undo(ctx, d.payDebt); undo != nil {
			d.log.WarnContext(ctx, "the input method could not be put back yet", "error", undo)
		}
	}
	return err
}

// awaitKeyboard waits until our keyboard is on and serves a field: before that it receives nothing, and nothing
// says so.
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

// payDebt puts back the input method that is owed, and looks whether that worked.
func (d *Driver) payDebt(ctx context.Context) error {
	d.ime.mu.Lock()
	defer d.ime.mu.Unlock()
	if d.ime.owed == nil {
		if err := d.suspected(ctx); err != nil || d.ime.owed == nil {
			return err
		}
	}
	owed, ours := *d.ime.owed, quote(d.opts.Keyboard)
	line := "ime set " + quote(owed.previous)
	if owed.previous == "null" {
		line = "settings delete secure default_input_method"
	}
	if owed.disable {
		line += "; ime disable " + ours
	}
	parts, err := d.askAll(ctx, line, currentKeyboard)
	if err != nil {
		return fmt.Errorf("put back the input method %s: %w", owed.previous, err)
	}
	if now := strings.TrimSpace(parts[1]); sameComponent(now, d.opts.Keyboard) {
		return fmt.Errorf("put back the input method %s: %s is still on; run: adb shell ime set %s", owed.previous, now, owed.previous)
	}
	d.ime.owed, d.ime.suspect = nil, ""
	_, err = d.ask(ctx, "rm -f "+debtFile)
	return err
}

// suspected takes over the debt of another program, if that has not paid it itself.
func (d *Driver) suspected(ctx context.Context) error {
	if d.ime.suspect == "" {
		return nil
	}
	out, err := d.ask(ctx, "cat "+debtFile+" 2>/dev/null")
	if err != nil {
		return err
	}
	if left := strings.TrimSpace(string(out.stdout)); left == d.ime.suspect {
		if owed, ok := parseDebt(left); ok {
			d.ime.owed = &owed
		}
	}
	d.ime.suspect = ""
	return nil
}

// inheritDebt looks at what readDebt printed when the phone was opened. An old debt is paid at once; a fresh one may be that of a
// program at work, and is looked at again when this driver ends.
func (d *Driver) inheritDebt(ctx context.Context, text string) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	left, ok := parseDebt(lines[0])
	if !ok || !sameComponent(strings.TrimSpace(lines[len(lines)-1]), d.opts.Keyboard) {
		return
	}
	d.ime.mu.Lock()
	d.ime.suspect = strings.TrimSpace(lines[0])
	d.ime.mu.Unlock()
	if time.Since(time.Unix(left.since, 0)) < crashAge {
		return
	}
	d.log.InfoContext(ctx, "putting back the input method that a program left behind", "previous", left.previous)
	if err := d.payDebt(ctx); err != nil {
		d.log.WarnContext(ctx, "the input method could not be put back", "error", err)
	}
}
