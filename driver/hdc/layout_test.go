package hdc

import (
	"encoding/json"
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

// element writes one node: the attributes given, over those that every node has.
func element(attrs map[string]string, children ...string) string {
	all := map[string]string{
		"accessibilityId": "4", "bounds": "[0,0][0,0]", "checkable": "false", "checked": "false", "clickable": "false", "description": "",
		"enabled": "true", "focused": "false", "hashcode": "36:4", "hint": "", "id": "", "key": "", "longClickable": "false",
		"opacity": "1.000000", "scrollable": "false", "selected": "false", "text": "", "type": "Column", "visible": "true",
	}
	for name, value := range attrs {
		all[name] = value
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return `{"attributes":` + string(text) + `,"children":[` + strings.Join(children, ",") + `]}`
}

// screen writes the root of a merged dump: nothing but its bounds is known.
func screen(size string, windows ...string) string {
	return element(map[string]string{
		"accessibilityId": "", "bounds": "[0,0]" + size, "checkable": "", "checked": "", "clickable": "", "enabled": "", "focused": "",
		"longClickable": "", "scrollable": "", "selected": "", "type": "", "visible": "",
	}, windows...)
}

// window writes a window of an app.
func window(bundle, ability, page string, attrs map[string]string, children ...string) string {
	all := map[string]string{"type": "root", "bundleName": bundle, "abilityName": ability, "pagePath": page, "bounds": "[0,100][1000,1500]"}
	for name, value := range attrs {
		all[name] = value
	}
	return element(all, children...)
}

type at = map[string]string

// chat is a page with the keyboard up, as a phone dumps it: the app clipped at the keyboard, the status bar, the keyboard and the
// panel below it.
var chat = screen("[1000,2000]",
	window("com.example.chat", "EntryAbility", "pages/Chat", at{"focused": "true", "origBounds": "[0,0][1000,2000]"},
		element(at{"type": "TextInput", "bounds": "[10,1300][800,1400]", "clickable": "true", "focused": "true", "hint": "Message", "text": "hi"}),
		element(at{"type": "TextArea", "bounds": "[10,1100][800,1200]", "hint": "Notes"}),
		element(at{"type": "Button", "bounds": "[810,1300][990,1400]", "clickable": "true", "key": "send", "description": " "},
			element(at{"type": "Text", "bounds": "[820,1310][980,1390]", "text": "Send \"it\""}))),
	window(desktop, "", "", at{"type": "WindowScene", "bounds": "[0,0][1000,100]", "id": "session30", "key": "session30"}),
	window("com.huawei.hmos.inputmethod", "", "", at{"bounds": "[0,1500][1000,1900]"},
		element(at{"type": "Text", "bounds": "[0,1500][100,1600]", "clickable": "true", "text": "q"})),
	window(desktop, "", "", at{"type": "WindowScene", "bounds": "[0,1900][1000,2000]", "id": "keyboardPanel4"}),
)

func TestParseLayout(t *testing.T) {
	tree, err := ParseLayout([]byte(chat))
	require.NoError(t, err)
	require.Equal(t, image.Pt(1000, 2000), tree.Size)
	require.Equal(t, driver.App{ID: "com.example.chat", Page: "pages/Chat"}, tree.App)
	require.Zero(t, tree.Root.Known, "of the root nothing is known")
	require.Len(t, tree.Root.Children, 4)
	var kinds []string
	for _, w := range tree.Root.Children {
		kinds = append(kinds, w.Window)
	}
	require.Equal(t, []string{driver.WindowKeyboard, driver.WindowKeyboard, driver.WindowSystem, driver.WindowApp}, kinds,
		"the window in front comes last")

	field := tree.Find(driver.HasFlag(driver.Focused), driver.ByRole(driver.RoleEdit))
	require.NotNil(t, field)
	require.Equal(t, "hi", field.Text)
	require.Equal(t, "Message", field.Hint)
	require.Equal(t, "com.example.chat", field.Package)
	require.True(t, field.Not(driver.Multiline))
	require.True(t, tree.Find(driver.ByText("Notes")).Is(driver.Multiline))
	require.Zero(t, field.Known&driver.Password, "the tool does not tell")

	send := tree.Find(driver.ByID("send"))
	require.Equal(t, driver.RoleButton, send.Role)
	require.Empty(t, send.Desc, "one blank is nothing")
	require.Equal(t, `Send "it"`, send.Children[0].Text, "the label is a Text below")
	require.True(t, send.Children[0].Not(driver.Clickable))
	require.Equal(t, driver.RoleKey, tree.Find(driver.ByText("q")).Role)
}

// TestLayoutShapes reads the forms that dumps have: each has one node with the text "here".
func TestLayoutShapes(t *testing.T) {
	here := element(at{"type": "Text", "text": "here", "bounds": "[1,2][3,4]"})
	win := window("com.example.a", "Main", "", nil, here)
	merged := screen("[1000,2000]", win)
	var pretty strings.Builder
	enc := json.NewEncoder(&pretty)
	enc.SetIndent("", "    ")
	require.NoError(t, enc.Encode(json.RawMessage(merged)))
	tests := map[string]string{
		"one line":             merged,
		"pretty":               pretty.String(),
		"all windows, -i":      "[" + win + "," + window("com.example.b", "", "", nil) + "]",
		"one window, -m false": win,
		"chatter before":       "INFO:             Vulkan Loader Version 1.3.250 [x]{y}\n" + merged,
		"chatter behind":       merged + "\nbye",
		"byte order mark":      "\ufeff" + merged,
		"children as object":   strings.ReplaceAll(merged, `"children":[]`, `"children":{}`),
		"fonts, -a":            strings.ReplaceAll(merged, `"children":[]`, `"children":[],"extraAttrs":{"FontSize":"16fp","a":[1,{}]}`),
		"booleans":             strings.ReplaceAll(strings.ReplaceAll(merged, `"true"`, `true`), `"false"`, `false`),
		"a list as attribute":  strings.ReplaceAll(merged, `"text":"here"`, `"text":"here","areas":[[1],{"a":"b"}]`),
		"no ability or page":   strings.ReplaceAll(merged, `"abilityName":"Main"`, `"abilityName":""`),
		"unknown attributes":   strings.ReplaceAll(merged, `"text":`, `"uniqueId":"9","blur":"","text":`),
		"children come first":  `{"children":[` + win + `],"attributes":{"bounds":"[0,0][1000,2000]"}}`,
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			tree, err := ParseLayout([]byte(text))
			require.NoError(t, err)
			n := tree.Find(driver.ByText("here"))
			require.NotNil(t, n)
			require.Equal(t, image.Rect(1, 2, 3, 4), n.Bounds)
			require.Equal(t, "com.example.a", n.Package)
			require.True(t, n.Is(driver.Enabled))
			require.True(t, n.Not(driver.Checkable))
			require.Equal(t, "com.example.a", tree.App.ID)
			require.Positive(t, tree.Size.X)
		})
	}
}

