package android

import (
	"context"
	"image"
)

// The physical ids of the display, and of the cover of a phone that folds.
const (
	displayID = "4619827259835644672"
	coverID   = "4619827551948147201"
)

// activeID is the physical id of the display that the phone shows its screen on.
func (d *Device) activeID() string {
	if d.profile.CoverFirst {
		return coverID
	}
	return displayID
}

// darkID is that of the other display, which is off.
func (d *Device) darkID() string {
	if d.profile.CoverFirst {
		return displayID
	}
	return coverID
}

// dumpInput is dumpsys input: where the orientation is told, each release in its own way.
func (p *proc) dumpInput([]string) int {
	d := p.d
	rot := d.phone.Rotation()
	p.Print("INPUT MANAGER (dumpsys input)\n\nInput Manager State:\n  Interactive: %v\n\nInput Reader State:\n", d.phone.Power().On)
	if d.profile.Leanback {
		p.Print("  Device 3: remote control\n    Generation: 12\n    Sources: 0x00000301\n    Keyboard Input Mapper:\n")
	} else {
		p.Print("  Device 3: touchscreen\n    Generation: 12\n    Sources: 0x00001002\n    Touch Input Mapper (mode - DIRECT):\n")
	}
	switch {
	case d.profile.Leanback: // what has no touchscreen tells no orientation of one
	case d.faults.On(FaultNoOrientation):
	case d.profile.SDK >= 34:
		p.Print("      InputDeviceOrientation: Rotation%d\n", rot*90)
	default:
		size := d.phone.NaturalSize()
		p.Print("      SurfaceWidth: %dpx\n      SurfaceHeight: %dpx\n      SurfaceOrientation: %d\n", size.X, size.Y, rot)
	}
	if !d.faults.On(FaultNoOrientation) {
		p.Print("    %s\n", d.viewport(rot))
	}
	return 0
}

// viewport is a line of dumpsys input.
func (d *Device) viewport(rot int) string {
	frame, device := d.logicalSize(), d.phone.Size()
	return "Viewport INTERNAL: displayId=0, uniqueId=local:" + d.activeID() + ", port=0, orientation=" + string(rune('0'+rot)) +
		", logicalFrame=[0, 0, " + xy(frame) + "], physicalFrame=[0, 0, " + xy(device) + "], deviceSize=[" + xy(device) + "], isActive=[1]"
}

func (p *proc) dumpDisplay([]string) int {
	d := p.d
	size := d.logicalSize()
	state := map[bool]string{true: "ON", false: "OFF"}[d.phone.Power().On]
	p.Print("DISPLAY MANAGER (dumpsys display)\n  mOnlyCode=false\n  mDisplayReadBrightnessConfiguration=true\n")
	p.Print("  mViewports=[DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=0, uniqueId='local:%s', physicalPort=0, orientation=%d, logicalFrame=Rect(0, 0 - %s), physicalFrame=Rect(0, 0 - %s), deviceWidth=%d, deviceHeight=%d}%s]\n",
		d.activeID(), d.phone.Rotation(), xy(size), xy(d.phone.Size()), d.phone.Size().X, d.phone.Size().Y, d.coverViewport())
	count, cover := 1, ""
	if d.profile.Cover.X > 0 {
		count, cover = 2, "  Display Id=3\n  Display State=OFF\n"
	}
	p.Print("\nDisplay States: size=%d\n  Display Id=0\n  Display State=%s\n%s\nLogical Displays: size=%d\n  Display 0:\n    mDisplayId=0\n    mCurrentOrientation=%d\n", count, state, cover, count, d.phone.Rotation())
	p.Print("    mBaseDisplayInfo=DisplayInfo{\"Built-in Screen\", displayId 0, real %d x %d, rotation %d, density %d, state %s, type INTERNAL, uniqueId \"local:%s\"}\n",
		size.X, size.Y, d.phone.Rotation(), d.logicalDensity(), state, d.activeID())
	return 0
}

// coverViewport is the second viewport of a phone that folds.
func (d *Device) coverViewport() string {
	if d.profile.Cover.X == 0 {
		return ""
	}
	return ", DisplayViewport{type=INTERNAL, valid=true, isActive=false, displayId=3, uniqueId='local:" + d.darkID() + "', physicalPort=1}"
}

func runCmdDisplay(_ context.Context, p *proc) int {
	d := p.d
	if len(p.Args) < 2 || p.Args[1] != "get-displays" || d.profile.SDK < 30 {
		return p.Fail(255, "Unknown command: %s", lastWord(p.Args[1:]))
	}
	size, state := d.logicalSize(), map[bool]string{true: "ON", false: "OFF"}[d.phone.Power().On]
	p.Print("Displays:\nDisplay id 0: DisplayInfo{\"Built-in Screen\", displayId 0, state %s, type INTERNAL, uniqueId \"local:%s\", app %d x %d}\n", state, d.activeID(), size.X, size.Y)
	if cover := d.profile.Cover; cover.X > 0 {
		p.Print("Display id 3: DisplayInfo{\"Second Screen\", displayId 3, state OFF, type INTERNAL, uniqueId \"local:%s\", app %d x %d}\n", d.darkID(), cover.X, cover.Y)
	}
	return 0
}

func (p *proc) dumpSurfaceFlinger(args []string) int {
	if lastWord(args) == "--display-id" {
		p.Print("Display %s (HWC display 0): port=0 pnpId=SIM displayName=\"Built-in Screen\"\n", displayID)
		if p.d.profile.Cover.X > 0 {
			p.Print("Display %s (HWC display 1): port=1 pnpId=SIM displayName=\"Second Screen\"\n", coverID)
		}
		return 0
	}
	p.Print("Build configuration: [sf HAS_CONTEXT_PRIORITY=1 PRESENT_TIME_OFFSET=0]\n")
	return 0
}

// xy is a point as dumps write it.
func xy(p image.Point) string {
	return itoa(p.X) + ", " + itoa(p.Y)
}
