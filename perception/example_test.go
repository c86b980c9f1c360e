package perception_test

import (
	"fmt"
	"image"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/perception"
)

func ExampleRender() {
	title := &driver.Node{Role: driver.RoleText, Text: "Bluetooth", Bounds: image.Rect(48, 300, 600, 360)}
	toggle := &driver.Node{Role: driver.RoleSwitch, Bounds: image.Rect(900, 290, 1032, 370)}
	toggle.Set(driver.Clickable|driver.Checkable, true)
	toggle.Set(driver.Checked, false)
	battery := &driver.Node{Role: driver.RoleText, Text: "Battery 100%", Bounds: image.Rect(48, 500, 600, 560)}
	tree := &driver.Tree{
		Root: &driver.Node{Role: driver.RoleWindow, Bounds: image.Rect(0, 0, 1080, 2400), Children: []*driver.Node{title, toggle, battery}},
		Size: image.Pt(1080, 2400),
		App:  driver.App{ID: "com.android.settings", Name: "Settings"},
	}
	snap := perception.Render(tree, nil)
	fmt.Println(snap)

	row, err := snap.Row(1)
	fmt.Println(row.At, err)
	// Output:
	// app com.android.settings · Settings · 1080x2400 · kb off · 2 of 4 nodes
	// 1 switch Bluetooth off 895,138
	// - Battery 100% 300,221
	// (966,330) <nil>
}