func TestLayoutIsNone(t *testing.T) {
	tests := map[string]string{
		"nothing":         "",
		"a failure":       "DumpLayout failed:Can not connect to AAMS, RET_ERR_CONNECTION_EXIST",
		"no attributes":   `{"value":{"children":[]}}`,
		"cut short":       chat[:len(chat)/2],
		"cut at the end":  chat[:len(chat)-1],
		"cut in a string": chat[:strings.Index(chat, "Send")],
		"booting":         screen("[0,0]"),
		"too deep":        strings.Repeat(`{"attributes":{},"children":[`, maxDepth+2),
		"bad escape":      strings.ReplaceAll(chat, `"hi"`, `"h\x"`),
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := ParseLayout([]byte(text))
			require.ErrorIs(t, err, errLayout)
			require.False(t, errors.Is(err, errors.ErrUnsupported))
		})
	}
}

func TestLayoutTraps(t *testing.T) {
	one := func(attrs map[string]string) *driver.Node {
		tree, err := ParseLayout([]byte(screen("[1000,2000]", window("com.example.a", "Main", "", nil, element(attrs)))))
		require.NoError(t, err)
		return tree.Root.Children[0].Children[0]
	}
	t.Run("empty bounds take the whole ones", func(t *testing.T) {
		n := one(at{"type": "XComponent", "bounds": "", "origBounds": "[0,0][1000,2000]"})
		require.Equal(t, image.Rect(0, 0, 1000, 2000), n.Bounds)
		require.Equal(t, driver.RoleCanvas, n.Role)
	})
	t.Run("visible part, and not the whole", func(t *testing.T) {
		n := one(at{"bounds": "[0,136][1000,1739]", "origBounds": "[0,0][1000,2000]"})
		require.Equal(t, image.Rect(0, 136, 1000, 1739), n.Bounds)
	})
	t.Run("scrolled away", func(t *testing.T) {
		n := one(at{"type": "ListItem", "bounds": "[-20,-900][1000,-720]"})
		require.Equal(t, image.Rect(-20, -900, 1000, -720), n.Bounds)
	})
	t.Run("swapped corners", func(t *testing.T) {
		require.True(t, one(at{"bounds": "[300,300][100,100]"}).Bounds.Empty())
	})
	t.Run("web nodes are seen, whatever their opacity", func(t *testing.T) {
		n := one(at{"type": "link", "opacity": "0.000000", "bounds": "[0,296][1138,296]", "text": "more"})
		require.Equal(t, driver.RoleLink, n.Role)
		require.Equal(t, image.Rect(0, 296, 1138, 296), n.Bounds)
		require.True(t, n.Is(driver.Visible))
	})
	t.Run("icons of a font", func(t *testing.T) {
		n := one(at{"type": "Text", "text": "\ue93e"})
		require.Empty(t, n.Text)
		require.Equal(t, driver.RoleImage, n.Role)
		require.Equal(t, "\ue93e ok", one(at{"type": "Text", "text": "\ue93e ok"}).Text)
	})
	t.Run("kinds of toggle", func(t *testing.T) {
		for hint, role := range map[string]driver.Role{"Switch": driver.RoleSwitch, "Checkbox": driver.RoleCheck, "Button": driver.RoleButton} {
			n := one(at{"type": "Toggle", "hint": hint, "checkable": "true", "checked": "true"})
			require.Equal(t, role, n.Role)
			require.Empty(t, n.Hint)
			require.True(t, n.Is(driver.Checked))
		}
	})
	t.Run("masked text", func(t *testing.T) {
		require.True(t, one(at{"type": "TextInput", "text": "•••"}).Is(driver.Password))
		n := one(at{"type": "TextInput", "text": "***", "originalText": "abc"})
		require.True(t, n.Is(driver.Password))
		require.Equal(t, "***", n.Text, "the text before it was masked is nobody's business")
		require.Zero(t, one(at{"type": "TextInput", "text": "***", "originalText": "***"}).Known&driver.Password)
	})
	t.Run("ids of 14 digits", func(t *testing.T) {
		require.Equal(t, "from another process", one(at{"accessibilityId": "10000000000005", "hashcode": "81:1316134917", "text": "from another process"}).Text)
	})
	t.Run("escapes", func(t *testing.T) {
		text := strings.ReplaceAll(screen("[9,9]", window("com.example.a", "", "", nil, element(at{"text": "MARK"}))),
			"MARK", `\u6253\ud83d\ude42\ud83d \"\\\/\b\f\n\r\t`)
		tree, err := ParseLayout([]byte(text))
		require.NoError(t, err)
		require.Equal(t, "打🙂\ufffd \"\\/\b\f\n\r\t", tree.Root.Children[0].Children[0].Text)
	})
}

