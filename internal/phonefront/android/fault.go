package android

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Fault is something that a phone, or the way to it, can do wrong. It is switched on by name.
type Fault struct {
	Name string
	Doc  string
	Arg  string // what "name=arg" sets it to when no arg is given; "" where it takes none
}

// The names of the faults.
const (
	FaultUnauthorized    = "unauthorized"
	FaultAuthorizing     = "authorizing"
	FaultOffline         = "offline"
	FaultHang            = "hang"
	FaultSlow            = "slow"
	FaultDropAfterSend   = "drop-after-send"
	FaultDropMidWrite    = "drop-mid-write"
	FaultNoExitPacket    = "no-exit-packet"
	FaultClosed          = "closed"
	FaultServerDies      = "server-dies"
	FaultProtocol        = "protocol-fault"
	FaultBadLength       = "bad-length"
	FaultSilentServer    = "silent-server"
	FaultScreencapEmpty  = "screencap-empty"
	FaultScreencapCut    = "screencap-truncated"
	FaultScreencapRefuse = "screencap-refused"
	FaultScreencapBlack  = "screencap-black"
	FaultScreencapWarn   = "screencap-warning"
	FaultScreencapNoise  = "screencap-noise"
	FaultScreencapSlow   = "screencap-slow"
	FaultDumpIdle        = "dump-idle"
	FaultDumpNullRoot    = "dump-null-root"
	FaultDumpNPE         = "dump-npe"
	FaultDumpUnwritten   = "dump-unwritten"
	FaultDumpKilled      = "dump-killed"
	FaultDumpBusy        = "dump-busy"
	FaultDumpExit1       = "dump-exit1"
	FaultDumpNoise       = "dump-noise"
	FaultDumpQuotes      = "dump-single-quotes"
	FaultDumpInverted    = "dump-inverted-bounds"
	FaultDumpNegative    = "dump-negative-bounds"
	FaultDumpBig         = "dump-big"
	FaultDumpSlow        = "dump-slow"
	FaultDumpRotated     = "dump-rotated"
	FaultDumpWrapped     = "dump-wrapped"
	FaultFocusNull       = "focus-null"
	FaultFocusPopup      = "focus-popup"
	FaultFocusANR        = "focus-anr"
	FaultFocusSplit      = "focus-split"
	FaultFocusCover      = "focus-cover"
	FaultStartDenied     = "start-not-exported"
	FaultStartTimeout    = "start-timeout"
	FaultStartNull       = "start-null"
	FaultStartAborted    = "start-aborted"
	FaultStartIgnored    = "start-ignored"
	FaultMonkeySysKeys   = "monkey-sys-keys"
	FaultResolver        = "resolver"
	FaultInjectEvents    = "inject-events"
	FaultSecureSettings  = "secure-settings"
	FaultTextLoss        = "text-loss"
	FaultInputSlow       = "input-slow"
	FaultNoReceiver      = "ime-no-receiver"
	FaultNoADBKeyBoard   = "ime-missing"
	FaultIMESettle       = "ime-settle"
	FaultDumpsysTimeout  = "dumpsys-timeout"
	FaultNoOrientation   = "no-orientation"
	FaultWorkProfile     = "work-profile"
)

