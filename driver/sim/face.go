package sim

import (
	"maps"
	"slices"

	"github.com/handset-go/handset/driver"
)

// face is how a platform names what is on the phone.
type face struct {
	system         string // package of the status bar, the shade and the lock screen
	permissions    string // package of permission dialogs
	permissionPage string
	ids            map[string]string // of built-in apps, where they differ from Android's
	classes        map[string]string // by Android's short class name; nil for Android's own
	resource       bool              // ids look like package:id/name
	pages          map[string]string // first pages of built-in apps, by Android's app id
}

// platforms lists the faces.
func platforms() []string { return slices.Sorted(maps.Keys(faces)) }

var faces = map[string]*face{
	PlatformAndroid: {
		system:         "com.android.systemui",
		permissions:    "com.google.android.permissioncontroller",
		permissionPage: "com.android.permissioncontroller.permission.ui.GrantPermissionsActivity",
		resource:       true,
	},
	PlatformHarmony: {
		system:      "com.ohos.sceneboard",
		permissions: "com.ohos.permissionmanager",
		ids: map[string]string{
			"com.android.launcher3": "com.ohos.sceneboard", "com.android.settings": "com.huawei.hmos.settings",
			"com.android.messaging": "com.ohos.mms", "com.android.deskclock": "com.huawei.hmos.clock",
			"com.android.camera2": "com.huawei.hmos.camera", "com.android.browser": "com.huawei.hmos.browser",
		},
		pages: map[string]string{
			"com.android.settings": "com.huawei.hmos.settings.MainAbility", "com.android.messaging": "com.ohos.mms.MainAbility",
			"com.android.deskclock": "com.huawei.hmos.clock.phone",
		},
		classes: map[string]string{
			"FrameLayout": "Stack", "LinearLayout": "Row", "View": "Column", "TextView": "Text", "Button": "Button",
			"ImageButton": "Button", "ImageView": "Image", "EditText": "TextInput", "Switch": "Toggle", "CheckBox": "Checkbox",
			"RadioButton": "Radio", "SeekBar": "Slider", "RecyclerView": "List", "ScrollView": "Scroll", "SurfaceView": "XComponent",
			"WebView": "Web",
		},
	},
	PlatformIOS: {
		system:      "com.apple.springboard",
		permissions: "com.apple.springboard",
		ids: map[string]string{
			"com.android.launcher3": "com.apple.springboard", "com.android.settings": "com.apple.Preferences",
			"com.android.messaging": "com.apple.MobileSMS", "com.android.deskclock": "com.apple.mobiletimer",
			"com.android.camera2": "com.apple.camera", "com.android.browser": "com.apple.mobilesafari",
		},
		classes: map[string]string{
			"FrameLayout": "XCUIElementTypeOther", "LinearLayout": "XCUIElementTypeCell", "View": "XCUIElementTypeOther",
			"TextView": "XCUIElementTypeStaticText", "Button": "XCUIElementTypeButton", "ImageButton": "XCUIElementTypeButton",
			"ImageView": "XCUIElementTypeImage", "EditText": "XCUIElementTypeTextField", "Switch": "XCUIElementTypeSwitch",
			"CheckBox": "XCUIElementTypeSwitch", "RadioButton": "XCUIElementTypeCell", "SeekBar": "XCUIElementTypeSlider",
			"RecyclerView": "XCUIElementTypeTable", "ScrollView": "XCUIElementTypeScrollView", "SurfaceView": "XCUIElementTypeOther",
			"WebView": "XCUIElementTypeWebView",
		},
	},
}

// appID returns what the platform calls a built-in app.
func (f *face) appID(android string) string { return or(f.ids[android], android) }

// class returns the platform's word for one of Android's classes.
func (f *face) class(short string) string {
	if f.classes != nil {
		return or(f.classes[short], short)
	}
	switch short {
	case "View", "SurfaceView":
		return "android.view." + short
	case "WebView":
		return "android.webkit.WebView"
	case "RecyclerView":
		return "androidx.recyclerview.widget.RecyclerView"
	}
	return "android.widget." + short
}

// id returns a resource-id. A name such as "android:title" belongs to the system.
func (f *face) id(pkg, name string) string {
	const sys = "android:"
	own := len(name) > len(sys) && name[:len(sys)] == sys
	switch {
	case name == "":
		return ""
	case own && f.resource:
		return "android:id/" + name[len(sys):]
	case own:
		return name[len(sys):]
	case f.resource:
		return pkg + ":id/" + name
	}
	return name
}

// roles are the portable roles of Android's classes.
var roles = map[string]driver.Role{
	"FrameLayout": driver.RoleView, "LinearLayout": driver.RoleView, "View": driver.RoleView, "TextView": driver.RoleText,
	"Button": driver.RoleButton, "ImageButton": driver.RoleButton, "ImageView": driver.RoleImage, "EditText": driver.RoleEdit,
	"Switch": driver.RoleSwitch, "CheckBox": driver.RoleCheck, "RadioButton": driver.RoleRadio, "SeekBar": driver.RoleSlider,
	"RecyclerView": driver.RoleList, "ScrollView": driver.RoleScroll, "SurfaceView": driver.RoleCanvas, "WebView": driver.RoleWeb,
}
