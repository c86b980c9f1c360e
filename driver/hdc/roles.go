package hdc

import "github.com/handset-go/handset/driver"

// typeRoles are the roles of ArkUI's components and, in lower case, of what is inside a Web component.
var typeRoles = map[string]driver.Role{
	"root": driver.RoleWindow, "WindowScene": driver.RoleWindow,

	"Text": driver.RoleText, "TextClock": driver.RoleText, "TextTimer": driver.RoleText, "RichText": driver.RoleText,
	"Marquee": driver.RoleText, "Span": driver.RoleText, "Toast": driver.RoleText,
	"TextInput": driver.RoleEdit, "TextArea": driver.RoleEdit, "SearchField": driver.RoleEdit, "RichEditor": driver.RoleEdit,
	"Button": driver.RoleButton, "Toggle": driver.RoleSwitch, "Checkbox": driver.RoleCheck, "Radio": driver.RoleRadio,
	"Image": driver.RoleImage, "ImageSpan": driver.RoleImage, "ImageAnimator": driver.RoleImage, "SymbolGlyph": driver.RoleImage,
	"Slider": driver.RoleSlider, "Rating": driver.RoleSlider,
	"Progress": driver.RoleProgress, "LoadingProgress": driver.RoleProgress, "Gauge": driver.RoleProgress,
	"List": driver.RoleList, "Grid": driver.RoleList, "WaterFlow": driver.RoleList,
	"Scroll": driver.RoleScroll, "Swiper": driver.RoleScroll, "Refresh": driver.RoleScroll,
	"Select": driver.RoleMenu, "Menu": driver.RoleMenu, "MenuItem": driver.RoleMenu, "Option": driver.RoleMenu,
	"Hyperlink":  driver.RoleLink,
	"Web":        driver.RoleWeb,
	"XComponent": driver.RoleCanvas, "Canvas": driver.RoleCanvas, "Video": driver.RoleCanvas,

	"staticText": driver.RoleText, "labelText": driver.RoleText, "heading": driver.RoleText,
	"link": driver.RoleLink, "button": driver.RoleButton, "image": driver.RoleImage,
	"textField": driver.RoleEdit, "searchBox": driver.RoleEdit,
	"checkBox": driver.RoleCheck, "radioButton": driver.RoleRadio, "switch": driver.RoleSwitch, "slider": driver.RoleSlider,
	"list": driver.RoleList, "listBox": driver.RoleMenu, "listBoxOption": driver.RoleMenu, "comboBoxMenuButton": driver.RoleMenu,
	"tab": driver.RoleTab,
}

// toggleRoles are the kinds of a Toggle, which its hint tells.
var toggleRoles = map[string]driver.Role{"Checkbox": driver.RoleCheck, "Button": driver.RoleButton}

// roleOf returns the role of a node by its type, and of a plain one by what can be done with it.
func roleOf(n *driver.Node) driver.Role {
	if n.Class == "Toggle" {
		if r, ok := toggleRoles[n.Hint]; ok {
			return r
		}
	}
	if r, ok := typeRoles[n.Class]; ok {
		return r
	}
	switch {
	case n.Is(driver.Checkable):
		return driver.RoleCheck
	case n.Is(driver.Scrollable):
		return driver.RoleScroll
	}
	return driver.RoleView
}

// multiline says whether a text field takes several lines, where its type tells.
func multiline(class string) (many, ok bool) {
	switch class {
	case "TextArea", "RichEditor":
		return true, true
	case "TextInput", "SearchField", "searchBox":
		return false, true
	}
	return false, false
}
