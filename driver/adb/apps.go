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
	launcherQuery = "cmd package query-activities%s -a android.intent.action.MAIN -c " + launcherCategory
	leanbackQuery = "cmd package query-activities%s -a android.intent.action.MAIN -c " + leanbackCategory
	// launchers lists the activities that a person can start (Android 7 and newer), on a phone and on a
	// television, and then the labels that stand in an app's manifest as they are. Most labels are
	// resources, which adb does not tell: it says null.
	launchers = launcherQuery + "; " + leanbackQuery + "; { " + launcherQuery + "; " + leanbackQuery + "; } | grep -E 'packageName=|nonLocalizedLabel='"
	// packages lists everything that is installed, for the first user: a work profile may not be read.
	packages = "pm list packages --user 0 || pm list packages"
)

var (
	launcherLine = regexp.MustCompile(`(?m)^\s*([A-Za-z][\w.]*)/[\w.$]+\s*$`)
	packageLine  = regexp.MustCompile(`(?m)^package:(?:.*=)?([A-Za-z][\w.]*)`)
)

// Apps lists the apps that a person can start, sorted by id, with the names that are known: those of
// Options.Apps and of the built-in tables, and the labels that apps have written out; others' labels
// adb does not tell. Where the phone cannot list those apps (Android 6 and older), it lists
// everything that is installed.
func (d *Driver) Apps(ctx context.Context) ([]driver.App, error) {
	return value(ctx, d, driver.OpApps, limitShort, d.installed)
}

func (d *Driver) installed(ctx context.Context) ([]driver.App, error) {
	out, err := d.ask(ctx, fmt.Sprintf(launchers, " --brief", " --brief", "", ""))
	if err != nil {
		return nil, err
	}
	told := parseLabels(string(out.stdout))
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
		app := d.app(m[1])
		app.Name = orElse(app.Name, told[app.ID])
		byID[app.ID] = app
	}
	list := make([]driver.App, 0, len(byID))
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		list = append(list, byID[id])
	}
	return list, nil
}

var labelLine = regexp.MustCompile(`packageName=([A-Za-z][\w.]*)|nonLocalizedLabel=(.*?)(?: icon=0x[0-9a-f]+.*)?$`)

// parseLabels reads what launchers prints of labels: of each activity its package, its label, and its app's
// label. The first that is one counts.
func parseLabels(text string) map[string]string {
	told, pkg := map[string]string{}, ""
	for line := range strings.Lines(text) {
		m := labelLine.FindStringSubmatch(strings.TrimSpace(line))
		switch {
		case m == nil:
		case m[1] != "":
			pkg = m[1]
		case pkg != "" && told[pkg] == "" && m[2] != "null":
			told[pkg] = strings.TrimSpace(m[2])
		}
	}
	return told
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
	return all[slices.IndexFunc(all, func(a driver.App) bool { return a.ID == found.ID })], nil
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
