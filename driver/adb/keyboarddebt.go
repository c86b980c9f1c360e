package adb

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

// debtFile on the phone says which input method to put back, for the case that this program does
// not live to do it.
const debtFile = "/data/local/tmp/handset-keyboard"

// A switch whose connection broke may take lateBegin to begin, and lateEnd to end, as `ime` is a process
// of its own.
const (
	lateBegin = 1500 * time.Millisecond
	lateEnd   = 2500 * time.Millisecond
	latePoll  = 50 * time.Millisecond
	// payPatience is how long putting back is tried, the wait for a late switch included; an undo has 5 s.
	payPatience = 2500 * time.Millisecond
	payPause    = 200 * time.Millisecond
)

// readDebt reads it, with the input method that is on.
const readDebt = "cat " + debtFile + " 2>/dev/null; echo; " + currentKeyboard

// debt is an input method that was switched away from.
type debt struct {
	previous string // its id, "null" for none
	disable  bool   // ours was not enabled before
	since    int64  // Unix seconds
	owner    owner
}

// owner is the program that made a debt; the zero value is one that nobody knows.
type owner struct {
	host uint32 // a hash of the computer's name
	pid  int
}

func self() owner {
	name, _ := os.Hostname() // "" is a name too
	h := fnv.New32a()
	_, _ = h.Write([]byte(name))
	return owner{h.Sum32(), os.Getpid()}
}

// gone says that the program ran on this computer and certainly does not any more.
func (o owner) gone() bool {
	me := self()
	if o.host != me.host || o.pid <= 0 || o.pid == me.pid {
		return false
	}
	p, err := os.FindProcess(o.pid)
	return err != nil || errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// imeDebt is what the driver owes the phone.
type imeDebt struct {
	mu      sync.Mutex
	owed    *debt
	late    string        // what a switch that may still be at work adds to the debt file at its end; "" for none
	suspect string        // the debt file of another program that may still live
	proven  bool          // the keyboard was seen to type
	alive   time.Duration // the age up to which a debt may be that of a program at work
}

func (m *imeDebt) owes() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.owed != nil
}

func (b debt) String() string {
	return fmt.Sprintf("%s %t %d %08x/%d", b.previous, b.disable, b.since, b.owner.host, b.owner.pid)
}

// parseDebt reads a debt file, also one without an owner.
func parseDebt(s string) (debt, bool) {
	f := strings.Fields(firstLine(s))
	if len(f) != 3 && len(f) != 4 || f[0] != "null" && !isComponent(f[0]) {
		return debt{}, false
	}
	since, err := strconv.ParseInt(f[2], 10, 64)
	b := debt{previous: f[0], disable: f[1] == "true", since: since}
	if len(f) == 4 {
		if _, err := fmt.Sscanf(f[3], "%08x/%d", &b.owner.host, &b.owner.pid); err != nil {
			return debt{}, false
		}
	}
	return b, err == nil
}

// left says that whoever made the debt will not pay it.
func (m *imeDebt) left(b debt) bool {
	return b.owner.gone() || time.Since(time.Unix(b.since, 0)) >= m.alive
}

// payDebt puts back the input method that is owed, and looks whether that worked. A server or a phone
// that went away may be back soon.
func (d *Driver) payDebt(ctx context.Context) error {
	d.ime.mu.Lock()
	defer d.ime.mu.Unlock()
	for end := time.Now().Add(payPatience); ; {
		err := d.payOnce(ctx)
		if !passing(err) || time.Now().After(end) || nap.For(ctx, payPause) != nil {
			return err
		}
	}
}

// passing says that an error may go away by itself.
func passing(err error) bool {
	for _, is := range []error{errBroken, errRefused, ErrNoServer, driver.ErrOffline, driver.ErrNoDevice} {
		if errors.Is(err, is) {
			return true
		}
	}
	return false
}

func (d *Driver) payOnce(ctx context.Context) error {
	if d.ime.owed == nil {
		if err := d.suspected(ctx); err != nil || d.ime.owed == nil {
			return err
		}
	}
	if err := d.awaitLateSwitch(ctx); err != nil {
		return err
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
		return unpaid(owed, err)
	}
	if now := strings.TrimSpace(parts[1]); sameComponent(now, d.opts.Keyboard) {
		return fmt.Errorf("put back the input method %s: %s is still on; run: adb shell ime set %s", owed.previous, now, owed.previous)
	}
	if _, err = d.ask(ctx, "rm -f "+debtFile); err == nil {
		d.ime.owed, d.ime.suspect = nil, ""
	}
	return err
}

// awaitLateSwitch waits until a switch that was given up is over: it would undo what is put back.
func (d *Driver) awaitLateSwitch(ctx context.Context) error {
	if d.ime.late == "" {
		return nil
	}
	for began := time.Now(); ; {
		out, err := d.ask(ctx, "cat "+debtFile+" 2>/dev/null")
		if err != nil {
			return unpaid(*d.ime.owed, err)
		}
		limit, text := lateBegin, string(out.stdout)
		if firstLine(text) == d.ime.owed.String() {
			limit = lateEnd
		}
		if strings.Contains(text, d.ime.late) || time.Since(began) > limit {
			d.ime.late = ""
			return nil
		}
		if err := nap.For(ctx, latePoll); err != nil {
			return err
		}
	}
}

func unpaid(owed debt, err error) error {
	return fmt.Errorf("the input method %s is not put back yet (%w): open the phone once more, or run adb shell ime set %s", owed.previous, err, owed.previous)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
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
	left := firstLine(string(out.stdout))
	owed, ok := parseDebt(left)
	switch {
	case !ok || left != d.ime.suspect:
		d.ime.suspect = ""
	case d.ime.left(owed):
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
	if !d.ime.left(left) {
		d.log.WarnContext(ctx, "another program types on this phone, or has left its input method behind: that is put back later", "previous", left.previous)
		return
	}
	d.log.InfoContext(ctx, "putting back the input method that a program left behind", "previous", left.previous)
	if err := d.payDebt(ctx); err != nil {
		d.log.WarnContext(ctx, "the input method could not be put back", "error", err)
	}
}
