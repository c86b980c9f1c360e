package sim

// App is an app of the phone, described as data. Screens[0] is the one that it starts with.
type App struct {
	ID      string   // package, bundle name or bundle id: one of its own, never taken twice
	Name    Label    // under its icon
	Color   uint32   // of its icon, 0xRRGGBB
	Icon    string   // "gear", "bubble", "bag", "clock", "pencil", "globe", "wallet", "camera", "mail"; its first letter if unset
	Hidden  bool     // has no icon on the launcher
	Screens []Screen // at least one
	Dialogs []Dialog
	// Values and Lists are what the app starts with; a value is any text, and "true" or "false" for a
	// switch.
	Values map[string]string
	Lists  map[string][]Entry
}

// Entry is one entry of a list: what {.name} means inside a Widget with Each.
type Entry map[string]string

// Screen is one page of an app: a title bar, widgets that stay under it, a body that scrolls, and a bar at
// the bottom.
type Screen struct {
	ID      string // unique within the app
	Title   Label
	Page    string   // activity, ability; "" is the app's first page
	Actions []Widget // at the right end of the title bar: buttons
	Top     []Widget
	Body    []Widget
	Bottom  []Widget // side by side
	Enter   []Effect // done when the screen is opened
	Filter  string   // the key of a search text: rows without it are not shown
	AtEnd   bool     // shows the end of its body first, as a chat does
	Grid    bool     // the body is a grid of icons
	Bare    bool     // no title bar
	Secure  bool     // the system refuses to capture it: the frame is black
}

// Dialog is a window in front of a screen, which is dimmed behind it. Back closes it.
type Dialog struct {
	ID      string
	Title   Label
	Text    Label
	Buttons []Widget
	System  bool // of the system's permission controller, and not of the app
}

// Kind says what a Widget looks like and how it behaves.
type Kind string

// The kinds of widgets.
const (
	KindRow     Kind = "row"     // a line with Text, Note below it and More at its right end
	KindSwitch  Kind = "switch"  // a row with a switch that shows and changes the value Key
	KindCheck   Kind = "check"   // a row with a check box for the value Key
	KindRadio   Kind = "radio"   // a row that sets the value Key to Value
	KindHeader  Kind = "header"  // a small title over rows
	KindText    Kind = "text"    // a paragraph
	KindBig     Kind = "big"     // a large text, such as a time or a sum
	KindButton  Kind = "button"  // Do
	KindField   Kind = "field"   // an edit field for the value Key
	KindSlider  Kind = "slider"  // 0 to Max for the value Key
	KindBubble  Kind = "bubble"  // what somebody wrote in a chat; Mine is the owner of the phone
	KindImage   Kind = "image"   // a picture; Desc is what it says to a screen reader
	KindCanvas  Kind = "canvas"  // draws by itself and has no tree inside
	KindIcon    Kind = "icon"    // of an app, in a grid
	KindSpacer  Kind = "spacer"  // empty room
	KindDivider Kind = "divider" // a line
)

// Widget is a part of a screen. Texts, keys and the data of effects may hold {key}, the value of the phone
// under that key, {.field} of the entry that Each is at, {#list} for the length of a list and {+list.field}
// for the sum of the numbers in a field of a list.
type Widget struct {
	Kind  Kind
	ID    string // the last part of its resource-id
	Text  Label
	Note  Label
	Desc  Label
	Hint  Label
	Key   string // the value that it shows and changes
	Value string // of a radio
	// If hides the widget unless it holds: "key", "!key", "key=value", "key!=value", several joined with
	// "&". A key holds where its value is neither "" nor "false" nor "0".
	If     string
	Each   string // repeats the widget for each entry of this list
	Color  uint32 // 0xRRGGBB
	Mine   bool
	Many   bool   // the field takes several lines
	Secret bool   // the field shows dots
	Action string // what Enter does in a field: "send", "search", "done", "go", "next"; "done" if unset
	Max    int    // of a slider, 100 if unset
	Off    string // a condition under which it is shown but takes no touch
	More   []Widget
	Do     []Effect // on a tap; of a field: on its editor action
	Hold   []Effect // on a long press
	Double []Effect // on a double tap
	Sorts  bool     // with Each: a long press that moves drags the entry to another place
}
