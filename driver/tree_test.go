package driver_test

import (
	"encoding/json"
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

func TestUnknownFlagIsNeitherTrueNorFalse(t *testing.T) {
	var n driver.Node
	require.False(t, n.Is(driver.Enabled))
	require.False(t, n.Not(driver.Enabled))
	n.Set(driver.Enabled, false)
	require.False(t, n.Is(driver.Enabled))
	require.True(t, n.Not(driver.Enabled))
	n.Set(driver.Enabled|driver.Checked, true)
	require.True(t, n.Is(driver.Enabled))
	require.True(t, n.Is(driver.Enabled|driver.Checked))
	require.False(t, n.Is(driver.Enabled|driver.Focused), "one of them is unknown")
	require.False(t, n.Not(driver.Enabled))
	require.Equal(t, "checked enabled", n.Flags.String())
}

func TestLabel(t *testing.T) {
	for _, tt := range []struct {
		node driver.Node
		want string
	}{
		{driver.Node{Text: "text", Desc: "desc", Hint: "hint"}, "text"},
		{driver.Node{Text: "  ", Desc: "desc", Hint: "hint"}, "desc"},
		{driver.Node{Hint: "hint"}, "hint"},
		{driver.Node{}, ""},
	} {
		require.Equal(t, tt.want, tt.node.Label())
	}
}

func TestWalkPathAndNodeAt(t *testing.T) {
	tree := page()
	kids := tree.Root.Children
	kids[0].Children = []*driver.Node{{Text: "in", Bounds: image.Rect(2, 2, 4, 4)}}

	var texts []string
	for n := range tree.Root.All() {
		texts = append(texts, n.Text)
		if n == kids[1] {
			break
		}
	}
	require.Equal(t, []string{"", " OK ", "in", ""}, texts)

	require.Equal(t, []*driver.Node{tree.Root, kids[0], kids[0].Children[0]}, tree.Path(kids[0].Children[0]))
	require.Equal(t, []*driver.Node{tree.Root}, tree.Path(tree.Root))
	require.Nil(t, tree.Path(&driver.Node{}))
	require.Nil(t, (&driver.Tree{}).Path(&driver.Node{}))

	require.Same(t, kids[0].Children[0], tree.NodeAt(image.Pt(3, 3)))
	require.Same(t, kids[0], tree.NodeAt(image.Pt(5, 5)))
	require.Same(t, kids[3], tree.NodeAt(image.Pt(5, 105)), "what is drawn last is on top")
	require.Nil(t, tree.NodeAt(image.Pt(500, 500)))
	require.Equal(t, image.Pt(5, 25), kids[1].Center())
}

func TestTreeJSON(t *testing.T) {
	n := &driver.Node{
		Role: driver.RoleButton, Class: "Button", Text: `"好"`, ID: "ok", Window: driver.WindowApp, Bounds: image.Rect(1, 2, 3, 4),
		Children: []*driver.Node{{Role: driver.RoleText, Desc: "d", Hint: "h", Package: "p"}},
	}
	n.Set(driver.Clickable|driver.LongClickable, true)
	n.Set(driver.Enabled, false)
	tree := &driver.Tree{Root: n, Size: image.Pt(10, 20), Rotation: 3, App: driver.App{ID: "a.b", Page: ".Main"}}
	got, err := json.Marshal(tree)
	require.NoError(t, err)
	require.Equal(t, `{"size":[10,20],"rotation":3,"app":"a.b","page":".Main","root":{"role":"button","class":"Button",`+
		`"text":"\"好\"","id":"ok","window":"app","bounds":[1,2,3,4],"clickable":true,"long_clickable":true,`+
		`"children":[{"role":"text","desc":"d","hint":"h","package":"p","bounds":[0,0,0,0]}]}}`, string(got))

	got, err = json.Marshal(&driver.Tree{})
	require.NoError(t, err)
	require.JSONEq(t, `{"size":[0,0],"rotation":0,"root":null}`, string(got))
}
