package main

import (
	"context"

	"github.com/handset-go/handset/driver"
)

type clipboardCmd struct {
	Text *string `arg:"" optional:"" help:"The new text; - reads it from stdin, without the newline at its end. Left out, the present one is printed."`
}

// Run prints the clipboard of the phone, or puts a text there.
func (c *clipboardCmd) Run(a *app) error {
	if c.Text == nil {
		return a.with(func(ctx context.Context, d driver.Driver) error {
			text, err := driver.Clipboard(ctx, d)
			if err == nil {
				a.say(map[string]string{"text": text}, "%s", text)
			}
			return err
		})
	}
	text, err := a.textOf("clipboard", *c.Text)
	if err != nil {
		return err
	}
	return a.act(func(ctx context.Context, d driver.Driver) error {
		return a.saidDone(driver.SetClipboard(ctx, d, text), "clipboard", map[string]any{"runes": len([]rune(text))})
	})
}
