package wda

import (
	"slices"
	"strings"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/fault"
)

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

var faults = []fault.Fault{
	{Name: FaultReset, Doc: "a connection is reset as soon as a request came in; nothing is done"},
	{Name: FaultAcceptEOF, Doc: "a connection is accepted and closed at once, as by a forwarder without a phone"},
	{Name: FaultHang, Doc: "every request is read and not answered; nothing is done"},
	{Name: FaultHangUp, Doc: "what a POST asks for is done, then the connection is closed without an answer"},
	{Name: FaultHangUpNot, Doc: "a POST is read, then the connection is closed; nothing is done"},
	{Name: FaultHTML, Doc: "every answer is a proxy's page, 502"},
	{Name: FaultPlain500, Doc: "every answer is a 500 in plain text; nothing is done"},
	{Name: FaultPost500, Doc: "what a POST asks for is done, then it answers 500 unknown error"},
	{Name: FaultEmpty, Doc: "a GET answers 200 with an empty body, as when the answer could not be serialised"},
	{Name: FaultHalf, Doc: "the connection breaks in the middle of an answer"},
	{Name: FaultSlow, Doc: "every command starts that much later", Arg: "2s"},
	{Name: FaultTrickle, Doc: "an answer comes in pieces of 1 KB, that long apart", Arg: "50ms"},
	{Name: FaultBadJSON, Doc: "answers are cut in the middle of their JSON, with the length of what is there"},
	{Name: FaultBusy, Doc: "a command that never ends holds the main queue"},
	{Name: FaultFrozenApp, Doc: "the main thread of the app in front is blocked"},
	{Name: FaultOldForOS, Doc: "every command of a session fails: this WebDriverAgent is too old for the system"},
	{Name: FaultNoSession, Doc: "no session can be created"},
	{Name: FaultWindowZero, Doc: "the window is 0x0"},
	{Name: FaultShotFails, Doc: "a screenshot fails"},
	{Name: FaultShotSlow, Doc: "a screenshot takes that long", Arg: "2s"},
	{Name: FaultTreeFails, Doc: "the snapshot for a source fails"},
	{Name: FaultTreeSlow, Doc: "a source takes that long", Arg: "2s"},
	{Name: FaultTreeDegenerate, Doc: "every element of a source is XCUIElementTypeAny at -1,-1"},
	{Name: FaultTreeNoModal, Doc: "an alert is not in the source"},
	{Name: FaultTreeBig, Doc: "that many more elements in the source", Arg: "2000"},
	{Name: FaultTreeDeep, Doc: "the app nests that many more levels", Arg: "40"},
	{Name: FaultTreeCovered, Doc: "the page that was left stays in the source, visible"},
	{Name: FaultTreeMarks, Doc: "texts have marks for the direction of writing round them"},
	{Name: FaultInfinite, Doc: "elements have no finite frame to tap on"},
	{Name: FaultTapTurned, Doc: "in landscape, points are taken in the portrait's space"},
	{Name: FaultKeysPartial, Doc: "typing stops after that many characters, with an error", Arg: "3"},
	{Name: FaultKeysFail, Doc: "typing fails with nothing typed"},
	{Name: FaultAlertMissed, Doc: "an open alert is not found"},
	{Name: FaultAlertSheet, Doc: "dialogs are sheets, whose accept and dismiss are the other way round"},
	{Name: FaultNoRotation, Doc: "the app in front does not turn"},
	{Name: FaultPasscode, Doc: "the lock screen asks for a passcode"},
	{Name: FaultLaunchFails, Doc: "no app can be launched"},
	{Name: FaultActiveUnknown, Doc: "the list of active apps cannot be had"},
	{Name: FaultMJPEGDies, Doc: "WebDriverAgent's frames end after that many", Arg: "5"},
	{Name: FaultEvict, Doc: "now: another client creates a session"},
	{Name: FaultRestart, Doc: "now: WebDriverAgent is started again, and knows no session"},
	{Name: FaultCrashApp, Doc: "now: the app in front crashes"},
}

// FaultList lists the faults in a fixed order. Those of the phone itself are sim.Faults.
func FaultList() []fault.Fault { return slices.Clone(faults) }

// happens are the faults that happen once, at the moment that they are switched on.
var happens = map[string]func(*Device) error{
	FaultEvict:    func(d *Device) error { d.Evict(); return nil },
	FaultRestart:  func(d *Device) error { d.Restart(); return nil },
	FaultCrashApp: (*Device).CrashApp,
}

// SetFault switches a fault of this package or of the phone, given as "name" or "name=arg". An unknown name is
// an error.
func (d *Device) SetFault(name string, on bool) error {
	bare, _, _ := strings.Cut(name, "=")
	if _, ofPhone := sim.Faults()[bare]; ofPhone {
		return d.phone.SetFault(name, on)
	}
	if err := d.faults.Switch(name, on); err != nil {
		return err
	}
	if do := happens[bare]; do != nil && d.faults.Take(bare) {
		return do(d)
	}
	return nil
}
