package adb

import (
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

const plainDump = `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="1">` +
	`<node index="0" text="" resource-id="" class="android.widget.FrameLayout" package="com.example" content-desc="" checkable="false" ` +
	`checked="false" clickable="false" enabled="true" focusable="false" focused="false" scrollable="false" long-clickable="false" ` +
	`password="false" selected="false" bounds="[0,0][2400,1080]">` +
	`<node NAF="true" index="2" text='say "hi" > now' resource-id="com.example:id/send" class="android.widget.Button" package="com.example" ` +
	`content-desc="a&#10;b &amp;lt; &#128077; &#55357;&#56397; &#55357;x" checkable="true" checked="true" clickable="true" bounds="[10,-20][30,40]" />` +
	`</node></hierarchy>`

func TestParseDump(t *testing.T) {
	tree, err := ParseDump([]byte("WARNING: linker: noise <x>\n" + plainDump + "UI hierchary dumped to: /dev/tty"))
	require.NoError(t, err)
	require.Equal(t, 1, tree.Rotation)
	require.Equal(t, image.Pt(2400, 1080), tree.Size)
	require.Equal(t, "com.example", tree.App.ID)
	require.Len(t, tree.Root.Children, 1)
	n := tree.Root.Children[0]
	require.Equal(t, `say "hi" > now`, n.Text)
	require.Equal(t, "a\nb &lt; 👍 👍 \ufffdx", n.Desc)
	require.Equal(t, "com.example:id/send", n.ID)
	require.Equal(t, driver.RoleButton, n.Role)
	require.Equal(t, image.Rect(10, -20, 30, 40), n.Bounds)
	require.Equal(t, driver.Checkable|driver.Checked|driver.Clickable, n.Flags)
	require.Equal(t, driver.Checkable|driver.Checked|driver.Clickable, n.Known, "a flag without an attribute is unknown")
	require.True(t, tree.Root.Not(driver.Clickable))
}

func TestParseDumpOfWindows(t *testing.T) {
	const dump = `<displays><display id="2"><window index="0" title="Other" layer="9" type="1"><hierarchy rotation="0">` +
		`<node class="a.B" package="other" bounds="[0,0][9,9]"/></hierarchy></window></display>` +
		`<display id="0"><window index="0" title="Keys" bounds="[0,60][100,200]" active="false" layer="1" type="2">` +
		`<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="ime" bounds="[0,60][100,200]"/></hierarchy></window>` +
		`<window index="1" title="Page" bounds="[0,0][100,200]" active="true" focused="true" layer="0" type="1"><hierarchy rotation="0">` +
		`<node class="android.widget.FrameLayout" package="com.app" bounds="[0,0][100,200]"/><node class="a.View" package="com.app" bounds="[1,1][2,2]"/>` +
		`</hierarchy></window><window title="Empty" layer="5" type="3"><hierarchy rotation="0"/></window></display></displays>`
	tree, err := ParseDump([]byte(dump))
	require.NoError(t, err)
	require.Equal(t, "com.app", tree.App.ID)
	require.Equal(t, image.Pt(100, 200), tree.Size)
	require.Len(t, tree.Root.Children, 2, "the other display and the empty window are left out")
	page, keys := tree.Root.Children[0], tree.Root.Children[1]
	require.Equal(t, "Page", page.Text)
	require.Len(t, page.Children, 2)
	require.Equal(t, driver.WindowApp, page.Children[0].Window)
	require.Equal(t, driver.WindowKeyboard, keys.Children[0].Window)
	require.Same(t, keys.Children[0], tree.NodeAt(image.Pt(50, 100)), "what lies above comes last")
}

func TestParseDumpCases(t *testing.T) {
	node := func(attrs string) string { return `<hierarchy rotation="0"><node ` + attrs + `/></hierarchy>` }
	tests := []struct {
		name, dump string
		check      func(t *testing.T, n *driver.Node)
	}{
		{"swapped bounds", node(`class="x" bounds="[210,315][646,247]" visible-to-user="true"`), func(t *testing.T, n *driver.Node) {
			require.True(t, n.Bounds.Empty())
			require.Equal(t, image.Pt(210, 247), n.Bounds.Min)
			require.True(t, n.Not(driver.Visible))
		}},
		{"bounds that are none", node(`class="x" bounds="[a,1][2,3]"`), func(t *testing.T, n *driver.Node) {
			require.Equal(t, image.Rectangle{}, n.Bounds)
		}},
		{"space around everything", node("class = 'x'\n text\t=\r\n\"y\" "), func(t *testing.T, n *driver.Node) {
			require.Equal(t, "y", n.Text)
		}},
		{"tags that are classes", `<hierarchy rotation="0"><android.widget.EditText text="t" displayed="false"></android.widget.EditText></hierarchy>`,
			func(t *testing.T, n *driver.Node) {
				require.Equal(t, driver.RoleEdit, n.Role)
				require.True(t, n.Not(driver.Visible))
			}},
		{"a hint that shows", node(`class="android.widget.EditText" text="Search" hint="Search"`), func(t *testing.T, n *driver.Node) {
			require.Empty(t, n.Text)
			require.Equal(t, "Search", n.Label())
		}},
		{"a flag that is neither", node(`class="x" clickable="maybe" unknown="true"`), func(t *testing.T, n *driver.Node) {
			require.Zero(t, n.Known)
		}},
		{"no entity", node(`text="a & b &nbsp; &#xZZ; &#1114112; &lt;"`), func(t *testing.T, n *driver.Node) {
			require.Equal(t, "a & b &nbsp; &#xZZ; &#1114112; <", n.Text)
		}},
		{"bytes that are no text", node("text=\"a\xff\xfeb\""), func(t *testing.T, n *driver.Node) {
			require.Equal(t, "a\ufffdb", n.Text)
		}},
		{"comments and a doctype", `<!DOCTYPE x><hierarchy rotation="3"><!-- <node> --><node text="y"></node></hierarchy>`, func(t *testing.T, n *driver.Node) {
			require.Equal(t, "y", n.Text)
		}},
		{"a maker's class", node(`class="com.huawei.uikit.HwTextView"`), func(t *testing.T, n *driver.Node) {
			require.Equal(t, driver.RoleText, n.Role)
		}},
		{"an inner class", node(`class="android.widget.SearchView$SearchAutoComplete"`), func(t *testing.T, n *driver.Node) {
			require.Equal(t, driver.RoleEdit, n.Role)
		}},
		{"a view that can be checked", node(`class="android.view.View" checkable="true"`), func(t *testing.T, n *driver.Node) {
			require.Equal(t, driver.RoleCheck, n.Role)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree, err := ParseDump([]byte(tt.dump))
			require.NoError(t, err)
			tt.check(t, tree.Root)
		})
	}
}

func TestParseDumpRefuses(t *testing.T) {
	tests := []struct{ name, dump, want string }{
		{"nothing", "", "no <hierarchy>"},
		{"words", "ERROR: could not get idle state.", "no <hierarchy>"},
		{"an empty hierarchy", `<?xml version='1.0'?><hierarchy rotation="0"/>`, "no nodes"},
		{"cut off", plainDump[:len(plainDump)-20], "cut off"},
		{"cut off inside", plainDump[:300] + `</hierarchy>`, "byte"},
		{"crossed tags", `<hierarchy><node text="a"></hierarchy></node></hierarchy>`, "closes nothing"},
		{"a node outside", `<hierarchy/><node></node></hierarchy>`, ""},
		{"no quotes", `<hierarchy><node text=a/></hierarchy>`, "no quotes"},
		{"no value", `<hierarchy><node text/></hierarchy>`, "no value"},
		{"too deep", "<hierarchy>" + strings.Repeat("<node>", maxDepth+1) + "</hierarchy>", "deeper"},
		{"too many", "<hierarchy>" + strings.Repeat("<node/>", maxNodes+1) + "</hierarchy>", "more than"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ParseDump([]byte(tt.dump))
			if tt.want == "" {
				return // either answer will do, if it does not panic
			}
			require.ErrorIs(t, err, errDump)
			require.ErrorContains(t, err, tt.want)
		})
	}
}

