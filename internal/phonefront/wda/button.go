package wda

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
)

// buttons are those of a phone, as pressButton knows them in lower case.
var buttons = []struct {
	name string
	key  driver.Key
}{{"home", driver.KeyHome}, {"volumeup", driver.KeyVolumeUp}, {"volumedown", driver.KeyVolumeDown}}

func (c *call) pressButton() (any, error) {
	name := text(c.body["name"])
	if _, _, err := c.float("duration"); err != nil {
		return nil, err
	}
	for _, b := range buttons {
		if b.name == strings.ToLower(name) {
			return nil, c.d.press(b.key)
		}
	}
	var known []string
	for _, b := range buttons {
		known = append(known, "    "+b.name)
	}
	return nil, fail(errUnknown, "%s", describeNS(fmt.Sprintf("The button '%s' is not supported. The device under test only supports the "+
		"following buttons: (\n%s\n)", name, strings.Join(known, ",\n"))))
}

func (d *Device) press(k driver.Key) error {
	if k == driver.KeyHome {
		d.pressHome()
		return nil
	}
	d.phone.Key(k)
	return nil
}

// pressHome presses the home button: it wakes the phone, then unlocks it where no passcode is asked, then
// shows the home screen.
func (d *Device) pressHome() {
	switch p := d.phone.Power(); {
	case !p.On:
		d.phone.Wake()
	case p.Locked && !d.faults.On(FaultPasscode):
		d.phone.Unlock()
	case !p.Locked:
		d.phone.Key(driver.KeyHome)
	}
}

func (c *call) homescreen() (any, error) {
	if p := c.d.phone.Power(); p.Locked || !p.On {
		c.d.pressHome()
		c.d.pressHome()
	}
	c.d.pressHome()
	return nil, nil
}

// hidPages are the keys of the HID usage pages that a phone listens to.
var hidPages = map[int]map[int]driver.Key{
	0x0C: {
		0x30: driver.KeyPower, 0x40: driver.KeyHome, 0xE9: driver.KeyVolumeUp, 0xEA: driver.KeyVolumeDown, 0xE2: driver.KeyMute,
		0xCD: driver.KeyPlayPause,
	},
	0x07: {
		0x28: driver.KeyEnter, 0x29: driver.KeyEscape, 0x2A: driver.KeyDelete, 0x2B: driver.KeyTab, 0x2C: driver.KeySpace,
		0x4A: driver.KeyMoveHome, 0x4C: driver.KeyForward, 0x4D: driver.KeyMoveEnd, 0x4F: driver.KeyRight, 0x50: driver.KeyLeft,
		0x51: driver.KeyDown, 0x52: driver.KeyUp,
	},
}

// performIoHidEvent presses a key by its HID usage. One that the phone does not know does nothing.
func (c *call) performIoHidEvent() (any, error) {
	n, err := c.floats("page", "usage", "duration")
	if err != nil {
		return nil, err
	}
	if n[2] < 0 {
		return nil, fail(errArgument, "The duration must not be negative")
	}
	if k, ok := hidPages[int(n[0])][int(n[1])]; ok {
		return nil, c.d.press(k)
	}
	return nil, nil
}

func (c *call) lock() (any, error) {
	c.d.phone.Sleep()
	return nil, nil
}

// unlock presses home twice and waits for the lock screen to go.
func (c *call) unlock() (any, error) {
	for range 2 {
		if p := c.d.phone.Power(); p.Locked || !p.On {
			c.d.pressHome()
		}
	}
	if c.d.phone.Power().Locked {
		if err := c.takes(5 * time.Second); err != nil {
			return nil, err
		}
		return nil, nsError("Timed out while waiting until the screen gets unlocked")
	}
	return nil, nil
}

func (c *call) locked() (any, error) { return c.d.phone.Power().Locked, nil }

func (c *call) keyboardDismiss() (any, error) {
	if _, err := c.appHere(); err != nil {
		return nil, err
	}
	if !c.d.phone.KeyboardShown() {
		return nil, nil
	}
	names, _ := c.body["keyNames"].([]any)
	for _, w := range c.d.phone.Windows() {
		if w.Kind != driver.WindowKeyboard {
			continue
		}
		keys := c.d.keyboardElement(w)
		for _, n := range names {
			for e := range keys.all() {
				if s := text(n); s != "" && slices.Contains([]string{e.RawID, e.Label}, s) {
					c.d.tapBox(e.Box)
					if !c.d.phone.KeyboardShown() {
						return nil, nil
					}
				}
			}
		}
	}
	if c.d.profile.Tablet { // whose keyboard has a key of its own for that
		c.d.phone.Key(driver.KeyEscape)
		return nil, nil
	}
	if err := c.takes(3 * time.Second); err != nil {
		return nil, err
	}
	return nil, fail(errElementState, "Did not know how to dismiss the keyboard. Try to dismiss it in the way supported by your "+
		"application under test.")
}
