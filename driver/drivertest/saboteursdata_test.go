package drivertest_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"strings"
	"time"
	"unicode"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/drivertest"
)

// dataSaboteurs break the rules about text, apps, truth, capabilities and wrappers.
func dataSaboteurs() []saboteur {
	return append([]saboteur{
		{name: "types through a shell", caught: "text/dollar", made: func(d *toyDriver) driver.Driver { return shellText{d} }},
		{name: "types ASCII only", caught: "text/emoji", made: func(d *toyDriver) driver.Driver { return asciiText{d} }},
		{name: "trims what it types", caught: "text/spaces", made: func(d *toyDriver) driver.Driver { return trims{d} }},
		{name: "types what comes before a newline", caught: "text/newline-single", made: func(d *toyDriver) driver.Driver { return lateRefusal{d} }},
		{name: "refuses every newline", caught: "text/newline-multi", made: func(d *toyDriver) driver.Driver { return noNewline{d} }},
		{name: "replaces when it types", caught: "text/at-cursor", made: func(d *toyDriver) driver.Driver { return replaces{d} }},
		{name: "opens a URL through a shell", caught: "text/url", made: func(d *toyDriver) driver.Driver { return shellURL{d} }},
		{name: "joins arguments", caught: "text/shell", made: func(d *toyDriver) driver.Driver { return joinsArgv{d} }},
		{name: "quotes the clipboard", caught: "text/clipboard", made: func(d *toyDriver) driver.Driver { return quotesClip{d} }},
		{name: "clears one character", caught: "field/clear", made: func(d *toyDriver) driver.Driver { return clearsOne{d} }},
		{name: "sets without a clear", caught: "field/set", made: func(d *toyDriver) driver.Driver { return setAppends{d} }},
		{name: "returns before the app is in front", caught: "launch/slow", made: func(d *toyDriver) driver.Driver { return earlyLaunch{d} }},
		{name: "takes ids only", caught: "launch/name", made: func(d *toyDriver) driver.Driver { return idsOnly{d} }},
		{name: "launches once", caught: "launch/other", made: func(d *toyDriver) driver.Driver { return launchesOnce{d} }},
		{name: "launches the first of several", caught: "launch/ambiguous", made: func(d *toyDriver) driver.Driver { return firstOf{d} }},
		{name: "launches what is not there", caught: "launch/unknown", made: func(d *toyDriver) driver.Driver { return launchesAll{d} }},
		{name: "has no near misses", caught: "launch/near", made: func(d *toyDriver) driver.Driver { return noNear{d} }},
		{name: "launches through a shell", caught: "launch/syntax", made: func(d *toyDriver) driver.Driver { return shellLaunch{d} }},
		{name: "resolves to another app", caught: "resolve/name", made: func(d *toyDriver) driver.Driver { return resolvesOther{d} }},
		{name: "resolves names only", caught: "resolve/id", made: func(d *toyDriver) driver.Driver { return resolvesNames{d} }},
		{name: "knows another app in front", caught: "launch/id", made: func(d *toyDriver) driver.Driver { return otherFront{d} }},
	}, truthSaboteurs()...)
}

