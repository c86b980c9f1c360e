package sim

import (
	"fmt"
	"maps"
	"slices"

	"github.com/handset-go/handset/driver"
)

// InstallApp puts an app on the phone, or in the place of the one of the same id, which ends if it runs.
// The launcher cannot be replaced.
func (p *Phone) InstallApp(a App) error {
	if a.ID == "" || len(a.Screens) == 0 {
		return fmt.Errorf("install %q: want an id and at least one screen", a.ID)
	}
	if err := a.check(); err != nil {
		return fmt.Errorf("install %s: %w", a.ID, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	old := p.app(a.ID)
	if old == p.launcher() {
		return fmt.Errorf("install %s: the launcher cannot be replaced", a.ID)
	}
	if old != nil {
		p.take(old)
	}
	p.install(a)
	if !a.Hidden {
		p.append("icons", Entry{"id": a.ID, "en": a.Name.En, "zh": a.Name.In(LangZh)})
	}
	p.emit("install", map[string]any{"app": a.Name.En, "id": a.ID})
	p.changed()
	return nil
}

// RemoveApp takes an app off the phone. The launcher stays.
func (p *Phone) RemoveApp(id string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.app(id)
	switch {
	case a == nil:
		return fmt.Errorf("remove %s: %w", id, driver.ErrAppNotFound)
	case a == p.launcher():
		return fmt.Errorf("remove %s: the launcher stays", id)
	}
	p.take(a)
	p.emit("remove", map[string]any{"app": a.Name.En, "id": a.ID})
	return nil
}

// take ends an app and removes it with its icon.
func (p *Phone) take(a *App) {
	p.stop(a)
	p.apps = slices.DeleteFunc(p.apps, func(x *App) bool { return x == a })
	p.lists["icons"] = slices.DeleteFunc(slices.Clone(p.lists["icons"]), func(e Entry) bool { return e["id"] == a.ID })
}

// ClearApp ends an app and gives it back what it started with: its values and lists.
func (p *Phone) ClearApp(id string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.app(id)
	if a == nil {
		return fmt.Errorf("clear %s: %w", id, driver.ErrAppNotFound)
	}
	p.stop(a)
	maps.Copy(p.values, a.Values)
	maps.Copy(p.lists, cloneLists(a.Lists))
	p.emit("clear_data", map[string]any{"app": a.Name.En, "id": a.ID})
	return nil
}
