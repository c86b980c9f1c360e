package main

import (
	"context"
	"strings"

	"github.com/handset-go/handset/driver"
)

type launchCmd struct {
	App string `arg:"" help:"An id such as com.android.settings, or a name such as Settings or 设置."`
}

// Run brings an app to the front.
func (c *launchCmd) Run(a *app) error {
	return a.act(func(ctx context.Context, d driver.Driver) error {
		if err := d.Launch(ctx, c.App); err != nil {
			return err
		}
		app, err := driver.Foreground(ctx, d)
		if real(err) != nil {
			return err
		}
		a.say(map[string]any{"done": "launch", "app": app}, "%s", strings.TrimSpace(app.String()+" "+app.Page))
		return nil
	})
}

type stopCmd struct {
	App string `arg:"" help:"An id such as com.android.settings, or a name such as Settings or 设置."`
}

// Run ends an app.
func (c *stopCmd) Run(a *app) error {
	return a.act(func(ctx context.Context, d driver.Driver) error {
		if err := driver.Stop(ctx, d, c.App); err != nil {
			return err
		}
		a.done("stop", map[string]any{"app": c.App})
		return nil
	})
}
