package driver

// Op names an operation, as it stands in an Error and in a Call.
type Op string

// The operations.
const (
	OpOpen         Op = "open"
	OpScreenshot   Op = "screenshot"
	OpTree         Op = "tree"
	OpTap          Op = "tap"
	OpSwipe        Op = "swipe"
	OpKey          Op = "key"
	OpLaunch       Op = "launch"
	OpType         Op = "type"
	OpClearText    Op = "clear text"
	OpSetText      Op = "set text"
	OpDoubleTap    Op = "double tap"
	OpLongPress    Op = "long press"
	OpDrag         Op = "drag"
	OpPinch        Op = "pinch"
	OpGesture      Op = "gesture"
	OpForeground   Op = "foreground"
	OpResolve      Op = "resolve"
	OpApps         Op = "apps"
	OpStop         Op = "stop"
	OpOpenURL      Op = "open url"
	OpRotation     Op = "rotation"
	OpRotate       Op = "rotate"
	OpWake         Op = "wake"
	OpLock         Op = "lock"
	OpPowerState   Op = "power state"
	OpClipboard    Op = "clipboard"
	OpSetClipboard Op = "set clipboard"
	OpInstall      Op = "install"
	OpUninstall    Op = "uninstall"
	OpPush         Op = "push"
	OpPull         Op = "pull"
	OpShell        Op = "shell"
	OpLogs         Op = "logs"
	OpFrames       Op = "frames"
	OpRelease      Op = "release"
	OpDescribe     Op = "describe"
)

// Ops lists the operations that a Call can carry, in a fixed order.
func Ops() []Op {
	return []Op{
		OpScreenshot, OpTree, OpTap, OpSwipe, OpKey, OpLaunch, OpType, OpClearText, OpSetText, OpDoubleTap,
		OpLongPress, OpDrag, OpPinch, OpGesture, OpForeground, OpResolve, OpApps, OpStop, OpOpenURL, OpRotation,
		OpRotate, OpWake, OpLock, OpPowerState, OpClipboard, OpSetClipboard, OpInstall, OpUninstall, OpPush,
		OpPull, OpShell, OpLogs, OpFrames, OpRelease, OpDescribe,
	}
}

// reading are the operations that change nothing on the phone.
var reading = map[Op]bool{
	OpScreenshot: true, OpTree: true, OpForeground: true, OpResolve: true, OpApps: true, OpRotation: true,
	OpPowerState: true, OpClipboard: true, OpPull: true, OpLogs: true, OpFrames: true, OpDescribe: true,
}

// Reads says that the operation changes nothing on the phone. It is false for an unknown one.
func (o Op) Reads() bool { return reading[o] }

// Gesture says that the operation acts on the screen as a finger or a key does.
func (o Op) Gesture() bool {
	switch o {
	case OpTap, OpSwipe, OpKey, OpDoubleTap, OpLongPress, OpDrag, OpPinch, OpGesture:
		return true
	}
	return false
}
