package wda

import (
	"fmt"
	"log/slog"
	"maps"
	"regexp"
	"strconv"
	"time"

	"github.com/handset-go/handset/driver"
)

// Options say how a phone is reached and driven. nil is all zero values.
type Options struct {
	// Port is where WebDriverAgent listens on the phone, for a phone on USB; 0 is 8100. One on the network
	// has its port in the address.
	Port int
	// MJPEGPort is where it serves its stream of frames; 0 is 9100.
	MJPEGPort int
	// Usbmuxd is the socket of usbmuxd: unix:PATH, a PATH, or HOST:PORT; "" is the system's own,
	// /var/run/usbmuxd, or 127.0.0.1:27015 on Windows.
	Usbmuxd string
	// Apps are names of apps with their bundle ids. They come before the built-in names.
	Apps map[string]string
	// Lang is the language in which apps are named, "zh" or "en", where both are known; "" is the phone's.
	Lang string
	// TypingRate is how fast text is typed, in WebDriverAgent's own unit, nominally keystrokes a minute; 0
	// is 60. Take less where characters are lost.
	TypingRate int
	// Settings are settings of WebDriverAgent, over those that the driver makes: see QuickSettings.
	Settings map[string]any
	// KeepSettings leaves WebDriverAgent's settings as they are. Settings must be empty then.
	KeepSettings bool
	// Limit bounds New and each call, beside the time that a text or a gesture itself takes and the wait for a turn; 0 is a limit for each kind of call: 30 s
	// for a gesture, 25 s for a screenshot, 60 s for a tree or Launch.
	Limit time.Duration
	// Logger is told of odd paths: a session that was lost, an edge swipe for Back, an old server. It never
	// sees typed text. nil logs nothing.
	Logger *slog.Logger
}

const (
	defaultPort      = 8100
	defaultMJPEGPort = 9100
	defaultRate      = 60
)

// QuickSettings returns the settings that the driver makes in each session: no waiting for an app that never
// comes to rest (the caller settles), a tree as deep as the system allows, and system alerts in front of the app.
// Servers that are too old for one ignore it.
func QuickSettings() map[string]any {
	return map[string]any{
		"waitForIdleTimeout":      0,
		"animationCoolOffTimeout": 0,
		"snapshotMaxDepth":        maxSnapshotDepth,
		"useFirstMatch":           true,
		"respectSystemAlerts":     true,
		"keyboardAutocorrection":  false,
		"keyboardPrediction":      false,
	}
}

// maxSnapshotDepth is below 63, from which on the system refuses every snapshot (kAXErrorIllegalArgument).
const maxSnapshotDepth = 60

var bundlePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)+$`)

func isBundle(id string) bool { return len(id) <= 255 && bundlePattern.MatchString(id) }

// withDefaults returns a copy of o without zero values that mean something else.
func (o *Options) withDefaults() (Options, error) {
	var c Options
	if o != nil {
		c = *o
	}
	if c.Port == 0 {
		c.Port = defaultPort
	}
	if c.MJPEGPort == 0 {
		c.MJPEGPort = defaultMJPEGPort
	}
	if c.TypingRate == 0 {
		c.TypingRate = defaultRate
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	c.Apps, c.Settings = maps.Clone(c.Apps), maps.Clone(c.Settings)
	return c, c.check()
}

func (o *Options) check() error {
	switch {
	case !isPort(o.Port) || !isPort(o.MJPEGPort):
		return fmt.Errorf("port %d, MJPEG port %d: want 1 to 65535", o.Port, o.MJPEGPort)
	case o.TypingRate < 0:
		return fmt.Errorf("typing rate %d: want a positive number", o.TypingRate)
	case o.Lang != "" && o.Lang != "zh" && o.Lang != "en":
		return fmt.Errorf("lang %q: want zh or en", o.Lang)
	case o.KeepSettings && len(o.Settings) > 0:
		return fmt.Errorf("settings are given, and are to be kept as they are: choose one")
	}
	for name, id := range o.Apps {
		if !isBundle(id) {
			return fmt.Errorf("app %q: %q is not a bundle id", name, id)
		}
	}
	return nil
}

func isPort(n int) bool { return n > 0 && n <= 65535 }

// FromEnv returns the options that the variable of usbmuxd itself asks for, USBMUXD_SOCKET_ADDRESS. getenv is
// os.Getenv, or a test's.
func FromEnv(getenv func(string) string) *Options {
	return &Options{Usbmuxd: getenv("USBMUXD_SOCKET_ADDRESS")}
}

// addressOptions are the names that an address may carry.
var addressOptions = []string{"port", "mjpeg", "usbmuxd", "rate", "settings", "limit", "lang"}

// setAddress takes the options of an address over those of the environment.
func (o *Options) setAddress(a driver.Address) error { return a.SetOptions(addressOptions, o.set) }

func (o *Options) set(name, value string) (err error) {
	switch name {
	case "port":
		o.Port, err = strconv.Atoi(value)
	case "mjpeg":
		o.MJPEGPort, err = strconv.Atoi(value)
	case "usbmuxd":
		o.Usbmuxd = value
	case "rate":
		o.TypingRate, err = strconv.Atoi(value)
	case "lang":
		o.Lang = value
	case "limit":
		o.Limit, err = driver.ParseTime(value)
	case "settings":
		switch value {
		case "quick":
			o.KeepSettings = false
		case "keep":
			o.KeepSettings = true
		default:
			err = fmt.Errorf("%q: want quick or keep", value)
		}
	}
	return err
}
