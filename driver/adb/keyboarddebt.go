package adb

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// debtFile on the phone says which input method to put back, for the case that this program does
// not live to do it.
const debtFile = "/data/local/tmp/handset-keyboard"

// readDebt reads it, with the input method that is on.
const readDebt = "cat " + debtFile + " 2>/dev/null; echo; " + currentKeyboard

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
	suspect string        // the debt file of another program that may still live
	proven  bool          // the keyboard was seen to type
	alive   time.Duration // the age up to which a debt may be that of a program at work
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
	left := strings.TrimSpace(string(out.stdout))
	owed, ok := parseDebt(left)
	switch {
	case !ok || left != d.ime.suspect:
		d.ime.suspect = ""
	case time.Since(time.Unix(owed.since, 0)) >= d.ime.alive:
		d.ime.owed, d.ime.suspect = &owed, ""
	}
	return nil
}

// inheritDebt looks at what readDebt printed when the phone was opened. An old debt is paid at
// once; a fresh one may be that of a program at work, and is looked at again when this driver ends.
func (d *Driver) inheritDebt(ctx context.Context, text string) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	left, ok := parseDebt(lines[0])
	if !ok || !sameComponent(strings.TrimSpace(lines[len(lines)-1]), d.opts.Keyboard) {
		return
	}
	d.ime.mu.Lock()
	d.ime.suspect = strings.TrimSpace(lines[0])
	d.ime.mu.Unlock()
	if time.Since(time.Unix(left.since, 0)) < d.ime.alive {
		return
	}
	d.log.InfoContext(ctx, "putting back the input method that a program left behind", "previous", left.previous)
	if err := d.payDebt(ctx); err != nil {
		d.log.WarnContext(ctx, "the input method could not be put back", "error", err)
	}
}
