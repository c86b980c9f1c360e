package hdc

import (
	"image"
	"maps"
	"strconv"
)

// oddities adds to the first window what the faults ask for.
func (d *Device) oddities(window *element, l layer) {
	page := window
	if len(window.Children) > 0 {
		page = window.Children[0]
	}
	blank := func(kind string, seen, whole image.Rectangle) *element {
		at := maps.Clone(page.Attributes)
		at["bounds"], at["origBounds"], at["type"] = boundsText(seen), boundsText(whole), kind
		at["id"], at["key"], at["text"], at["description"], at["hint"] = "", "", "", "", ""
		at["accessibilityId"] = strconv.Itoa(9000 + len(page.Children))
		at["hashcode"] = strconv.Itoa(l.host) + ":" + at["accessibilityId"]
		e := &element{Attributes: at, Children: []*element{}}
		page.Children = append(page.Children, e)
		return e
	}
	frame := image.Rectangle{Max: d.phone.Size()}
	if d.faults.Take(FaultDumpNoBounds) {
		blank("XComponent", frame, frame).Attributes["bounds"] = ""
	}
	if d.faults.On(FaultDumpNegative) {
		for _, y := range []int{-900, -420, frame.Dy() + 300} {
			row := blank("ListItem", image.Rectangle{}, image.Rect(-20, y, frame.Dx(), y+180))
			row.Attributes["bounds"], row.Attributes["text"] = row.Attributes["origBounds"], "scrolled away"
		}
	}
	if d.faults.On(FaultDumpExtension) {
		box := image.Rect(0, frame.Dy()/2, frame.Dx(), frame.Dy())
		host := blank("UIExtensionComponent", box, box)
		child := blank("Dialog", box, box)
		page.Children = page.Children[:len(page.Children)-1]
		child.Attributes["accessibilityId"], child.Attributes["hashcode"] = "10000000000005", strconv.Itoa(l.host)+":1316134917"
		child.Attributes["text"] = "from another process"
		host.Children = append(host.Children, child)
	}
	if d.faults.On(FaultDumpWeb) {
		d.webPage(blank, page, frame)
	}
	for i := range d.faults.Number(FaultDumpBig) {
		row := blank("Text", frame.Inset(40), frame.Inset(40))
		row.Attributes["text"] = "row " + strconv.Itoa(i)
	}
}

// webPage is an ArkWeb component: its nodes have no opacity, some no height, and edges beyond the screen.
func (d *Device) webPage(blank func(string, image.Rectangle, image.Rectangle) *element, page *element, frame image.Rectangle) {
	web := blank("Web", frame, frame)
	web.Attributes["text"] = "https://example.com/"
	for i, kind := range []string{"genericContainer", "link", "staticText", "button"} {
		y := frame.Dy()/3 + 120*i
		box := image.Rect(0, y, frame.Dx()+58, y+96)
		if kind == "genericContainer" {
			box.Max.Y = y
		}
		e := blank(kind, box, box)
		page.Children = page.Children[:len(page.Children)-1]
		e.Attributes["opacity"], e.Attributes["text"] = "0.000000", kind
		web.Children = append(web.Children, e)
	}
}