func truthSaboteurs() []saboteur {
	return []saboteur{
		{name: "makes up a frame", caught: "fault/no-picture", made: func(d *toyDriver) driver.Driver { return madeUp{d} }},
		{name: "returns the first frame again", caught: "truth/now", made: func(d *toyDriver) driver.Driver { return &stale{toyDriver: d} }},
		{name: "finds every frame healthy", caught: "fault/protected", made: func(d *toyDriver) driver.Driver { return healthy{d} }},
		{name: "finds every frame protected", caught: "truth/health", made: func(d *toyDriver) driver.Driver { return prudish{d} }},
		{name: "has an empty tree where there is none", caught: "fault/no-tree", made: func(d *toyDriver) driver.Driver { return emptyTree{d} }},
		{name: "takes a missing flag for false", caught: "truth/enabled", made: func(d *toyDriver) driver.Driver { return allDisabled{d} }},
		{name: "knows flags that nobody reports", caught: "truth/flags", made: func(d *toyDriver) driver.Driver { return knowsAll{d} }},
		{name: "has words of its own for offline", caught: "fault/offline", made: func(d *toyDriver) driver.Driver { return ownWords{d} }},
		{name: "does not see that input is blocked", caught: "fault/blocked", made: func(d *toyDriver) driver.Driver { return blind{d} }},
		{name: "sends half and says unsupported", caught: "capability/long-press", made: func(d *toyDriver) driver.Driver { return halfDone{d} }},
		{name: "double taps beside the point", caught: "capability/double-tap", made: func(d *toyDriver) driver.Driver { return beside{d} }},
		{name: "hides what the driver can do", caught: "op/all", made: func(d *toyDriver) driver.Driver { return struct{ driver.Driver }{d} }},
		{name: "wraps by embedding", caught: "wrap/operations", made: good, set: func(c *drivertest.Config) {
			c.Wrap = func(d driver.Driver) driver.Driver { return struct{ driver.Driver }{d} }
		}},
		{name: "wraps and drops the text", caught: "wrap/type", made: good, set: func(c *drivertest.Config) {
			c.Wrap = func(d driver.Driver) driver.Driver { return dropsText{d.(*toyDriver)} }
		}},
		{name: "denies with ErrUnsupported", caught: "refuse/long-press", made: good, set: func(c *drivertest.Config) {
			c.Refuse = leakyGate
		}},
	}
}

type shellText struct{ *toyDriver }

func (d shellText) Type(ctx context.Context, text string) error {
	d.phone.command(text)
	if i := strings.IndexAny(text, "$;`&|<>"); i >= 0 {
		text = text[:i]
	}
	return d.toyDriver.Type(ctx, text)
}

type asciiText struct{ *toyDriver }

func (d asciiText) Type(ctx context.Context, text string) error {
	return d.toyDriver.Type(ctx, strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return '?'
		}
		return r
	}, text))
}

type trims struct{ *toyDriver }

func (d trims) Type(ctx context.Context, text string) error {
	return d.toyDriver.Type(ctx, strings.TrimSpace(text))
}

type lateRefusal struct{ *toyDriver }

func (d lateRefusal) Type(ctx context.Context, text string) error {
	line, _, more := strings.Cut(text, "\n")
	if more && d.phone.tree().Find(driver.HasFlag(driver.Multiline)) == nil {
		if err := d.toyDriver.Type(ctx, line); err != nil {
			return err
		}
	}
	return d.toyDriver.Type(ctx, text)
}

type noNewline struct{ *toyDriver }

func (d noNewline) Type(ctx context.Context, text string) error {
	if strings.Contains(text, "\n") {
		return d.refused(ctx, driver.OpType, driver.ErrNoTextInput)
	}
	return d.toyDriver.Type(ctx, text)
}

type replaces struct{ *toyDriver }

func (d replaces) Type(ctx context.Context, text string) error {
	if err := d.ClearText(ctx); err != nil {
		return err
	}
	return d.toyDriver.Type(ctx, text)
}

type shellURL struct{ *toyDriver }

func (d shellURL) OpenURL(ctx context.Context, url string) error {
	d.phone.command(url)
	return d.toyDriver.OpenURL(ctx, url)
}

type joinsArgv struct{ *toyDriver }

func (d joinsArgv) Shell(ctx context.Context, argv ...string) (*driver.ShellResult, error) {
	return d.toyDriver.Shell(ctx, strings.Fields(strings.Join(argv, " "))...)
}

type quotesClip struct{ *toyDriver }

func (d quotesClip) SetClipboard(ctx context.Context, text string) error {
	return d.toyDriver.SetClipboard(ctx, strings.ReplaceAll(text, `'`, `'\''`))
}

type clearsOne struct{ *toyDriver }

