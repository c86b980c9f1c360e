package android

import (
	"context"
	"fmt"
	"image"
	"strconv"
)

// logicalSize is the size of the display as apps see it: turned, and overridden by wm size.
func (d *Device) logicalSize() image.Point {
	d.mu.Lock()
	o := d.override
	d.mu.Unlock()
	if o.width == 0 {
		return d.phone.Size()
	}
	if d.phone.Rotation()%2 == 1 {
		return image.Pt(o.height, o.width)
	}
	return image.Pt(o.width, o.height)
}

// logicalDensity is the density as apps see it.
func (d *Device) logicalDensity() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.override.density != 0 {
		return d.override.density
	}
	return d.phone.Density()
}

const wmUsage = `Window manager (window) commands:
  help
      Print this help text.
  size [reset|WxH|WdpxHdp] [-d DISPLAY_ID]
    Return or override display size.
  density [reset|DENSITY] [-d DISPLAY_ID] [-u UNIQUE_ID]
    Return or override display density.
  dismiss-keyguard
    Dismiss the keyguard, prompting user for auth if necessary.
  user-rotation [-d DISPLAY_ID] [free|lock] [rotation]
    Print or set user rotation mode and user rotation.
`

func runWm(_ context.Context, p *proc) int {
	args := p.Args[1:]
	for i := range args {
		if args[i] == "-d" && i+1 < len(args) {
			if args[i+1] != "0" {
				return p.Fail(255, "Error: Invalid display: %s", args[i+1])
			}
			args = append(append([]string{}, args[:i]...), args[i+2:]...)
			break
		}
	}
	if len(args) == 0 {
		p.Print("%s", wmUsage)
		return 0
	}
	switch rest := args[1:]; args[0] {
	case "size":
		return p.wmSize(rest)
	case "density":
		return p.wmDensity(rest)
	case "dismiss-keyguard":
		p.d.phone.Unlock()
		return 0
	case "user-rotation", "set-user-rotation":
		return p.wmRotation(rest)
	}
	p.Print("Unknown command: %s\n%s", args[0], wmUsage)
	return 255
}

func (p *proc) wmSize(args []string) int {
	d := p.d
	if len(args) > 0 {
		var o override
		if args[0] != "reset" {
			if _, err := fmt.Sscanf(args[0], "%dx%d", &o.width, &o.height); err != nil || o.width < 1 || o.height < 1 {
				return p.Fail(255, "Error: bad size %s", args[0])
			}
		}
		d.mu.Lock()
		d.override.width, d.override.height = o.width, o.height
		d.mu.Unlock()
		return 0
	}
	size := d.phone.NaturalSize()
	p.Print("Physical size: %dx%d\n", size.X, size.Y)
	d.mu.Lock()
	o := d.override
	d.mu.Unlock()
	if o.width > 0 {
		p.Print("Override size: %dx%d\n", o.width, o.height)
	}
	return 0
}

func (p *proc) wmDensity(args []string) int {
	d := p.d
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(args) > 0 {
		n, err := strconv.Atoi(args[0])
		switch {
		case args[0] == "reset":
			n = 0
		case err != nil:
			return p.Fail(255, "Error: bad number %s", args[0])
		case n < 72:
			return p.Fail(255, "Error: density must be >= 72")
		}
		d.override.density = n
		return 0
	}
	p.Print("Physical density: %d\n", d.phone.Density())
	if d.override.density > 0 {
		p.Print("Override density: %d\n", d.override.density)
	}
	return 0
}

func (p *proc) wmRotation(args []string) int {
	d := p.d
	if len(args) == 0 {
		mode := "lock"
		if d.setting("system", "accelerometer_rotation") == "1" {
			mode = "free"
		}
		p.Print("%s\n", mode)
		return 0
	}
	switch args[0] {
	case "free":
		d.putSetting("system", "accelerometer_rotation", "1")
	case "lock":
		d.putSetting("system", "accelerometer_rotation", "0")
		if len(args) > 1 {
			d.putSetting("system", "user_rotation", args[1])
		}
	default:
		return p.Fail(255, "Error: expecting \"free\" or \"lock\", but got \"%s\"", args[0])
	}
	return 0
}
