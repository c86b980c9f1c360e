package main

import (
	"context"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/policy"
)

type installCmd struct {
	Files []string `arg:"" help:"The app: one file (.apk, .hap), or the parts of one app."`
}

// Run installs an app. The gate asks first.
func (c *installCmd) Run(a *app) error {
	return a.actAsking(driver.OpInstall, func(ctx context.Context, d driver.Driver) error {
		if err := driver.Install(ctx, d, c.Files...); err != nil {
			return err
		}
		a.done("install", map[string]any{"files": c.Files})
		return nil
	})
}

type uninstallCmd struct {
	ID string `arg:"" help:"Its id, such as com.example.shop; a name is refused."`
}

// Run removes an app with its data. The gate asks first.
func (c *uninstallCmd) Run(a *app) error {
	return a.actAsking(driver.OpUninstall, func(ctx context.Context, d driver.Driver) error {
		if err := driver.Uninstall(ctx, d, c.ID); err != nil {
			return err
		}
		a.done("uninstall", map[string]any{"app": c.ID})
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

// actAsking is act for an operation that the gate would deny a model: a person who types the command is asked.
func (a *app) actAsking(op driver.Op, f func(ctx context.Context, d driver.Driver) error) error {
	gate := policy.New(&policy.Options{Logger: a.logger(), Confirm: a.confirm(), Ops: map[driver.Op]policy.Verdict{op: policy.Ask}})
	return a.with(func(ctx context.Context, d driver.Driver) error { return f(ctx, gate.Guard(d)) })
}
