package wda_test

import (
	"encoding/json"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/wda"
)

const page = `<?xml version="1.0" encoding="UTF-8"?>
<XCUIElementTypeApplication type="XCUIElementTypeApplication" name="Shop" label="Shop" enabled="true" visible="true" x="0" y="0" width="375" height="667" index="0" processId="7" bundleId="com.example.shop">
  <XCUIElementTypeWindow type="XCUIElementTypeWindow" enabled="true" visible="true" x="0" y="0" width="375" height="667" index="0">
    <XCUIElementTypeNavigationBar type="XCUIElementTypeNavigationBar" name="Basket" enabled="true" visible="true" x="0" y="20" width="375" height="44" index="0">
      <XCUIElementTypeButton type="XCUIElementTypeButton" name="BackButton" label="Shop &amp; more" enabled="true" visible="true" x="8" y="20" width="60" height="44" index="0" traits="Button"/>
      <XCUIElementTypeStaticText type="XCUIElementTypeStaticText" value="Basket" name="Basket" label="Basket" enabled="true" visible="true" x="140" y="31" width="96" height="22" index="1" traits="StaticText, Header"/>
    </XCUIElementTypeNavigationBar>
    <XCUIElementTypeTextField type="XCUIElementTypeTextField" value="Name" label="Your name" enabled="true" visible="true" x="16" y="80" width="343" height="44" index="1" placeholderValue="Name"/>
    <XCUIElementTypeSecureTextField type="XCUIElementTypeSecureTextField" value="•••••" name="pass" label="Password" enabled="true" visible="true" x="16" y="130" width="343" height="44" index="2"/>
    <XCUIElementTypeTextView type="XCUIElementTypeTextView" value="line 1&#10;line 2" name="note" enabled="true" visible="true" x="16" y="180" width="343" height="88" index="3"/>
    <XCUIElementTypeSwitch type="XCUIElementTypeSwitch" value="1" name="Gift" label="Gift" enabled="false" visible="true" x="300" y="280" width="51" height="31" index="4"/>
    <XCUIElementTypeSlider type="XCUIElementTypeSlider" value="50%" name="amount" label="Amount" enabled="true" visible="true" x="16" y="320" width="343" height="31" index="5"/>
    <XCUIElementTypeButton type="XCUIElementTypeButton" value="1" name="Tab 2" label="Tab 2" enabled="true" visible="true" x="100" y="618" width="100" height="49" index="6"/>
    <XCUIElementTypeStaticText type="XCUIElementTypeStaticText" value="` + "\u202a+49 30 1234\u202c" + `" name="phone" label="` + "\u202a+49 30 1234\u202c" + `" enabled="true" visible="true" x="16" y="380" width="200" height="20" index="7"/>
    <XCUIElementTypeOther type="XCUIElementTypeOther" name="loose" label="loose" enabled="true" visible="false" x="-1" y="-1" width="0" height="0" index="8"/>
    <XCUIElementTypeStaticText type="XCUIElementTypeStaticText" value="below" name="below" label="below" enabled="true" visible="false" x="16" y="900" width="200" height="20" index="9"/>
  </XCUIElementTypeWindow>
  <XCUIElementTypeWindow type="XCUIElementTypeWindow" enabled="true" visible="true" x="0" y="0" width="375" height="667" index="1">
    <XCUIElementTypeOther type="XCUIElementTypeOther" enabled="true" visible="true" x="0" y="0" width="375" height="667" index="0">
      <XCUIElementTypeKeyboard type="XCUIElementTypeKeyboard" enabled="true" visible="true" x="0" y="451" width="375" height="216" index="0">
        <XCUIElementTypeKey type="XCUIElementTypeKey" name="q" label="q" enabled="true" visible="true" x="0" y="459" width="37" height="54" index="0" traits="KeyboardKey"/>
      </XCUIElementTypeKeyboard>
    </XCUIElementTypeOther>
  </XCUIElementTypeWindow>
</XCUIElementTypeApplication>
`

func parse(t *testing.T, source string, scale float64) *driver.Tree {
	tree, err := wda.ParseSource([]byte(source), scale)
	require.NoError(t, err)
	return tree
}

