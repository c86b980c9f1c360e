package driver

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// ResolveDriver is a Driver that knows what an app's id or name means.
type ResolveDriver interface {
	Driver
	// Resolve returns the app that an id or a name means: an exact id, then the name tables, then what is
	// installed, by id or label. ErrAppNotFound has near misses in its text, ErrAmbiguousApp the list.
	Resolve(ctx context.Context, app string) (App, error)
}

// Resolve returns the app that an id or a name means. The slow path looks among Apps.
func Resolve(ctx context.Context, d Driver, app string) (App, error) {
	var cause error
	if d, ok := d.(ResolveDriver); ok {
		a, err := d.Resolve(ctx, app)
		if !unsupported(err) {
			return a, err
		}
		cause = err
	}
	all, err := Apps(ctx, d)
	if unsupported(err) {
		return App{}, noSlowPath(OpResolve, cause)
	}
	if err != nil {
		return App{}, err
	}
	a, err := MatchApp(app, all)
	if err != nil {
		return App{}, &Error{Op: OpResolve, Device: address(ctx, d), Err: err}
	}
	return a, nil
}

// MatchApp finds an app among those installed: by its exact id, then by its exact name, then by its name
// whatever its case and separators. ErrAppNotFound has near misses in its text, ErrAmbiguousApp the list.
func MatchApp(app string, installed []App) (App, error) {
	for _, same := range []func(App) bool{
		func(a App) bool { return a.ID == app },
		func(a App) bool { return a.Name == app },
		func(a App) bool { return FoldName(a.Name) == FoldName(app) },
	} {
		switch found := distinct(installed, same); {
		case app == "" || FoldName(app) == "":
			return App{}, fmt.Errorf("%w: the name is empty", ErrAppNotFound)
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			return App{}, fmt.Errorf("%w: %q is %s; use the id", ErrAmbiguousApp, app, listApps(found))
		}
	}
	if near := nearApps(app, installed); len(near) > 0 {
		return App{}, fmt.Errorf("%w: %q; near misses: %s", ErrAppNotFound, app, listApps(near))
	}
	return App{}, fmt.Errorf("%w: %q", ErrAppNotFound, app)
}

func distinct(apps []App, same func(App) bool) []App {
	var found []App
	for _, a := range apps {
		if same(a) && !slices.ContainsFunc(found, func(b App) bool { return a.ID == b.ID }) {
			found = append(found, a)
		}
	}
	return found
}

// FoldName returns a name without case, space, dash, underscore and dot, as names of apps are compared.
func FoldName(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \u00a0-_.·", r) {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// maxNear bounds how many near misses an error lists.
const maxNear = 5

func nearApps(app string, installed []App) []App {
	want := FoldName(app)
	near := distinct(installed, func(a App) bool {
		name, id := FoldName(a.Name), FoldName(a.ID)
		return name != "" && (strings.Contains(name, want) || strings.Contains(want, name)) ||
			strings.Contains(id, want) || closeTo(name, want)
	})
	return near[:min(len(near), maxNear)]
}

// closeTo says that a and b differ in at most one edit for each four characters.
func closeTo(a, b string) bool {
	x, y := []rune(a), []rune(b)
	limit := max(len(x), len(y)) / 4
	if limit == 0 || max(len(x)-len(y), len(y)-len(x)) > limit {
		return false
	}
	return edits(x, y) <= limit
}

// edits returns the Levenshtein distance.
func edits(x, y []rune) int {
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j, s := range y {
			change := diagonal
			if r != s {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(y)]
}

func listApps(apps []App) string {
	names := make([]string, len(apps))
	for i, a := range apps {
		names[i] = a.ID
		if a.Name != "" && a.Name != a.ID {
			names[i] += " (" + a.Name + ")"
		}
	}
	return strings.Join(names, ", ")
}