func (d clearsOne) ClearText(ctx context.Context) error { return d.Key(ctx, driver.KeyDelete) }

type setAppends struct{ *toyDriver }

func (d setAppends) SetText(ctx context.Context, text string) error { return d.Type(ctx, text) }

type earlyLaunch struct{ *toyDriver }

func (d earlyLaunch) Launch(ctx context.Context, app string) error {
	return d.Do(ctx, driver.OpLaunch, d.limit, func(ctx context.Context) error {
		a, err := driver.MatchApp(app, toyApps)
		if err != nil {
			return err
		}
		driver.MarkSent(ctx)
		return toyError(d.phone.start(ctx, a.ID))
	})
}

type idsOnly struct{ *toyDriver }

func (d idsOnly) Launch(ctx context.Context, app string) error {
	if a, err := driver.MatchApp(app, toyApps); err == nil && a.ID != app {
		return d.refused(ctx, driver.OpLaunch, driver.ErrAppNotFound)
	}
	return d.toyDriver.Launch(ctx, app)
}

type launchesOnce struct{ *toyDriver }

func (d launchesOnce) Launch(ctx context.Context, app string) error {
	if d.phone.inFront() != "toy.home" && app == "toy.clock" {
		return nil
	}
	return d.toyDriver.Launch(ctx, app)
}

type firstOf struct{ *toyDriver }

func (d firstOf) Launch(ctx context.Context, app string) error {
	if app == "Radio" {
		app = "toy.radio"
	}
	return d.toyDriver.Launch(ctx, app)
}

type launchesAll struct{ *toyDriver }

func (d launchesAll) Launch(ctx context.Context, app string) error {
	err := d.toyDriver.Launch(ctx, app)
	if errors.Is(err, driver.ErrAppNotFound) && !strings.Contains(err.Error(), "near misses") {
		return d.phone.start(ctx, app)
	}
	return err
}

type noNear struct{ *toyDriver }

func (d noNear) Launch(ctx context.Context, app string) error {
	err := d.toyDriver.Launch(ctx, app)
	if errors.Is(err, driver.ErrAppNotFound) {
		return &driver.Error{Op: driver.OpLaunch, Device: d.Device(), Err: driver.ErrAppNotFound}
	}
	return err
}

type shellLaunch struct{ *toyDriver }

func (d shellLaunch) Launch(ctx context.Context, app string) error {
	d.phone.command(app)
	return d.toyDriver.Launch(ctx, app)
}

type resolvesOther struct{ *toyDriver }

func (d resolvesOther) Resolve(ctx context.Context, app string) (driver.App, error) {
	if app == "Notes" {
		app = "Clock"
	}
	return d.toyDriver.Resolve(ctx, app)
}

type resolvesNames struct{ *toyDriver }

func (d resolvesNames) Resolve(ctx context.Context, app string) (driver.App, error) {
	if strings.HasPrefix(app, "toy.") {
		app = "no " + app
	}
	return d.toyDriver.Resolve(ctx, app)
}

type otherFront struct{ *toyDriver }

func (d otherFront) Foreground(ctx context.Context) (driver.App, error) {
	app, err := d.toyDriver.Foreground(ctx)
	app.ID = strings.TrimPrefix(app.ID, "toy.")
	return app, err
}

type madeUp struct{ *toyDriver }

func (d madeUp) Screenshot(ctx context.Context) (*driver.Screen, error) {
	s, err := d.toyDriver.Screenshot(ctx)
	if errors.Is(err, errToyCapture) {
		black := image.NewRGBA(image.Rectangle{Max: d.phone.size()})
		draw.Draw(black, black.Bounds(), image.NewUniform(color.Black), image.Point{}, draw.Src)
		return driver.NewScreenImage(black, driver.HealthOK)
	}
	return s, err
}

type stale struct {
	*toyDriver
	first []byte
}

