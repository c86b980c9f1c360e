package android

import (
	"fmt"
	"image"
	"slices"
	"strings"
)

// Profile is how phones of one Android release answer.
type Profile struct {
	Name    string // as --profile takes it
	Doc     string // one line
	SDK     int
	Release string // of Android
	Banner  Banner
	// RawHeader is the length in bytes of a raw screencap's header: 12, or 16 from Android 9.
	RawHeader int
	// Hints says that uiautomator writes drawing-order and hint, as the newest images do.
	Hints  bool
	Props  map[string]string // beyond those that every phone has
	Faults []string          // on from the start
	// Cover is the size of a second display, which is off; zero for a phone with one.
	Cover image.Point
	// CoverFirst says that the display that is off is the first one: what screencap takes without -d.
	CoverFirst bool
	// Leanback says that the phone is a television, whose apps are on another kind of home screen.
	Leanback bool
}

// Banner is what adbd says of itself when it connects.
type Banner struct {
	Product, Model, Device string
	Features               []string
	// MaxData bounds the bytes of one packet, and so of one command.
	MaxData uint32
	// Version is of the transport protocol: 0x01000000 with checksums, 0x01000001 without.
	Version uint32
}

// String is the banner as it goes over the wire.
func (b Banner) String() string {
	return fmt.Sprintf("device::ro.product.name=%s;ro.product.model=%s;ro.product.device=%s;features=%s",
		b.Product, b.Model, b.Device, strings.Join(b.Features, ","))
}

// Has says that the device has the feature.
func (b Banner) Has(feature string) bool { return slices.Contains(b.Features, feature) }

// The features of adbd by release, as far as the simulated one has them.
var (
	features13 = []string{"sendrecv_v2", "remount_shell", "abb_exec", "fixed_push_mkdir", "fixed_push_symlink_timestamp",
		"abb", "shell_v2", "cmd", "ls_v2", "apex", "stat_v2", "track_app"}
	features11 = []string{"abb_exec", "fixed_push_symlink_timestamp", "abb", "stat_v2", "apex", "shell_v2", "fixed_push_mkdir",
		"cmd", "ls_v2", "remount_shell"}
)

