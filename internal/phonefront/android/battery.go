package android

import (
	"strconv"
	"strings"
)

// battery is what the battery service says.
type battery struct {
	level, status int
	usb           bool
}

// fullBattery is that of a phone on a cable.
var fullBattery = battery{level: 82, status: 2, usb: true}

// dumpBattery is dumpsys battery: its state, or with set, unplug and reset what it shall pretend.
func (p *proc) dumpBattery(args []string) int {
	d := p.d
	d.mu.Lock()
	defer d.mu.Unlock()
	b := &d.battery
	if len(args) == 0 {
		p.Print("Current Battery Service state:\n  AC powered: false\n  USB powered: %v\n  Wireless powered: false\n  Max charging current: 500000\n  status: %d\n  health: 2\n"+
			"  present: true\n  level: %d\n  scale: 100\n  voltage: 4134\n  temperature: 264\n  technology: Li-ion\n", b.usb, b.status, b.level)
		return 0
	}
	switch strings.Join(args[:min(2, len(args))], " ") {
	case "reset":
		*b = fullBattery
	case "unplug":
		b.usb, b.status = false, 3
	case "set level", "set status":
		n, err := strconv.Atoi(lastWord(args[2:]))
		if err != nil {
			return p.Fail(255, "Bad value: %s", lastWord(args[2:]))
		}
		if args[1] == "level" {
			b.level = n
		} else {
			b.status = n
		}
	case "set usb":
		b.usb = lastWord(args[2:]) == "1"
	default:
		return p.Fail(255, "Unknown set option: %s", lastWord(args))
	}
	return 0
}

func (d *Device) batteryLevel() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.battery.level
}
