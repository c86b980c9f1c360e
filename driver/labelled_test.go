package driver_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

// at makes a node; one without children is as high as a line.
func at(role driver.Role, text string, box image.Rectangle, kids ...*driver.Node) *driver.Node {
	return &driver.Node{Role: role, Text: text, Bounds: box, Children: kids}
}

func clickable(n *driver.Node) *driver.Node {
	n.Set(driver.Clickable, true)
	return n
}

func line(x0, x1, y int) image.Rectangle { return image.Rect(x0, y, x1, y+40) }

// settings is a list with a row for each setting: its title, its summary and its switch.
func settings(row func(title, summary string, y int) *driver.Node) *driver.Tree {
	list := at(driver.RoleList, "", image.Rect(0, 0, 500, 900), row("Wi-Fi", "On", 0), row("Bluetooth", "Off", 100), row("Airplane mode", "Off", 200))
	page := at(driver.RoleView, "", image.Rect(0, 0, 500, 900), list)
	return &driver.Tree{Root: at(driver.RoleWindow, "", image.Rect(0, 0, 500, 900), page), Size: image.Pt(500, 900)}
}

func TestLabelledSwitch(t *testing.T) {
	title := func(s string, y int) *driver.Node { return at(driver.RoleText, s, line(0, 200, y)) }
	toggle := func(y int) *driver.Node { return at(driver.RoleSwitch, "", line(400, 500, y+20)) }
	for _, c := range []struct {
		name string
		row  func(title, summary string, y int) *driver.Node
	}{
		{"a row that can be clicked", func(s, sum string, y int) *driver.Node {
			texts := at(driver.RoleView, "", image.Rect(0, y, 200, y+80), title(s, y), title(sum, y+40))
			return clickable(at(driver.RoleView, "", image.Rect(0, y, 500, y+80), texts, at(driver.RoleView, "", line(400, 500, y+20), toggle(y))))
		}},
		{"a row of two halves, each with its own click", func(s, sum string, y int) *driver.Node {
			texts := clickable(at(driver.RoleView, "", image.Rect(0, y, 200, y+80), title(s, y), title(sum, y+40)))
			return at(driver.RoleView, "", image.Rect(0, y, 500, y+80), texts, clickable(toggle(y)))
		}},
		{"a row that is only an item of the list", func(s, sum string, y int) *driver.Node {
			return at(driver.RoleView, "", image.Rect(0, y, 500, y+80), title(s, y), title(sum, y+40), toggle(y))
		}},
		{"a row that says its name", func(s, sum string, y int) *driver.Node {
			row := clickable(at(driver.RoleView, "", image.Rect(0, y, 500, y+80), toggle(y)))
			row.Desc = s
			return row
		}},
		{"a switch that says its name", func(s, sum string, y int) *driver.Node {
			on := toggle(y)
			on.Desc = s
			return at(driver.RoleView, "", image.Rect(0, y, 500, y+80), title(s, y), on)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := settings(c.row)
			found := tree.FindAll(driver.ByRole(driver.RoleSwitch), driver.Labelled("Bluetooth"))
			require.Len(t, found, 1)
			require.Equal(t, line(400, 500, 120), found[0].Bounds)
			require.Nil(t, tree.Find(driver.ByRole(driver.RoleSwitch), driver.Labelled("Blue")))
			require.Nil(t, tree.Find(driver.ByRole(driver.RoleSwitch), driver.Labelled("")))
			for _, n := range tree.FindAll(driver.Labelled("Bluetooth")) {
				require.True(t, n.Bounds.In(image.Rect(0, 100, 500, 180)), "nothing but the row and what is in it: %v", n)
			}
		})
	}
}

// Where no row is around them, a control is named by the text on its line, or above it.
func TestLabelledForm(t *testing.T) {
	form := at(driver.RoleView, "", image.Rect(0, 0, 500, 500),
		at(driver.RoleText, "Name", line(0, 200, 0)), at(driver.RoleEdit, "Ann", line(0, 500, 50)),
		at(driver.RoleText, "Password", line(0, 200, 120)), at(driver.RoleEdit, "", line(0, 500, 170)),
		at(driver.RoleText, "Remember me", line(60, 300, 250)), at(driver.RoleCheck, "", line(0, 50, 250)),
		at(driver.RoleText, "News", line(60, 300, 350)), at(driver.RoleCheck, "", line(0, 50, 350)),
	)
	tree := &driver.Tree{Root: at(driver.RoleWindow, "", image.Rect(0, 0, 500, 500), form), Size: image.Pt(500, 500)}
	for label, want := range map[string]*driver.Node{"Name": form.Children[1], "Password": form.Children[3]} {
		require.Equal(t, []*driver.Node{want}, tree.FindAll(driver.ByRole(driver.RoleEdit), driver.Labelled(label)), label)
	}
	for label, want := range map[string]*driver.Node{"Remember me": form.Children[5], "News": form.Children[7]} {
		require.Equal(t, []*driver.Node{want}, tree.FindAll(driver.ByRole(driver.RoleCheck), driver.Labelled(label)), label)
	}
	require.Same(t, form.Children[4], tree.Find(driver.Labelled("Remember me")), "what is no control has only its own text")
}

// The button of a card is told from that of the next card by the card's title.
func TestLabelledButtonOfARow(t *testing.T) {
	card := func(title string, y int) *driver.Node {
		return at(driver.RoleView, "", image.Rect(0, y, 500, y+90), at(driver.RoleText, title, line(0, 200, y)), clickable(at(driver.RoleButton, "Add", line(0, 100, y+45))))
	}
	list := at(driver.RoleList, "", image.Rect(0, 0, 500, 900), card("Milk", 0), card("Bread", 100))
	tree := &driver.Tree{Root: list, Size: image.Pt(500, 900)}
	require.Equal(t, []*driver.Node{list.Children[1].Children[1]}, tree.FindAll(driver.ByText("Add"), driver.Labelled("Bread")))
}
