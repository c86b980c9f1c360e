package wda

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// hostile is the text that must arrive letter for letter.
const hostile = `it's "quoted" $(reboot) ; rm -rf / | 你好 🙂`

func keysOf(t *testing.T, texts ...string) string {
	body, err := json.Marshal(map[string]any{"value": texts})
	require.NoError(t, err)
	return string(body)
}

// writing opens the field of a chat.
func writing(t *testing.T, opts *Options) *client {
	c := open(t, opts, messagesApp)
	c.ok("POST", "+/element/"+c.find("predicate string", "label == 'Alice' AND type == 'XCUIElementTypeCell'")+"/click", "")
	c.ok("POST", "+/element/"+c.find("class name", "XCUIElementTypeTextField")+"/click", "")
	require.True(t, c.s.Phone().KeyboardShown())
	return c
}

func TestKeys(t *testing.T) {
	const draft = "draft:Alice"
	t.Run("arrive letter for letter", func(t *testing.T) {
		c := writing(t, nil)
		c.ok("POST", "+/wda/keys", keysOf(t, hostile))
		require.Equal(t, hostile, c.s.Phone().Value(draft))
	})
	t.Run("a list is joined", func(t *testing.T) {
		c := writing(t, nil)
		c.ok("POST", "+/wda/keys", `{"value":["h","i"," ",1.5,7]}`)
		require.Equal(t, "hi 1.57", c.s.Phone().Value(draft))
	})
	t.Run("a newline presses return", func(t *testing.T) {
		c := writing(t, nil)
		c.ok("POST", "+/wda/keys", keysOf(t, "hi\n"))
		require.Equal(t, "hi", c.s.Phone().Events("message_sent")[0].String("text"))
	})
	t.Run("a backspace deletes", func(t *testing.T) {
		c := writing(t, nil)
		c.ok("POST", "+/wda/keys", keysOf(t, "abc\b\u007f", "d"))
		require.Equal(t, "ad", c.s.Phone().Value(draft))
	})
	t.Run("a string is not a list", func(t *testing.T) {
		c := writing(t, nil)
		a := c.refuse(errUnknown, "POST", "+/wda/keys", `{"value":"hi"}`)
		require.Contains(t, a.message(), "-[__NSCFString componentsJoinedByString:]: unrecognized selector sent to instance")
		a = c.refuse(errUnknown, "POST", "+/wda/keys", `{"value":7}`)
		require.Contains(t, a.message(), "-[__NSCFNumber componentsJoinedByString:]")
		c.ok("POST", "+/wda/keys", `{}`)
		require.Empty(t, c.s.Phone().Value(draft))
	})
	t.Run("typing stops in the middle", func(t *testing.T) {
		c := writing(t, nil)
		require.NoError(t, c.s.SetFault(FaultKeysPartial+"=2", true))
		a := c.refuse(errElementState, "POST", "+/wda/keys", keysOf(t, "你好 there"))
		require.Contains(t, a.message(), "XCTDaemonErrorDomain Code=14")
		require.Equal(t, "你好", c.s.Phone().Value(draft))
	})
	t.Run("typing fails", func(t *testing.T) {
		c := writing(t, nil)
		c.fault(FaultKeysFail)
		c.refuse(errElementState, "POST", "+/wda/keys", keysOf(t, "a"))
		require.Empty(t, c.s.Phone().Value(draft))
	})
}

func TestKeysWithoutFocus(t *testing.T) {
	c := open(t, nil, messagesApp)
	c.ok("POST", "+/wda/keys", keysOf(t, "abc\n"))
	require.Empty(t, c.log(), "nothing happens, and it is no error")
	old := open(t, &Options{Version: "5"}, messagesApp)
	a := old.refuse(errElementState, "POST", "+/wda/keys", keysOf(t, "abc"))
	require.Equal(t, "The on-screen keyboard must be present to send keys", a.message())
	writing(t, &Options{Version: "5"}).ok("POST", "+/wda/keys", keysOf(t, "abc"))
}

func TestMultilineField(t *testing.T) {
	c := open(t, nil, notes)
	c.ok("POST", "+/element/"+c.find("accessibility id", "new_button")+"/click", "")
	c.ok("POST", "+/element/"+c.find("class name", "XCUIElementTypeTextView")+"/value", keysOf(t, "a\nb"))
	require.Equal(t, "a\nb", c.s.Phone().Value("note"))
}

