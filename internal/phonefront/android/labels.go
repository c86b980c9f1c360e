package android

import (
	"slices"
	"strings"

	"github.com/handset-go/handset/internal/phonefront/apk"
)

// leanback says that a package shows itself on the home screen of a television only.
func (d *Device) leanback(pkg string) bool {
	d.mu.Lock()
	i, ours := d.installations[pkg]
	d.mu.Unlock()
	if ours {
		return i.Leanback
	}
	return d.profile.Leanback
}

// hasCategories says that the page that a package starts with is in those categories of home screens.
func (d *Device) hasCategories(pkg string, categories []string) bool {
	if slices.Contains(categories, apk.Launcher) && d.leanback(pkg) {
		return false
	}
	return !slices.Contains(categories, apk.Leanback) || d.leanback(pkg)
}

// labelText is how the package manager tells the name of an app: most are resources, whose text it does
// not know; one that stands in the manifest itself is there.
func (d *Device) labelText(pkg string) string {
	d.mu.Lock()
	i, ours := d.installations[pkg]
	d.mu.Unlock()
	label := i.Label
	if !ours && thirdParty(pkg) && !strings.HasPrefix(pkg, "com.handset.") {
		for _, a := range d.phone.Apps() {
			if a.ID == pkg {
				label = a.Name
			}
		}
	}
	if label == "" {
		return "labelRes=0x7f110026 nonLocalizedLabel=null"
	}
	return "labelRes=0x0 nonLocalizedLabel=" + label
}

// features are what pm list features prints.
func (p Profile) features() []string {
	list := []string{"reqGlEsVersion=0x30002", "android.software.app_widgets", "android.hardware.wifi"}
	if p.Leanback {
		return append(list, "android.hardware.type.television", "android.software.leanback", "android.software.leanback_only", "android.software.live_tv")
	}
	return append(list, "android.hardware.touchscreen", "android.hardware.touchscreen.multitouch", "android.hardware.telephony")
}
