package adb

import (
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/cmdrun"
)

// Options say how a phone is reached and driven. nil is all zero values.
type Options struct {
	// Server is where the adb server listens: HOST:PORT, PORT, tcp:HOST:PORT, or unix:PATH. "" is
	// 127.0.0.1:5037. A server on this computer is started where none answers.
	Server string
	// ADB is the adb program that starts the server, by path or by name in PATH; "" is adb.
	ADB string
	// NoStart leaves a server that does not answer alone.
	NoStart bool
	// Reconnect attaches a phone over the network again (HOST:PORT) where a call finds that the adb
	// server does not know it any more, as after the server was restarted. It also undoes a disconnect
	// that somebody meant.
	Reconnect bool
	// Keyboard is the id of the input method that takes text by broadcast; "" is ADBKeyBoard,
	// com.android.adbkeyboard/.AdbIME.
	Keyboard string
	// KeyboardWait is how long that input method is left alone after it was switched on: it hears
	// nothing before it has made itself ready, and nothing tells when. 0 is 600 ms; slow phones
	// want up to 3 s.
	KeyboardWait time.Duration
	// ProveText reads the field back after each text, which takes as long as a tree, and makes it an
	// error if the text is not in it as it was typed. An app that formats or corrects what is typed
	// fails that. Without it, only lost characters of long texts are looked for, and a keyboard that
	// types nothing.
	ProveText bool
	// PlainShell gives each command a connection of its own. Otherwise small ones share a shell that
	// stays open on the phone, which saves each of them the start of one.
	PlainShell bool
	// Scrcpy is the path of scrcpy's server file (scrcpy-server, of scrcpy 2.1 or newer). The first
	// gesture starts it on the phone, where it lives until Close and leaves nothing behind: gestures,
	// keys and short texts then take milliseconds, several fingers and the clipboard work, and texts
	// of any script need no input method.
	//
	// "" looks where scrcpy's installations put the file, and does without where there is none. A file
	// found so is started when it is needed (several fingers, the clipboard, a text that nothing else
	// can type) and by the third gesture: its start takes longer than a tap or two. "auto" looks in
	// the same places and starts it by the first gesture; "off" leaves it alone.
	Scrcpy string
	// scrcpyServer is the file that the environment names, looked at before the usual places.
	scrcpyServer string
	// badServer says that a variable of adb cannot be read. It counts where Server is not set.
	badServer error
	// CompressedTree leaves out of trees what is not important for accessibility, which makes them
	// smaller and sometimes succeeds where the whole tree does not. It can lose a clickable area
	// without a text.
	CompressedTree bool
	// AllWindows has trees show all windows: the keyboard, the status bar, what lies behind a dialog.
	// It needs Android 12; older phones give the focused window as ever.
	AllWindows bool
	// NoTreeServer leaves alone the automation servers that other programs run on the phone
	// (uiautomator2 of openatx, Appium's). Otherwise trees come from one where it runs: its dump takes
	// a tenth of a second, and the phone's own tool does not work beside it.
	NoTreeServer bool
	// Screens is the form of pictures: "png", "raw", or "" for the quicker one, which the first two
	// pictures find out. A raw one is packed here when its bytes are asked for.
	Screens string
	// Apps are names of apps with their package ids. They come before the built-in names.
	Apps map[string]string
	// Lang is the language in which apps are named, "zh" or "en", where both are known; "" is the phone's.
	Lang string
	// Limit bounds New and each call, but for files and the wait for a turn; 0 is a limit for each kind of
	// call: 10 s for New, beside the start of a server, 15 s for a gesture or a screenshot, 20 s for a
	// tree, 40 s for Launch. The time that a gesture or a text itself takes is added.
	Limit time.Duration
	// Logger is told of odd paths: a server that was started, a fallback, an input method that was put
	// back late. It never sees typed text. nil logs nothing.
	Logger *slog.Logger
}

const (
	defaultServer   = "127.0.0.1:5037"
	defaultKeyboard = "com.android.adbkeyboard/.AdbIME"
	defaultWait     = 600 * time.Millisecond
)

