package drivertest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/handset-go/handset/driver"
)

const ruleText = "text is data: it arrives as it is, and nothing in it is read as syntax by any shell"

// texts are what people type and what would do harm where a shell read it. A command in them is a tap on a
// corner, which a phone that ran it would show.
var texts = []struct{ name, text string }{
	{"ascii", "Hello, World. 0123456789"},
	{"spaces", "  two  before and two after  "},
	{"accents", "naïve café Ñandú ß"},
	{"chinese", "打开设置,把蓝牙关掉。"},
	{"emoji", "ok 👍🏽 👨‍👩‍👧 🇨🇳 done"},
	{"quotes", `it's "quoted" and 'so' on`},
	{"dollar", "$(input tap 3 3) ${HOME} $HOME $1"},
	{"backtick", "`input tap 3 3` and `reboot`"},
	{"semicolon", "a; input tap 3 3; b"},
	{"operators", "a && input tap 3 3 || b | c & d > /sdcard/x < y"},
	{"percent", "100%s of %d %% and %20"},
	{"backslash", `back\slash \n \" \\ end\`},
	{"globs", "* ? [a-z] ~ {a,b} !! #no"},
	{"dash", "--help"},
}

func textCases() []Case {
	var cases []Case
	for _, c := range texts {
		cases = append(cases, Case{
			Name: "text/" + c.name, Rule: ruleText,
			check: func(b *bench) error { return typed(b, c.text) },
		})
	}
	return append(cases,
		Case{Name: "text/at-cursor", Rule: "Type inserts at the cursor", check: typeAppends},
		Case{Name: "text/newline-multi", Rule: "a newline goes to a multi-line field as it is", check: newlineInMulti},
		Case{
			Name: "text/newline-single", Rule: "in a single-line field a newline is refused before the first key",
			check: newlineInSingle,
		},
		Case{Name: "text/url", Rule: ruleText, check: urlIsData},
		Case{Name: "text/shell", Rule: "each argument of Shell is one argument on the phone, whatever is in it", check: argvIsData},
		Case{Name: "text/clipboard", Rule: ruleText, check: clipboardIsData},
	)
}

// typed types into an empty field and wants just that text in it, and no touch.
func typed(b *bench, text string) error {
	if err := b.typeInto(false, text); err != nil {
		return err
	}
	if err := b.wantField(text); err != nil {
		return err
	}
	return b.nothingRan()
}

// typeInto types into a fresh field.
func (b *bench) typeInto(multiline bool, text string) error {
	c, err := b.prepare(driver.OpType)
	if err != nil {
		return err
	}
	if multiline {
		if err := b.focus(true); err != nil {
			return err
		}
	}
	return b.try(func(ctx context.Context) error { return driver.Type(ctx, c.d, text) })
}

func (b *bench) wantField(want string) error {
	got, err := b.field()
	if err != nil {
		return err
	}
	if got != want {
		return fmt.Errorf("the field holds %q, want %q", got, want)
	}
	return nil
}

// nothingRan wants no touch and no command in the log.
func (b *bench) nothingRan() error {
	if b.Log == nil {
		return nil
	}
	all, _ := b.events()
	if ran := append(touches(all), only(all, KindRun)...); len(ran) > 0 {
		return fmt.Errorf("text was run as a command: %s", tell(ran[0]))
	}
	return nil
}

func typeAppends(b *bench) error {
	if err := b.typeInto(false, "one "); err != nil {
		return err
	}
	err := b.try(func(ctx context.Context) error { return driver.Type(ctx, b.Driver, "two") })
	if err != nil {
		return err
	}
	return b.wantField("one two")
}

func newlineInMulti(b *bench) error {
	const text = "first line\nsecond line"
	if err := b.typeInto(true, text); err != nil {
		return err
	}
	return b.wantField(text)
}

func newlineInSingle(b *bench) error {
	err := b.typeInto(false, "first line\nsecond line")
	switch {
	case err == nil:
		return errors.New("it was done")
	case driver.MaybeDone(err):
		return fmt.Errorf("%w; nothing may be sent", err)
	}
	var no skip
	if errors.As(err, &no) {
		return err
	}
	if err := b.wantField(""); err != nil {
		return err
	}
	return b.nothingSent()
}

func urlIsData(b *bench) error {
	const url = "https://example.com/a?b=1&c=$(input tap 3 3);input tap 3 3`input tap 3 3`'\"#end"
	if err := b.has(driver.OpOpenURL); err != nil {
		return err
	}
	b.ready()
	err := b.try(func(ctx context.Context) error { return driver.OpenURL(ctx, b.Driver, url) })
	if errors.Is(err, errors.ErrUnsupported) {
		return skipf("the driver cannot open a URL: %v", err)
	}
	if b.Log == nil {
		return skipf("the harness has no Log")
	}
	if ran := b.nothingRan(); ran != nil || err != nil {
		return errors.Join(err, ran)
	}
	all, _ := b.events()
	if seen := only(all, KindURL); len(seen) > 0 && seen[0].Text != url {
		return fmt.Errorf("the phone opened %q, want %q", seen[0].Text, url)
	}
	return nil
}

func argvIsData(b *bench) error {
	if err := b.has(driver.OpShell); err != nil {
		return err
	}
	if len(b.cfg.Echo) == 0 {
		return skipf("the harness has no Echo")
	}
	b.ready()
	for _, c := range texts {
		var res *driver.ShellResult
		err := b.try(func(ctx context.Context) (err error) {
			res, err = driver.Shell(ctx, b.Driver, append(slices.Clone(b.cfg.Echo), c.text)...)
			return err
		})
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if got := string(res.Stdout); got != c.text {
			return fmt.Errorf("%s: the command got %q, want %q", c.name, got, c.text)
		}
	}
	return b.nothingRan()
}

func clipboardIsData(b *bench) error {
	if err := errors.Join(b.has(driver.OpClipboard), b.has(driver.OpSetClipboard)); err != nil {
		return err
	}
	for _, c := range texts {
		var got string
		err := b.try(func(ctx context.Context) (err error) {
			if err = driver.SetClipboard(ctx, b.Driver, c.text); err == nil {
				got, err = driver.Clipboard(ctx, b.Driver)
			}
			return err
		})
		if errors.Is(err, errors.ErrUnsupported) {
			return skipf("the driver has no clipboard: %v", err)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if got != c.text {
			return fmt.Errorf("%s: the clipboard holds %q, want %q", c.name, got, c.text)
		}
	}
	return b.nothingRan()
}

func fieldCases() []Case {
	return []Case{
		{Name: "field/clear", Rule: "ClearText empties the focused field", check: clearEmpties},
		{Name: "field/set", Rule: "SetText replaces what the field holds", check: setReplaces},
	}
}

func clearEmpties(b *bench) error {
	if err := b.typeInto(false, "to be cleared"); err != nil {
		return err
	}
	if err := b.try(func(ctx context.Context) error { return driver.ClearText(ctx, b.Driver) }); err != nil {
		return err
	}
	return b.wantField("")
}

func setReplaces(b *bench) error {
	if err := b.has(driver.OpSetText); err != nil {
		return err
	}
	if err := b.typeInto(false, "the old text"); err != nil {
		return err
	}
	if err := b.try(func(ctx context.Context) error { return driver.SetText(ctx, b.Driver, "new") }); err != nil {
		return err
	}
	return b.wantField("new")
}