var faults = []Fault{
	{FaultUnauthorized, "the owner has not allowed this computer", ""},
	{FaultAuthorizing, "the phone thinks about the computer's key for that long after it was attached", "3s"},
	{FaultOffline, "the phone is attached and does not answer", ""},
	{FaultHang, "every command hangs before it does anything", ""},
	{FaultSlow, "every command starts that much later", "2s"},
	{FaultDropAfterSend, "a gesture or launch is done, then the line to the phone breaks before the answer", ""},
	{FaultDropMidWrite, "the line to the phone breaks in the middle of the first long answer", ""},
	{FaultNoExitPacket, "a shell v2 stream ends without its exit packet", ""},
	{FaultClosed, "every service is refused, as by an adbd that is out of descriptors", ""},
	{FaultServerDies, "the adb server ends as soon as a device service was opened", ""},
	{FaultProtocol, "the adb server breaks the connection without a status", ""},
	{FaultBadLength, "the adb server gives lengths that are not hex", ""},
	{FaultSilentServer, "the adb server accepts and never answers", ""},
	{FaultScreencapEmpty, "screencap prints nothing, with status 0", ""},
	{FaultScreencapCut, "screencap prints half of the PNG, with status 0", ""},
	{FaultScreencapRefuse, "screencap fails as the release does", ""},
	{FaultScreencapBlack, "the window is secure and its picture black", ""},
	{FaultScreencapWarn, "the warning about several displays, on stderr", ""},
	{FaultScreencapNoise, "a vendor's text on stdout before the picture", ""},
	{FaultScreencapSlow, "screencap takes that long", "2s"},
	{FaultDumpIdle, "uiautomator never finds the screen idle", ""},
	{FaultDumpNullRoot, "uiautomator gets no root node", ""},
	{FaultDumpNPE, "uiautomator crashes without a word", ""},
	{FaultDumpUnwritten, "uiautomator says that it dumped, and wrote nothing", ""},
	{FaultDumpKilled, "uiautomator is killed for its memory", ""},
	{FaultDumpBusy, "another automation holds the accessibility connection", ""},
	{FaultDumpExit1, "the dump is written, and a theme's exception makes the status 1", ""},
	{FaultDumpNoise, "lines of a vendor before the dump", ""},
	{FaultDumpQuotes, "every attribute is in single quotes", ""},
	{FaultDumpInverted, "rows beyond the edge have their bounds inverted", ""},
	{FaultDumpNegative, "views beyond the edge have negative bounds", ""},
	{FaultDumpBig, "that many more nodes in the dump", "5000"},
	{FaultDumpSlow, "a dump takes that long", "2s"},
	{FaultDumpRotated, "the phone is turned between a picture and the next dump", ""},
	{FaultDumpWrapped, "the dump is broken into lines of about 1 KB", ""},
	{FaultFocusNull, "no window has the focus for that long after a launch", "300ms"},
	{FaultFocusPopup, "a popup window has the focus", ""},
	{FaultFocusANR, "the window 'Application Not Responding' has the focus", ""},
	{FaultFocusSplit, "two apps are resumed, one beside the other", ""},
	{FaultFocusCover, "a cover display with a home of its own comes first", ""},
	{FaultStartDenied, "am start: the activity is not exported", ""},
	{FaultStartTimeout, "am start -W: Status: timeout", ""},
	{FaultStartNull, "am start -W: Status: null", ""},
	{FaultStartAborted, "am start: the user asked to abort", ""},
	{FaultStartIgnored, "am start says ok and the app does not come to the front", ""},
	{FaultMonkeySysKeys, "monkey wants hardware keys", ""},
	{FaultResolver, "resolve-activity names the system's chooser", ""},
	{FaultInjectEvents, "input may not inject events", ""},
	{FaultSecureSettings, "settings put and ime may not write secure settings", ""},
	{FaultTextLoss, "input text loses every that-many-th character", "7"},
	{FaultInputSlow, "input takes that long", "2s"},
	{FaultNoReceiver, "ADBKeyBoard is current and hears no broadcast", ""},
	{FaultNoADBKeyBoard, "ADBKeyBoard is not installed", ""},
	{FaultIMESettle, "a new input method hears broadcasts only after that long", "500ms"},
	{FaultDumpsysTimeout, "dumpsys window runs into its time limit", ""},
	{FaultNoOrientation, "dumpsys input tells no orientation", ""},
	{FaultWorkProfile, "the app in front belongs to user 10", ""},
}

func known(name string) bool {
	return slices.ContainsFunc(faults, func(f Fault) bool { return f.Name == name })
}

// FaultList lists the faults in a fixed order.
func FaultList() []Fault { return slices.Clone(faults) }

// Faults is the set of those that are on. The zero value has none. It may be used from several goroutines.
type Faults struct {
	mu sync.Mutex
	on map[string]string
}

// Set switches a fault, given as "name" or "name=arg". An unknown name is an error that says how to list them.
func (f *Faults) Set(fault string, on bool) error {
	name, arg, given := strings.Cut(fault, "=")
	i := slices.IndexFunc(faults, func(x Fault) bool { return x.Name == name })
	if i < 0 {
		return fmt.Errorf("unknown fault %q, sim --list names them", name)
	}
	if given && faults[i].Arg == "" {
		return fmt.Errorf("fault %s takes no argument", name)
	}
	if !given {
		arg = faults[i].Arg
	}
	if err := checkArg(faults[i], arg); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if !on {
		delete(f.on, name)
		return nil
	}
	if f.on == nil {
		f.on = map[string]string{}
	}
	f.on[name] = arg
	return nil
}

// checkArg refuses an argument of another kind than the fault's own.
func checkArg(f Fault, arg string) error {
	if f.Arg == "" {
		return nil
	}
	if _, err := time.ParseDuration(f.Arg); err == nil {
		if d, err := time.ParseDuration(arg); err != nil || d < 0 {
			return fmt.Errorf("fault %s takes a duration such as %s, got %q", f.Name, f.Arg, arg)
		}
		return nil
	}
	var n int
	if _, err := fmt.Sscanf(arg, "%d", &n); err != nil || n < 1 {
		return fmt.Errorf("fault %s takes a number such as %s, got %q", f.Name, f.Arg, arg)
	}
	return nil
}

// On says that the fault is on.
func (f *Faults) On(name string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, on := f.on[name]
	return on
}

// Duration returns a fault's argument as a duration, 0 while it is off.
func (f *Faults) Duration(name string) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	d, _ := time.ParseDuration(f.on[name])
	return d
}

// Number returns a fault's argument as a number, 0 while it is off.
func (f *Faults) Number(name string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	var n int
	_, _ = fmt.Sscanf(f.on[name], "%d", &n)
	return n
}

// Names lists those that are on, sorted.
func (f *Faults) Names() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var names []string
	for n := range f.on {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}
