package hdc_test

import (
	"encoding/json"
	"image"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/hdc"
)

// element is one node of a dump.
type element struct {
	Attributes map[string]string
	Children   []*element
	Extra      map[string]string `json:"extraAttrs"`
}

const layoutFile = "/data/local/tmp/l.json"

// dump runs dumpLayout, which must succeed, and returns the file.
func dump(t *testing.T, s *hdc.Server, args string) []byte {
	t.Helper()
	require.Equal(t, "DumpLayout saved to:"+layoutFile+"\n", out(t, s, "shell", "uitest dumpLayout -p "+layoutFile+" "+args))
	return []byte(out(t, s, "shell", "cat "+layoutFile))
}

func parse(t *testing.T, data []byte) *element {
	t.Helper()
	var e element
	require.NoError(t, json.Unmarshal(data, &e), "%.200s", data)
	return &e
}

// all lists the element and what is below it.
func (e *element) all() []*element {
	list := []*element{e}
	for _, c := range e.Children {
		list = append(list, c.all()...)
	}
	return list
}

// find returns the elements with an attribute of that value.
func (e *element) find(name, value string) []*element {
	return slices.DeleteFunc(e.all(), func(x *element) bool { return x.Attributes[name] != value })
}

var boundsForm = regexp.MustCompile(`^\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]$`)

func bounds(t *testing.T, text string) image.Rectangle {
	t.Helper()
	m := boundsForm.FindStringSubmatch(text)
	require.NotNil(t, m, text)
	n := make([]int, 4)
	for i := range n {
		n[i], _ = strconv.Atoi(m[i+1])
	}
	return image.Rect(n[0], n[1], n[2], n[3])
}

func start(t *testing.T, d *hdc.Device, bundle string) {
	t.Helper()
	_, err := d.Phone().StartApp(bundle)
	require.NoError(t, err)
}

const settings = "com.huawei.hmos.settings"

func TestLayoutForm(t *testing.T) {
	for _, profile := range hdc.Profiles() {
		t.Run(profile.Name, func(t *testing.T) {
			s, d := onePhone(t, profile.Name)
			start(t, d, settings)
			data := dump(t, s, "")
			require.NotContains(t, string(data), "\n", "one line")
			require.True(t, strings.HasPrefix(string(data), `{"attributes":{"accessibilityId":""`), "sorted")
			root := parse(t, data)
			for name, value := range root.Attributes {
				require.Equal(t, map[bool]string{true: "[0,0][1080,2400]"}[name == "bounds"], value, name)
			}
			app, status := root.Children[0], root.Children[1]
			require.Equal(t, settings, app.Attributes["bundleName"])
			require.Equal(t, settings+".MainAbility", app.Attributes["abilityName"])
			require.Equal(t, "pages/Index", app.Attributes["pagePath"])
			require.Equal(t, "true", app.Attributes["focused"])
			require.Equal(t, "root", app.Attributes["type"])
			require.Equal(t, "WindowScene", status.Attributes["type"])
			require.Equal(t, "session30", status.Attributes["id"])
			require.Equal(t, "com.ohos.sceneboard", status.Attributes["bundleName"])
			require.Empty(t, status.Attributes["abilityName"])
			require.Equal(t, map[bool]int{true: 1}[profile.API >= 20], strings.Count(string(data[:800]), `"originalText"`))
			seen := map[string]bool{}
			for _, e := range app.all() {
				require.False(t, seen[e.Attributes["hashcode"]], "hash codes are unique")
				seen[e.Attributes["hashcode"]] = true
				require.NotNil(t, e.Children, "children is always a list")
				bounds(t, e.Attributes["bounds"])
			}
			require.Equal(t, "[]", regexp.MustCompile(`"children":(\[\]|null|\{\})`).FindStringSubmatch(string(data))[1])
		})
	}
}

// In the older release a button has no text: it is in a Text below.
func TestLayoutButtons(t *testing.T) {
	for profile, below := range map[string]bool{"5.0": true, "6.0": false} {
		s, d := onePhone(t, profile)
		start(t, d, "com.handset.shop")
		root := parse(t, dump(t, s, ""))
		buttons := root.find("type", "Button")
		require.NotEmpty(t, buttons)
		labelled := 0
		for _, b := range buttons {
			for _, c := range b.Children {
				if c.Attributes["type"] == "Text" && b.Attributes["text"] == "" && c.Attributes["text"] != "" {
					require.Equal(t, "false", c.Attributes["clickable"])
					labelled++
				}
			}
		}
		require.Equal(t, below, labelled > 0, profile)
	}
}

