package drivertest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/handset-go/handset/driver"
)

func launchCases() []Case {
	return []Case{
		{Name: "launch/id", Rule: "Launch takes an id, and returns once the app is in front", check: func(b *bench) error {
			return launched(b, b.cfg.Apps.ID, b.cfg.Apps.ID)
		}},
		{Name: "launch/name", Rule: "Launch takes a name as a person says it", check: func(b *bench) error {
			return launched(b, b.cfg.Apps.Name, b.cfg.Apps.ID)
		}},
		{Name: "launch/other", Rule: "Launch brings an app to the front over another", check: launchOverAnother},
		{Name: "launch/slow", Rule: "Launch returns once the app is in front, and not before", check: slowLaunch},
		{Name: "launch/unknown", Rule: "what no app is called is ErrAppNotFound, and nothing is launched", check: unknownApp},
		{Name: "launch/near", Rule: "ErrAppNotFound has near misses in its text", check: nearMiss},
		{Name: "launch/ambiguous", Rule: "what several apps are called is ErrAmbiguousApp with the list", check: ambiguousApp},
		{Name: "launch/syntax", Rule: "no app name is ever read as syntax by a shell", check: nameIsData},
		{Name: "resolve/id", Rule: "Resolve knows an exact id", check: func(b *bench) error {
			return resolved(b, b.cfg.Apps.ID, b.cfg.Apps.ID)
		}},
		{Name: "resolve/name", Rule: "Resolve is the one meaning of a name", check: func(b *bench) error {
			return resolved(b, b.cfg.Apps.Name, b.cfg.Apps.ID)
		}},
	}
}

func (b *bench) launch(app string) error {
	if app == "" {
		return skipf("the harness does not name such an app in Apps")
	}
	return b.try(func(ctx context.Context) error { return b.Driver.Launch(ctx, app) })
}

func launched(b *bench, app, id string) error {
	if err := b.launch(app); err != nil {
		return err
	}
	return b.inFront(id)
}

// inFront wants the app in front now, and in the log where that has launches.
func (b *bench) inFront(id string) error {
	if id == "" {
		return skipf("the harness has no Apps.ID")
	}
	var app driver.App
	err := b.try(func(ctx context.Context) (err error) {
		app, err = driver.Foreground(ctx, b.Driver)
		return err
	})
	if errors.Is(err, errors.ErrUnsupported) {
		return b.lastLaunch(id)
	}
	if err != nil {
		return err
	}
	if app.ID != id {
		return fmt.Errorf("in front is %q, want %q", app.ID, id)
	}
	return nil
}

func (b *bench) lastLaunch(id string) error {
	all, err := b.events()
	if err != nil {
		return err
	}
	seen := only(all, KindLaunch)
	if len(seen) == 0 || seen[len(seen)-1].App != id {
		return fmt.Errorf("the phone saw the launches %v, want %q last", seen, id)
	}
	return nil
}

func launchOverAnother(b *bench) error {
	if err := launched(b, b.cfg.Apps.ID, b.cfg.Apps.ID); err != nil {
		return err
	}
	return launched(b, b.cfg.Apps.Other, b.cfg.Apps.Other)
}

func slowLaunch(b *bench) error {
	off, err := b.fault(FaultSlowLaunch)
	if err != nil {
		return err
	}
	defer off()
	return launched(b, b.cfg.Apps.ID, b.cfg.Apps.ID)
}

// notLaunched wants an error of Launch and Resolve, and nothing sent.
func (b *bench) notLaunched(app string, want error) error {
	b.ready()
	err := b.launch(app)
	if !errors.Is(err, want) {
		var no skip
		if errors.As(err, &no) {
			return err
		}
		return fmt.Errorf("launch %q: %w", app, instead(err, fmt.Sprintf("what matches %q", want)))
	}
	if err := b.nothingSent(); err != nil {
		return fmt.Errorf("launch %q: %w", app, err)
	}
	resolve := b.try(func(ctx context.Context) error {
		_, err := driver.Resolve(ctx, b.Driver, app)
		return err
	})
	if !errors.Is(resolve, want) && !errors.Is(resolve, errors.ErrUnsupported) {
		return fmt.Errorf("launch %q says %q, and resolve says %v", app, err, resolve)
	}
	return nil
}

func unknownApp(b *bench) error {
	name := b.cfg.Apps.Unknown
	if name == "" {
		name = "Zyxwvu Qrstuv"
	}
	return b.notLaunched(name, driver.ErrAppNotFound)
}

func nearMiss(b *bench) error {
	apps := b.cfg.Apps
	if apps.Name == "" {
		return skipf("the harness has no Apps.Name")
	}
	miss := apps.Name + "q"
	if err := b.notLaunched(miss, driver.ErrAppNotFound); err != nil {
		return err
	}
	text := b.launch(miss).Error()
	if rest := strings.ReplaceAll(text, miss, ""); !strings.Contains(rest, apps.Name) && !strings.Contains(rest, apps.ID) {
		return fmt.Errorf("launch %q does not say that there is %q: %s", miss, apps.Name, text)
	}
	return nil
}

func ambiguousApp(b *bench) error {
	return b.notLaunched(b.cfg.Apps.Ambiguous, driver.ErrAmbiguousApp)
}

func nameIsData(b *bench) error {
	for _, name := range []string{"$(input tap 3 3)", "; input tap 3 3", "`input tap 3 3`", "a' 'b\" ; input tap 3 3", "../x", "-n x"} {
		if err := b.notLaunched(name, driver.ErrAppNotFound); err != nil {
			return err
		}
	}
	if id := b.cfg.Apps.ID; id != "" {
		return b.notLaunched(id+"; input tap 3 3", driver.ErrAppNotFound)
	}
	return nil
}

func resolved(b *bench, app, id string) error {
	if app == "" || id == "" {
		return skipf("the harness does not name such an app in Apps")
	}
	var got driver.App
	err := b.try(func(ctx context.Context) (err error) {
		got, err = driver.Resolve(ctx, b.Driver, app)
		return err
	})
	if errors.Is(err, errors.ErrUnsupported) {
		return skipf("the driver cannot resolve")
	}
	if err != nil {
		return err
	}
	if got.ID != id {
		return fmt.Errorf("%q resolves to %q, want %q", app, got.ID, id)
	}
	return nil
}
