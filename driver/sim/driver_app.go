package sim

import (
	"context"
	"fmt"

	"github.com/handset-go/handset/driver"
)

// Launch brings an app to the front, by id or by its name in any of the phone's languages.
func (d *Driver) Launch(ctx context.Context, app string) error {
	a, err := d.phone.resolve(app)
	check := func() error {
		switch {
		case err != nil:
			return err
		case !d.phone.Power().On:
			return fmt.Errorf("%w: wake the phone first", driver.ErrAsleep)
		case d.phone.Power().Locked:
			return fmt.Errorf("%w: unlock it first, with a swipe up", driver.ErrLocked)
		}
		return nil
	}
	return d.do(ctx, driver.OpLaunch, check, func() error {
		if _, err := d.phone.StartApp(a.ID); err != nil {
			return err
		}
		return d.awaitFront(ctx, a.ID)
	})
}

// maxLooks bounds how often Launch looks whether the app has come to the front. A phone in memory needs no
// pause between two looks.
const maxLooks = 20

func (d *Driver) awaitFront(ctx context.Context, id string) error {
	for range maxLooks {
		if d.phone.inFrontNow(id) {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: %s did not come to the front", driver.ErrTimeout, id)
}

// inFrontNow says whether an app is in front, or the one that a window of the system stands over.
func (p *Phone) inFrontNow(id string) bool {
	fg := p.Foreground().ID
	return fg == id || (fg == "" || fg == p.face.permissions) && p.FocusedApp().ID == id
}

// resolve finds an app by id or by its name in any language.
func (p *Phone) resolve(name string) (driver.App, error) {
	var known []driver.App
	for _, a := range p.apps {
		known = append(known, driver.App{ID: a.ID, Name: a.Name.En}, driver.App{ID: a.ID, Name: a.Name.In(LangZh)})
	}
	found, err := driver.MatchApp(name, known)
	if err != nil {
		return driver.App{}, err
	}
	a := p.app(found.ID)
	return driver.App{ID: a.ID, Name: a.Name.In(p.lang), Page: a.Screens[0].Page}, nil
}

// Resolve returns the app that an id or a name means.
func (d *Driver) Resolve(ctx context.Context, app string) (driver.App, error) {
	return read(ctx, d, driver.OpResolve, func() (driver.App, error) { return d.phone.resolve(app) })
}

// Apps returns the installed apps, sorted by id.
func (d *Driver) Apps(ctx context.Context) ([]driver.App, error) {
	return read(ctx, d, driver.OpApps, func() ([]driver.App, error) { return d.phone.Apps(), nil })
}

// Foreground returns the app in front.
func (d *Driver) Foreground(ctx context.Context) (driver.App, error) {
	return read(ctx, d, driver.OpForeground, func() (driver.App, error) {
		app := d.phone.Foreground()
		if app.ID == "" {
			app = d.phone.FocusedApp()
		}
		return app, nil
	})
}

// Stop ends an app, by id or by name.
func (d *Driver) Stop(ctx context.Context, app string) error {
	a, err := d.phone.resolve(app)
	return d.do(ctx, driver.OpStop, func() error { return err }, func() error { return d.phone.StopApp(a.ID) })
}

// OpenURL opens a URL in the browser.
func (d *Driver) OpenURL(ctx context.Context, url string) error {
	return d.do(ctx, driver.OpOpenURL, nil, func() error { return d.phone.OpenURL(url) })
}
