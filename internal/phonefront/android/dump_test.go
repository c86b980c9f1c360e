package android_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// element is a node of a dump, read by an ordinary parser of XML.
type element struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Kids    []element  `xml:",any"`
}

func (e element) attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// all lists an element with those below it.
func (e element) all() []element {
	list := []element{e}
	for _, k := range e.Kids {
		list = append(list, k.all()...)
	}
	return list
}

func parse(t *testing.T, text string) element {
	t.Helper()
	var e element
	require.NoError(t, xml.Unmarshal([]byte(text), &e), text)
	return e
}

// dump dumps into a file and returns it parsed.
func dump(t *testing.T, d *android.Device, options string) element {
	t.Helper()
	require.Equal(t, "UI hierchary dumped to: /data/local/tmp/d.xml\n", out(t, d, "uiautomator dump "+options+" /data/local/tmp/d.xml"))
	return parse(t, out(t, d, "cat /data/local/tmp/d.xml"))
}

func TestDump(t *testing.T) {
	d := newDevice(t, "a14")
	openField(t, d)
	tree := d.Phone().Tree()
	got := dump(t, d, "")
	require.Equal(t, "hierarchy", got.XMLName.Local)
	require.Equal(t, "0", got.attr("rotation"))
	nodes := got.all()[1:]
	i := 0
	for n := range tree.Root.All() {
		require.Equal(t, n.ID, nodes[i].attr("resource-id"))
		require.Equal(t, n.Class, nodes[i].attr("class"))
		require.Equal(t, n.Desc, nodes[i].attr("content-desc"))
		i++
	}
	require.Len(t, nodes, i)
	require.Equal(t, "UI hierchary dumped to: /sdcard/window_dump.xml\n", out(t, d, "uiautomator dump"))
	require.Equal(t, "UI hierchary dumped to: /sdcard/window_dump.xml\n", out(t, d, "uiautomator dump --nonsense"), "unknown options are ignored")
	require.Less(t, len(dump(t, d, "--compressed").all()), len(got.all()))
}

func TestDumpAttributes(t *testing.T) {
	want := "index text resource-id class package content-desc checkable checked clickable enabled focusable focused scrollable long-clickable password selected bounds"
	for profile, more := range map[string]string{"a9": "", "a14": "", "a16": " drawing-order hint"} {
		root := dump(t, newDevice(t, profile), "").Kids[0]
		var names []string
		for _, a := range root.Attrs {
			names = append(names, a.Name.Local)
		}
		require.Equal(t, want+more, strings.Join(names, " "), profile)
	}
}

func TestDumpOfWindows(t *testing.T) {
	d := newDevice(t, "a14")
	openField(t, d)
	displays := dump(t, d, "--windows")
	require.Equal(t, "displays", displays.XMLName.Local)
	titles := []string{}
	for _, w := range displays.Kids[0].Kids {
		titles = append(titles, w.attr("title"))
		require.Equal(t, "hierarchy", w.Kids[0].XMLName.Local)
	}
	require.Contains(t, titles, "InputMethod")
	require.Contains(t, titles, "com.android.settings/com.android.settings.Settings")
	require.Equal(t, "hierarchy", dump(t, newDevice(t, "a9"), "--windows").XMLName.Local, "older releases ignore the option")
}

// awkward is an app whose texts are hard to write into XML.
var awkward = sim.App{ID: "com.test.awkward", Name: sim.T("Awkward", ""), Screens: []sim.Screen{{ID: "main", Page: ".Main", Body: []sim.Widget{
	{Kind: sim.KindRow, ID: "a", Text: sim.T(`say "hi" & <go>`, "")},
	{Kind: sim.KindRow, ID: "b", Text: sim.T("both ' and \"", "")},
	{Kind: sim.KindRow, ID: "c", Text: sim.T("two\nlines\ttab", "")},
	{Kind: sim.KindRow, ID: "d", Text: sim.T("&lt; 😀 汉", "")},
	{Kind: sim.KindField, ID: "p", Key: "pw", Hint: sim.T("Password", ""), Secret: true},
}}}, Values: map[string]string{"pw": "geheim"}}

func newAwkward(t *testing.T, profile string) *android.Device {
	t.Helper()
	d, err := android.New(sim.New(&sim.Options{Apps: []sim.App{awkward}, Start: awkward.ID}), &android.Options{Profile: profile})
	require.NoError(t, err)
	return d
}

