package main

import (
	"context"
	"net/url"
	"strings"

	"github.com/handset-go/handset/driver"
)

type openCmd struct {
	URL string `arg:"" name:"url" help:"Such as https://example.com; links of other kinds, such as tel:112, are asked about."`
}

// Run opens a URL in the app that takes it.
func (c *openCmd) Run(a *app) error {
	if u, err := url.Parse(strings.TrimSpace(c.URL)); err != nil || u.Scheme == "" {
		return usagef("open %q: want a URL with its scheme, such as https://example.com", c.URL)
	}
	return a.act(func(ctx context.Context, d driver.Driver) error {
		return a.saidDone(driver.OpenURL(ctx, d, c.URL), "open", map[string]any{"url": c.URL})
	})
}
