package hdc

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
)

// runHidumper dumps the services of the system. What -a says to a service is one argument: its quotes must
// reach the phone's shell.
func runHidumper(_ context.Context, p *proc) int {
	service, ask := "", ""
	for args := p.Args[1:]; len(args) > 0; args = args[1:] {
		switch {
		case args[0] == "-s" && len(args) > 1:
			service, args = args[1], args[1:]
		case args[0] == "-a" && len(args) > 1:
			ask, args = args[1], args[1:]
		case args[0] == "-ls":
			p.Print("System ability list:\nAbilityManagerService     BatteryService            DisplayManagerService     PowerManagerService\n" +
				"RenderService             WindowManagerService\n")
			return 0
		default:
			p.Print("hidumper: option pid missed. %s\n\nusage:\n  -h                          |help text for the tool\n  -s [SA0 SA1]\n  -a [arg]\n", args[0])
			return 0
		}
	}
	dumps := map[string]func(ask string){
		"WindowManagerService": p.dumpWindows, "RenderService": p.dumpScreen, "DisplayManagerService": p.dumpDisplay,
		"PowerManagerService": p.dumpPower, "BatteryService": p.dumpBattery, "AbilityManagerService": p.dumpMissions,
	}
	dump := dumps[service]
	if dump == nil {
		p.Print("no such system ability: %s\n", service)
		return 0
	}
	p.Print("\n-------------------------------[ability]-------------------------------\n\n\n"+
		"----------------------------------%s----------------------------------\n", service)
	dump(ask)
	return 0
}

func (p *proc) dumpMissions(ask string) { p.dumpAbilities(strings.Fields(ask)) }

// windowRow is a line of the window manager's table.
type windowRow struct {
	name    string
	id      int
	kind    int
	z       int
	win     sim.Window
	focused bool
}

// The types of windows.
const (
	typeApp      = 1
	typeDesktop  = 2001
	typeKeyboard = 2105
	typeStatus   = 2108
	typeLock     = 2110
	typePanel    = 2111
)

func (d *Device) windowRows() []windowRow {
	var rows []windowRow
	for _, l := range d.layers(dumpArgs{merge: true}) {
		r := windowRow{id: l.id, kind: typeApp, z: 100 + l.win.Layer, win: l.win, focused: l.win.Focused}
		switch l.id {
		case windowDesktop:
			r.name, r.kind, r.z = "EntryView", typeDesktop, 10
		case windowKeyboard:
			r.name, r.kind, r.z = "imeWindow", typeKeyboard, 1500
		case windowPanel:
			r.name, r.kind, r.z = "keyboardPanel4", typePanel, 1490
		case windowStatus:
			r.name, r.kind, r.z = "SCBStatusBar24", typeStatus, 2202
		case windowLock:
			r.name, r.kind, r.z = "ScreenLockWindow", typeLock, 2110
		case windowNote:
			r.name, r.kind, r.z = "SCBDropdownPanel", typePanel, 2300
		default:
			r.name = l.win.App.ID[strings.LastIndexByte(l.win.App.ID, '.')+1:] + "0"
		}
		rows = append(rows, r)
	}
	slices.SortStableFunc(rows, func(a, b windowRow) int { return b.z - a.z })
	return rows
}