func TestDumpEscapes(t *testing.T) {
	d := newAwkward(t, "a14")
	texts := map[string]bool{}
	for _, e := range dump(t, d, "").all() {
		texts[e.attr("text")] = true
	}
	for _, w := range awkward.Screens[0].Body[:4] {
		require.True(t, texts[w.Text.En], "%q in %v", w.Text.En, texts)
	}
	raw := out(t, d, "cat /data/local/tmp/d.xml")
	require.Contains(t, raw, `text='say "hi" &amp; &lt;go>'`, "single quotes round a double one, and > as it is")
	require.Contains(t, raw, `text="both ' and &quot;"`)
	require.Contains(t, raw, "two&#10;lines&#9;tab")
	require.Contains(t, raw, "&amp;lt; 😀 汉")
	require.NotContains(t, raw, "geheim")
	require.Contains(t, raw, "••••••")
	old := run(t, newAwkward(t, "a6"), "uiautomator dump")
	require.Contains(t, old.stderr, "Illegal character (d83d)")
}

func TestDumpFailures(t *testing.T) {
	tests := []struct {
		fault          string
		stdout, stderr string
		status         int
	}{
		{android.FaultDumpIdle, "", "ERROR: could not get idle state.\n", 0},
		{android.FaultDumpNullRoot, "", "ERROR: null root node returned by UiTestAutomationBridge.\n", 0},
		{android.FaultDumpNPE, "", "", 1},
		{android.FaultDumpKilled, "Killed \n", "", 137},
		{android.FaultDumpBusy, "", "java.lang.IllegalStateException: UiAutomationService android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@1a2b3c4already registered!\n", 1},
		{android.FaultDumpUnwritten, "UI hierchary dumped to: /sdcard/window_dump.xml\n", "", 0},
		{sim.FaultNoTree, "", "ERROR: could not get idle state.\n", 0},
	}
	for _, tt := range tests {
		t.Run(tt.fault, func(t *testing.T) {
			d := newDevice(t, "a14")
			out(t, d, "echo yesterday > /sdcard/window_dump.xml")
			set(t, d, tt.fault)
			require.Equal(t, result{tt.stdout, tt.stderr, tt.status}, run(t, d, "uiautomator dump"))
			require.Equal(t, "yesterday\n", out(t, d, "cat /sdcard/window_dump.xml"), "the old file is still there")
		})
	}
	d := newDevice(t, "a14")
	d.Phone().Sleep()
	require.Contains(t, run(t, d, "uiautomator dump").stderr, "null root node")
}

func TestDumpThatIsWrittenAllTheSame(t *testing.T) {
	d := newDevice(t, "a14")
	set(t, d, android.FaultDumpExit1, android.FaultDumpNoise)
	r := run(t, d, "uiautomator dump")
	require.Equal(t, 1, r.status)
	require.Contains(t, r.stdout, "theme_compatibility.xml")
	require.Contains(t, r.stdout, "WARNING: linker:")
	parse(t, out(t, d, "cat /sdcard/window_dump.xml"))
}

func TestDumpShapes(t *testing.T) {
	d := newDevice(t, "a14")
	plain := dump(t, d, "")
	set(t, d, android.FaultDumpQuotes)
	require.Equal(t, plain, dump(t, d, ""))
	require.NotContains(t, out(t, d, "cat /data/local/tmp/d.xml"), `index="`)
	set(t, d, android.FaultDumpWrapped)
	require.Equal(t, plain, dump(t, d, ""))
	require.Contains(t, out(t, d, "cat /data/local/tmp/d.xml"), "\n")

	set(t, d, android.FaultDumpBig+"=5000", android.FaultDumpInverted, android.FaultDumpNegative)
	big := dump(t, d, "").all()
	require.Greater(t, len(big), 5000)
	inverted, negative := 0, 0
	for _, e := range big {
		var r image.Rectangle
		if n, _ := sscanBounds(e.attr("bounds"), &r); n {
			inverted += b2i(r.Min.Y > r.Max.Y)
			negative += b2i(r.Min.X < 0)
		}
	}
	require.Positive(t, inverted)
	require.Positive(t, negative)
}

var boundsPattern = regexp.MustCompile(`^\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]$`)

