package wda

import "github.com/handset-go/handset/driver"

// typePrefix begins the names of types in XML. JSON leaves it out.
const typePrefix = "XCUIElementType"

// kind is what is known of a type of elements.
type kind struct {
	class string // with the prefix
	role  driver.Role
	set   driver.Flag // what an element of the type has
	unset driver.Flag // and has not
}

const field = driver.Clickable | driver.Editable | driver.Focusable

// kinds are the types of XCUIElement, without the prefix. What the type tells is known: a text field can be edited.
var kinds = map[string]*kind{
	"Application": {role: driver.RoleView}, "Window": {role: driver.RoleWindow}, "Other": {role: driver.RoleView},
	"Alert": {role: driver.RoleWindow}, "Sheet": {role: driver.RoleWindow}, "Dialog": {role: driver.RoleWindow}, "Popover": {role: driver.RoleWindow},
	"Button": {role: driver.RoleButton, set: driver.Clickable}, "MenuButton": {role: driver.RoleButton, set: driver.Clickable},
	"PopUpButton": {role: driver.RoleButton, set: driver.Clickable}, "ToolbarButton": {role: driver.RoleButton, set: driver.Clickable},
	"DisclosureTriangle": {role: driver.RoleButton, set: driver.Clickable}, "Icon": {role: driver.RoleButton, set: driver.Clickable},
	"IncrementArrow": {role: driver.RoleButton, set: driver.Clickable}, "DecrementArrow": {role: driver.RoleButton, set: driver.Clickable},
	"Cell":       {role: driver.RoleView, set: driver.Clickable},
	"StaticText": {role: driver.RoleText, unset: driver.Clickable}, "Image": {role: driver.RoleImage, unset: driver.Clickable},
	"TextField":       {role: driver.RoleEdit, set: field, unset: driver.Password | driver.Multiline},
	"SearchField":     {role: driver.RoleEdit, set: field, unset: driver.Password | driver.Multiline},
	"SecureTextField": {role: driver.RoleEdit, set: field | driver.Password, unset: driver.Multiline},
	"TextView":        {role: driver.RoleEdit, set: field | driver.Multiline, unset: driver.Password},
	"ComboBox":        {role: driver.RoleEdit, set: field},
	"Switch":          {role: driver.RoleSwitch, set: driver.Clickable | driver.Checkable},
	"Toggle":          {role: driver.RoleSwitch, set: driver.Clickable | driver.Checkable},
	"CheckBox":        {role: driver.RoleCheck, set: driver.Clickable | driver.Checkable},
	"RadioButton":     {role: driver.RoleRadio, set: driver.Clickable | driver.Checkable},
	"Slider":          {role: driver.RoleSlider}, "PickerWheel": {role: driver.RoleSlider}, "Stepper": {role: driver.RoleSlider},
	"ProgressIndicator": {role: driver.RoleProgress}, "ActivityIndicator": {role: driver.RoleProgress},
	"Table":   {role: driver.RoleList, set: driver.Scrollable},
	"Outline": {role: driver.RoleList, set: driver.Scrollable},
	"Grid":    {role: driver.RoleList}, "CollectionView": {role: driver.RoleList, set: driver.Scrollable},
	"ScrollView": {role: driver.RoleScroll, set: driver.Scrollable},
	"Tab":        {role: driver.RoleTab, set: driver.Clickable},
	"Menu":       {role: driver.RoleMenu}, "MenuItem": {role: driver.RoleMenu, set: driver.Clickable},
	"Link":    {role: driver.RoleLink, set: driver.Clickable},
	"WebView": {role: driver.RoleWeb}, "Map": {role: driver.RoleCanvas},
	"Key": {role: driver.RoleKey, set: driver.Clickable},
}

func init() {
	for name, k := range kinds {
		k.class = typePrefix + name
	}
}

// windows are the types that begin a window of their own.
var windows = map[string]string{
	"Keyboard": driver.WindowKeyboard, "Alert": driver.WindowDialog, "Sheet": driver.WindowDialog, "Dialog": driver.WindowDialog,
	"StatusBar": driver.WindowSystem,
}

// oneLine says that an element's type is a field of one line.
func oneLine(class string) bool {
	switch class {
	case typePrefix + "TextField", typePrefix + "SecureTextField", typePrefix + "SearchField":
		return true
	}
	return false
}
