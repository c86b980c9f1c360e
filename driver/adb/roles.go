package adb

import (
	"strings"

	"github.com/handset-go/handset/driver"
)

// classRoles are the roles of Android's classes, by the last part of the name.
var classRoles = map[string]driver.Role{
	"Button": driver.RoleButton, "ImageButton": driver.RoleButton, "FloatingActionButton": driver.RoleButton,
	"MaterialButton": driver.RoleButton, "Chip": driver.RoleButton,
	"TextView": driver.RoleText, "CheckedTextView": driver.RoleText, "DigitalClock": driver.RoleText, "TextClock": driver.RoleText,
	"EditText": driver.RoleEdit, "AutoCompleteTextView": driver.RoleEdit, "MultiAutoCompleteTextView": driver.RoleEdit,
	"SearchAutoComplete": driver.RoleEdit, "TextInputEditText": driver.RoleEdit, "ExtractEditText": driver.RoleEdit,
	"ImageView": driver.RoleImage, "Image": driver.RoleImage,
	"Switch": driver.RoleSwitch, "SwitchCompat": driver.RoleSwitch, "ToggleButton": driver.RoleSwitch, "MaterialSwitch": driver.RoleSwitch,
	"CheckBox": driver.RoleCheck, "RadioButton": driver.RoleRadio,
	"SeekBar": driver.RoleSlider, "RatingBar": driver.RoleSlider, "Slider": driver.RoleSlider,
	"ProgressBar": driver.RoleProgress,
	"ListView":    driver.RoleList, "RecyclerView": driver.RoleList, "GridView": driver.RoleList,
	"ExpandableListView": driver.RoleList, "AbsListView": driver.RoleList,
	"ScrollView": driver.RoleScroll, "HorizontalScrollView": driver.RoleScroll, "NestedScrollView": driver.RoleScroll,
	"ViewPager": driver.RoleScroll, "ViewPager2": driver.RoleScroll,
	"Tab": driver.RoleTab, "TabView": driver.RoleTab, "TabItem": driver.RoleTab,
	"Spinner": driver.RoleMenu, "ListPopupWindow": driver.RoleMenu, "MenuItem": driver.RoleMenu,
	"WebView":     driver.RoleWeb,
	"SurfaceView": driver.RoleCanvas, "TextureView": driver.RoleCanvas, "GLSurfaceView": driver.RoleCanvas,
	"FlutterView": driver.RoleCanvas, "UnityPlayer": driver.RoleCanvas,
	"Key": driver.RoleKey,
}

// suffixRoles are for makers' and apps' own classes, such as HwTextView: the longest suffix counts.
var suffixRoles = []struct {
	suffix string
	role   driver.Role
}{
	{"AutoCompleteTextView", driver.RoleEdit}, {"CheckedTextView", driver.RoleText}, {"EditText", driver.RoleEdit},
	{"RadioButton", driver.RoleRadio}, {"ToggleButton", driver.RoleSwitch}, {"Button", driver.RoleButton},
	{"TextView", driver.RoleText}, {"ImageView", driver.RoleImage}, {"CheckBox", driver.RoleCheck},
	{"Switch", driver.RoleSwitch}, {"SeekBar", driver.RoleSlider}, {"ProgressBar", driver.RoleProgress},
	{"RecyclerView", driver.RoleList}, {"ListView", driver.RoleList}, {"GridView", driver.RoleList},
	{"ScrollView", driver.RoleScroll}, {"WebView", driver.RoleWeb},
}

// roleOf returns the role of a class such as android.widget.Button or
// androidx.appcompat.app.ActionBar$Tab.
func roleOf(class string) driver.Role {
	last := class[strings.LastIndexAny(class, ".$")+1:]
	if r, ok := classRoles[last]; ok {
		return r
	}
	for _, s := range suffixRoles {
		if strings.HasSuffix(last, s.suffix) {
			return s.role
		}
	}
	return driver.RoleView
}

// roleOfView finds a role for a plain view by what can be done with it, as Compose and web pages
// have nothing else.
func roleOfView(n *driver.Node) driver.Role {
	switch {
	case n.Is(driver.Checkable):
		return driver.RoleCheck
	case n.Is(driver.Scrollable):
		return driver.RoleScroll
	}
	return driver.RoleView
}