// The keyboard cuts the bounds of the app's window and of what lies behind it; origBounds stay.
func TestLayoutKeyboard(t *testing.T) {
	s, d := onePhone(t, "")
	start(t, d, settings)
	field := parse(t, dump(t, s, "")).find("type", "TextInput")[0]
	d.Phone().Tap(center(bounds(t, field.Attributes["bounds"])))
	require.True(t, d.Phone().KeyboardShown())
	root := parse(t, dump(t, s, ""))
	app := root.Children[0]
	keyboard := root.find("bundleName", "com.huawei.hmos.inputmethod")
	require.Len(t, keyboard, 1)
	top := bounds(t, keyboard[0].Attributes["bounds"]).Min.Y
	require.Equal(t, top, bounds(t, app.Attributes["bounds"]).Max.Y)
	require.Equal(t, "[0,0][1080,2400]", app.Attributes["origBounds"])
	for _, e := range app.all() {
		require.LessOrEqual(t, bounds(t, e.Attributes["bounds"]).Max.Y, top)
	}
	require.Len(t, root.find("id", "keyboardPanel4"), 1)
	require.Contains(t, out(t, s, "shell", "hidumper -s WindowManagerService -a '-a'"), "imeWindow            0         ")
	require.Regexp(t, `imeWindow .* 2105 `, out(t, s, "shell", "hidumper -s WindowManagerService -a '-a'"))
	require.Equal(t, "true", root.find("type", "TextInput")[0].Attributes["focused"])
}

func center(r image.Rectangle) image.Point { return r.Min.Add(r.Max).Div(2) }

func TestLayoutOptions(t *testing.T) {
	s, d := onePhone(t, "")
	start(t, d, settings)
	for _, args := range []string{"-i", "-m false"} {
		var windows []*element
		require.NoError(t, json.Unmarshal(dump(t, s, args), &windows), args)
		require.Equal(t, settings, windows[0].Attributes["bundleName"])
	}
	require.Len(t, parse(t, dump(t, s, "-b com.ohos.sceneboard")).Children, 1)
	win := parse(t, dump(t, s, "")).Children[0].Attributes["hostWindowId"]
	only := parse(t, dump(t, s, "-w "+win))
	require.Len(t, only.Children, 1)
	fonts := parse(t, dump(t, s, "-a"))
	require.NotEmpty(t, slices.DeleteFunc(fonts.all(), func(e *element) bool { return e.Extra["FontSize"] == "" }))
	require.Contains(t, out(t, s, "shell", "uitest dumpLayout -a -i"), "The -a and -i options cannot be used together.\n")
	require.Regexp(t, `^DumpLayout saved to:/data/local/tmp/layout_\d+\.json\n$`, out(t, s, "shell", "uitest dumpLayout"))
	require.Equal(t, "DumpLayout failed:Get window nodes failed\n", out(t, s, "shell", "uitest dumpLayout -b com.nobody"))
}

func TestLayoutFailures(t *testing.T) {
	s, d := onePhone(t, "")
	failed := func(want string) {
		t.Helper()
		out(t, s, "shell", "echo old > "+layoutFile)
		require.Equal(t, want+"RC=1\n", out(t, s, "shell", "uitest dumpLayout -p "+layoutFile+"; echo RC=$?"))
		require.Equal(t, "0 "+layoutFile+"\n", out(t, s, "shell", "wc -c "+layoutFile), "a failed dump empties the file")
	}
	require.Equal(t, "DumpLayout failed:Error path:/data/x.jsonPermission denied\n", out(t, s, "shell", "uitest dumpLayout -p /data/x.json"))
	set(t, d, hdc.FaultDumpWindows)
	failed("DumpLayout failed:Get window nodes failed\n")
	set(t, d, hdc.FaultDumpBusy)
	failed("DumpLayout failed:Can not connect to AAMS, RET_ERR_CONNECTION_EXIST\n")
	require.NoError(t, d.SetFault(hdc.FaultDumpBusy, false))
	require.NoError(t, d.SetFault(hdc.FaultDumpWindows, false))
	set(t, d, "no-tree")
	failed("DumpLayout failed:Get window nodes failed\n")
}

