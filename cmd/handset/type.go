package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/handset-go/handset/driver"
)

type keyCmd struct {
	Key  string `arg:"" help:"Its name; handset info lists those of the phone."`
	Long bool   `help:"Hold it for as long as the phone calls a long press (Android)."`
}

// Run presses a key.
func (c *keyCmd) Run(a *app) error {
	key := driver.ParseKey(c.Key)
	if key == "" {
		return usagef("key: the name of the key is empty")
	}
	return a.with(func(ctx context.Context, d driver.Driver) error {
		if c.Long {
			can, err := ability[keyHolder](a, "hold a key")
			if err != nil {
				return err
			}
			d = a.instead(d, driver.OpKey, func(ctx context.Context) error { return can.LongKey(ctx, key) })
		}
		err := a.gate(nil).Guard(d).Key(ctx, key)
		if errors.Is(err, errors.ErrUnsupported) && !slices.Contains(driver.Keys(), key) {
			return usagef("%v", err) // no phone has a key of that name
		}
		return a.saidDone(err, "key", map[string]any{"key": key})
	})
}

type typeCmd struct {
	Text  string `arg:"" help:"The text; - reads it from stdin, without the newline at its end. What looks like a flag goes behind --."`
	Clear bool   `help:"Empty the field first."`
}

// Run types.
func (c *typeCmd) Run(a *app) error {
	text, err := a.textOf("type", c.Text)
	if err != nil {
		return err
	}
	return a.act(func(ctx context.Context, d driver.Driver) error {
		op := driver.Type
		if c.Clear {
			op = driver.SetText
		}
		return a.saidDone(op(ctx, d, text), "type", map[string]any{"runes": len([]rune(text))})
	})
}

// textOf returns the text that an argument means: itself, or for - that of stdin.
func (a *app) textOf(command, arg string) (string, error) {
	text := arg
	if arg == "-" {
		data, err := readAll(a.stdin)
		if err != nil {
			return "", err
		}
		text = strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r") // of a line, as echo prints it
	}
	switch at := strings.IndexByte(text, 0); {
	case at >= 0:
		return "", usagef("%s: the text has a NUL, a zero byte, behind %d bytes: no phone takes one", command, at)
	case !utf8.ValidString(text):
		return "", usagef("%s: the text is not UTF-8", command)
	}
	return text, nil
}

type clearCmd struct{}

// Run empties the focused field.
func (c *clearCmd) Run(a *app) error {
	return a.act(func(ctx context.Context, d driver.Driver) error {
		return a.saidDone(driver.ClearText(ctx, d), "clear", nil)
	})
}

type hideKeyboardCmd struct{}

// Run takes the keyboard off the screen. To the gate it is the key that a person would press for it.
func (c *hideKeyboardCmd) Run(a *app) error {
	return a.with(func(ctx context.Context, d driver.Driver) error {
		can, err := ability[keyboardHider](a, "hide the keyboard by itself: see handset key Back")
		if err != nil {
			return err
		}
		d = a.instead(d, driver.OpKey, func(ctx context.Context) error { return can.DismissKeyboard(ctx) })
		return a.saidDone(a.gate(nil).Guard(d).Key(ctx, driver.KeyBack), "hide-keyboard", nil)
	})
}
