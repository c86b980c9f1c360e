package wda

import (
	"slices"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
)

// Bundle ids of the system.
const (
	springboard = "com.apple.springboard"
	preferences = "com.apple.Preferences"
)

// The states of an app, as XCUIApplicationState has them.
const (
	stateNotRunning = 1
	stateBackground = 3
	stateForeground = 4
)

type window = sim.Window

// app is an app that a command works on.
type app struct{ bundle, name string }

func (d *Device) installed(bundle string) bool {
	return slices.ContainsFunc(d.phone.Apps(), func(a driver.App) bool { return a.ID == bundle })
}

func (d *Device) named(bundle string) app {
	if bundle == springboard {
		return app{bundle, " "} // which is what it calls itself
	}
	for _, a := range d.phone.Apps() {
		if a.ID == bundle {
			return app{bundle, a.Name}
		}
	}
	return app{bundle, ""}
}

// inFront returns the app that the touches go to, whatever the system puts over it for a moment.
func (d *Device) inFront() string {
	if p := d.phone.Power(); p.Locked || !p.On {
		return springboard
	}
	return d.phone.FocusedApp().ID
}

// active returns the app that the commands of a call work on.
func (c *call) active() (app, error) {
	d, front := c.d, c.d.inFront()
	if c.d.faults.On(FaultActiveUnknown) {
		return app{}, nsError("Failure getting list of active applications: (null)")
	}
	if s := c.ses; s != nil {
		if want, _ := c.set("defaultActiveApplication").(string); want != "auto" && want == front {
			return d.named(want), nil
		}
		if s.bundle != "" && s.bundle == front {
			if truth(c.set("respectSystemAlerts")) && d.systemAlert() {
				return d.named(springboard), nil
			}
			return d.named(s.bundle), nil
		}
		if s.bundle != "" && s.alive && !slices.Contains(d.phone.Running(), s.bundle) {
			return app{}, fail(errElementState, "The application under test with bundle id '%s' is not running, possibly crashed", s.bundle)
		}
	}
	if d.systemAlert() || d.shadeDown() {
		return d.named(springboard), nil
	}
	return d.named(front), nil
}

// appHere is active for a command that needs an answer of the app.
func (c *call) appHere() (app, error) {
	a, err := c.active()
	if err != nil || a.bundle == springboard {
		return a, err
	}
	if c.d.faults.On(FaultFrozenApp) && c.setNumber("accessibilityDeadline") > 0 {
		if err := c.takes(time.Duration(c.setNumber("accessibilityDeadline") * float64(time.Second))); err != nil {
			return a, err
		}
		return a, fail(errElementState, "The application '%s' did not respond within %gs. It is probably deadlocked",
			a.bundle, c.setNumber("accessibilityDeadline"))
	}
	return a, c.while(FaultFrozenApp)
}

// systemAlert says that SpringBoard shows an alert or a notification over the app.
func (d *Device) systemAlert() bool {
	return slices.ContainsFunc(d.phone.Windows(), func(w window) bool {
		return w.Kind == driver.WindowDialog && w.App.ID == springboard || w.Kind == driver.WindowNotification && !w.Active
	})
}

// shadeDown says that the notification centre covers the app.
func (d *Device) shadeDown() bool {
	return slices.ContainsFunc(d.phone.Windows(), func(w window) bool { return w.Kind == driver.WindowNotification && w.Active })
}

// launch brings an installed app to the front.
func (d *Device) launch(bundle string) error {
	if !d.installed(bundle) {
		return fail(errArgument, "The application with the bundle identifier '%s' is not installed", bundle)
	}
	if p := d.phone.Power(); p.Locked || !p.On {
		return fail(errArgument, "Unable to launch %s because the device was not, or could not be, unlocked", bundle)
	}
	if d.faults.On(FaultLaunchFails) {
		return nsError("Failed to launch %s: the request was denied by service delegate (SBMainWorkspace)", bundle)
	}
	_, err := d.phone.StartApp(bundle)
	return err
}

// bundleID returns the app that a request names.
func (c *call) bundleID() (string, error) {
	id := text(c.body["bundleId"])
	if id == "" {
		return "", fail(errArgument, "'bundleId' must be a non-empty string")
	}
	return id, nil
}

// launchApp serves launch and activate, which differ in nothing that a phone shows: an app that runs is only
// brought to the front.
func (c *call) launchApp() (any, error) {
	id, err := c.bundleID()
	if err != nil {
		return nil, err
	}
	if err := c.d.launch(id); err != nil {
		return nil, err
	}
	if id == c.ses.bundle {
		c.ses.alive = true
	}
	return nil, nil
}

func (c *call) launchUnattached() (any, error) {
	id, err := c.bundleID()
	if err != nil {
		return nil, err
	}
	if c.d.launch(id) != nil {
		return nil, nsError("LSApplicationWorkspace failed to launch app")
	}
	return nil, nil
}

func (c *call) terminateApp() (any, error) {
	id, err := c.bundleID()
	if err != nil {
		return nil, err
	}
	if id == c.ses.bundle {
		c.ses.alive = false
	}
	if !slices.Contains(c.d.phone.Running(), id) {
		return false, nil
	}
	return true, c.d.phone.StopApp(id)
}

func (c *call) appState() (any, error) {
	id, err := c.bundleID()
	switch {
	case err != nil:
		return nil, err
	case id == c.d.inFront():
		return stateForeground, nil
	case id == springboard || slices.Contains(c.d.phone.Running(), id):
		return stateBackground, nil
	}
	return stateNotRunning, nil
}

// listApps lists the apps that are on the screen, and not those that are installed.
func (c *call) listApps() (any, error) {
	if c.d.faults.On(FaultActiveUnknown) {
		return nil, nsError("Failure getting list of active applications: (null)")
	}
	var list []any
	front := c.d.inFront()
	list = append(list, map[string]any{"pid": c.d.pid(front), "bundleId": front})
	if front != springboard && (c.d.systemAlert() || c.d.shadeDown()) {
		list = append(list, map[string]any{"pid": c.d.pid(springboard), "bundleId": springboard})
	}
	return list, nil
}

func (c *call) activeAppInfo() (any, error) {
	a, err := c.appHere()
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"pid": c.d.pid(a.bundle), "bundleId": a.bundle, "name": strings.ReplaceAll(a.name, "\n", " "),
		"processArguments": map[string]any{"args": []any{}, "env": map[string]any{}},
	}, nil
}

// deactivateApp goes home and comes back.
func (c *call) deactivateApp() (any, error) {
	seconds, given, err := c.float("duration")
	if err != nil {
		return nil, err
	}
	if !given {
		seconds = 3
	}
	front := c.d.inFront()
	c.d.pressHome()
	if err := c.takes(time.Duration(seconds * float64(time.Second))); err != nil {
		return nil, err
	}
	return nil, c.d.launch(front)
}

func (c *call) postURL() (any, error) {
	url := text(c.body["url"])
	if url == "" {
		return nil, fail(errArgument, "URL is required")
	}
	if id := text(c.body["bundleId"]); id != "" && !c.d.installed(id) {
		return nil, fail(errArgument, "The application with the bundle identifier '%s' is not installed", id)
	}
	return nil, c.d.openURL(url)
}

func (d *Device) openURL(url string) error {
	if p := d.phone.Power(); p.Locked || !p.On {
		return nsError("The device is locked: '%s' cannot be opened", url)
	}
	if d.phone.OpenURL(url) != nil {
		return nsError("'%s' is not a valid URL", url)
	}
	return nil
}