// dumpWindows is the table of windows. Those below the line are not seen.
func (p *proc) dumpWindows(ask string) {
	rows := p.d.windowRows()
	if id, one := strings.CutPrefix(ask, "-w "); one {
		p.dumpWindow(rows, strings.TrimSpace(id))
		return
	}
	line := strings.Repeat("-", 87)
	p.Print("-------------------------------------ScreenGroup 0-------------------------------------\n")
	p.Print("%-20s %-9s %-7s %-5s %-4s %-4s %-4s %-4s %-11s %s", "WindowName", "DisplayId", "Pid", "WinId", "Type", "Mode", "Flag", "ZOrd",
		"Orientation", "[ x    y    w    h    ]")
	p.Print(" [ OffsetX OffsetY ] [ ScaleX  ScaleY  PivotX  PivotY  ]\n")
	focus := 0
	for _, r := range rows {
		p.windowRow(r)
		if r.focused {
			focus = r.id
		}
	}
	p.Print("%s\n", line)
	p.windowRow(windowRow{name: "xxwidget0", id: 600, kind: typeApp, z: -1, win: sim.Window{}})
	p.Print("Focus window: %d\n", focus)
	if p.d.profile.API >= apiFocusTable {
		p.Print("All Focus window:\nDisplayId: 0 WindowId: %d\n", focus)
	}
	p.Print("SingleHand: X[0] Y[0] scale[1]\nTotal window num: %d\nHighlighted windows: %d\n", len(rows)+1, focus)
}

func (p *proc) windowRow(r windowRow) {
	b := r.win.Bounds
	p.Print("%-20.20s %-9d %-7d %-5d %-4d %-4d %-4d %-4d %-11d [ %-4d %-4d %-4d %-4d ]\n", r.name, 0, processID(r.name), r.id, r.kind, 1, 0, r.z, 0,
		b.Min.X, b.Min.Y, b.Dx(), b.Dy())
}

// dumpWindow tells of one window.
func (p *proc) dumpWindow(rows []windowRow, id string) {
	for _, r := range rows {
		if strconv.Itoa(r.id) == id {
			b := r.win.Bounds
			p.Print("WindowName: %s\nDisplayId: 0\nWinId: %d\nPid: %d\nType: %d\nWindowRect: [ %d, %d, %d, %d ]\n", r.name, r.id,
				processID(r.name), r.kind, b.Min.X, b.Min.Y, b.Dx(), b.Dy())
			if p.d.profile.API >= apiFocusTable {
				p.Print("BundleName: %s\nModuleName: %s\n", r.win.App.ID, moduleName)
			}
			return
		}
	}
	p.Print("Error: window %s not found\n", id)
}

// powerStatus is the state of the panel.
func (d *Device) powerStatus() string {
	switch {
	case !d.phone.Power().On:
		return "POWER_STATUS_OFF"
	case d.faults.On(FaultDoze):
		return "POWER_STATUS_DOZE"
	}
	return "POWER_STATUS_ON"
}

// dumpScreen tells what is rendered and what the panel has. Neither turns with the phone.
func (p *proc) dumpScreen(ask string) {
	if ask != "screen" {
		p.Print("Graphic2D RenderService commands: screen surface fpsCount\n")
		return
	}
	size := p.d.phone.NaturalSize()
	panel := size.Mul(p.d.profile.Panel).Div(10)
	if p.d.faults.On(FaultRenderZero) {
		size = size.Sub(size)
	}
	p.Print("-- ScreenInfo\n")
	if p.d.profile.API >= apiRender {
		p.Print("screen[0]: id=0, powerStatus=%s, backlight=16920, screenType=EXTERNAL_TYPE, render resolution=%dx%d, physical resolution=%dx%d, "+
			"isVirtual=false, skipFrameInterval=1, expectedRefreshRate=-1, skipFrameStrategy=0\n\n", p.d.powerStatus(), size.X, size.Y, panel.X, panel.Y)
		p.Print("  supportedMode[0]: %dx%d, refreshRate=60\n  activeMode: %dx%d, refreshRate=60\n", panel.X, panel.Y, panel.X, panel.Y)
		p.Print("  capability: name=, phyWidth=74, phyHeight=158, supportLayers=12, virtualDispCount=0, propertyCount=0, type=DISP_INTF_HDMI, supportWriteBack=false\n")
		return
	}
	p.Print("screen[0]: id=0, powerstatus=%s, backlight=51, screenType=EXTERNAL_TYPE, render size: %dx%d, physical screen resolution: %dx%d, "+
		"isvirtual=false, skipFrameInterval_:1\n\n", p.d.powerStatus(), size.X, size.Y, panel.X, panel.Y)
	p.Print("  supportedMode[0]: %dx%d, refreshrate=120\n  activeMode: %dx%d, refreshrate=120\n", panel.X, panel.Y, panel.X, panel.Y)
	p.Print("  capability: name=, phywidth=72, phyheight=156,supportlayers=12, virtualDispCount=0, propCount=0, type=DISP_INTF_HDMI, supportWriteBack=false\n")
}

