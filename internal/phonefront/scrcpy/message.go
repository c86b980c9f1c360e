package scrcpy

// Kind says what a control message asks for. The numbers on the wire differ between releases, the kinds do not.
type Kind string

// The kinds of control messages.
const (
	KindKey              Kind = "key"               // Action, Key, Repeat, Meta
	KindText             Kind = "text"              // Text
	KindTouch            Kind = "touch"             // Action, Pointer, X, Y, W, H, Pressure, ActionButton, Buttons
	KindScroll           Kind = "scroll"            // X, Y, W, H, HScroll, VScroll, Buttons
	KindBackOrScreenOn   Kind = "back-or-screen-on" // Action
	KindNotifications    Kind = "notifications"
	KindQuickSettings    Kind = "quick-settings"
	KindCollapse         Kind = "collapse"
	KindGetClipboard     Kind = "get-clipboard" // Copy
	KindSetClipboard     Kind = "set-clipboard" // Sequence, Paste, Text
	KindDisplayPower     Kind = "display-power" // On
	KindRotate           Kind = "rotate"
	KindUHIDCreate       Kind = "uhid-create"  // ID, Vendor, Product, Text, Data
	KindUHIDInput        Kind = "uhid-input"   // ID, Data
	KindUHIDDestroy      Kind = "uhid-destroy" // ID
	KindKeyboardSettings Kind = "keyboard-settings"
	KindStartApp         Kind = "start-app" // Text
	KindResetVideo       Kind = "reset-video"
	KindTorch            Kind = "torch" // On
	KindZoomIn           Kind = "zoom-in"
	KindZoomOut          Kind = "zoom-out"
	KindResizeDisplay    Kind = "resize-display" // W, H
	KindScanFile         Kind = "scan-file"      // Text
)

// The actions of keys and touches.
const (
	ActionDown   = 0
	ActionUp     = 1
	ActionMove   = 2
	ActionCancel = 3
)

// Message is one control message. The comments of its kind name the fields that count.
type Message struct {
	Kind   Kind
	Action byte
	On     bool
	Paste  bool
	Copy   byte // 0 none, 1 COPY, 2 CUT

	Key, Repeat, Meta     uint32
	Pointer               int64
	X, Y                  int32
	W, H                  uint16
	Pressure              float64 // 0 to 1
	ActionButton, Buttons uint32
	HScroll, VScroll      float64 // in notches; VScroll above 0 goes to the top
	Sequence              uint64
	ID, Vendor, Product   uint16
	Text                  string
	Data                  []byte
}
