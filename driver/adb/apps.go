package adb

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/apps"
)

const (
	// launchers lists the activities that a person can start (Android 7 and newer).
	launchers = "cmd package query-activities --brief -a android.intent.action.MAIN -c android.intent.category.LAUNCHER"
	// packages lists everything that is installed, for the first user: a work profile may not be read.
	packages = "pm list packages --user 0 || pm list packages"
)

var (
	launcherLine = regexp.MustCompile(`(?m)^\s*([A-Za-z][\w.]*)/[\w.$]+\s*$`)
	packageLine  = regexp.MustCompile(`(?m)^package:(?:.*=)?([A-Za-z][\w.]*)`)
)

// Apps lists the apps that a person can start, sorted by id, with the names that are known: adb
// does not tell an app's label. Where the phone cannot list those (Android 6 and older), it lists
// everything that is installed.
func (d *Driver) Apps(ctx context.Context) ([]driver.App, error) {
	return value(ctx, d, driver.OpApps, limitShort, d.installed)
}

func (d *Driver) installed(ctx context.Context) ([]driver.App, error) {
	out, err := d.ask(ctx, launchers)
	if err != nil {
		return nil, err
	}
	found := launcherLine.FindAllStringSubmatch(string(out.stdout), -1)
	if len(found) == 0 {
		if out, err = d.ask(ctx, packages); err != nil {
			return nil, err
		}
		found = packageLine.FindAllStringSubmatch(string(out.stdout), -1)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("the phone lists no apps: %s", complaint(out.stdout, out.stderr))
	}
	byID := map[string]driver.App{}
	for _, m := range found {
		byID[m[1]] = d.app(m[1])
	}
	list := make([]driver.App, 0, len(byID))
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		list = append(list, byID[id])
	}
	return list, nil
}

// Resolve returns the app that an id or a name means: the id of anything installed, then
// Options.Apps, then the built-in names, then the apps that can be started, by id, by name, or by
// how the id ends ("clock" is com.example.clock).
func (d *Driver) Resolve(ctx context.Context, app string) (driver.App, error) {
	return value(ctx, d, driver.OpResolve, limitShort, func(ctx context.Context) (driver.App, error) {
		return d.resolve(ctx, app)
	})
}

func (d *Driver) resolve(ctx context.Context, app string) (driver.App, error) {
	app = strings.TrimSpace(app)
	for _, ids := range [][]string{packageIDs(app), d.ownNames(app), apps.Lookup(apps.Android, app)} {
		there, err := d.present(ctx, ids)
		switch {
		case err != nil:
			return driver.App{}, err
		case len(there) == 1:
			return d.app(there[0]), nil
		case len(there) > 1:
			return driver.App{}, fmt.Errorf("%w: %q is %s; use the id", driver.ErrAmbiguousApp, app, strings.Join(there, ", "))
		}
	}
	all, err := d.installed(ctx)
	if err != nil {
		return driver.App{}, err
	}
	found, err := driver.MatchApp(app, standIns(all))
	if err != nil {
		return driver.App{}, err
	}
	return d.app(found.ID), nil
}

// packageIDs returns app itself where it can be an id.
func packageIDs(app string) []string {
	if isPackage(app) {
		return []string{app}
	}
	return nil
}

func (d *Driver) ownNames(app string) []string {
	var ids []string
	for _, name := range slices.Sorted(maps.Keys(d.opts.Apps)) {
		if id := d.opts.Apps[name]; driver.FoldName(name) == driver.FoldName(app) && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// present returns those of ids that are installed.
func (d *Driver) present(ctx context.Context, ids []string) ([]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	lines := make([]string, len(ids))
	for i, id := range ids {
		lines[i] = "pm path " + id
	}
	parts, err := d.askAll(ctx, lines...)
	if err != nil {
		return nil, err
	}
	var there []string
	for i, id := range ids {
		if strings.Contains(parts[i], "package:") {
			there = append(there, id)
		}
	}
	return there, nil
}

// standIns gives apps without a known name the last telling part of their id as a name, for as long
// as one is looked for: "shop" for com.example.shop.android.
func standIns(all []driver.App) []driver.App {
	named := slices.Clone(all)
	for i, a := range named {
		if a.Name != "" {
			continue
		}
		for _, part := range slices.Backward(strings.Split(a.ID, ".")) {
			if !slices.Contains(dullParts, part) {
				named[i].Name = part
				break
			}
		}
	}
	return named
}

// dullParts end the ids of very different apps.
var dullParts = []string{"android", "app", "apps", "main", "mobile", "client", "phone", "lite", "activity", "release", "global"}

// Stop ends an app with am force-stop.
func (d *Driver) Stop(ctx context.Context, app string) error {
	return d.do(ctx, driver.OpStop, limitShort, func(ctx context.Context) error {
		a, err := d.resolve(ctx, app)
		if err != nil {
			return err
		}
		defer d.screen.forget()
		out, err := d.act(ctx, "am force-stop "+a.ID)
		if err != nil {
			return err
		}
		if text := complaint(out.stderr, out.stdout); out.code > 0 || strings.Contains(text, "Exception") {
			return fmt.Errorf("am force-stop ended with %d: %s", out.code, text)
		}
		return nil
	})
}