var profiles = []Profile{
	{
		Name: "a9", Doc: "Android 9: 16-byte raw frames, mFocusedActivity and mResumedActivity, input with a VM of its own",
		SDK: 28, Release: "9", RawHeader: 16,
		Banner: Banner{
			Product: "walleye", Model: "Pixel 2", Device: "walleye", MaxData: 1 << 20, Version: 0x01000001,
			Features: []string{"cmd", "stat_v2", "shell_v2"},
		},
		Props: map[string]string{"ro.build.version.security_patch": "2019-08-05"},
	},
	{
		Name: "a14", Doc: "Android 14: focus in window displays, topResumedActivity, InputDeviceOrientation, input through cmd",
		SDK: 34, Release: "14", RawHeader: 16,
		Banner: Banner{
			Product: "shiba", Model: "Pixel 8", Device: "shiba", MaxData: 1 << 20, Version: 0x01000001,
			Features: features13,
		},
		Props: map[string]string{"ro.build.version.security_patch": "2024-05-05"},
	},
	{
		Name: "a6", Doc: "Android 6: no shell_v2, CR LF on a terminal, 4096-byte packets, 12-byte raw frames, no cmd package",
		SDK: 23, Release: "6.0.1", RawHeader: 12,
		Banner: Banner{
			Product: "angler", Model: "Nexus 6P", Device: "angler", MaxData: 4096, Version: 0x01000000,
		},
		Props: map[string]string{"ro.build.version.security_patch": "2017-08-05"},
	},
	{
		Name: "a11", Doc: "Android 11: focus only in window displays, no mCurrentFocus in window windows",
		SDK: 30, Release: "11", RawHeader: 16,
		Banner: Banner{
			Product: "sunfish", Model: "Pixel 4a", Device: "sunfish", MaxData: 1 << 20, Version: 0x01000001,
			Features: features11,
		},
		Props: map[string]string{"ro.build.version.security_patch": "2021-06-05"},
	},
	{
		Name: "a16", Doc: "Android 16: drawing-order and hint in the tree, jpeg from screencap, no mCurrentFocus in window windows",
		SDK: 36, Release: "16", RawHeader: 16, Hints: true,
		Banner: Banner{
			Product: "tokay", Model: "Pixel 9", Device: "tokay", MaxData: 1 << 20, Version: 0x01000001,
			Features: slices.Concat(features13, []string{"app_info", "server_status"}),
		},
		Props: map[string]string{"ro.build.version.security_patch": "2025-09-05"},
	},
	{
		Name: "a13-miui", Doc: "Android 13 with MIUI 14 as it comes: input may inject nothing, ime and settings write nothing, a dump ends with status 1 and is valid",
		SDK: 33, Release: "13", RawHeader: 16, Faults: []string{FaultDumpExit1, FaultInjectEvents, FaultSecureSettings},
		Banner: Banner{
			Product: "cupid", Model: "2201123G", Device: "cupid", MaxData: 1 << 20, Version: 0x01000001, Features: features13,
		},
		Props: map[string]string{"ro.miui.ui.version.name": "V14", "ro.miui.ui.version.code": "14", "ro.product.brand": "Xiaomi",
			"ro.product.manufacturer": "Xiaomi"},
	},
	{
		Name: "a13-vivo", Doc: "Android 13 with OriginOS: noise before a dump, attributes in single quotes, long lines broken",
		SDK: 33, Release: "13", RawHeader: 16, Faults: []string{FaultDumpNoise, FaultDumpQuotes, FaultDumpWrapped},
		Banner: Banner{
			Product: "PD2183", Model: "V2183A", Device: "PD2183", MaxData: 1 << 20, Version: 0x01000001, Features: features13,
		},
		Props: map[string]string{"ro.vivo.os.version": "13.0", "ro.product.brand": "vivo", "ro.product.manufacturer": "vivo"},
	},
	{
		Name: "a14-fold", Doc: "Android 14 on a foldable: a second display that is off, 64-bit display ids, screencap's warning",
		SDK: 34, Release: "14", RawHeader: 16, Cover: image.Pt(1080, 2424), Faults: []string{FaultScreencapWarn},
		Banner: Banner{
			Product: "felix", Model: "Pixel Fold", Device: "felix", MaxData: 1 << 20, Version: 0x01000001, Features: features13,
		},
	},
	{
		Name: "samsung-cover", Doc: "Android 14 with a cover screen that has a home and a focus of its own, listed first",
		SDK: 34, Release: "14", RawHeader: 16, Faults: []string{FaultFocusCover},
		Banner: Banner{
			Product: "b5qxxx", Model: "SM-F731B", Device: "b5q", MaxData: 1 << 20, Version: 0x01000001, Features: features13,
		},
		Props: map[string]string{"ro.build.version.oneui": "60100", "ro.product.brand": "samsung", "ro.product.manufacturer": "samsung"},
	},
	{
		Name: "a14-folded", Doc: "Android 14 on a foldable that is shut: the display that is on is not the one that screencap takes without -d",
		SDK: 34, Release: "14", RawHeader: 16, Cover: image.Pt(2076, 2152), CoverFirst: true, Faults: []string{FaultScreencapWarn},
		Banner: Banner{
			Product: "comet", Model: "Pixel 9 Pro Fold", Device: "comet", MaxData: 1 << 20, Version: 0x01000001, Features: features13,
		},
	},
	{
		Name: "a15", Doc: "Android 15: drawing-order and hint in the tree, no mCurrentFocus in window windows",
		SDK: 35, Release: "15", RawHeader: 16, Hints: true,
		Banner: Banner{
			Product: "akita", Model: "Pixel 8a", Device: "akita", MaxData: 1 << 20, Version: 0x01000001,
			Features: slices.Concat(features13, []string{"app_info"}),
		},
		Props: map[string]string{"ro.build.version.security_patch": "2025-02-05"},
	},
	{
		Name: "tv", Doc: "Android TV 12: apps on a leanback home screen only, no touchscreen among the features",
		SDK: 31, Release: "12", RawHeader: 16, Leanback: true,
		Banner: Banner{
			Product: "sabrina", Model: "Chromecast", Device: "sabrina", MaxData: 1 << 20, Version: 0x01000001, Features: features11,
		},
		Props: map[string]string{"ro.build.characteristics": "tv", "ro.build.version.security_patch": "2022-10-05"},
	},
}

// Profiles lists the profiles, the usual ones first.
func Profiles() []Profile { return slices.Clone(profiles) }

// FindProfile returns the profile of that name; "" is a14.
func FindProfile(name string) (Profile, error) {
	if name == "" {
		name = "a14"
	}
	var names []string
	for _, p := range profiles {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Profile{}, fmt.Errorf("unknown profile %q, known are %s", name, strings.Join(names, ", "))
}
