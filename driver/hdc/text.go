package hdc

import (
	"context"
	"crypto/rand"
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
	maxText = 256 << 10
	// perByte is added to the limit of a call that types a long text: uitest takes 50 ms for a character.
	perByte = 60 * time.Millisecond
	// keyChunk is how many characters one command types by keys. From 200 on uitest pastes them.
	keyChunk = 150
	// pasteChunk is how many bytes one command pastes: quoted they must fit into a command line.
	pasteChunk = 8000
)

// Type inserts text at the cursor. What the phone's tools can type by keys goes so; the rest uitest pastes, which takes
// the place of what the phone's clipboard held: no tool reads that, so it cannot be put back, and is logged. A line end goes to
// a field of several lines as the Enter key, and is refused for one of a single line.
//
// Before API 18 (HarmonyOS 5.1) pasting needs a field that the tree shows: it is tapped, which may move the cursor.
func (d *Driver) Type(ctx context.Context, text string) error {
	return d.textCall(ctx, driver.OpType, text, func(ctx context.Context, text string) error {
		if text == "" {
			return nil
		}
		f, err := d.field(ctx, text)
		if err != nil {
			return err
		}
		return d.typeText(ctx, f, text)
	})
}

// SetText empties the focused field and types text, and does neither where it cannot do both.
func (d *Driver) SetText(ctx context.Context, text string) error {
	return d.textCall(ctx, driver.OpSetText, text, func(ctx context.Context, text string) error {
		f, err := d.field(ctx, text)
		if err == nil {
			_, err = d.plan(f, text)
		}
		if err != nil {
			return err
		}
		if err := d.clear(ctx, f); err != nil || text == "" {
			return err
		}
		if f != nil {
			empty := *f
			empty.Text = ""
			f = &empty
		}
		return d.typeText(ctx, f, text)
	})
}

func (d *Driver) textCall(ctx context.Context, op driver.Op, text string, f func(context.Context, string) error) error {
	return d.calls.Do(ctx, op, d.limit(limitText)+time.Duration(len(text))*perByte, func(ctx context.Context) error {
		switch {
		case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
			return errors.New("the text is not clean UTF-8")
		case len(text) > maxText:
			return fmt.Errorf("a text of %d bytes is too long; %d is the most", len(text), maxText)
		}
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
		return f(ctx, text)
	})
}

// field finds the text field with the focus, and says before the first key why it cannot take the text. The node is nil
// where only the keyboard tells that something has the focus: a page that draws by itself.
func (d *Driver) field(ctx context.Context, text string) (*driver.Node, error) {
	t, err := d.tree(ctx)
	if err != nil {
		return nil, err
	}
	n := t.Find(driver.HasFlag(driver.Focused), driver.ByRole(driver.RoleEdit))
	keyboard := func(_ *driver.Tree, n *driver.Node) bool { return n.Window == driver.WindowKeyboard }
	switch {
	case n == nil && t.Find(keyboard) == nil:
		if err := d.awake(ctx); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%w: no text field has the focus: tap one first", driver.ErrNoTextInput)
	case n != nil && n.Not(driver.Multiline) && strings.Contains(text, "\n"):
		return nil, fmt.Errorf("%w: the field has one line and the text has more: leave out the line ends", driver.ErrNoTextInput)
	}
	return n, nil
}

// typeText types into a field, in as few command lines as hdc takes. On a phone that turns out not to know the newer
// command the older one is used.
func (d *Driver) typeText(ctx context.Context, f *driver.Node, text string) error {
	steps, err := d.plan(f, text)
	if err != nil {
		return err
	}
	if hasPaste(steps) {
		d.log.WarnContext(ctx, "the text is pasted: what the phone's clipboard held is lost")
	}
	did, err := d.typeSteps(ctx, steps)
	if old := errors.Is(err, errNoText); (old || errors.Is(err, errNoUinput)) && !did {
		if old {
			d.lacks.text.Store(true)
		}
		if steps, err = d.plan(f, text); err != nil {
			return err
		}
		_, err = d.typeSteps(ctx, steps)
	}
	if err != nil {
		return err
	}
	before := ""
	if f != nil {
		before = f.Text
	}
	return d.prove(ctx, steps, text, before)
}