func (d *stale) Screenshot(ctx context.Context) (*driver.Screen, error) {
	s, err := d.toyDriver.Screenshot(ctx)
	if err != nil {
		return s, err
	}
	data, _, err := s.Encoded()
	if err != nil {
		return nil, err
	}
	if old, err := driver.NewScreen(d.first, s.Health()); err == nil && old.Size() == s.Size() {
		return old, nil
	}
	d.first = bytes.Clone(data)
	return s, nil
}

type healthy struct{ *toyDriver }

func (d healthy) Screenshot(ctx context.Context) (*driver.Screen, error) {
	return d.withHealth(ctx, driver.HealthOK)
}

type prudish struct{ *toyDriver }

func (d prudish) Screenshot(ctx context.Context) (*driver.Screen, error) {
	return d.withHealth(ctx, driver.HealthProtected)
}

func (d *toyDriver) withHealth(ctx context.Context, h driver.Health) (*driver.Screen, error) {
	s, err := d.Screenshot(ctx)
	if err != nil {
		return nil, err
	}
	m, err := s.Image()
	if err != nil {
		return nil, err
	}
	return driver.NewScreenImage(m, h)
}

type emptyTree struct{ *toyDriver }

func (d emptyTree) Tree(ctx context.Context) (*driver.Tree, error) {
	t, err := d.toyDriver.Tree(ctx)
	if errors.Is(err, driver.ErrNoTree) {
		return &driver.Tree{Root: &driver.Node{}, Size: d.phone.size(), At: time.Now()}, nil
	}
	return t, err
}

type allDisabled struct{ *toyDriver }

func (d allDisabled) Tree(ctx context.Context) (*driver.Tree, error) {
	t, err := d.toyDriver.Tree(ctx)
	if err == nil {
		for n := range t.Root.All() {
			n.Set(driver.Enabled, false)
		}
	}
	return t, err
}

type knowsAll struct{ *toyDriver }

func (d knowsAll) Tree(ctx context.Context) (*driver.Tree, error) {
	t, err := d.toyDriver.Tree(ctx)
	if err == nil {
		t.Root.Set(driver.Password, false)
	}
	return t, err
}

type ownWords struct{ *toyDriver }

func (d ownWords) Tap(ctx context.Context, at image.Point) error {
	err := d.toyDriver.Tap(ctx, at)
	if errors.Is(err, driver.ErrOffline) {
		return &driver.Error{Op: driver.OpTap, Device: d.Device(), Err: errors.New("device not found")}
	}
	return err
}

type blind struct{ *toyDriver }

func (d blind) Tap(ctx context.Context, at image.Point) error {
	err := d.toyDriver.Tap(ctx, at)
	if errors.Is(err, driver.ErrInputBlocked) {
		return nil
	}
	return err
}

type halfDone struct{ *toyDriver }

func (d halfDone) LongPress(ctx context.Context, at image.Point, hold time.Duration) error {
	if err := d.toyDriver.LongPress(ctx, at, hold); err != nil {
		return err
	}
	return driver.Unsupported("no long press after all")
}

type beside struct{ *toyDriver }

func (d beside) DoubleTap(ctx context.Context, at image.Point) error {
	return d.toyDriver.DoubleTap(ctx, at.Sub(image.Pt(2, 2)))
}

type dropsText struct{ *toyDriver }

func (d dropsText) Type(ctx context.Context, text string) error {
	return d.toyDriver.Type(ctx, text[:1])
}

// leakyGate refuses a long press by hand, with the error that sends package driver to the slow path.
func leakyGate(d driver.Driver, op driver.Op) driver.Driver {
	if op == driver.OpLongPress {
		return deniesLongPress{d.(*toyDriver)}
	}
	return driver.Wrap(d, func(ctx context.Context, c *driver.Call, next func(context.Context) error) error {
		if c.Op == op {
			return driver.ErrDenied
		}
		return next(ctx)
	})
}

type deniesLongPress struct{ *toyDriver }

func (d deniesLongPress) LongPress(context.Context, image.Point, time.Duration) error {
	return driver.Unsupported("denied")
}