func (p *proc) dumpDisplay(ask string) {
	if ask != "-a" {
		p.Print("Dump: unknown argument\n")
		return
	}
	size, turn := p.d.phone.Size(), p.d.phone.Rotation()
	ratio := float64(p.d.phone.Density()) / 160
	line := func(name, format string, args ...any) { p.Print("%-30s%s\n", name, fmt.Sprintf(format, args...)) }
	p.Print("-------------- DMS Multi User Info --------------\n[oldScbPid:]\n[userId:] 100\n[ScbPid:] %d\n", processID(desktopBundle))
	p.Print("---------------- Screen ID: 0 ----------------\n")
	line("FoldStatus:", "UNKNOWN")
	p.Print("[SCREEN SESSION]\n")
	line("Name:", "UNKNOWN")
	line("RSScreenId:", "0")
	natural := p.d.phone.NaturalSize()
	line("activeModes<id, W, H, RS>:", "0, %d, %d, 120", natural.X, natural.Y)
	line("Orientation:", "0")
	line("Rotation:", "%d", turn)
	p.Print("[SCREEN INFO]\n")
	line("VirtualWidth:", "%d", int(float64(size.X)/ratio))
	line("VirtualHeight:", "%d", int(float64(size.Y)/ratio))
	line("VirtualPixelRatio:", "%g", ratio)
	line("Rotation:", "%d", turn)
	p.Print("[SCREEN PROPERTY]\n")
	line("Rotation:", "%d", turn*90)
	line("Density:", "%g", ratio)
	line("PhyWidth:", "72")
	line("PhyHeight:", "156")
	line("RefreshRate:", "60")
	line("ScreenRotation:", "%d", turn*90)
	line("DisplayOrientation:", "%d", turn)
	line("Bounds<L,T,W,H>:", "0, 0, %d, %d,", size.X, size.Y)
	line("PhyBounds<L,T,W,H>:", "0, 0, %d, %d,", size.X, size.Y)
}

// powerState is the state of the system.
func powerState(p driver.Power) string {
	if p.On {
		return "AWAKE"
	}
	return "SLEEP"
}

func (p *proc) dumpPower(string) {
	up := p.d.now().Sub(p.d.boot).Milliseconds() + 521085
	p.Print("POWER STATE DUMP:\nCurrent State: %s  Reason: 20  Time: %d\nScreenOffTime: Timeout=600000ms\nDUMP DETAILS:\nLast Screen On: %d\n",
		powerState(p.d.phone.Power()), up, up)
	p.Print("Last Screen Off: %d\nLast SuspendDevice: 0\nLast WakeupDevice: %d\nLast Refresh: %d\nDUMP EACH STATES:\n", up-9000, up-500, up)
	for _, s := range []string{"AWAKE", "FREEZE", "INACTIVE", "STAND_BY", "DOZE", "SLEEP", "HIBERNATE", "SHUTDOWN", "DIM"} {
		p.Print("State: %s   Reason: INIT   Time: 0\n   Failure: INIT   Reason:    From: AWAKE   Time: 0\n\n", s)
	}
}

func (p *proc) dumpBattery(string) {
	p.Print("Current time: %s\ncapacity: 82 \nbatteryLevel: 3 \nchargingStatus: 0 \nhealthState: 1 \npluggedType: 2 \nvoltage: 4123000 \n"+
		"temperature: 280 \ntechnology: Li-poly \n", p.d.now().UTC().Format("2006-01-02 15:04:05.000"))
}