// perStep is what a line has for each step beside its command: the mark that it was done, and what joins them.
const perStep = 50

// typeSteps runs steps in lines of several, and says whether any of them was done.
func (d *Driver) typeSteps(ctx context.Context, steps []step) (did bool, err error) {
	for len(steps) > 0 {
		n, length := 0, 0
		for n < len(steps) && (n == 0 || length+len(steps[n].line)+perStep < maxLine/2) {
			length += len(steps[n].line) + perStep
			n++
		}
		done, err := d.typeLine(ctx, steps[:n])
		did = did || done > 0
		if err != nil {
			if did {
				driver.MarkSent(ctx)
			}
			return did, err
		}
		steps = steps[n:]
	}
	return did, nil
}

// errNoText says that uitest does not know a way to type.
var errNoText = errors.New("this uitest cannot type so")

// typeLine runs steps as one line and returns how many were done. No error has a word of what the tools printed, as that
// may be what was to be typed.
func (d *Driver) typeLine(ctx context.Context, steps []step) (done int, err error) {
	mark, lines := "step-"+rand.Text()+"-", make([]string, len(steps))
	for i, s := range steps {
		lines[i] = fmt.Sprintf("%s && echo %s%d", s.line, mark, i)
	}
	out, err := d.run(ctx, guard{awake: true}, strings.Join(lines, " && "))
	if err != nil {
		return 0, err
	}
	for done < len(steps) && strings.Contains(out.text+"\n", fmt.Sprintf("%s%d\n", mark, done)) {
		done++
	}
	if done == len(steps) {
		return done, nil
	}
	if done == 0 {
		driver.MarkRefused(ctx)
	}
	switch failed := steps[done]; {
	case missing(out.text, "uinput"):
		d.lacks.uinput.Store(true)
		return done, errNoUinput
	case missing(out.text, "uitest"):
		return done, driver.Unsupported("the phone has no uitest")
	case strings.Contains(out.text, "pasteBoard"):
		return done, fmt.Errorf("%w: the phone's clipboard did not take it", driver.ErrNoTextInput)
	case failed.how == byText && inputErrors.MatchString(out.text):
		return done, errNoText
	}
	return done, fmt.Errorf("%w: %s ended with %d", driver.ErrNoTextInput, steps[done].how, out.code)
}

// prove looks whether the text is in the field: after a paste, which some fields forbid and nothing says so, and the first
// time that letters were typed, which a keyboard that composes Chinese keeps to itself. What cannot be read is trusted.
func (d *Driver) prove(ctx context.Context, steps []step, text, before string) error {
	pasted := hasPaste(steps)
	if !pasted && d.lacks.proofDone.Load() {
		return nil
	}
	t, err := d.tree(ctx)
	if err != nil {
		return ctx.Err()
	}
	n := t.Find(driver.HasFlag(driver.Focused), driver.ByRole(driver.RoleEdit))
	if n == nil || n.Is(driver.Password) {
		return nil
	}
	if arrived(text, before, n.Text) {
		d.lacks.proofDone.Store(true)
		return nil
	}
	if pasted {
		return fmt.Errorf("%w: the field took nothing of what was pasted: it may forbid that", driver.ErrNoTextInput)
	}
	return fmt.Errorf("%w: the field took nothing of what was typed: the phone's keyboard may be composing Chinese: switch it to English", driver.ErrNoTextInput)
}

// arrived says that a text may have come to a field, which held before and holds after. Apps change what is typed, so that one
// telling character is enough where anything has changed.
func arrived(text, before, after string) bool {
	some := false
	for _, r := range text {
		if unicode.IsSpace(r) || r == '.' {
			continue
		}
		if before != after && strings.ContainsRune(after, r) {
			return true
		}
		some = true
	}
	return !some
}
