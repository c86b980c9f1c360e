package adb

import (
	"regexp"
	"strings"

	"github.com/handset-go/handset/driver"
)

// What to do about a device that cannot be used.
const (
	cureUnauthorized = "unlock the phone and allow USB debugging for this computer; where no dialog appears, revoke the USB debugging " +
		"authorizations in the developer options and plug it in again"
	cureOffline     = "plug the phone in again, or connect again (adb disconnect, adb connect); restarting the phone helps where that does not"
	curePermissions = "give this user access to the USB device (udev rules, group plugdev), plug the phone in again, and start the adb server anew"
	cureNone        = "plug in a phone with USB debugging on, or adb connect HOST:PORT"
	cureRestart     = "start Android on it (adb reboot)"
)

// listed is one line of the server's list.
type listed struct {
	serial  string // may hold spaces: adb-X (2)._adb-tls-connect._tcp
	state   string
	model   string
	product string
	path    string // usb:1-4 or 3-1
}

var (
	pairPattern = regexp.MustCompile(`^[a-z_]+:\S*$`)
	pathPattern = regexp.MustCompile(`^\d+-[\d.]+$`)
)

// parseDevices reads the answer of host:devices, host:devices-l or host:track-devices, and also
// what `adb devices -l` prints, with its headers.
func parseDevices(text string) []listed {
	var all []listed
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "List of devices") || strings.HasPrefix(line, "adb server") {
			continue
		}
		if d, ok := parseDevice(line); ok {
			all = append(all, d)
		}
	}
	return all
}

// parseDevice reads a line from its right end, as only the serial on the left may hold spaces.
func parseDevice(line string) (listed, bool) {
	var d listed
	rest := strings.TrimRight(line, " \t")
	for {
		at := strings.LastIndexAny(rest, " \t")
		if at < 0 || !d.take(rest[at+1:]) {
			break
		}
		rest = strings.TrimRight(rest[:at], " \t")
	}
	at := strings.LastIndexAny(rest, " \t")
	if long := strings.Index(rest, "no permissions"); long > 0 {
		at = long - 1 // the one state of several words
	}
	if at <= 0 {
		return d, false
	}
	d.serial, d.state = strings.TrimSpace(rest[:at]), strings.TrimSpace(rest[at+1:])
	return d, d.serial != ""
}

// take keeps a word behind the state, and says whether it is one.
func (d *listed) take(word string) bool {
	if pathPattern.MatchString(word) {
		d.path = word
		return true
	}
	if !pairPattern.MatchString(word) {
		return false
	}
	switch key, value, _ := strings.Cut(word, ":"); key {
	case "model":
		d.model = strings.ReplaceAll(value, "_", " ")
	case "product":
		d.product = value
	case "usb":
		d.path = word
	}
	return true
}

// advice says what to do about the state; it is "" for a device that can be used.
func (d *listed) advice() string {
	switch state, _, _ := strings.Cut(d.state, " "); state {
	case driver.StateReady:
		return ""
	case "unauthorized", "authorizing":
		return cureUnauthorized
	case "offline":
		return cureOffline
	case "connecting":
		return "wait a moment and try again"
	case "no":
		return curePermissions
	case "recovery", "rescue", "sideload", "bootloader":
		return cureRestart
	case "detached":
		return "another program uses the phone: give it back to adb (adb attach)"
	}
	return "the phone is in a mode that adb cannot drive: " + cureRestart
}

// problem returns the error of a device that cannot be used, or nil.
func (d *listed) problem() error {
	if d.state == driver.StateReady {
		return nil
	}
	is := driver.ErrOffline
	if strings.HasPrefix(d.state, "unauth") || strings.HasPrefix(d.state, "authorizing") || strings.HasPrefix(d.state, "no perm") {
		is = driver.ErrUnauthorized
	}
	return &failure{service: "transport", text: d.serial + " is " + d.state, is: is, cure: d.advice()}
}

func (d *listed) device() driver.Device {
	return driver.Device{
		Address: addressOf(d.serial), Platform: platform, State: d.state, Model: d.model, Advice: d.advice(),
	}
}

// platform is how Description and Device name this driver's phones.
const platform = "android"

// scheme is the address scheme of this driver.
const scheme = "adb"

func addressOf(serial string) string { return driver.Address{Scheme: scheme, Device: serial}.String() }
