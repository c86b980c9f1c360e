package perception_test

import (
	"fmt"
	"image"
	"testing"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/perception"
)

// listTree is a page of list rows, four nodes each, on a screen high enough to show them all.
func listTree(nodes int) *driver.Tree {
	n := nodes / 4
	list := with(node(driver.RoleList, image.Rect(0, 0, 1080, n*30)), driver.Scrollable)
	for i := range n {
		y := i * 30
		list.Children = append(list.Children, with(node(driver.RoleView, image.Rect(0, y, 1080, y+30),
			text(fmt.Sprintf("Item %d", i), image.Rect(0, y, 500, y+15)),
			text("Something about it, in a few words", image.Rect(0, y+15, 500, y+30)),
			toggle(i%2 == 0, image.Rect(900, y, 1080, y+30))), driver.Clickable))
	}
	return &driver.Tree{Root: list, Size: image.Pt(1080, n*30), App: driver.App{ID: "com.example"}}
}

func BenchmarkRender(b *testing.B) {
	for _, nodes := range []int{400, 5000} {
		tree := listTree(nodes)
		b.Run(fmt.Sprintf("%d nodes", nodes), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				perception.Render(tree, nil)
			}
		})
	}
}