func find(t *testing.T, tree *driver.Tree, class string, n int) *driver.Node {
	all := tree.FindAll(func(_ *driver.Tree, n *driver.Node) bool { return n.Class == "XCUIElementType"+class })
	require.Greater(t, len(all), n, class)
	return all[n]
}

func TestParseXMLTexts(t *testing.T) {
	tree := parse(t, page, 2)
	require.Equal(t, image.Pt(750, 1334), tree.Size)
	require.Equal(t, driver.App{ID: "com.example.shop", Name: "Shop"}, tree.App)
	require.Empty(t, tree.Root.Label(), "the app's name is no text on the screen")
	for name, c := range map[string]struct {
		class                string
		n                    int
		role                 driver.Role
		text, desc, hint, id string
	}{
		"button with an id":              {"Button", 0, driver.RoleButton, "Shop & more", "", "", "BackButton"},
		"text of which all is one":       {"StaticText", 0, driver.RoleText, "Basket", "", "", ""},
		"empty field":                    {"TextField", 0, driver.RoleEdit, "", "Your name", "Name", ""},
		"password":                       {"SecureTextField", 0, driver.RoleEdit, "•••••", "Password", "", "pass"},
		"several lines":                  {"TextView", 0, driver.RoleEdit, "line 1\nline 2", "", "", "note"},
		"switch, whose value is no text": {"Switch", 0, driver.RoleSwitch, "", "Gift", "", ""},
		"slider":                         {"Slider", 0, driver.RoleSlider, "50%", "Amount", "", "amount"},
		"marks round a phone number":     {"StaticText", 1, driver.RoleText, "+49 30 1234", "", "", "phone"},
	} {
		t.Run(name, func(t *testing.T) {
			n := find(t, tree, c.class, c.n)
			require.Equal(t, c.role, n.Role)
			require.Equal(t, []string{c.text, c.desc, c.hint, c.id}, []string{n.Text, n.Desc, n.Hint, n.ID})
			require.Equal(t, "com.example.shop", n.Package)
		})
	}
}

func TestParseXMLFlags(t *testing.T) {
	tree := parse(t, page, 1)
	for name, c := range map[string]struct {
		class   string
		n       int
		is, not driver.Flag
		unknown driver.Flag
	}{
		"switch":      {"Switch", 0, driver.Checkable | driver.Checked | driver.Visible, driver.Enabled, driver.Focused},
		"password":    {"SecureTextField", 0, driver.Password | driver.Editable, driver.Multiline, driver.Focused | driver.Selected},
		"text view":   {"TextView", 0, driver.Multiline | driver.Editable | driver.Clickable, driver.Password, 0},
		"field":       {"TextField", 0, driver.Editable | driver.Enabled, driver.Multiline | driver.Password, 0},
		"chosen tab":  {"Button", 1, driver.Selected | driver.Clickable, 0, driver.LongClickable},
		"with traits": {"Button", 0, driver.Clickable, driver.Selected, 0},
		"text":        {"StaticText", 0, driver.Visible, driver.Clickable, driver.Checked | driver.Password},
		"container":   {"Other", 0, 0, driver.Visible, driver.Clickable},
	} {
		t.Run(name, func(t *testing.T) {
			n := find(t, tree, c.class, c.n)
			require.Equal(t, c.is, n.Known&n.Flags&c.is, "is")
			require.True(t, n.Not(c.not), "not")
			require.Zero(t, n.Known&c.unknown, "unknown")
		})
	}
}

func TestParseXMLBounds(t *testing.T) {
	for _, scale := range []float64{1, 2, 3} {
		tree := parse(t, page, scale)
		s := int(scale)
		require.Equal(t, image.Rect(16*s, 80*s, 359*s, 124*s), find(t, tree, "TextField", 0).Bounds)
		require.Equal(t, image.Rectangle{}, find(t, tree, "Other", 0).Bounds, "an infinite frame")
		require.Equal(t, image.Rect(16*s, 900*s, 216*s, 920*s), find(t, tree, "StaticText", 2).Bounds, "below the screen")
	}
}