func TestAppInFront(t *testing.T) {
	app := func(focused string) string {
		return window("com.example.a", "Main", "pages/A", at{"focused": focused})
	}
	bar := window(desktop, "", "", at{"type": "WindowScene", "id": "session1"})
	keys := window("com.sogou.input", "", "", at{"focused": "true"})
	tests := map[string]struct {
		windows []string
		want    driver.App
	}{
		"with the focus":       {[]string{bar, app("true")}, driver.App{ID: "com.example.a", Page: "pages/A"}},
		"the keyboard is none": {[]string{keys, bar, app("false")}, driver.App{ID: "com.example.a", Page: "pages/A"}},
		"nobody has the focus": {[]string{bar, app("false")}, driver.App{ID: "com.example.a", Page: "pages/A"}},
		"the desktop":          {[]string{bar}, driver.App{ID: desktop}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tree, err := ParseLayout([]byte(screen("[1000,2000]", tt.windows...)))
			require.NoError(t, err)
			require.Equal(t, tt.want, tree.App)
		})
	}
}

// TestSampleLayouts reads dumps of real phones, where they are at hand.
func TestSampleLayouts(t *testing.T) {
	dir := os.Getenv("HANDSET_SAMPLES")
	if dir == "" {
		t.Skip("HANDSET_SAMPLES does not name the folder of samples")
	}
	tests := []struct {
		file, app string
		size      image.Point
		nodes     int
		windows   int
	}{
		{"haptest_layout_login.json", "com.huawei.logindemo", image.Pt(1344, 2772), 44, 2},
		{"haptest_layout_modalpage.json", "com.huawei.hmos.soundrecorder", image.Pt(1344, 2772), 137, 2},
		{"haptest_layout_normal_keyboard.json", "com.huawei.logindemo", image.Pt(1344, 2772), 127, 4},
		{"hmdriver2_hierarchy.json", "com.samples.test.uitest", image.Pt(1260, 2720), 76, 2},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(dir, "hdc", tt.file))
			require.NoError(t, err)
			tree, err := ParseLayout(data)
			require.NoError(t, err)
			require.Equal(t, tt.app, tree.App.ID)
			require.Equal(t, tt.size, tree.Size)
			require.Len(t, tree.FindAll(), tt.nodes)
			require.Len(t, tree.Root.Children, tt.windows)
		})
	}
}

