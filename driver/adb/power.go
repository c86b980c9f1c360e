package adb

import (
	"context"
	"image"
	"regexp"
	"strconv"

	"github.com/handset-go/handset/driver"
)

// powerLines and lockLines read the display's state and the keyguard's.
const (
	powerLines = `dumpsys power | grep -E 'mWakefulness=|getWakefulnessLocked'`
	lockLines  = `dumpsys window policy | grep -E 'mIsShowing=|mInputRestricted=|inputRestricted=|showing=|screenState=|` +
		`mShowingLockscreen=|mDreamingLockscreen=|isKeyguardShowing='`
)

// PowerState reads whether the display is on and whether the keyguard keeps a person out. One that
// is only drawn (a trusted phone) does not.
func (d *Driver) PowerState(ctx context.Context) (driver.Power, error) {
	return value(ctx, d, driver.OpPowerState, limitShort, d.power)
}

func (d *Driver) power(ctx context.Context) (driver.Power, error) {
	parts, err := d.askAll(ctx, powerLines, lockLines)
	if err != nil {
		return driver.Power{}, err
	}
	if parts[0] == "" && parts[1] == "" {
		return driver.Power{}, driver.Unsupported("the phone does not tell its power state")
	}
	return parsePower(parts[0] + "\n" + parts[1]), nil
}

var powerWord = regexp.MustCompile(`\b([A-Za-z]+(?:\(\))?)=(\w+)`)

// parsePower reads the lines of powerLines and lockLines.
func parsePower(text string) driver.Power {
	said := map[string]string{}
	for _, m := range powerWord.FindAllStringSubmatch(text, -1) {
		if _, twice := said[m[1]]; !twice {
			said[m[1]] = m[2]
		}
	}
	wake := orElse(said["mWakefulness"], said["getWakefulnessLocked()"])
	on := wake == "Awake" || wake == "Dreaming"
	if wake == "" {
		on = said["screenState"] == "SCREEN_STATE_ON"
	}
	return driver.Power{On: on, Locked: keyguard(said)}
}

// keyguard says whether a person must unlock first: the guard shows and input is restricted. Old
// releases print one word for it.
func keyguard(said map[string]string) bool {
	if showing, ok := said["mIsShowing"]; ok {
		return showing == "true" && said["mInputRestricted"] != "false"
	}
	if showing, ok := said["showing"]; ok {
		return showing == "true" && said["inputRestricted"] != "false"
	}
	for _, old := range []string{"mShowingLockscreen", "mDreamingLockscreen", "isKeyguardShowing"} {
		if said[old] == "true" {
			return true
		}
	}
	return false
}

// Wake turns the display on, and leaves one that is on alone.
func (d *Driver) Wake(ctx context.Context) error { return d.press(ctx, driver.OpWake, keycodeWakeup) }

// Lock turns the display off, and leaves one that is off alone.
func (d *Driver) Lock(ctx context.Context) error { return d.press(ctx, driver.OpLock, keycodeSleep) }

// rotationLines are what parseRotation reads.
var rotationLines = []string{displayLines, `dumpsys input | grep -E 'SurfaceOrientation|InputDeviceOrientation'`, "wm size"}

// Rotation returns the quarter turns of the display from its natural orientation.
func (d *Driver) Rotation(ctx context.Context) (int, error) {
	return value(ctx, d, driver.OpRotation, limitShort, func(ctx context.Context) (int, error) {
		parts, err := d.askAll(ctx, rotationLines...)
		if err != nil {
			return 0, err
		}
		return parseRotation(parts[0], parts[1], parts[2])
	})
}

var surfaceLine = regexp.MustCompile(`SurfaceOrientation:\s*([0-3])|InputDeviceOrientation:\s*Rotation(\d+)`)

// parseRotation takes the first that tells: the window manager, the touch screen (which emulators
// leave out), and the two sizes, which tell a quarter turn but not which.
func parseRotation(displays, input, wmSize string) (int, error) {
	d := parseDisplay(displays)
	if d.turned {
		return d.rotation, nil
	}
	if m := surfaceLine.FindStringSubmatch(input); m != nil {
		n, err := strconv.Atoi(m[1] + m[2])
		if m[2] != "" {
			n /= 90
		}
		return n % 4, err
	}
	natural, ok := parseWmSize(wmSize)
	switch {
	case !ok || d.size == (image.Point{}):
		return 0, driver.Unsupported("the phone does not tell how its display is turned")
	case d.size == natural:
		return 0, nil
	}
	return 1, nil
}
