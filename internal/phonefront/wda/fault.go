package wda

import "slices"

// Fault is something that a phone, WebDriverAgent or the way to it can do wrong. It is switched on by name.
type Fault struct {
	Name string
	Doc  string
	Arg  string // what "name=arg" sets it to when no arg is given; "" where it takes none
}

// The faults of the connection. FaultList says what each does.
const (
	FaultReset     = "reset"
	FaultAcceptEOF = "accept-eof"
	FaultHang      = "hang"
	FaultHangUp    = "hang-up"
	FaultHangUpNot = "hang-up-before"
	FaultHTML      = "html-error"
	FaultPlain500  = "plain-500"
	FaultPost500   = "post-500"
	FaultEmpty     = "empty-body"
	FaultHalf      = "half-body"
	FaultSlow      = "slow"
	FaultTrickle   = "trickle"
	FaultBadJSON   = "bad-json"
)

// The faults of WebDriverAgent and its phone.
const (
	FaultBusy           = "busy"
	FaultFrozenApp      = "app-frozen"
	FaultOldForOS       = "too-old"
	FaultNoSession      = "session-refused"
	FaultWindowZero     = "window-zero"
	FaultShotFails      = "screenshot-fails"
	FaultShotSlow       = "screenshot-slow"
	FaultTreeFails      = "tree-fails"
	FaultTreeSlow       = "tree-slow"
	FaultTreeDegenerate = "tree-degenerate"
	FaultTreeNoModal    = "tree-no-modal"
	FaultTreeBig        = "tree-big"
	FaultTreeDeep       = "tree-deep"
	FaultTreeCovered    = "tree-covered"
	FaultTreeMarks      = "tree-marks"
	FaultInfinite       = "infinite-frame"
	FaultTapTurned      = "tap-turned"
	FaultKeysPartial    = "keys-partial"
	FaultKeysFail       = "keys-fail"
	FaultAlertMissed    = "alert-missed"
	FaultAlertSheet     = "alert-sheet"
	FaultNoRotation     = "rotation-refused"
	FaultPasscode       = "passcode"
	FaultLaunchFails    = "launch-fails"
	FaultActiveUnknown  = "active-unknown"
	FaultMJPEGDies      = "mjpeg-dies"
)

// What happens once, at the moment that it is switched on.
const (
	FaultEvict    = "evict"
	FaultRestart  = "restart"
	FaultCrashApp = "app-crash"
)

var faults = []Fault{
	{FaultReset, "a connection is reset as soon as a request came in; nothing is done", ""},
	{FaultAcceptEOF, "a connection is accepted and closed at once, as by a forwarder without a phone", ""},
	{FaultHang, "every request is read and not answered; nothing is done", ""},
	{FaultHangUp, "what a POST asks for is done, then the connection is closed without an answer", ""},
	{FaultHangUpNot, "a POST is read, then the connection is closed; nothing is done", ""},
	{FaultHTML, "every answer is a proxy's page, 502", ""},
	{FaultPlain500, "every answer is a 500 in plain text; nothing is done", ""},
	{FaultPost500, "what a POST asks for is done, then it answers 500 unknown error", ""},
	{FaultEmpty, "a GET answers 200 with an empty body, as when the answer could not be serialised", ""},
	{FaultHalf, "the connection breaks in the middle of an answer", ""},
	{FaultSlow, "every command starts that much later", "2s"},
	{FaultTrickle, "an answer comes in pieces of 1 KB, that long apart", "50ms"},
	{FaultBadJSON, "answers are cut in the middle of their JSON, with the length of what is there", ""},
	{FaultBusy, "a command that never ends holds the main queue", ""},
	{FaultFrozenApp, "the main thread of the app in front is blocked", ""},
	{FaultOldForOS, "every command of a session fails: this WebDriverAgent is too old for the system", ""},
	{FaultNoSession, "no session can be created", ""},
	{FaultWindowZero, "the window is 0x0", ""},
	{FaultShotFails, "a screenshot fails", ""},
	{FaultShotSlow, "a screenshot takes that long", "2s"},
	{FaultTreeFails, "the snapshot for a source fails", ""},
	{FaultTreeSlow, "a source takes that long", "2s"},
	{FaultTreeDegenerate, "every element of a source is XCUIElementTypeAny at -1,-1", ""},
	{FaultTreeNoModal, "an alert is not in the source", ""},
	{FaultTreeBig, "that many more elements in the source", "2000"},
	{FaultTreeDeep, "the app nests that many more levels", "40"},
	{FaultTreeCovered, "the page that was left stays in the source, visible", ""},
	{FaultTreeMarks, "texts have marks for the direction of writing round them", ""},
	{FaultInfinite, "elements have no finite frame to tap on", ""},
	{FaultTapTurned, "in landscape, points are taken in the portrait's space", ""},
	{FaultKeysPartial, "typing stops after that many characters, with an error", "3"},
	{FaultKeysFail, "typing fails with nothing typed", ""},
	{FaultAlertMissed, "an open alert is not found", ""},
	{FaultAlertSheet, "dialogs are sheets, whose accept and dismiss are the other way round", ""},
	{FaultNoRotation, "the app in front does not turn", ""},
	{FaultPasscode, "the lock screen asks for a passcode", ""},
	{FaultLaunchFails, "no app can be launched", ""},
	{FaultActiveUnknown, "the list of active apps cannot be had", ""},
	{FaultMJPEGDies, "WebDriverAgent's frames end after that many", "5"},
	{FaultEvict, "now: another client creates a session", ""},
	{FaultRestart, "now: WebDriverAgent is started again, and knows no session", ""},
	{FaultCrashApp, "now: the app in front crashes", ""},
}

// FaultList lists the faults in a fixed order. Those of the phone itself are sim.Faults.
func FaultList() []Fault { return slices.Clone(faults) }

// SetFault switches a fault of this package or of the phone, given as "name" or "name=arg". An unknown name is
// an error.
func (d *Device) SetFault(fault string, on bool) error {
	f, arg, err := parseFault(fault)
	if err != nil {
		if d.phone.SetFault(fault, on) == nil {
			return nil
		}
		return err
	}
	switch {
	case f.Name == FaultEvict && on:
		d.Evict()
	case f.Name == FaultRestart && on:
		d.Restart()
	case f.Name == FaultCrashApp && on:
		return d.CrashApp()
	case f.Name == FaultEvict, f.Name == FaultRestart, f.Name == FaultCrashApp:
	default:
		d.faults.set(f.Name, arg, on)
	}
	return nil
}