func sscanBounds(s string, r *image.Rectangle) (bool, error) {
	m := boundsPattern.FindStringSubmatch(s)
	if m == nil {
		return false, errors.New("no bounds")
	}
	n := func(i int) (v int) {
		sign := 1
		for _, c := range m[i] {
			if c == '-' {
				sign = -1
				continue
			}
			v = v*10 + int(c-'0')
		}
		return v * sign
	}
	*r = image.Rectangle{Min: image.Pt(n(1), n(2)), Max: image.Pt(n(3), n(4))}
	return true, nil
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestDumpToTheTerminal holds the rule of /dev/tty: it works where the command has a terminal, and fails with
// the same words of success where it has none.
func TestDumpToTheTerminal(t *testing.T) {
	d := newDevice(t, "a14")
	var tty bytes.Buffer
	d.Shell(context.Background(), "uiautomator dump /dev/tty", android.Stdio{Out: &tty, Err: &tty, TTY: &tty})
	xmlText, ok := strings.CutSuffix(tty.String(), "</hierarchy>UI hierchary dumped to: /dev/tty\n")
	require.True(t, ok, "the text of success is glued to the tree")
	parse(t, xmlText+"</hierarchy>")
	r := run(t, d, "uiautomator dump /dev/tty")
	require.Equal(t, result{"UI hierchary dumped to: /dev/tty\n", "java.io.FileNotFoundException: /dev/tty: open failed: ENXIO (No such device or address)\n", 0}, r)
}

func TestRotatedBetweenPictureAndDump(t *testing.T) {
	d := newDevice(t, "a14")
	set(t, d, android.FaultDumpRotated)
	before := decode(t, d, "screencap -p").Bounds().Size()
	require.Equal(t, "1", dump(t, d, "").attr("rotation"))
	require.Equal(t, image.Pt(before.Y, before.X), decode(t, d, "screencap -p").Bounds().Size())
}

func decode(t *testing.T, d *android.Device, command string) image.Image {
	t.Helper()
	m, err := png.Decode(strings.NewReader(out(t, d, command)))
	require.NoError(t, err)
	return m
}

func TestScreencap(t *testing.T) {
	for profile, header := range map[string]int{"a6": 12, "a9": 16, "a14": 16} {
		d := newDevice(t, profile)
		m := decode(t, d, "screencap -p")
		require.Equal(t, image.Pt(1080, 2400), m.Bounds().Size())
		raw := out(t, d, "screencap")
		require.Len(t, raw, header+1080*2400*4)
		require.Equal(t, uint32(1080), binary.LittleEndian.Uint32([]byte(raw)))
		require.Equal(t, uint32(1), binary.LittleEndian.Uint32([]byte(raw[8:])))
		at := header + 4*(1200*1080+540)
		require.Equal(t, color.RGBAModel.Convert(m.At(540, 1200)), color.RGBA{raw[at], raw[at+1], raw[at+2], raw[at+3]})
		require.Equal(t, out(t, d, "screencap -p"), out(t, d, "screencap /sdcard/s.png && cat /sdcard/s.png"))
	}
	_, err := jpeg.Decode(strings.NewReader(out(t, newDevice(t, "a16"), "screencap -j")))
	require.NoError(t, err)
	require.Equal(t, 1, run(t, newDevice(t, "a14"), "screencap -d 7").status)
	require.NotEmpty(t, out(t, newDevice(t, "a14"), "screencap -p -d 4619827259835644672"))
}

func TestScreencapFaults(t *testing.T) {
	full := len(out(t, newDevice(t, "a14"), "screencap -p"))
	d := newDevice(t, "a14")
	set(t, d, android.FaultScreencapEmpty)
	require.Equal(t, result{"", "", 0}, run(t, d, "screencap -p"))
	d = newDevice(t, "a14")
	set(t, d, android.FaultScreencapCut)
	require.Len(t, run(t, d, "screencap -p").stdout, full/2)
	for profile, want := range map[string]result{"a9": {"", "", 1}, "a14": {"", "Failed to take screenshot. Status: -1\n", 1}, "a16": {"", "Capturing failed.\n", 1}} {
		d = newDevice(t, profile)
		set(t, d, android.FaultScreencapRefuse)
		require.Equal(t, want, run(t, d, "screencap -p"), profile)
	}
	d = newDevice(t, "a14")
	set(t, d, android.FaultScreencapWarn)
	r := run(t, d, "screencap -p")
	require.True(t, strings.HasPrefix(r.stderr, "[Warning] Multiple displays were found"))
	require.Len(t, r.stderr, 347)
	require.Len(t, r.stdout, full)
	d = newDevice(t, "a14")
	set(t, d, android.FaultScreencapNoise)
	require.Contains(t, run(t, d, "screencap -p").stdout, "\n\x89PNG")
}

// TestSecureWindow holds what tells a protected page: a black picture, and SECURE among the window's flags.
func TestSecureWindow(t *testing.T) {
	for profile, flag := range map[string]string{"a9": "fl=#81812100", "a14": "fl=SECURE "} {
		d := newDevice(t, profile)
		require.NotContains(t, out(t, d, "dumpsys window windows"), flag)
		set(t, d, android.FaultScreencapBlack)
		require.Contains(t, out(t, d, "dumpsys window windows"), flag)
		m := decode(t, d, "screencap -p")
		require.Equal(t, color.RGBA{A: 255}, color.RGBAModel.Convert(m.At(500, 1000)))
		require.NotEmpty(t, dump(t, d, "").Kids, "the tree is not affected")
	}
}

// TestSamples compares the shapes of what the phone prints with those of real phones, where they are at hand.
func TestSamples(t *testing.T) {
	dir := os.Getenv("HANDSET_SAMPLES")
	if dir == "" {
		t.Skip("HANDSET_SAMPLES names no folder of samples")
	}
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, "adb", name))
		if errors.Is(err, os.ErrNotExist) {
			data, err = os.ReadFile(filepath.Join(dir, name))
		}
		require.NoError(t, err)
		return string(data)
	}
	tag := regexp.MustCompile(`[a-zA-Z-]+=["']`)
	names := func(xmlText string) string {
		start := strings.Index(xmlText, "<node index")
		return strings.Join(tag.FindAllString(xmlText[start:start+strings.IndexByte(xmlText[start:], '>')], -1), " ")
	}
	out14 := newDevice(t, "a14")
	require.Equal(t, names(read("uia_wework_dialog_naf.xml")), names(out(t, out14, "uiautomator dump; cat /sdcard/window_dump.xml")))
	require.Equal(t, names(read("uia_emulator_youtube_processing_dialog.xml")), names(out(t, newDevice(t, "a16"), "uiautomator dump; cat /sdcard/window_dump.xml")))

	sampled := read("screencap_outputs.txt")
	set(t, out14, android.FaultScreencapWarn)
	require.Contains(t, sampled, strings.TrimSpace(run(t, out14, "screencap -p").stderr))
	require.Contains(t, read("uiautomator_dump_outputs.txt"), "UI hierchary dumped to: /sdcard/window_dump.xml")
	launch := read("launch_outputs.txt")
	require.Contains(t, launch, out(t, out14, "cmd package resolve-activity --brief com.android.settings"))
	policy := read("lock_wake_state.txt")
	out14.Phone().Sleep()
	for line := range strings.Lines(out(t, out14, "dumpsys window policy | grep -E 'screenState|interactiveState|KeyguardServiceDelegate|offReason'")) {
		require.Contains(t, policy, line)
	}
}