// withDefaults returns a copy of o without zero values that mean something else.
func (o *Options) withDefaults() (Options, error) {
	var c Options
	if o != nil {
		c = *o
	}
	if c.Server == "" && c.badServer != nil {
		return c, c.badServer
	}
	if c.Server == "" {
		c.Server = defaultServer
	}
	if c.ADB == "" {
		c.ADB = "adb"
	}
	if c.Keyboard == "" {
		c.Keyboard = defaultKeyboard
	}
	if c.KeyboardWait <= 0 {
		c.KeyboardWait = defaultWait
	}
	if c.Screens != "" && c.Screens != screensPNG && c.Screens != screensRaw {
		return c, fmt.Errorf("screens %q: want %s or %s", c.Screens, screensPNG, screensRaw)
	}
	if !isComponent(c.Keyboard) {
		return c, fmt.Errorf("keyboard %q: want PACKAGE/CLASS, such as %s", c.Keyboard, defaultKeyboard)
	}
	if c.Lang != "" && c.Lang != "zh" && c.Lang != "en" {
		return c, fmt.Errorf("lang %q: want zh or en", c.Lang)
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	c.Apps = maps.Clone(c.Apps)
	for name, id := range c.Apps {
		if !isPackage(id) {
			return c, fmt.Errorf("app %q: %q is not a package id", name, id)
		}
	}
	return c, nil
}

// FromEnv returns the options that the variables of adb itself ask for: ADB_SERVER_SOCKET, or
// ANDROID_ADB_SERVER_ADDRESS and ANDROID_ADB_SERVER_PORT, and an adb of ANDROID_HOME or
// ANDROID_SDK_ROOT where there is none in PATH; and SCRCPY_SERVER_PATH, the server file of scrcpy, which
// comes before those of its installations. A variable that cannot be read is an error of New. getenv is os.Getenv, or a test's.
func FromEnv(getenv func(string) string) *Options {
	o := &Options{scrcpyServer: getenv("SCRCPY_SERVER_PATH")}
	o.Server, o.badServer = serverFromEnv(getenv)
	if _, err := cmdrun.Find("adb"); err == nil {
		return o
	}
	for _, name := range []string{"ANDROID_HOME", "ANDROID_SDK_ROOT"} {
		if sdk := getenv(name); sdk != "" {
			path := filepath.Join(sdk, "platform-tools", "adb")
			if _, err := cmdrun.Find(path); err == nil {
				o.ADB = path
				return o
			}
		}
	}
	return o
}

// addressOptions are the names that an address may carry.
var addressOptions = []string{"server", "adb", "start", "reconnect", "keyboard", "keyboard_wait", "prove", "compressed", "limit", "resident", "scrcpy", "windows", "tree_server", "screens", "lang"}

// setAddress takes the options of an address over those of the environment.
func (o *Options) setAddress(a driver.Address) error { return a.SetOptions(addressOptions, o.set) }

func (o *Options) set(name, value string) (err error) {
	switch name {
	case "server":
		o.Server = value
	case "adb":
		o.ADB = value
	case "keyboard":
		o.Keyboard = value
	case "keyboard_wait":
		o.KeyboardWait, err = driver.ParseTime(value)
	case "reconnect":
		o.Reconnect, err = strconv.ParseBool(value)
	case "prove":
		o.ProveText, err = strconv.ParseBool(value)
	case "compressed":
		o.CompressedTree, err = strconv.ParseBool(value)
	case "limit":
		o.Limit, err = driver.ParseTime(value)
	case "screens":
		o.Screens = value
	case "lang":
		o.Lang = value
	case "windows":
		o.AllWindows, err = strconv.ParseBool(value)
	case "tree_server":
		var use bool
		use, err = strconv.ParseBool(value)
		o.NoTreeServer = !use
	case "scrcpy":
		o.Scrcpy = value
	case "resident":
		var keep bool
		keep, err = strconv.ParseBool(value)
		o.PlainShell = !keep
	case "start":
		var start bool
		start, err = strconv.ParseBool(value)
		o.NoStart = !start
	}
	return err
}

func orElse(s, or string) string {
	if strings.TrimSpace(s) == "" {
		return or
	}
	return s
}
