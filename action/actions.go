package action

import (
	"reflect"
	"time"
)

// An Action is one thing that a model asked for. The types of this package are its
// implementations, always as values, never as pointers.
type Action interface {
	// Verb is the name of the action in the protocol.
	Verb() Verb
	// String is a short line for people. It hides nothing; logs want Redacted.
	String() string
}

// The actions that touch the phone carry a Message. Where a model gives one, it says that the step
// is sensitive (a payment, a deletion) and why; Sensitive reads it.
type (
	// Launch brings an app to the front, by name or by id.
	Launch struct{ App, Message string }

	// Tap touches a place once.
	Tap struct {
		Target
		Message string
	}

	// Type replaces the content of the focused field by a text, which may be empty.
	Type struct{ Text, Message string }

	// Swipe moves a finger over the screen. A Duration of 0 is the default.
	Swipe struct {
		From, To Target
		Duration time.Duration
		Message  string
	}

	// LongPress holds a place. A Duration of 0 is the default.
	LongPress struct {
		Target
		Duration time.Duration
		Message  string
	}

	// DoubleTap touches a place twice, quickly.
	DoubleTap struct {
		Target
		Message string
	}

	// Back goes one page back.
	Back struct{ Message string }

	// Home goes to the home screen.
	Home struct{ Message string }

	// Wait does nothing for a while.
	Wait struct{ Duration time.Duration }

	// TakeOver asks a person to do a step by hand, such as a login.
	TakeOver struct{ Message string }

	// Note keeps the content of the current page for later. The protocol's Message is "True".
	Note struct{ Message string }

	// CallAPI asks for a summary of, or a comment on, what was noted.
	CallAPI struct{ Instruction string }

	// Interact asks a person which of several choices is meant.
	Interact struct{ Message string }

	// Finish ends the task. Message is the answer to the person, and may be empty. Infeasible says that the
	// task cannot be done.
	Finish struct {
		Message    string
		Infeasible bool
	}
)

// The actions below are not in the AutoGLM protocol.
type (
	// Key presses a key by its portable name, such as Enter or VolumeUp.
	Key struct{ Name, Message string }

	// Drag picks something up and moves it. A Duration of 0 is the default.
	Drag struct {
		From, To Target
		Duration time.Duration
		Message  string
	}

	// Pinch moves two fingers apart (Scale above 1 zooms in) or together (below 1).
	Pinch struct {
		Target
		Scale   float64
		Message string
	}

	// Gesture moves one finger along each path, all at the same time. A Duration of 0 is the default.
	Gesture struct {
		Paths    [][]Point
		Duration time.Duration
		Message  string
	}

	// OpenURL opens a link in the app that handles it.
	OpenURL struct{ URL, Message string }

	// Look asks for a picture of the screen, where only rows of text were shown.
	Look struct{}
)

func (Launch) Verb() Verb    { return VerbLaunch }
func (Tap) Verb() Verb       { return VerbTap }
func (Type) Verb() Verb      { return VerbType }
func (Swipe) Verb() Verb     { return VerbSwipe }
func (LongPress) Verb() Verb { return VerbLongPress }
func (DoubleTap) Verb() Verb { return VerbDoubleTap }
func (Back) Verb() Verb      { return VerbBack }
func (Home) Verb() Verb      { return VerbHome }
func (Wait) Verb() Verb      { return VerbWait }
func (TakeOver) Verb() Verb  { return VerbTakeOver }
func (Note) Verb() Verb      { return VerbNote }
func (CallAPI) Verb() Verb   { return VerbCallAPI }
func (Interact) Verb() Verb  { return VerbInteract }
func (Finish) Verb() Verb    { return VerbFinish }
func (Key) Verb() Verb       { return VerbKey }
func (Drag) Verb() Verb      { return VerbDrag }
func (Pinch) Verb() Verb     { return VerbPinch }
func (Gesture) Verb() Verb   { return VerbGesture }
func (OpenURL) Verb() Verb   { return VerbOpenURL }
func (Look) Verb() Verb      { return VerbLook }

func (a Launch) String() string    { return line(a, false) }
func (a Tap) String() string       { return line(a, false) }
func (a Type) String() string      { return line(a, false) }
func (a Swipe) String() string     { return line(a, false) }
func (a LongPress) String() string { return line(a, false) }
func (a DoubleTap) String() string { return line(a, false) }
func (a Back) String() string      { return line(a, false) }
func (a Home) String() string      { return line(a, false) }
func (a Wait) String() string      { return line(a, false) }
func (a TakeOver) String() string  { return line(a, false) }
func (a Note) String() string      { return line(a, false) }
func (a CallAPI) String() string   { return line(a, false) }
func (a Interact) String() string  { return line(a, false) }
func (a Finish) String() string    { return line(a, false) }
func (a Key) String() string       { return line(a, false) }
func (a Drag) String() string      { return line(a, false) }
func (a Pinch) String() string     { return line(a, false) }
func (a Gesture) String() string   { return line(a, false) }
func (a OpenURL) String() string   { return line(a, false) }
func (a Look) String() string      { return line(a, false) }

// The encoding of each action is EncodeJSON's, also inside other values.

func (a Launch) MarshalJSON() ([]byte, error)    { return EncodeJSON(a) }
func (a Tap) MarshalJSON() ([]byte, error)       { return EncodeJSON(a) }
func (a Type) MarshalJSON() ([]byte, error)      { return EncodeJSON(a) }
func (a Swipe) MarshalJSON() ([]byte, error)     { return EncodeJSON(a) }
func (a LongPress) MarshalJSON() ([]byte, error) { return EncodeJSON(a) }
func (a DoubleTap) MarshalJSON() ([]byte, error) { return EncodeJSON(a) }
func (a Back) MarshalJSON() ([]byte, error)      { return EncodeJSON(a) }
func (a Home) MarshalJSON() ([]byte, error)      { return EncodeJSON(a) }
func (a Wait) MarshalJSON() ([]byte, error)      { return EncodeJSON(a) }
func (a TakeOver) MarshalJSON() ([]byte, error)  { return EncodeJSON(a) }
func (a Note) MarshalJSON() ([]byte, error)      { return EncodeJSON(a) }
func (a CallAPI) MarshalJSON() ([]byte, error)   { return EncodeJSON(a) }
func (a Interact) MarshalJSON() ([]byte, error)  { return EncodeJSON(a) }
func (a Finish) MarshalJSON() ([]byte, error)    { return EncodeJSON(a) }
func (a Key) MarshalJSON() ([]byte, error)       { return EncodeJSON(a) }
func (a Drag) MarshalJSON() ([]byte, error)      { return EncodeJSON(a) }
func (a Pinch) MarshalJSON() ([]byte, error)     { return EncodeJSON(a) }
func (a Gesture) MarshalJSON() ([]byte, error)   { return EncodeJSON(a) }
func (a OpenURL) MarshalJSON() ([]byte, error)   { return EncodeJSON(a) }
func (a Look) MarshalJSON() ([]byte, error)      { return EncodeJSON(a) }

// Equal reports whether two actions ask for the same thing. Unlike ==, it works for a Gesture too.
func Equal(a, b Action) bool { return reflect.DeepEqual(a, b) }

// Sensitive returns the message with which a model marked a step that touches the phone as
// sensitive, or "" where it did not. The messages of Finish, Take_over, Note and Interact are not
// warnings and are not returned.
func Sensitive(a Action) string {
	row, rec, ok := unpack(a)
	if !ok || !row.warns() {
		return ""
	}
	return rec.Message
}
