package android

import (
	"context"
	"image"
	"slices"
	"strings"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
	"github.com/handset-go/handset/internal/phonefront/phoneshell"
)

// defaultDump is where a dump goes that names no file.
const defaultDump = "/sdcard/window_dump.xml"

func runUiautomator(ctx context.Context, p *proc) int {
	if len(p.Args) < 2 || p.Args[1] != "dump" {
		return p.Fail(255, "Usage: uiautomator <subcommand> [options]\n\nAvailable subcommands:\n\nhelp: displays help message\n\nruntest: executes UI automation tests\n\ndump: creates an XML dump of current UI hierarchy\n    dump [--verbose][file]\n      [--compressed]: dumps compressed layout information.\n      [file]: the location where the dumped XML should be stored, default is\n      /sdcard/window_dump.xml\n\nevents: prints out accessibility events until terminated")
	}
	d := p.d
	file, compressed, windows := defaultDump, false, false
	for _, a := range p.Args[2:] {
		switch {
		case a == "--compressed":
			compressed = true
		case a == "--windows":
			windows = d.profile.SDK >= 30
		case strings.HasPrefix(a, "-"):
		default:
			file = a
		}
	}
	first := d.automate(1)
	defer d.automate(-1)
	if !first && d.faults.On(FaultDumpExclusive) {
		return p.Fail(1, alreadyRegistered)
	}
	if err := nap.For(ctx, d.latency.Dump+d.faults.Duration(FaultDumpSlow)); err != nil {
		return 137
	}
	if status, stopped := p.dumpFails(); stopped {
		return status
	}
	return p.dump(file, compressed, windows)
}

// dumpFails is every way in which there is no tree at all.
func (p *proc) dumpFails() (status int, stopped bool) {
	d := p.d
	on := d.faults.On
	tree := d.phone.Tree()
	switch {
	case on(FaultDumpKilled):
		p.Print("Killed \n")
		return 137, true
	case on(FaultDumpBusy), d.automated():
		return p.Fail(1, alreadyRegistered), true
	case on(FaultDumpNPE):
		d.logLine("AndroidRuntime", "java.lang.NullPointerException: Attempt to invoke virtual method on a null object reference at com.android.uiautomator.core.AccessibilityNodeInfoDumper.childNafCheck")
		return 1, true
	case on(FaultDumpIdle), tree == nil && d.phone.Power().On:
		return p.Fail(0, "ERROR: could not get idle state."), true
	case on(FaultDumpNullRoot), tree == nil:
		return p.Fail(0, "ERROR: null root node returned by UiTestAutomationBridge."), true
	case d.profile.SDK <= 23 && hasEmoji(tree):
		return p.Fail(1, "java.lang.IllegalArgumentException: Illegal character (d83d)\n\tat com.android.org.kxml2.io.KXmlSerializer.reportInvalidCharacter(KXmlSerializer.java:144)"), true
	}
	return 0, false
}

// hasEmoji says that the tree has characters that the serializer of old releases cannot write.
func hasEmoji(t *driver.Tree) bool {
	for n := range t.Root.All() {
		if strings.ContainsFunc(n.Text+n.Desc, func(r rune) bool { return r > 0xffff }) {
			return true
		}
	}
	return false
}

// dump writes the tree and says so, whether it was written or not.
func (p *proc) dump(file string, compressed, windows bool) int {
	d := p.d
	if d.faults.On(FaultDumpRotated) {
		_ = d.phone.SetRotation((d.phone.Rotation() + 1) % 4)
	}
	if d.faults.On(FaultDumpNoise) {
		p.Print("WARNING: linker: /system/lib/libexample.so: unsupported flags DT_FLAGS_1=0x8000001\njava.io.FileNotFoundException: /sys/board_info/user_cpu_freq: open failed: EACCES (Permission denied)\n")
	}
	status := 0
	if d.faults.On(FaultDumpExit1) {
		p.Print("java.io.FileNotFoundException: /data/system/theme_config/theme_compatibility.xml: open failed: ENOENT (No such file or directory)\n")
		status = 1
	}
	if !d.faults.On(FaultDumpUnwritten) {
		if err := p.writeDump(file, d.dumpXML(compressed, windows)); err != nil {
			d.logLine("AndroidRuntime", "failed to dump window to file: "+err.Error())
			if p.TTY() == nil && file == "/dev/tty" {
				p.Fail(0, "java.io.FileNotFoundException: /dev/tty: open failed: ENXIO (No such device or address)")
			}
		}
	}
	p.Print("UI hierchary dumped to: %s\n", file)
	return status
}

