package wda

import (
	"context"
	"fmt"
	"image"
	"strings"
	"time"

	"github.com/electricbubble/gwda"

	"github.com/handset-go/handset/driver"
)

// typedKeys are the keys that WebDriverAgent types as characters.
var typedKeys = map[driver.Key]string{
	driver.KeyEnter: "\n", driver.KeyDelete: "\b", driver.KeyTab: "\t", driver.KeySpace: " ",
}

// buttons are those of the phone by WebDriverAgent's names. Not every phone has each, and a simulator has none of the sound.
var buttons = map[driver.Key]string{
	driver.KeyVolumeUp: "volumeUp", driver.KeyVolumeDown: "volumeDown", driver.KeyCamera: "camera", "Action": "action",
}

// The usages of the page of consumer keys in USB's HID tables.
const (
	pageConsumer = 0x0C
	usagePower   = 0x30
	usageHome    = 0x40
)

// keyNames lists the keys that every phone has.
func keyNames() []driver.Key {
	return []driver.Key{
		driver.KeyBack, driver.KeyHome, driver.KeyRecents, driver.KeyPower, driver.KeyVolumeUp, driver.KeyVolumeDown,
		driver.KeyEnter, driver.KeyDelete, driver.KeyTab, driver.KeySpace,
	}
}

// Key presses and releases a key. Back is the button of the navigation bar, or where there is none a swipe from the left edge; Recents is
// a swipe from the bottom, or the home button twice. Enter, Delete, Tab and Space go to the focused field.
func (d *Driver) Key(ctx context.Context, key driver.Key) error {
	return d.do(ctx, driver.OpKey, limitGesture, func(ctx context.Context) error {
		key := driver.ParseKey(string(key))
		if text, ok := typedKeys[key]; ok {
			return d.typeKey(ctx, text)
		}
		defer d.screen.forget() // another app may come to the front, and may be turned
		switch key {
		case driver.KeyHome:
			return d.viaAgent(ctx, func(wd gwda.WebDriver) error { return wd.Homescreen() })
		case driver.KeyBack:
			return d.back(ctx)
		case driver.KeyRecents:
			return d.recents(ctx)
		case driver.KeyPower:
			return d.power30(ctx)
		}
		if name, ok := buttons[key]; ok {
			return d.button(ctx, name)
		}
		return unknownKey(key)
	})
}

func unknownKey(key driver.Key) error {
	var names []string
	for _, k := range keyNames() {
		names = append(names, string(k))
	}
	return driver.Unsupported("the phone has no key %q; it has %s, and Camera and Action on some models", key, strings.Join(names, ", "))
}

// typeKey types one character. Servers before 6 want the keyboard on the screen for it; without one the key goes nowhere, as on
// newer ones.
func (d *Driver) typeKey(ctx context.Context, text string) error {
	err := d.viaAgent(ctx, func(wd gwda.WebDriver) error { return wd.SendKeys(text, d.opts.TypingRate) })
	if says(err, "must be present to send keys") {
		d.log.InfoContext(ctx, "a key for a field, and no field has the focus")
		return nil
	}
	return err
}

func (d *Driver) button(ctx context.Context, name string) error {
	err := d.viaAgent(ctx, func(wd gwda.WebDriver) error { return wd.PressButton(gwda.DeviceButton(name)) })
	if says(err, "is not supported") || says(err, "Unsupported button") {
		return driver.Unsupported("the phone has no button %q: %v", name, err)
	}
	return err
}

// power30 presses the power button, which turns a display off that is on.
func (d *Driver) power30(ctx context.Context) error {
	err := d.consumerKey(ctx, usagePower)
	if hasCode(err, codeUnknownCommand) {
		return driver.Unsupported("WebDriverAgent before 3.8.0 has no power button; use Lock and Wake")
	}
	return err
}

func (d *Driver) consumerKey(ctx context.Context, usage int) error {
	return d.viaAgent(ctx, func(wd gwda.WebDriver) error {
		return wd.IOHIDEvent(pageConsumer, gwda.EventUsageID(usage), pressTime.Seconds())
	})
}

// pressTime is how long a button is held.
const pressTime = 50 * time.Millisecond

// longScreen is the least ratio of the sides of phones without a home button: those with one have 16:9, these 19.5:9.
const longScreen = 1.9

// recents opens the app switcher: by a finger that comes from the bottom edge and rests in the middle, or by the home button twice where
// there is one.
func (d *Driver) recents(ctx context.Context) error {
	frame, err := d.frameSize(ctx)
	if err != nil {
		return err
	}
	long, short := max(frame.X, frame.Y), min(frame.X, frame.Y)
	if d.info.kind != "ipad" && float64(long) < longScreen*float64(short) {
		d.log.InfoContext(ctx, "opening the app switcher by the home button")
		if err := d.consumerKey(ctx, usageHome); err != nil {
			return err
		}
		return partly(ctx, d.consumerKey(ctx, usageHome))
	}
	d.log.InfoContext(ctx, "opening the app switcher by a swipe from the bottom edge")
	from, to := image.Pt(frame.X/2, frame.Y-1), image.Pt(frame.X/2, frame.Y/2)
	return d.perform(ctx, []driver.Stroke{{{At: from}, {At: to, After: defaultSwipe}, {At: to, After: defaultSwipe + defaultHold}}})
}

// lockedFor makes an ErrLocked of what WebDriverAgent said.
func lockedFor(err error, advice string) error {
	return fmt.Errorf("%w: %s: %w", driver.ErrLocked, advice, err)
}
