package main

import (
	"context"
	"errors"

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

type clearDataCmd struct {
	ID string `arg:"" help:"Its id, such as com.example.shop; a name is refused."`
}

// Run deletes what an app has stored. The gate asks first, as for the removal of the app.
func (c *clearDataCmd) Run(a *app) error {
	return a.with(func(ctx context.Context, d driver.Driver) error {
		can, err := ability[dataClearer](a, "delete the data of an app: uninstall it instead")
		if err != nil {
			return err
		}
		d = a.instead(d, driver.OpUninstall, func(ctx context.Context) error { return can.ClearData(ctx, c.ID) })
		err = driver.Uninstall(ctx, c.gate(a).Guard(d), c.ID)
		if named, ok := errors.AsType[*driver.Error](err); ok && named.Op == driver.OpUninstall {
			named.Op = "clear data" // nobody asked for more
		}
		return a.saidDone(err, "clear-data", map[string]any{"app": c.ID})
	})
}

// gate asks about the removal of the app in the words of what is really done.
func (c *clearDataCmd) gate(a *app) *policy.Gate {
	confirm := a.confirm()
	return policy.New(&policy.Options{
		Logger: a.gateLogger(),
		Rules: []policy.Rule{{Name: "clear-data", Judge: func(*policy.Request) (policy.Verdict, string) {
			return policy.Ask, "everything that the app has stored is deleted"
		}}},
		Confirm: func(ctx context.Context, r *policy.Request) (policy.Answer, error) {
			asked := *r
			asked.Call.Op = "clear the data of " + driver.Op(c.ID)
			return confirm(ctx, &asked)
		},
	})
}