func TestElementValueAndClear(t *testing.T) {
	c := open(t, nil, settingsApp)
	id := c.find("class name", "XCUIElementTypeSearchField")
	require.Equal(t, "Search settings", c.ok("GET", "+/element/"+id+"/attribute/value", "").value, "the placeholder stands for nothing")
	c.ok("POST", "+/element/"+id+"/value", `{"value":"blue"}`)
	c.ok("POST", "+/element/"+id+"/value", `{"text":"tooth"}`)
	require.Equal(t, "bluetooth", c.ok("GET", "+/element/"+id+"/text", "").value)
	require.Len(t, c.s.Phone().Events("tap"), 1, "a field with the focus is not tapped again")
	require.Equal(t, id, c.ok("GET", "+/element/active", "").field("ELEMENT"))
	c.ok("POST", "+/element/"+id+"/clear", "")
	require.Empty(t, c.s.Phone().Value("settings.query"))
	c.refuse(errArgument, "POST", "+/element/"+id+"/value", `{}`)
	c.ok("POST", "+/wda/element/"+id+"/keyboardInput", `{"keys":["a",{"key":"b","modifierFlags":0}]}`)
	c.ok("POST", "+/wda/element/0/keyboardInput", `{"keys":["c"]}`)
	require.Equal(t, "abc", c.s.Phone().Value("settings.query"))
	c.refuse(errArgument, "POST", "+/wda/element/0/keyboardInput", `{"keys":[1]}`)
	c.refuse(errElementState, "POST", "+/element/"+c.find("class name", "XCUIElementTypeNavigationBar")+"/clear", "")
	require.Equal(t, "abc", c.s.Phone().Value("settings.query"))
}

func TestSlider(t *testing.T) {
	c := open(t, nil, settingsApp)
	c.ok("POST", "+/element/"+c.find("accessibility id", "row_display")+"/click", "")
	id := c.find("accessibility id", "brightness")
	require.Equal(t, "60%", c.ok("GET", "+/element/"+id+"/attribute/value", "").value)
	c.ok("POST", "+/element/"+id+"/value", `{"value":"0.25"}`)
	require.Equal(t, "25", c.s.Phone().Value("brightness"))
	c.refuse(errArgument, "POST", "+/element/"+id+"/value", `{"value":"2"}`)
}

func TestKeyboardDismiss(t *testing.T) {
	t.Run("no keyboard", func(t *testing.T) {
		open(t, nil, settingsApp).ok("POST", "+/wda/keyboard/dismiss", `{}`)
	})
	t.Run("by a key that is there", func(t *testing.T) {
		c := open(t, nil, settingsApp)
		c.ok("POST", "+/element/"+c.find("class name", "XCUIElementTypeSearchField")+"/click", "")
		c.ok("POST", "+/wda/keyboard/dismiss", `{"keyNames":["done","search"]}`)
		require.False(t, c.s.Phone().KeyboardShown())
	})
	t.Run("a phone has no other way", func(t *testing.T) {
		c := writing(t, nil)
		a := c.refuse(errElementState, "POST", "+/wda/keyboard/dismiss", `{"keyNames":["done"]}`)
		require.Contains(t, a.message(), "Did not know how to dismiss the keyboard.")
		require.True(t, c.s.Phone().KeyboardShown())
	})
	t.Run("a tablet has a key for it", func(t *testing.T) {
		c := writing(t, &Options{Profile: "ipad"})
		c.ok("POST", "+/wda/keyboard/dismiss", ``)
		require.False(t, c.s.Phone().KeyboardShown())
	})
}

func TestKeyboardInTheTree(t *testing.T) {
	c := writing(t, nil)
	for _, locator := range [][2]string{
		{"class name", "XCUIElementTypeKeyboard"}, {"predicate string", "type == 'XCUIElementTypeKey' AND label == 'q'"},
		{"predicate string", "type == 'XCUIElementTypeButton' AND name == 'Return' AND label == 'send'"},
		{"predicate string", "type == 'XCUIElementTypeKey' AND name == 'delete'"}, {"predicate string", "type == 'XCUIElementTypeKey' AND name == 'space'"},
		{"predicate string", "type == 'XCUIElementTypeButton' AND name == 'shift'"},
	} {
		c.find(locator[0], locator[1])
	}
	c.ok("POST", "+/element/"+c.find("predicate string", "type == 'XCUIElementTypeKey' AND label == 'h'")+"/click", "")
	require.Equal(t, "h", c.s.Phone().Value("draft:Alice"))
}

func TestButtons(t *testing.T) {
	c := open(t, nil, settingsApp)
	c.ok("POST", "+/wda/pressButton", `{"name":"volumeUp","duration":0.1}`)
	require.Equal(t, "60", c.s.Phone().Value("volume"))
	c.ok("POST", "+/wda/pressButton", `{"name":"HOME"}`)
	require.Equal(t, springboard, c.s.Phone().FocusedApp().ID)
	for _, name := range []string{"lock", "power", "back", "enter", ""} {
		a := c.refuse(errUnknown, "POST", "+/wda/pressButton", `{"name":"`+name+`"}`)
		require.Contains(t, a.message(), "Error Domain=com.facebook.WebDriverAgent Code=1")
		require.Contains(t, a.message(), "The button '"+name+"' is not supported. The device under test only supports the following buttons: (")
	}
	c.ok("POST", "+/wda/performIoHidEvent", `{"page":12,"usage":234,"duration":0.1}`)
	require.Equal(t, "50", c.s.Phone().Value("volume"))
	c.ok("POST", "+/wda/performIoHidEvent", `{"page":12,"usage":48,"duration":0.1}`)
	require.False(t, c.s.Phone().Power().On)
	c.ok("POST", "+/wda/performIoHidEvent", `{"page":12,"usage":64,"duration":0.1}`)
	require.True(t, c.s.Phone().Power().On, "home wakes the phone")
	c.refuse(errArgument, "POST", "+/wda/performIoHidEvent", `{"page":12,"usage":64,"duration":-1}`)
}