func TestFoldable(t *testing.T) {
	d := newDevice(t, "a14-fold")
	require.Contains(t, out(t, d, "cmd display get-displays"), "Display id 3: DisplayInfo{\"Second Screen\", displayId 3, state OFF, type INTERNAL, uniqueId \"local:4619827551948147201\", app 1080 x 2424}\n")
	require.Contains(t, out(t, d, "dumpsys display"), "isActive=false, displayId=3")
	require.Contains(t, out(t, d, "dumpsys SurfaceFlinger --display-id"), "(HWC display 1)")
	require.Contains(t, run(t, d, "screencap -p").stderr, "[Warning]")
	require.Equal(t, image.Pt(1080, 2400), decode(t, d, "screencap -p -d 4619827259835644672").Bounds().Size(), "no warning where the display is named")
	require.Equal(t, image.Pt(1080, 2424), decode(t, d, "screencap -p -d 4619827551948147201").Bounds().Size())
}

func TestEveryProfile(t *testing.T) {
	for _, p := range android.Profiles() {
		d := newDevice(t, p.Name)
		require.Equal(t, p.Release+"\n", out(t, d, "getprop ro.build.version.release"))
		require.NotEmpty(t, run(t, d, "uiautomator dump").stdout)
		parse(t, out(t, d, "cat /sdcard/window_dump.xml"))
		_, err := png.Decode(strings.NewReader(run(t, d, "screencap -p").stdout))
		require.NoError(t, err)
		require.Contains(t, p.Banner.String(), "device::ro.product.name="+p.Banner.Product+";ro.product.model=")
	}
}
