package wda

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/electricbubble/gwda"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/apps"
	"github.com/handset-go/handset/internal/nap"
)

const (
	springboard = "com.apple.springboard"
	// frontLimit bounds the wait for the app to come to the front, after WebDriverAgent said that it started it.
	frontLimit = 15 * time.Second
	frontPoll  = 200 * time.Millisecond
	// frontTries is how often the app in front is asked for while WebDriverAgent fails to list the running ones, which it does for a while.
	frontTries = 3
)

// Apps lists the apps that WebDriverAgent knows, sorted by id: those that run. It cannot list what is installed.
func (d *Driver) Apps(ctx context.Context) ([]driver.App, error) {
	return value(ctx, d, driver.OpApps, limitShort, d.running)
}

func (d *Driver) running(ctx context.Context) ([]driver.App, error) {
	d.learnLang(ctx)
	var list []gwda.AppBaseInfo
	err := d.viaAgent(ctx, func(wd gwda.WebDriver) (err error) {
		list, err = wd.ActiveAppsList()
		return err
	})
	if hasCode(err, codeUnknownCommand) {
		return nil, driver.Unsupported("WebDriverAgent before 1.3.0 lists no apps")
	}
	if err != nil {
		return nil, err
	}
	ids := map[string]bool{}
	for _, a := range list {
		if a.BundleId != "" {
			ids[a.BundleId] = true
		}
	}
	all := make([]driver.App, 0, len(ids))
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		all = append(all, d.app(id))
	}
	return all, nil
}

// app returns what is known of an app without asking the phone: a name of the options, or of the tables.
func (d *Driver) app(id string) driver.App { return driver.App{ID: id, Name: d.nameOf(id)} }

func (d *Driver) nameOf(id string) string {
	return orElse(d.ownName(id), apps.NameOf(platform, id, d.language()))
}

// ownName is the name that the options give an app.
func (d *Driver) ownName(id string) string {
	best := ""
	for name, of := range d.opts.Apps {
		if of == id && (best == "" || name < best) {
			best = name
		}
	}
	return best
}

// Resolve returns the app that an id or a name means: a bundle id, Options.Apps, the built-in names, or a running app
// by the end of its id ("mobilesafari"). Whether a bundle id is installed only Launch finds out.
func (d *Driver) Resolve(ctx context.Context, app string) (driver.App, error) {
	return value(ctx, d, driver.OpResolve, limitShort, func(ctx context.Context) (driver.App, error) {
		return d.resolve(ctx, app)
	})
}

