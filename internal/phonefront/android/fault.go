package android

import (
	"slices"

	"github.com/handset-go/handset/internal/phonefront/fault"
)

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
	FaultInstallDenied   = "install-denied"
	FaultInstallFull     = "install-no-space"
	FaultDumpDeep        = "dump-deep"
	FaultDumpExclusive   = "dump-exclusive"
	FaultScrcpySlow      = "scrcpy-slow-start"
	FaultScrcpyCrash     = "scrcpy-crash"
	FaultScrcpyFlood     = "scrcpy-flood"
	FaultScrcpyDies      = "scrcpy-dies"
	FaultScrcpyDiesAfter = "scrcpy-dies-after"
	FaultScrcpyDeaf      = "scrcpy-deaf"
	FaultScrcpyNoAck     = "scrcpy-no-ack"
	FaultScrcpyNoPaste   = "scrcpy-no-paste"
	FaultScrcpyRoot      = "scrcpy-root"
	FaultClipLocked      = "clipboard-locked"
	FaultU2Server        = "u2-server"
	FaultU2Hung          = "u2-hung"
	FaultU2Slow          = "u2-slow"
	FaultU2Error         = "u2-error"
	FaultU2Empty         = "u2-empty"
	FaultAppium          = "appium-server"
	FaultAppiumSession   = "appium-session"
	FaultAppiumOld       = "appium-wd-hub"
	FaultAppiumSlow      = "appium-slow"
	FaultAppiumNoRoot    = "appium-no-root"
)