func TestLayoutFaults(t *testing.T) {
	s, d := onePhone(t, "")
	set(t, d, hdc.FaultDumpFirst)
	require.Equal(t, "RC=0\n", out(t, s, "shell", "uitest dumpLayout -p "+layoutFile+"; echo RC=$?"))
	require.Contains(t, out(t, s, "shell", "ls "+layoutFile), "No such file or directory")
	whole := len(dump(t, s, ""))

	set(t, d, hdc.FaultDumpCut)
	require.Len(t, dump(t, s, ""), whole/2)
	set(t, d, hdc.FaultDumpEmpty)
	require.Empty(t, dump(t, s, ""))
	require.NoError(t, d.SetFault(hdc.FaultDumpCut, false))
	require.NoError(t, d.SetFault(hdc.FaultDumpEmpty, false))

	set(t, d, hdc.FaultDumpNoBounds)
	torn := parse(t, dump(t, s, "")).find("bounds", "")
	require.Len(t, torn, 1)
	require.Equal(t, "[0,0][1080,2400]", torn[0].Attributes["origBounds"])
	require.Empty(t, parse(t, dump(t, s, "")).find("bounds", ""), "the next dump is whole")

	set(t, d, hdc.FaultDumpNegative, hdc.FaultDumpExtension, hdc.FaultDumpWeb, hdc.FaultDumpBig+"=500")
	root := parse(t, dump(t, s, ""))
	require.NotEmpty(t, root.find("bounds", "[-20,-900][1080,-720]"))
	require.Len(t, root.find("accessibilityId", "10000000000005"), 1)
	require.Len(t, root.find("opacity", "0.000000"), 4)
	require.Len(t, root.find("text", "row 499"), 1)
	set(t, d, hdc.FaultDumpSpace)
	require.Equal(t, "DumpLayout saved to: "+layoutFile+"\n", out(t, s, "shell", "uitest dumpLayout -p "+layoutFile))
}

// A dump works while the panel is off, and shows the lock screen.
func TestLayoutOfADarkPanel(t *testing.T) {
	s, d := onePhone(t, "")
	start(t, d, settings)
	set(t, d, hdc.FaultPanelOff)
	root := parse(t, dump(t, s, ""))
	require.Empty(t, root.find("bundleName", settings))
	require.Equal(t, "com.ohos.sceneboard", root.Children[0].Attributes["bundleName"])
	require.NoError(t, d.SetFault(hdc.FaultPanelOff, false))
	require.NotEmpty(t, parse(t, dump(t, s, "")).find("bundleName", settings))
}

// A field of several lines is a component of its own.
func TestLayoutTextArea(t *testing.T) {
	s, d := onePhone(t, "")
	start(t, d, "com.handset.notes")
	d.Phone().Tap(center(bounds(t, parse(t, dump(t, s, "")).find("id", "new_button")[0].Attributes["bounds"])))
	require.NotEmpty(t, parse(t, dump(t, s, "")).find("type", "TextArea"))
}

// A dialog is a window in front, with the page still behind it.
func TestLayoutDialog(t *testing.T) {
	s, d := onePhone(t, "")
	start(t, d, "com.huawei.hmos.camera")
	root := parse(t, dump(t, s, ""))
	require.Equal(t, "com.ohos.permissionmanager", root.Children[0].Attributes["bundleName"])
	require.Equal(t, "true", root.Children[0].Attributes["focused"])
	behind := root.find("bundleName", "com.huawei.hmos.camera")
	require.Len(t, behind, 1)
	require.Equal(t, "false", behind[0].Attributes["focused"])
}

func TestLayoutPages(t *testing.T) {
	s, d := onePhone(t, "")
	start(t, d, settings)
	row := parse(t, dump(t, s, "")).find("id", "row_network")[0]
	d.Phone().Tap(center(bounds(t, row.Attributes["bounds"])))
	app := parse(t, dump(t, s, "")).Children[0]
	require.Equal(t, settings+".MainAbility", app.Attributes["abilityName"])
	require.NotEqual(t, "pages/Index", app.Attributes["pagePath"])
	require.True(t, strings.HasPrefix(app.Attributes["pagePath"], "pages/"))
}
