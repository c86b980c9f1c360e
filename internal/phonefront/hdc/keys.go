package hdc

import (
	"slices"

	"github.com/handset-go/handset/driver"
)

// The key codes that mean something of their own here.
const (
	codeHome       = 1
	codeBack       = 2
	codePower      = 18
	codeDigit0     = 2000
	codeA          = 2017
	codeZ          = 2042
	codeV          = 2038
	codeShiftLeft  = 2047
	codeShiftRight = 2048
	codeCtrlLeft   = 2072
	codeCtrlRight  = 2073
	codeSleep      = 2600
	codeDisplayOff = 2661
	codeWakeup     = 2802
	codeLock       = 2809
	codeRecents    = 10011
	mostCode       = 5000
)

// keyCodes are the keys that the phone has. 2210, the recent apps of the public list, is accepted and does
// nothing: 10011 is what phones listen to.
var keyCodes = map[int]driver.Key{
	codeHome: driver.KeyHome, codeBack: driver.KeyBack, codePower: driver.KeyPower, 16: driver.KeyVolumeUp, 17: driver.KeyVolumeDown,
	22: driver.KeyMute, 19: driver.KeyCamera, 9: driver.KeySearch, 10: driver.KeyPlayPause, 2012: driver.KeyUp, 2013: driver.KeyDown,
	2014: driver.KeyLeft, 2015: driver.KeyRight, 2016: driver.KeyEnter, 2049: driver.KeyTab, 2050: driver.KeySpace,
	2054: driver.KeyEnter, 2119: driver.KeyEnter, 2055: driver.KeyDelete, 2071: driver.KeyForward, 2067: driver.KeyMenu,
	2068: driver.KeyPageUp, 2069: driver.KeyPageDown, 2070: driver.KeyEscape, 2081: driver.KeyMoveHome, 2082: driver.KeyMoveEnd,
	2622: driver.KeyPaste, codeRecents: driver.KeyRecents,
}

// keySigns are the keys of punctuation: what each types alone and with Shift.
var keySigns = map[int]string{
	2043: ",<", 2044: ".>", 2056: "`~", 2057: "-_", 2058: "=+", 2059: "[{", 2060: "]}", 2061: `\|`, 2062: ";:", 2063: `'"`,
	2064: "/?", 2065: "@@", 2066: "++", 2010: "**", 2011: "##", 2113: "//", 2114: "**", 2115: "--", 2116: "++", 2117: "..",
	2118: ",,", 2120: "==", 2121: "((", 2122: "))",
}

const shiftedDigits = ")!@#$%^&*("

// pressKeys presses keys together and lets go of them.
func (d *Device) pressKeys(codes ...int) {
	shift := slices.ContainsFunc(codes, func(c int) bool { return c == codeShiftLeft || c == codeShiftRight })
	ctrl := slices.ContainsFunc(codes, func(c int) bool { return c == codeCtrlLeft || c == codeCtrlRight })
	for _, code := range codes {
		switch {
		case code == codeShiftLeft || code == codeShiftRight || code == codeCtrlLeft || code == codeCtrlRight:
		case ctrl:
			d.pressWithCtrl(code)
		default:
			d.pressKey(code, shift)
		}
	}
}

// pressWithCtrl knows the shortcuts of text fields.
func (d *Device) pressWithCtrl(code int) {
	switch {
	case code == codeA && d.faults.On(FaultStrayLetter):
		d.typeText("a")
	case code == codeA:
		d.selectAll(true)
	case code == codeV:
		d.replaceSelected()
		d.phone.Key(driver.KeyPaste)
	}
}

func (d *Device) pressKey(code int, shift bool) {
	if text := keyText(code, shift); text != "" {
		d.typeText(text)
		return
	}
	key := keyCodes[code]
	switch {
	case code == codeSleep || code == codeDisplayOff || code == codeLock:
		d.phone.Sleep()
	case code == codeWakeup:
		d.phone.Wake()
	case (key == driver.KeyDelete || key == driver.KeyForward) && d.replaceSelected():
	case key != "":
		d.selectAll(false)
		d.phone.Key(key)
	}
}

// keyText is what a key types, "" for one that types nothing.
func keyText(code int, shift bool) string {
	at := 0
	if shift {
		at = 1
	}
	switch {
	case code >= codeA && code <= codeZ:
		return string(rune("aA"[at]) + rune(code-codeA))
	case code >= codeDigit0 && code < codeDigit0+10 && shift:
		return shiftedDigits[code-codeDigit0:][:1]
	case code >= codeDigit0 && code < codeDigit0+10:
		return string(rune('0' + code - codeDigit0))
	case code >= 2103 && code <= 2112:
		return string(rune('0' + code - 2103))
	case keySigns[code] != "":
		return keySigns[code][at : at+1]
	}
	return ""
}

// typeText inserts a text at the cursor, or in place of what is selected.
func (d *Device) typeText(text string) {
	d.replaceSelected()
	d.phone.InsertText(text)
}

// selectAll remembers whether all of the focused field is selected.
func (d *Device) selectAll(all bool) {
	_, focused := d.phone.Focused()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.selected = all && focused
}

// replaceSelected empties the field if all of it was selected, and says so.
func (d *Device) replaceSelected() bool {
	d.mu.Lock()
	was := d.selected
	d.selected = false
	d.mu.Unlock()
	return was && d.phone.ClearText()
}