var faults = []fault.Fault{
	{Name: FaultUnauthorized, Doc: "the owner has not allowed this computer"},
	{Name: FaultAuthorizing, Doc: "the phone thinks about the computer's key for that long after it was attached", Arg: "3s"},
	{Name: FaultOffline, Doc: "the phone is attached and does not answer"},
	{Name: FaultHang, Doc: "every command and transfer hangs before it does anything"},
	{Name: FaultSlow, Doc: "every command starts that much later", Arg: "2s"},
	{Name: FaultDropAfterSend, Doc: "a gesture or launch is done, then the line to the phone breaks before the answer"},
	{Name: FaultDropMidWrite, Doc: "the line to the phone breaks in the middle of the first long answer"},
	{Name: FaultNoExitPacket, Doc: "a shell v2 stream ends without its exit packet"},
	{Name: FaultClosed, Doc: "every service is refused, as by an adbd that is out of descriptors"},
	{Name: FaultServerDies, Doc: "the adb server ends as soon as a device service was opened"},
	{Name: FaultProtocol, Doc: "the adb server breaks the connection without a status"},
	{Name: FaultBadLength, Doc: "the adb server gives lengths that are not hex"},
	{Name: FaultSilentServer, Doc: "the adb server accepts and never answers"},
	{Name: FaultScreencapEmpty, Doc: "screencap prints nothing, with status 0"},
	{Name: FaultScreencapCut, Doc: "screencap prints half of the PNG, with status 0"},
	{Name: FaultScreencapRefuse, Doc: "screencap fails as the release does"},
	{Name: FaultScreencapBlack, Doc: "the window is secure and its picture black"},
	{Name: FaultScreencapWarn, Doc: "the warning about several displays, on stderr"},
	{Name: FaultScreencapNoise, Doc: "a vendor's text on stdout before the picture"},
	{Name: FaultScreencapSlow, Doc: "screencap takes that long", Arg: "2s"},
	{Name: FaultDumpIdle, Doc: "uiautomator never finds the screen idle"},
	{Name: FaultDumpNullRoot, Doc: "uiautomator gets no root node"},
	{Name: FaultDumpNPE, Doc: "uiautomator crashes without a word"},
	{Name: FaultDumpUnwritten, Doc: "uiautomator says that it dumped, and wrote nothing"},
	{Name: FaultDumpKilled, Doc: "uiautomator is killed for its memory"},
	{Name: FaultDumpBusy, Doc: "another automation holds the accessibility connection"},
	{Name: FaultDumpExit1, Doc: "the dump is written, and a theme's exception makes the status 1"},
	{Name: FaultDumpNoise, Doc: "lines of a vendor before the dump"},
	{Name: FaultDumpQuotes, Doc: "every attribute is in single quotes"},
	{Name: FaultDumpInverted, Doc: "rows beyond the edge have their bounds inverted"},
	{Name: FaultDumpNegative, Doc: "views beyond the edge have negative bounds"},
	{Name: FaultDumpBig, Doc: "that many more nodes in the dump", Arg: "5000"},
	{Name: FaultDumpSlow, Doc: "a dump takes that long", Arg: "2s"},
	{Name: FaultDumpRotated, Doc: "the phone is turned between a picture and the next dump"},
	{Name: FaultDumpWrapped, Doc: "the dump is broken into lines of about 1 KB"},
	{Name: FaultFocusNull, Doc: "no window has the focus for that long after a launch", Arg: "300ms"},
	{Name: FaultFocusPopup, Doc: "a popup window has the focus"},
	{Name: FaultFocusANR, Doc: "the window 'Application Not Responding' has the focus"},
	{Name: FaultFocusSplit, Doc: "two apps are resumed, one beside the other"},
	{Name: FaultFocusCover, Doc: "a cover display with a home of its own comes first"},
	{Name: FaultStartDenied, Doc: "am start: the activity is not exported"},
	{Name: FaultStartTimeout, Doc: "am start -W: Status: timeout"},
	{Name: FaultStartNull, Doc: "am start -W: Status: null"},
	{Name: FaultStartAborted, Doc: "am start: the user asked to abort"},
	{Name: FaultStartIgnored, Doc: "am start says ok and the app does not come to the front"},
	{Name: FaultMonkeySysKeys, Doc: "monkey wants hardware keys"},
	{Name: FaultResolver, Doc: "resolve-activity names the system's chooser"},
	{Name: FaultInjectEvents, Doc: "input may not inject events"},
	{Name: FaultSecureSettings, Doc: "settings put and ime may not write secure settings"},
	{Name: FaultTextLoss, Doc: "input text loses every that-many-th character", Arg: "7"},
	{Name: FaultInputSlow, Doc: "input takes that long", Arg: "2s"},
	{Name: FaultNoReceiver, Doc: "ADBKeyBoard is current and hears no broadcast"},
	{Name: FaultNoADBKeyBoard, Doc: "ADBKeyBoard is not installed"},
	{Name: FaultIMESettle, Doc: "a new input method hears broadcasts only after that long", Arg: "500ms"},
	{Name: FaultDumpsysTimeout, Doc: "dumpsys window runs into its time limit"},
	{Name: FaultNoOrientation, Doc: "dumpsys input tells no orientation"},
	{Name: FaultWorkProfile, Doc: "the app in front belongs to user 10"},
	{Name: FaultInstallDenied, Doc: "the owner or the ROM refuses every installation"},
	{Name: FaultInstallFull, Doc: "an installation finds no room"},
	{Name: FaultDumpDeep, Doc: "the dump has a branch of that many levels more", Arg: "100"},
	{Name: FaultDumpExclusive, Doc: "a second dump beside a running one is refused, as the system does"},
	{Name: FaultScrcpySlow, Doc: "scrcpy's server listens only that long after it was started", Arg: "3s"},
	{Name: FaultScrcpyCrash, Doc: "scrcpy's server ends before it listens"},
	{Name: FaultScrcpyFlood, Doc: "scrcpy's server prints 1 MiB before it listens"},
	{Name: FaultScrcpyDies, Doc: "scrcpy's server ends at the next message, which it does not do"},
	{Name: FaultScrcpyDiesAfter, Doc: "scrcpy's server ends once it has done the next message or, of a touch, the last"},
	{Name: FaultScrcpyDeaf, Doc: "scrcpy's server reads messages and does none"},
	{Name: FaultScrcpyNoAck, Doc: "scrcpy's server acknowledges no clipboard"},
	{Name: FaultScrcpyNoPaste, Doc: "no field takes scrcpy's paste key"},
	{Name: FaultScrcpyRoot, Doc: "adbd is root, which scrcpy's clipboard does not bear before 4.0"},
	{Name: FaultClipLocked, Doc: "the clipboard cannot be read from outside"},
	{Name: FaultU2Server, Doc: "openatx's uiautomator2 server runs, on tcp:9008"},
	{Name: FaultU2Hung, Doc: "the uiautomator2 server accepts and never answers"},
	{Name: FaultU2Slow, Doc: "the uiautomator2 server takes that long for a tree", Arg: "2s"},
	{Name: FaultU2Error, Doc: "the uiautomator2 server has lost its connection to the system"},
	{Name: FaultU2Empty, Doc: "the uiautomator2 server gives a tree without nodes"},
	{Name: FaultAppium, Doc: "Appium's UiAutomator2 server runs, on tcp:6790"},
	{Name: FaultAppiumSession, Doc: "Appium's server has a session"},
	{Name: FaultAppiumOld, Doc: "Appium's server is one from before 2023-08: it answers under /wd/hub only"},
	{Name: FaultAppiumSlow, Doc: "Appium's server takes that long for a tree", Arg: "10s"},
	{Name: FaultAppiumNoRoot, Doc: "Appium's server finds no root node"},
}

// FaultList lists the faults in a fixed order.
func FaultList() []fault.Fault { return slices.Clone(faults) }

// NewFaults makes a set of them in which none is on.
func NewFaults() *fault.Set { return fault.NewSet(faults) }
