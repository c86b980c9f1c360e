package driver

import (
	"slices"
	"strings"
)

// Key is the portable name of a key. A driver may take further names of its own.
type Key string

// The portable keys. Not every phone has each: Describe lists those that a driver can press.
const (
	KeyBack       Key = "Back"
	KeyHome       Key = "Home"
	KeyRecents    Key = "Recents"
	KeyMenu       Key = "Menu"
	KeySearch     Key = "Search"
	KeyPower      Key = "Power"
	KeyVolumeUp   Key = "VolumeUp"
	KeyVolumeDown Key = "VolumeDown"
	KeyMute       Key = "Mute"
	KeyCamera     Key = "Camera"
	KeyPlayPause  Key = "PlayPause"

	KeyEnter    Key = "Enter"
	KeyDelete   Key = "Delete" // deletes before the cursor, as Backspace does
	KeyForward  Key = "ForwardDelete"
	KeyTab      Key = "Tab"
	KeyEscape   Key = "Escape"
	KeySpace    Key = "Space"
	KeyUp       Key = "Up"
	KeyDown     Key = "Down"
	KeyLeft     Key = "Left"
	KeyRight    Key = "Right"
	KeyPageUp   Key = "PageUp"
	KeyPageDown Key = "PageDown"
	KeyMoveHome Key = "MoveHome" // the start of the line
	KeyMoveEnd  Key = "MoveEnd"  // the end of the line
	KeyPaste    Key = "Paste"
)

// Keys lists the portable keys in a fixed order.
func Keys() []Key { return slices.Clone(keys) }

var keys = []Key{
	KeyBack, KeyHome, KeyRecents, KeyMenu, KeySearch, KeyPower, KeyVolumeUp, KeyVolumeDown, KeyMute,
	KeyCamera, KeyPlayPause, KeyEnter, KeyDelete, KeyForward, KeyTab, KeyEscape, KeySpace, KeyUp, KeyDown,
	KeyLeft, KeyRight, KeyPageUp, KeyPageDown, KeyMoveHome, KeyMoveEnd, KeyPaste,
}

// keyAliases are what people and models write for a key, lower case without separators.
var keyAliases = map[string]Key{
	"backspace": KeyDelete, "del": KeyDelete, "return": KeyEnter, "esc": KeyEscape, "appswitch": KeyRecents,
	"overview": KeyRecents, "recentapps": KeyRecents, "volup": KeyVolumeUp, "voldown": KeyVolumeDown,
	"arrowup": KeyUp, "arrowdown": KeyDown, "arrowleft": KeyLeft, "arrowright": KeyRight,
	"dpadup": KeyUp, "dpaddown": KeyDown, "dpadleft": KeyLeft, "dpadright": KeyRight, "volumemute": KeyMute,
	"mediaplaypause": KeyPlayPause, "end": KeyMoveEnd, "forwarddel": KeyForward,
}

// ParseKey returns the portable key that name means, whatever its case and separators ("volume_up",
// "Backspace", "KEYCODE_ENTER"), and otherwise name itself, which a driver may know.
func ParseKey(name string) Key {
	n := strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(strings.TrimSpace(name)))
	n = strings.TrimPrefix(n, "keycode")
	if k, ok := keyAliases[n]; ok {
		return k
	}
	for _, k := range keys {
		if strings.EqualFold(string(k), n) {
			return k
		}
	}
	return Key(strings.TrimSpace(name))
}
