package driver

import (
	"image"
	"time"
)

// Call is one operation on its way to a driver, as a wrapper sees it. Op says which fields are used; a
// wrapper may change them before it calls next.
type Call struct {
	Op   Op
	At   image.Point   // Tap, DoubleTap, LongPress, Pinch; where Swipe and Drag start
	To   image.Point   // where Swipe and Drag end
	Over time.Duration // Swipe, Drag, Pinch: how long the move takes; Frames: the interval
	Hold time.Duration // LongPress, Drag: how long the finger rests first
	Key  Key
	App  string // Launch, Resolve, Stop, Uninstall
	Text string // Type, SetText, SetClipboard: the text; OpenURL: the URL; Push, Pull: the path on the phone
	// Args holds what has no field of its own: []Stroke of Gesture, float64 of Pinch, int of Rotate, []string
	// of Shell and Install, io.Reader of Push, io.Writer of Pull and Logs.
	Args any
	// Result is set when next has returned nil: *Screen, *Tree, App, []App, int (Rotation), Power, string
	// (Clipboard), *ShellResult, iter.Seq2[*Screen, error] (Frames), *Description; nil for the others.
	Result any
}
