package hdc

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/apps"
)

const askBundles = "bm dump -a"

// Apps lists the installed bundles of every user, sorted by id, with the names that are known: bm does not tell an
// app's label.
func (d *Driver) Apps(ctx context.Context) ([]driver.App, error) {
	return value(ctx, d, driver.OpApps, limitShort, func(ctx context.Context) ([]driver.App, error) {
		out, err := d.ask(ctx, askBundles)
		if err != nil {
			return nil, err
		}
		return d.installed(out.text)
	})
}

// installed reads `bm dump -a`: a block for each user, with the bundles behind tabs.
func (d *Driver) installed(text string) ([]driver.App, error) {
	byID := map[string]driver.App{}
	for line := range strings.Lines(text) {
		id := strings.TrimSpace(line)
		if (line[0] == '\t' || line[0] == ' ') && isBundle(id) {
			byID[id] = d.app(id)
		}
	}
	if len(byID) == 0 {
		return nil, fmt.Errorf("the phone lists no apps: bm dump: %s", complaint(text))
	}
	list := make([]driver.App, 0, len(byID))
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		list = append(list, byID[id])
	}
	return list, nil
}

// Resolve returns the app that an id or a name means: the id of anything installed, then Options.Apps, then the
// built-in names, then the installed bundles, by name, or by how the id ends ("clock" is com.huawei.hmos.clock).
func (d *Driver) Resolve(ctx context.Context, app string) (driver.App, error) {
	return value(ctx, d, driver.OpResolve, limitShort, func(ctx context.Context) (driver.App, error) {
		out, err := d.ask(ctx, askBundles)
		if err != nil {
			return driver.App{}, err
		}
		return d.resolveIn(out.text, app)
	})
}

// resolveIn resolves a name among the bundles that `bm dump -a` printed.
func (d *Driver) resolveIn(text, app string) (driver.App, error) {
	all, err := d.installed(text)
	if err != nil {
		return driver.App{}, err
	}
	app = strings.TrimSpace(app)
	for _, ids := range d.candidates(app) {
		there := slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
			return !slices.ContainsFunc(all, func(a driver.App) bool { return a.ID == id })
		})
		switch {
		case len(there) == 1:
			return d.app(there[0]), nil
		case len(there) > 1:
			return driver.App{}, fmt.Errorf("%w: %q is %s; use the id", driver.ErrAmbiguousApp, app, strings.Join(there, ", "))
		}
	}
	found, err := driver.MatchApp(app, standIns(all))
	if err != nil {
		return driver.App{}, err
	}
	return d.app(found.ID), nil
}

// candidates are the ids that a name can mean by itself, the best first.
func (d *Driver) candidates(app string) [][]string {
	var exact, own []string
	if isBundle(app) {
		exact = []string{app}
	}
	for _, name := range slices.Sorted(maps.Keys(d.opts.Apps)) {
		if id := d.opts.Apps[name]; driver.FoldName(name) == driver.FoldName(app) && !slices.Contains(own, id) {
			own = append(own, id)
		}
	}
	return [][]string{exact, own, apps.Lookup(apps.Harmony, app)}
}

// standIns gives bundles without a known name the last telling part of their id as a name, for as long as one is
// looked for: "shop" for com.example.shop.hmos.
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
var dullParts = []string{"hmos", "hm", "hos", "ohos", "hap", "hmapp", "app", "main", "mobile", "client", "phone", "stage", "entry"}

// Stop ends an app with aa force-stop.
func (d *Driver) Stop(ctx context.Context, app string) error {
	return d.do(ctx, driver.OpStop, limitShort, func(ctx context.Context) error {
		out, err := d.ask(ctx, askBundles)
		if err != nil {
			return err
		}
		a, err := d.resolveIn(out.text, app)
		if err != nil {
			return err
		}
		if out, err = d.act(ctx, "aa force-stop "+a.ID); err != nil {
			return err
		}
		if !strings.Contains(out.text, "force stop process successfully") {
			driver.MarkRefused(ctx)
			return unexpected("aa force-stop", out)
		}
		return nil
	})
}
