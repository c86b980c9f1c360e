package android

import (
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/phoneshell"
)

// component is an activity of a package.
type component struct{ pkg, class string }

// The apps of the phone that have a part in what others start.
const (
	launcher = "com.android.launcher3"
	settings = "com.android.settings"
	browser  = "com.android.browser"
)

// componentOf is the component of an app's page, whose class may be written short.
func componentOf(a driver.App) component { return component{a.ID, fullClass(a.ID, a.Page)} }

func fullClass(pkg, class string) string {
	if strings.HasPrefix(class, ".") {
		return pkg + class
	}
	return class
}

// parseComponent reads pkg/.Class or pkg/full.Class.
func parseComponent(s string) (component, bool) {
	pkg, class, ok := strings.Cut(s, "/")
	if !ok || pkg == "" || class == "" {
		return component{}, false
	}
	return component{pkg, fullClass(pkg, class)}, true
}

// short is pkg/.Class where the class is in the package.
func (c component) short() string {
	if rest, ok := strings.CutPrefix(c.class, c.pkg+"."); ok {
		return c.pkg + "/." + rest
	}
	return c.full()
}

func (c component) full() string { return c.pkg + "/" + c.class }

// objectHash is the number by which a dump names an object: always the same for the same object.
func objectHash(of string) string {
	h := fnv.New32a()
	_, _ = io.WriteString(h, of)
	return fmt.Sprintf("%x", h.Sum32()%0x0fffffff)
}

// taskID is the number of an app's task.
func taskID(pkg string) int { return phoneshell.PID(pkg)%400 + 2 }

// entry is what the launcher starts of a package.
func (d *Device) entry(pkg string) (component, bool) {
	for _, a := range d.phone.Apps() {
		if a.ID == pkg && a.Page != "" {
			return componentOf(a), true
		}
	}
	return component{}, false
}

// platformPackages are installed and have no page of their own.
var platformPackages = []string{"android", "com.android.systemui", "com.google.android.permissioncontroller",
	"com.android.inputmethod.latin", "com.android.shell", "com.android.providers.settings"}

// packages lists what is installed, sorted.
func (d *Device) packages() []string {
	list := slices.Clone(platformPackages)
	for _, a := range d.phone.Apps() {
		list = append(list, a.ID)
	}
	for _, m := range d.imes() {
		pkg, _, _ := strings.Cut(m.ID, "/")
		list = append(list, pkg)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// imes lists the input methods, without ADBKeyBoard where the fault says so.
func (d *Device) imes() []sim.IME {
	return slices.DeleteFunc(d.phone.IMEs(), func(m sim.IME) bool {
		return m.ID == sim.ADBKeyboardIME && d.faults.On(FaultNoADBKeyBoard)
	})
}

// thirdParty says that a package did not come with the system.
func thirdParty(pkg string) bool {
	return pkg == "com.android.adbkeyboard" || pkg != "android" && !strings.HasPrefix(pkg, "com.android.") &&
		!strings.HasPrefix(pkg, "com.google.android.")
}

// user is how a dump names the user of the app in front.
func (d *Device) user() string {
	if d.faults.On(FaultWorkProfile) {
		return "u10"
	}
	return "u0"
}

// focus is what the window manager says of the front.
type focus struct {
	window string // the title of the window that takes the input, "" for null
	app    component
	none   bool // no app is focused
}

// focused asks the phone, with the faults of the device.
func (d *Device) focused() focus {
	front := d.phone.Foreground()
	f := focus{app: componentOf(d.phone.FocusedApp())}
	switch {
	case front.ID == "" || d.sinceLaunch() < d.faults.Duration(FaultFocusNull):
	case d.faults.On(FaultFocusANR):
		f.window = "Application Not Responding: " + f.app.pkg
	case d.faults.On(FaultFocusPopup):
		f.window = "PopupWindow:" + objectHash("popup")
	case front.Page == "":
		f.window = d.shadeTitle()
	default:
		f.app = componentOf(front)
		f.window = f.app.full()
	}
	f.none = f.app.class == ""
	return f
}

// shadeTitle is the title of the window of the lock screen and the notifications.
func (d *Device) shadeTitle() string {
	if d.profile.SDK >= 30 {
		return "NotificationShade"
	}
	return "StatusBar"
}

// windowText is Window{...} as a dump writes it.
func (d *Device) windowText(title string) string {
	if title == "" {
		return "null"
	}
	return fmt.Sprintf("Window{%s %s %s}", objectHash(title), d.user(), title)
}

// recordText is ActivityRecord{...} as the release writes it.
func (d *Device) recordText(c component) string {
	if c.class == "" {
		return "null"
	}
	format := "ActivityRecord{%s %s %s t%d}"
	if d.profile.SDK >= 33 {
		format = "ActivityRecord{%s %s %s} t%d}"
	}
	return fmt.Sprintf(format, objectHash("record "+c.full()), d.user(), c.short(), taskID(c.pkg))
}

// focusedAppText is what stands after mFocusedApp= .
func (d *Device) focusedAppText(f focus) string {
	record := d.recordText(f.app)
	if d.profile.SDK >= 30 || f.none {
		return record
	}
	return fmt.Sprintf("AppWindowToken{%s token=Token{%s %s}}", objectHash("app "+f.app.full()), objectHash("token "+f.app.full()), record)
}
