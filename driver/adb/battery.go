package adb

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	"github.com/handset-go/handset/driver"
)

// opBattery is no part of the driver contract.
const opBattery driver.Op = "battery"

// Battery is what the phone tells of its battery.
type Battery struct {
	Percent  int     // 0 to 100
	Charging bool    // it is being charged, or full and on a cable
	Plugged  string  // "AC", "USB", "Wireless", "Dock", or "" on battery power
	Celsius  float64 // its temperature; 0 where the phone does not tell
	Volts    float64 // 0 where the phone does not tell
}

// Battery reads the state of the battery (dumpsys battery).
func (d *Driver) Battery(ctx context.Context) (Battery, error) {
	return value(ctx, d, opBattery, limitShort, func(ctx context.Context) (Battery, error) {
		out, err := d.ask(ctx, "dumpsys battery")
		if err != nil {
			return Battery{}, err
		}
		b, ok := parseBattery(string(out.stdout))
		if !ok {
			return Battery{}, driver.Unsupported("the phone tells nothing of a battery: %s", complaint(out.stdout, out.stderr))
		}
		return b, nil
	})
}

var batteryLine = regexp.MustCompile(`(?m)^\s*([A-Za-z][A-Za-z ]*?): (\S+)\s*$`)

// Values of "status" (android.os.BatteryManager).
const (
	batteryCharging = 2
	batteryFull     = 5
)

// parseBattery reads dumpsys battery: temperatures in tenths of a degree, voltages in mV, and on
// some makers' boards in µV.
func parseBattery(text string) (b Battery, ok bool) {
	said := map[string]int{}
	for _, m := range batteryLine.FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(m[2])
		if _, twice := said[m[1]]; err == nil && !twice {
			said[m[1]] = n
		}
		if plug, isPlug := strings.CutSuffix(m[1], " powered"); isPlug && m[2] == "true" && b.Plugged == "" {
			b.Plugged = plug
		}
	}
	level, ok := said["level"]
	if scale := said["scale"]; scale > 0 {
		level = level * 100 / scale
	}
	b.Percent = min(max(level, 0), 100)
	b.Charging = said["status"] == batteryCharging || said["status"] == batteryFull && b.Plugged != ""
	b.Celsius = float64(said["temperature"]) / 10
	b.Volts = float64(said["voltage"]) / 1000
	if b.Volts > 1000 {
		b.Volts /= 1000
	}
	return b, ok
}