func TestParseXMLWindows(t *testing.T) {
	tree := parse(t, page, 1)
	require.Equal(t, driver.WindowKeyboard, find(t, tree, "Key", 0).Window)
	require.Equal(t, driver.WindowApp, find(t, tree, "TextField", 0).Window)
	require.Equal(t, image.Rect(0, 451, 375, 667), find(t, tree, "Window", 1).Bounds, "a window that lets touches through is as large as its keyboard")
	require.Equal(t, "Gift", tree.NodeAt(image.Pt(320, 290)).Label())
}

// jsonOf writes the same page as JSON, in one of the shapes that there have been.
func jsonOf(t *testing.T, shape string) string {
	rect := func(x, y, w, h int) any {
		if shape == "2016" {
			return map[string]any{"origin": map[string]any{"x": x, "y": y}, "size": map[string]any{"width": w, "height": h}}
		}
		return map[string]any{"x": x, "y": y, "width": w, "height": h}
	}
	flag := func(on bool) any {
		if shape == "macaca" {
			return on
		}
		return map[bool]string{true: "1", false: "0"}[on]
	}
	id := "rawIdentifier"
	if shape == "macaca" {
		id = "rawIndentifier"
	}
	node := func(kind, raw, label string, value any, r any, kids ...any) map[string]any {
		n := map[string]any{"type": kind, id: raw, "name": label, "label": label, "value": value, "rect": r, "isEnabled": flag(true), "isVisible": flag(true), "isFocused": "0"}
		if kids != nil {
			n["children"] = kids
		}
		return n
	}
	root := node("Application", "", "Shop", nil, rect(0, 0, 375, 667),
		node("Switch", "gift", "Gift", 1, rect(300, 280, 51, 31)),
		node("SearchField", "q", "", "milk", rect(16, 80, 343, 44)))
	var whole any = root
	switch shape {
	case "envelope":
		whole = map[string]any{"value": root, "sessionId": "X"}
	case "2016":
		whole = map[string]any{"value": map[string]any{"tree": root}, "sessionId": nil, "status": 0}
	}
	data, err := json.Marshal(whole)
	require.NoError(t, err)
	return string(data)
}

func TestParseJSON(t *testing.T) {
	for _, shape := range []string{"plain", "envelope", "2016", "macaca"} {
		t.Run(shape, func(t *testing.T) {
			source := jsonOf(t, shape)
			require.Equal(t, wda.FormatJSON, wda.SourceFormat([]byte(source)))
			tree := parse(t, source, 2)
			require.Equal(t, image.Pt(750, 1334), tree.Size)
			gift, search := find(t, tree, "Switch", 0), find(t, tree, "SearchField", 0)
			require.Equal(t, "gift", gift.ID)
			require.True(t, gift.Is(driver.Checked|driver.Enabled|driver.Visible))
			require.Equal(t, image.Rect(600, 560, 702, 622), gift.Bounds)
			require.Equal(t, "milk", search.Text)
			require.Zero(t, search.Known&driver.Focused, "the focus of a remote control is not the keyboard's")
		})
	}
}

func TestSourceFormat(t *testing.T) {
	envelope, err := json.Marshal(map[string]any{"value": page, "sessionId": "X"})
	require.NoError(t, err)
	for name, c := range map[string]struct{ source, want string }{
		"xml":         {page, wda.FormatXML},
		"in envelope": {string(envelope), wda.FormatXML},
		"wrapped":     {"<?xml version=\"1.0\"?>\n<AppiumAUT>\n</AppiumAUT>", wda.FormatXML},
		"android":     {`<hierarchy rotation="0"><node class="android.view.View"/></hierarchy>`, ""},
		"harmony":     {`{"attributes":{"bounds":"[0,0][1,1]"},"children":[]}`, ""},
		"nothing":     {" \n", ""},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, wda.SourceFormat([]byte(c.source))) })
	}
	require.Len(t, parse(t, string(envelope), 1).FindAll(), len(parse(t, page, 1).FindAll()))
}