func (d *Driver) resolve(ctx context.Context, app string) (driver.App, error) {
	app = strings.TrimSpace(app)
	d.learnLang(ctx)
	if isBundle(app) {
		return d.app(app), nil
	}
	for _, ids := range [][]string{d.ownNames(app), apps.Lookup(platform, app)} {
		switch len(ids) {
		case 0:
		case 1:
			return d.app(ids[0]), nil
		default:
			return driver.App{}, fmt.Errorf("%w: %q is %s; use the id", driver.ErrAmbiguousApp, app, strings.Join(ids, ", "))
		}
	}
	all, err := d.running(ctx)
	if err != nil {
		return driver.App{}, err
	}
	found, err := driver.MatchApp(app, d.candidates(all))
	if err != nil {
		return driver.App{}, fmt.Errorf("%w (WebDriverAgent cannot list what is installed: use the bundle id)", err)
	}
	return d.app(found.ID), nil
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

// candidates are the running apps, those without a known name under the last part of their id, and the names of the options, as
// near misses.
func (d *Driver) candidates(running []driver.App) []driver.App {
	all := slices.Clone(running)
	for i, a := range all {
		if a.Name == "" {
			all[i].Name = a.ID[strings.LastIndexByte(a.ID, '.')+1:]
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.opts.Apps)) {
		all = append(all, driver.App{ID: d.opts.Apps[name], Name: name})
	}
	return all
}

// Foreground returns the app in front. Where WebDriverAgent does not know it, the error matches errors.ErrUnsupported.
func (d *Driver) Foreground(ctx context.Context) (driver.App, error) {
	return value(ctx, d, driver.OpForeground, limitShort, d.front)
}

// errNoFront says that WebDriverAgent answers, and names no app.
var errNoFront = driver.Unsupported("WebDriverAgent does not say which app is in front now; look at a screenshot, or go Home")

func (d *Driver) front(ctx context.Context) (driver.App, error) {
	d.learnLang(ctx)
	for n := 1; ; n++ {
		var info struct {
			BundleID string `json:"bundleId"`
		}
		err := d.get(ctx, here+"/wda/activeAppInfo", &info)
		if err == nil && info.BundleID != "" {
			return d.app(info.BundleID), nil
		}
		if err == nil {
			err = errNoFront
		}
		if n == frontTries || !hasCode(err, codeUnknown) && !errors.Is(err, errNoFront) {
			return driver.App{}, err
		}
		if err := nap.For(ctx, frontPoll); err != nil {
			return driver.App{}, err
		}
	}
}

// Launch starts an app, or brings it to the front, and waits until it is there. ErrLocked says that the phone must be unlocked
// first.
func (d *Driver) Launch(ctx context.Context, app string) error {
	return d.do(ctx, driver.OpLaunch, limitLaunch, func(ctx context.Context) error {
		a, err := d.resolve(ctx, app)
		if err != nil {
			return err
		}
		defer d.screen.forget()
		if err := d.start(ctx, a.ID); err != nil {
			return err
		}
		return d.awaitFront(ctx, a.ID)
	})
}

// start asks for the app without waiting for it to come to rest, which some never do.
func (d *Driver) start(ctx context.Context, id string) error {
	err := d.viaAgent(ctx, func(wd gwda.WebDriver) error {
		return wd.AppLaunch(id, gwda.NewAppLaunchOption().WithShouldWaitForQuiescence(false))
	})
	if err == nil || ctx.Err() != nil || asError(err).Code == "" || isLocked(err) {
		return err
	}
	if locked, lockErr := d.locked(ctx); lockErr == nil && locked {
		return lockedFor(err, "unlock the phone first")
	}
	if hasCode(err, codeBadArgument) || says(err, "is not installed") || says(err, "unknown to FrontBoard") {
		return fmt.Errorf("%w: %s: %w", driver.ErrAppNotFound, id, err)
	}
	return err
}

// awaitFront waits until the app is in front. A question about a permission of the app, which the system asks in front of it,
// counts as the app.
func (d *Driver) awaitFront(ctx context.Context, id string) error {
	begin := time.Now()
	for {
		a, err := d.front(ctx)
		if err != nil && !errors.Is(err, errNoFront) || a.ID == id {
			return err
		}
		if a.ID == springboard {
			if _, err := d.alert(ctx); err == nil {
				return nil
			}
		}
		if time.Since(begin) > frontLimit {
			return fmt.Errorf("%s was started and did not come to the front within %v: %s is", id, frontLimit, orElse(a.ID, "nothing"))
		}
		if err := nap.For(ctx, frontPoll); err != nil {
			return err
		}
	}
}

// Stop ends an app. One that does not run is no error.
func (d *Driver) Stop(ctx context.Context, app string) error {
	return d.do(ctx, driver.OpStop, limitGesture, func(ctx context.Context) error {
		a, err := d.resolve(ctx, app)
		if err != nil {
			return err
		}
		defer d.screen.forget()
		return d.viaAgent(ctx, func(wd gwda.WebDriver) error {
			_, err := wd.AppTerminate(a.ID)
			return err
		})
	})
}

var urlPattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x1f\x7f]+$`)

// OpenURL opens a URL in the app that takes it. On iOS before 16.4 WebDriverAgent asks Siri for it.
func (d *Driver) OpenURL(ctx context.Context, url string) error {
	return d.do(ctx, driver.OpOpenURL, limitLaunch, func(ctx context.Context) error {
		if len(url) > 64<<10 || !urlPattern.MatchString(url) {
			return fmt.Errorf("%q is not a URL: want SCHEME:… without control characters", shorten(url))
		}
		defer d.screen.forget()
		return d.viaAgent(ctx, func(wd gwda.WebDriver) error { return wd.SiriOpenUrl(url) })
	})
}
