package hdc

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"image"
	"strings"

	"github.com/handset-go/handset/driver"
)

// uitest says "No Error" whatever the display does, so each gesture looks first, in the same line of the phone's shell.
// The shell's own means are enough for it: they cost no process.
const (
	// lookPanel sets p to a word for each display that is not virtual.
	lookPanel = `p=$(` + askRender + ` | while IFS= read -r l; do case $l in (*irtual=true*) ;; ` +
		`(*=POWER_STATUS_ON,*|*=POWER_STATUS_ON_ADV*) echo on;; (*=POWER_STATUS_*) echo off;; esac; done)`
	// lookWindows sets w to the rows of the visible windows.
	lookWindows = `w=$(` + askWindows + `); w=${w#*WindowName}; w=${w%%
---*}`
	isAsleep = `case $p in (*on*) ;; (*off*) g=asleep;; esac`
	// isLocked looks for the lock screen as lockShown does: by its name, or by the fifth word before the bracket.
	isLocked = `k=$(set -f; echo "$w" | while IFS= read -r l; do set -- ${l%%\[*}; [ $# -gt 8 ] && shift $(($# - 5)); ` +
		`case $1:$l in (` + typeLock + `:*|*ScreenLock*) echo on;; esac; done); case $k in (*on*) g=${g:-locked};; esac`
)

// guard says what must hold for a gesture to be done.
type guard struct {
	awake    bool        // the display is on
	unlocked bool        // and the lock screen is not shown
	locked   bool        // or is shown
	frame    image.Point // and a window is of this size; zero does not matter
}

// The verdicts of a guard that does not let through.
const (
	verdictAsleep = "asleep"
	verdictLocked = "locked"
	verdictOpen   = "open"
	verdictMoved  = "moved"
)

// errMoved says that no window has the size of the frame: the phone was turned or unfolded.
var errMoved = errors.New("the screen has another size than before")

// line returns a line that runs command if the guard lets through, and otherwise prints the verdict behind mark.
func (g guard) line(command, mark string) string {
	if !g.awake {
		return command
	}
	var b strings.Builder
	b.WriteString("g=; " + lookPanel + "; " + isAsleep + "\n")
	if g.unlocked || g.locked {
		b.WriteString(lookWindows + "; " + isLocked + "\n")
	}
	if g.locked {
		fmt.Fprintf(&b, "case $g in (%s) g=;; ('') g=%s;; esac\n", verdictLocked, verdictOpen)
	}
	if g.frame != (image.Point{}) {
		fmt.Fprintf(&b, "case $w in (*' %-4d %-4d ]'*) ;; (*) g=${g:-%s};; esac\n", g.frame.X, g.frame.Y, verdictMoved)
	}
	fmt.Fprintf(&b, "case $g in ('') %s\n;; (*) echo %s$g; false;; esac", command, mark)
	return b.String()
}

// guarded runs a command that does something to the phone, if the guard lets it through. Otherwise nothing has
// been done, and the error is ErrAsleep, ErrLocked, errOpen or errMoved.
func (d *Driver) guarded(ctx context.Context, g guard, command string) (*output, error) {
	if d.opts.Unguarded {
		g = guard{}
	}
	mark := "handset-" + rand.Text() + ":"
	out, err := d.act(ctx, g.line(command, mark))
	if err != nil || out.code == 0 {
		return out, err
	}
	_, verdict, stopped := strings.Cut(out.text, mark)
	if !stopped {
		return out, nil
	}
	driver.MarkRefused(ctx)
	switch verdict, _, _ = strings.Cut(verdict, "\n"); verdict {
	case verdictAsleep:
		return nil, errAsleep
	case verdictLocked:
		return nil, errLocked
	case verdictOpen:
		return nil, errOpen
	}
	return nil, errMoved
}

var (
	errAsleep = fmt.Errorf("%w: wake the phone first", driver.ErrAsleep)
	errLocked = fmt.Errorf("%w: unlock it first", driver.ErrLocked)
	errOpen   = errors.New("no lock screen is shown")
)