func TestParseSourceRefuses(t *testing.T) {
	deep := strings.Repeat("<XCUIElementTypeOther>", 2000)
	for name, source := range map[string]string{
		"nothing":           "  ",
		"no element":        "<AppiumAUT>\n</AppiumAUT>",
		"cut off":           page[:len(page)/2],
		"cut in a tag":      page[:400],
		"wrong nesting":     "<XCUIElementTypeOther><a></XCUIElementTypeOther></a>",
		"no quotes":         `<XCUIElementTypeOther x=1/>`,
		"too deep":          deep + strings.Repeat("</XCUIElementTypeOther>", 2000),
		"a failed snapshot": `<XCUIElementTypeAny x="-1" y="-1" width="0" height="0"><XCUIElementTypeAny x="-1" y="-1" width="0" height="0"/></XCUIElementTypeAny>`,
		"no frame":          `<XCUIElementTypeApplication x="-1" y="-1" width="0" height="0"/>`,
		"null":              `{"value":null}`,
		"an error":          `{"value":{"error":"unknown error","message":"no"}}`,
		"half of JSON":      `{"value":{"type":"Appl`,
		"a list":            `["x"]`,
	} {
		t.Run(name, func(t *testing.T) {
			tree, err := wda.ParseSource([]byte(source), 1)
			require.ErrorIs(t, err, driver.ErrNoTree)
			require.Nil(t, tree)
		})
	}
}

func TestParseOddXML(t *testing.T) {
	for name, c := range map[string]struct{ value, want string }{
		"references":          {"&lt;b&gt; &amp;amp; &quot;q&quot; &apos;a&apos;", "<b> &amp; \"q\" 'a'"},
		"numbers":             {"&#10;&#x1F600;&#9731;", "\n😀☃"},
		"not references":      {"a & b &; &unknown; &#0; &#xZZ; &", "a & b &; &unknown; &#0; &#xZZ; &"},
		"greater than":        {"a > b", "a > b"},
		"replaced characters": {"a\ufffdb", "a\ufffdb"},
	} {
		t.Run(name, func(t *testing.T) {
			source := fmt.Sprintf("<!-- a > b --><XCUIElementTypeStaticText label=\"%s\" x='0' y='0' width='9' height='9'/>", c.value)
			require.Equal(t, c.want, parse(t, source, 1).Root.Text)
		})
	}
}

// TestSamples reads the sources that others published, where they are.
func TestSamples(t *testing.T) {
	dir := os.Getenv("HANDSET_SAMPLES")
	if dir == "" {
		t.Skip("HANDSET_SAMPLES is not set")
	}
	files, err := filepath.Glob(filepath.Join(dir, "wda", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		if ext := filepath.Ext(file); ext != ".xml" && ext != ".json" {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			tree, err := wda.ParseSource(data, 2)
			if strings.Contains(file, "NotFound") {
				require.ErrorIs(t, err, driver.ErrNoTree)
				return
			}
			require.NoError(t, err)
			require.NotZero(t, tree.Size.X*tree.Size.Y)
			for n := range tree.Root.All() {
				require.True(t, strings.HasPrefix(n.Class, "XCUIElementType"), n.Class)
			}
		})
	}
}

func FuzzParseSource(f *testing.F) {
	f.Add(page)
	f.Add(`{"value":{"tree":{"type":"Other","rect":{"origin":{"x":1},"size":null},"children":[null]}}}`)
	f.Add(`{"type":"Button","rect":{"x":1e300,"y":0,"width":1e300,"height":1},"isEnabled":true,"value":{}}`)
	f.Add(`<XCUIElementTypeAny x="-1" y="NaN" width="Infinity" height="1e400"/>`)
	f.Fuzz(func(t *testing.T, source string) {
		tree, err := wda.ParseSource([]byte(source), 3)
		if err != nil {
			require.ErrorIs(t, err, driver.ErrNoTree)
			return
		}
		for n := range tree.Root.All() {
			require.False(t, n.Bounds.Min.X > n.Bounds.Max.X || n.Bounds.Min.Y > n.Bounds.Max.Y)
			require.Zero(t, n.Flags&^n.Known)
		}
	})
}