func FuzzParseLayout(f *testing.F) {
	f.Add([]byte(chat))
	f.Add([]byte("[" + window("a.b", "c", "d", nil) + "]"))
	f.Add([]byte(`{"attributes":{"bounds":"[-1,-2][3,4]","text":"\ud83d\u0020\n"},"children":[{}]}`))
	f.Add([]byte(`[{"attributes"`))
	f.Fuzz(func(t *testing.T, data []byte) {
		tree, err := ParseLayout(data)
		if err != nil {
			if !errors.Is(err, errLayout) {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		if tree.Size.X <= 0 || tree.Size.Y <= 0 {
			t.Fatalf("size %v", tree.Size)
		}
		for n := range tree.Root.All() {
			if n.Bounds.Min.X > n.Bounds.Max.X || n.Bounds.Min.Y > n.Bounds.Max.Y || n.Flags&^n.Known != 0 {
				t.Fatalf("node %+v", n)
			}
		}
	})
}

// bigLayout is a dump of about n nodes.
func bigLayout(n int) []byte {
	var rows []string
	for i := range n / 4 {
		y := i * 120
		rows = append(rows, element(at{"type": "ListItem", "bounds": fmt.Sprintf("[0,%d][1000,%d]", y, y+120), "clickable": "true"},
			element(at{"type": "Row", "bounds": fmt.Sprintf("[0,%d][1000,%d]", y, y+120)},
				element(at{"type": "Text", "bounds": fmt.Sprintf("[40,%d][600,%d]", y, y+60), "text": fmt.Sprintf("列表 row %d", i)}),
				element(at{"type": "Toggle", "bounds": fmt.Sprintf("[800,%d][960,%d]", y, y+60), "hint": "Switch", "checkable": "true"}))))
	}
	return []byte(screen("[1000,2000]", window("com.example.a", "Main", "", nil, rows...)))
}

func BenchmarkParseLayout(b *testing.B) {
	for _, n := range []int{350, 20_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			data := bigLayout(n)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ParseLayout(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