func (p *proc) writeDump(file string, xml []byte) error {
	f, err := p.Create(file, 0o660)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Write(xml)
	return err
}

// dumpXML is the file of a dump.
func (d *Device) dumpXML(compressed, windows bool) []byte {
	x := &xmlWriter{style: d.dumpStyle(), hints: d.profile.Hints, compressed: compressed}
	x.raw("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>")
	if windows {
		d.writeWindowDump(x)
	} else if t := d.phone.Tree(); t != nil {
		d.writeHierarchy(x, t.Root)
	}
	if d.faults.On(FaultDumpWrapped) {
		return wrapped(x.b)
	}
	return x.b
}

// writeHierarchy writes one root with its nodes.
func (d *Device) writeHierarchy(x *xmlWriter, root *driver.Node) {
	x.raw(`<hierarchy rotation="` + itoa(d.phone.Rotation()) + `">`)
	root = d.enlarged(root)
	x.scale = d.scale()
	x.node(root, 0)
	x.raw("</hierarchy>")
}

// writeWindowDump writes every window, the one in front first.
func (d *Device) writeWindowDump(x *xmlWriter) {
	x.raw("\n<displays><display id=\"0\">")
	list := d.phone.Windows()
	slices.Reverse(list)
	for i, w := range list {
		x.raw(`<window index="` + itoa(i) + `"`)
		x.attr("title", d.windowTitle(w))
		b := w.Bounds
		x.raw(` bounds="[` + itoa(b.Min.X) + "," + itoa(b.Min.Y) + "][" + itoa(b.Max.X) + "," + itoa(b.Max.Y) + `]"`)
		x.flag("active", w.Active)
		x.flag("focused", w.Focused)
		x.raw(` accessibility-focused="false" id="` + itoa(phoneshell.PID(d.windowTitle(w))) + `" layer="` + itoa(w.Layer) + `" type="` + accessibilityType(w.Kind) + `">`)
		d.writeHierarchy(x, w.Root)
		x.raw("</window>")
	}
	x.raw("</display></displays>")
}

// accessibilityType is the number of AccessibilityWindowInfo.
func accessibilityType(kind string) string {
	switch kind {
	case driver.WindowKeyboard:
		return "2"
	case driver.WindowSystem, driver.WindowNotification:
		return "3"
	}
	return "1"
}

// scale turns pixels of the panel into those of the logical display; nil where they are the same.
func (d *Device) scale() func(image.Point) image.Point {
	logical, panel := d.logicalSize(), d.phone.Size()
	if logical == panel {
		return nil
	}
	return func(p image.Point) image.Point {
		return image.Pt(p.X*logical.X/panel.X, p.Y*logical.Y/panel.Y)
	}
}

// enlarged is a root as the faults of size make it.
func (d *Device) enlarged(root *driver.Node) *driver.Node {
	if n := d.faults.Number(FaultDumpBig); n > 0 {
		root = grown(root, n)
	}
	if n := d.faults.Number(FaultDumpDeep); n > 0 {
		root = deepened(root, n)
	}
	return root
}

// deepened is a root with a branch of n levels, as React Native makes them, and a text at its end.
func deepened(root *driver.Node, n int) *driver.Node {
	leaf := &driver.Node{Class: "android.widget.TextView", Text: "Deep " + itoa(n), Package: root.Package, Bounds: root.Bounds}
	leaf.Set(driver.Enabled, true)
	for range n {
		parent := &driver.Node{Class: "android.view.ViewGroup", Package: root.Package, Bounds: root.Bounds, Children: []*driver.Node{leaf}}
		parent.Set(driver.Enabled, true)
		leaf = parent
	}
	copied := *root
	copied.Children = append(slices.Clone(root.Children), leaf)
	return &copied
}

// grown is a root with n more nodes in a list at its end.
func grown(root *driver.Node, n int) *driver.Node {
	list := &driver.Node{Class: "androidx.recyclerview.widget.RecyclerView", ID: root.Package + ":id/many", Package: root.Package, Bounds: root.Bounds}
	list.Set(driver.Scrollable|driver.Enabled, true)
	for i := range n {
		row := &driver.Node{Class: "android.widget.TextView", Text: "Row " + itoa(i), ID: "android:id/title", Package: root.Package,
			Bounds: image.Rect(root.Bounds.Min.X, root.Bounds.Min.Y+i*40, root.Bounds.Max.X, root.Bounds.Min.Y+i*40+40)}
		row.Set(driver.Enabled|driver.Clickable, true)
		list.Children = append(list.Children, row)
	}
	copied := *root
	copied.Children = append(slices.Clone(root.Children), list)
	return &copied
}