// TestParseDumpsOfRealPhones reads dumps that were taken on phones, where a folder with them is at
// hand.
func TestParseDumpsOfRealPhones(t *testing.T) {
	dir := os.Getenv("HANDSET_SAMPLES")
	if dir == "" {
		t.Skip("HANDSET_SAMPLES names no folder with samples")
	}
	files, err := filepath.Glob(filepath.Join(dir, "adb", "uia_*.xml"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		tree, err := ParseDump(data)
		require.NoError(t, err, file)
		nodes := 0
		for range tree.Root.All() {
			nodes++
		}
		require.GreaterOrEqual(t, nodes, strings.Count(string(data), "<node "), file)
		require.NotEmpty(t, tree.App.ID, file)
		require.False(t, tree.Bounds().Empty(), file)
	}
}

func FuzzParseDump(f *testing.F) {
	for _, seed := range []string{plainDump, `<displays><display id="0"><window type="2"><hierarchy rotation="0"><node bounds="[1,2][3,4]"/></hierarchy></window></display></displays>`,
		`<hierarchy><a text='&#55357;&#56397;&amp;'/><!-- --></hierarchy>`, `<hierarchy rotation="0"/>`, ""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tree, err := ParseDump(data)
		if err != nil {
			require.True(t, errors.Is(err, errDump), "%v", err)
			return
		}
		for n := range tree.Root.All() {
			require.LessOrEqual(t, n.Bounds.Min.X, n.Bounds.Max.X)
			require.LessOrEqual(t, n.Bounds.Min.Y, n.Bounds.Max.Y)
			require.Zero(t, n.Flags&^n.Known)
		}
	})
}

// bigDump makes a dump of n nodes as a phone writes them, about 380 bytes each.
func bigDump(n int) []byte {
	var b strings.Builder
	b.WriteString(`<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0">`)
	open := 0
	for i := range n {
		end := " />"
		if i%5 == 0 && open < 40 {
			end = ">"
			open++
		}
		fmt.Fprintf(&b, `<node index="%d" text="Row %d of the list" resource-id="com.example.app:id/row_%d" class="android.widget.TextView" package="com.example.app" `+
			`content-desc="" checkable="false" checked="false" clickable="true" enabled="true" focusable="true" focused="false" scrollable="false" `+
			`long-clickable="false" password="false" selected="false" bounds="[0,%d][1080,%d]"%s`, i%9, i, i%50, i, i+60, end)
	}
	b.WriteString(strings.Repeat("</node>", open) + "</hierarchy>")
	return []byte(b.String())
}

func BenchmarkParseDump(b *testing.B) {
	for _, n := range []int{400, 5000} {
		data := bigDump(n)
		b.Run(fmt.Sprintf("%d_nodes", n), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := ParseDump(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
