package hdc

import (
	"slices"
	"strings"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/phonefront/phoneshell"
)

// ability is the main ability of an app, in full where the app has it so, and "" for the desktop, which has
// none that could be started.
func (d *Device) ability(bundle string) string {
	app, ok := d.app(bundle)
	switch {
	case !ok || bundle == desktopBundle:
		return ""
	case strings.HasSuffix(app.Page, "Ability") || strings.HasPrefix(app.Page, bundle+".") && !strings.HasSuffix(app.Page, "Activity"):
		return app.Page
	}
	return "EntryAbility" // what the template of an app has
}

// app returns one of the phone's own apps.
func (d *Device) app(bundle string) (driver.App, bool) {
	apps := d.phone.Apps()
	i := slices.IndexFunc(apps, func(a driver.App) bool { return a.ID == bundle })
	if i < 0 {
		return driver.App{}, false
	}
	return apps[i], true
}

// moduleName is the module of every app here.
const moduleName = "entry"

// bundleNames lists what is installed, sorted.
func (d *Device) bundleNames() []string {
	list := []string{"com.huawei.hmos.inputmethod", "com.ohos.medialibrary.medialibrarydata", "com.ohos.permissionmanager"}
	for _, a := range d.phone.Apps() {
		list = append(list, a.ID)
	}
	d.mu.Lock()
	list = append(list, d.bundles...)
	d.mu.Unlock()
	slices.Sort(list)
	return slices.Compact(list)
}

// installed says that there is a bundle of that name.
func (d *Device) installed(bundle string) bool { return slices.Contains(d.bundleNames(), bundle) }

// sameAbility compares names of which either may be short: they agree at a dot.
func sameAbility(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	return a == b || b != "" && strings.HasSuffix(a, "."+b)
}

// processID is the number of a process: always the same.
func processID(name string) int { return phoneshell.PID(name) }
