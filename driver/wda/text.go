package wda

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/electricbubble/gwda"

	"github.com/handset-go/handset/driver"
)

const (
	// maxText bounds one call, in bytes.
	maxText = 1 << 20
	// perRune is added to the limit of a call for each character: WebDriverAgent answers when the last is typed.
	perRune = 300 * time.Millisecond
)

// Type inserts text at the cursor, as keys, one character after the other. A newline is the Return key: in a field of one line it
// would send or search, and is refused before the first key. What WebDriverAgent reports as typed can still have lost
// characters in an app that is slow: read the field where it matters, and lower Options.TypingRate.
func (d *Driver) Type(ctx context.Context, text string) error {
	return d.textCall(ctx, driver.OpType, text, func(ctx context.Context) error {
		if text == "" {
			return nil
		}
		if _, err := d.field(ctx, text); err != nil {
			return err
		}
		return d.keys(ctx, text)
	})
}

// ClearText empties the focused field.
func (d *Driver) ClearText(ctx context.Context) error {
	return d.textCall(ctx, driver.OpClearText, "", func(ctx context.Context) error {
		id, err := d.field(ctx, "")
		if err != nil {
			return err
		}
		return d.clear(ctx, id)
	})
}

// SetText empties the focused field and types text.
func (d *Driver) SetText(ctx context.Context, text string) error {
	return d.textCall(ctx, driver.OpSetText, text, func(ctx context.Context) error {
		id, err := d.field(ctx, text)
		if err != nil {
			return err
		}
		if err := d.clear(ctx, id); err != nil || text == "" {
			return err
		}
		return partly(ctx, d.keys(ctx, text))
	})
}

// textCall checks the text and keeps it out of what WebDriverAgent says of it.
func (d *Driver) textCall(ctx context.Context, op driver.Op, text string, f func(context.Context) error) error {
	limit := d.opts.limit(limitText) + time.Duration(utf8.RuneCountInString(text))*perRune
	return d.doWithin(ctx, op, limit, func(ctx context.Context) error {
		switch {
		case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
			return errors.New("the text is not clean UTF-8")
		case len(text) > maxText:
			return fmt.Errorf("a text of %d bytes is too long; %d is the most", len(text), maxText)
		case op != driver.OpSetClipboard && strings.ContainsFunc(text, isKey):
			return fmt.Errorf("%w: a character of it is a key, such as Backspace", driver.ErrNoTextInput)
		}
		return hushed(f(ctx), text)
	})
}

// isKey says that typing the character would press a key that is no text: a control character, or one of WebDriver's code points
// for keys.
func isKey(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' || r >= '\ue000' && r <= '\ue0ff'
}

// shortText is so short that it stands in any sentence.
const shortText = 4

// hushed takes the text out of what WebDriverAgent said, which may quote it. Our own words never hold it.
func hushed(err error, text string) error {
	var e *Error
	if text == "" || !errors.As(err, &e) || !strings.Contains(e.Message, text) {
		return err
	}
	said := e.Message
	if utf8.RuneCountInString(text) < shortText {
		e.Message = "(its words may hold the text, and are left out)"
	} else {
		e.Message = strings.ReplaceAll(said, text, hiddenText)
	}
	return &hushedError{err: err, said: strings.ReplaceAll(err.Error(), said, e.Message)}
}

const hiddenText = "(the text)"

type hushedError struct {
	err  error
	said string
}

func (e *hushedError) Error() string { return e.said }
func (e *hushedError) Unwrap() error { return e.err }

// keys types text, rune by rune. A line ends with one Return, whatever it ended with.
func (d *Driver) keys(ctx context.Context, text string) error {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	err := d.viaAgent(ctx, func(wd gwda.WebDriver) error { return wd.SendKeys(text, d.opts.TypingRate) })
	switch {
	case says(err, "must be present to send keys"):
		return fmt.Errorf("%w: no keyboard is on the screen: tap the field, and switch a hardware keyboard off: %w", driver.ErrNoTextInput, err)
	case hasCode(err, codeBadState) && !appCrashed(err):
		return fmt.Errorf("a part of the text may be typed; clear the field and type it again, slower (Options.TypingRate): %w", err)
	}
	return err
}

// elementKeys are the names of an element's id, the standard's and the older one.
const (
	elementKey    = "element-6066-11e4-a52e-4f735466cecf"
	oldElementKey = "ELEMENT"
)

// field returns the id of the focused field, and ErrNoTextInput where there is none, as keys go nowhere then and nothing tells,
// or where it has one line and the text has more, or a tab.
func (d *Driver) field(ctx context.Context, text string) (string, error) {
	var e map[string]string
	err := d.get(ctx, here+"/element/active", &e)
	id := orElse(e[elementKey], e[oldElementKey])
	switch {
	case hasCode(err, codeNoElement) || err == nil && id == "":
		if err := d.awake(ctx); err != nil {
			return "", err
		}
		return "", fmt.Errorf("%w: no text field has the focus: tap one first", driver.ErrNoTextInput)
	case err != nil:
		return "", err
	case !strings.ContainsAny(text, "\n\r\t"):
		return id, nil
	}
	var kind string
	if err := d.get(ctx, here+"/element/"+id+"/name", &kind); err != nil {
		return "", err
	}
	if oneLine(kind) {
		return "", fmt.Errorf("%w: the field has one line: leave out line ends, which would send it, and tabs, which would leave it", driver.ErrNoTextInput)
	}
	return id, nil
}

func (d *Driver) clear(ctx context.Context, id string) error {
	_, err := d.request(ctx, http.MethodPost, here+"/element/"+id+"/clear", nil)
	return err
}

// DismissKeyboard takes the keyboard off the screen, by one of its keys with these labels, or as the app
// allows. Without labels it is a Done key; Return is none, as in many fields it sends. That there is none is fine; that the app does not let it go is an error that matches errors.ErrUnsupported.
func (d *Driver) DismissKeyboard(ctx context.Context, keys ...string) error {
	if len(keys) == 0 {
		keys = []string{"done", "Done", "完成"}
	}
	return d.do(ctx, opDismiss, limitGesture, func(ctx context.Context) error {
		err := d.viaAgent(ctx, func(wd gwda.WebDriver) error { return wd.KeyboardDismiss(keys...) })
		if says(err, "how to dismiss the keyboard") {
			return driver.Unsupported("the app does not let the keyboard go; tap beside the field, or press its own key: %v", err)
		}
		return err
	})
}

// opDismiss is DismissKeyboard in errors.
const opDismiss driver.Op = "dismiss keyboard"
