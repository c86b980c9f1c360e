package adb

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/handset-go/handset/driver"
)

const (
	keycodeEnd    = 123
	keycodeDelete = 67
	keycodeFwdDel = 112
	keycodeWakeup = 224
	keycodeSleep  = 223
)

// keycodes are android.view.KeyEvent's codes of the portable keys.
var keycodes = map[driver.Key]int{
	driver.KeyBack: 4, driver.KeyHome: 3, driver.KeyRecents: 187, driver.KeyMenu: 82, driver.KeySearch: 84,
	driver.KeyPower: 26, driver.KeyVolumeUp: 24, driver.KeyVolumeDown: 25, driver.KeyMute: 164, driver.KeyCamera: 27,
	driver.KeyPlayPause: 85, driver.KeyEnter: 66, driver.KeyDelete: keycodeDelete, driver.KeyForward: keycodeFwdDel,
	driver.KeyTab: 61, driver.KeyEscape: 111, driver.KeySpace: 62, driver.KeyUp: 19, driver.KeyDown: 20,
	driver.KeyLeft: 21, driver.KeyRight: 22, driver.KeyPageUp: 92, driver.KeyPageDown: 93, driver.KeyMoveHome: 122,
	driver.KeyMoveEnd: keycodeEnd, driver.KeyPaste: 279,
}

// still are the keys that show no other page; one that is shown after any other may be turned.
var still = map[driver.Key]bool{
	driver.KeyVolumeUp: true, driver.KeyVolumeDown: true, driver.KeyMute: true, driver.KeyDelete: true,
	driver.KeyForward: true, driver.KeyTab: true, driver.KeySpace: true, driver.KeyUp: true, driver.KeyDown: true,
	driver.KeyLeft: true, driver.KeyRight: true, driver.KeyPageUp: true, driver.KeyPageDown: true,
	driver.KeyMoveHome: true, driver.KeyMoveEnd: true, driver.KeyPaste: true,
}

// maxKeycode is above the last one of Android 16.
const maxKeycode = 400

var keycodeName = regexp.MustCompile(`^KEYCODE_[A-Z0-9_]{1,40}$`)

// keyNames lists the portable keys that the phone has. The key of its clipboard came with Android 7: an
// older one takes the number, and does nothing.
func (d *Driver) keyNames() []driver.Key {
	return slices.DeleteFunc(driver.Keys(), func(k driver.Key) bool { return k == driver.KeyPaste && d.beforeAndroid7() })
}

// beforeAndroid7 says that the phone is known to be older than that.
func (d *Driver) beforeAndroid7() bool { return d.info.sdk > 0 && d.info.sdk < 24 }

// Key presses and releases a key: a portable one, one of Android by its name (KEYCODE_CALL) or its
// number (5), or an editor action (EditorSearch; see EditorActions).
func (d *Driver) Key(ctx context.Context, key driver.Key) error {
	return d.do(ctx, driver.OpKey, limitShort, func(ctx context.Context) error {
		if action, ok := editorAction(key); ok {
			return d.editorAction(ctx, action)
		}
		code, err := d.keycode(key)
		if err != nil {
			return err
		}
		if !still[driver.ParseKey(string(key))] {
			defer d.screen.forget()
		}
		return d.sendKey(ctx, code)
	})
}

// sendKey presses a key by the quickest way that there is.
func (d *Driver) sendKey(ctx context.Context, code string) error {
	if done, err := d.pressKey(ctx, code); done {
		return err
	}
	return d.input(ctx, "input keyevent "+code)
}

// keycode returns what `input keyevent` takes.
func (d *Driver) keycode(key driver.Key) (string, error) {
	portable := driver.ParseKey(string(key))
	if portable == driver.KeyPaste && d.beforeAndroid7() {
		return "", driver.Unsupported("Android %s has no key %q: it needs Android 7; type the text instead", d.info.release, key)
	}
	if code, ok := keycodes[portable]; ok {
		return strconv.Itoa(code), nil
	}
	name := strings.ToUpper(strings.TrimSpace(string(key)))
	if n, err := strconv.Atoi(name); err == nil && n > 0 && n <= maxKeycode {
		return name, nil
	}
	if keycodeName.MatchString(name) {
		return name, nil
	}
	names := make([]string, 0, len(keycodes))
	for _, k := range d.keyNames() {
		names = append(names, string(k))
	}
	return "", driver.Unsupported("the phone has no key %q; it has %s, and Android's by name (KEYCODE_CALL) or number",
		key, strings.Join(names, ", "))
}

// opLongKey is no part of the driver contract.
const opLongKey driver.Op = "long key"

// LongKey holds a key for as long as the phone calls a long press (input keyevent --longpress): Power
// shows the menu to switch off, Home an assistant. It needs Android 6.
func (d *Driver) LongKey(ctx context.Context, key driver.Key) error {
	return d.do(ctx, opLongKey, limitShort, func(ctx context.Context) error {
		if d.info.sdk > 0 && d.info.sdk < 23 {
			return driver.Unsupported("Android %s cannot hold a key: it needs Android 6", d.info.release)
		}
		code, err := d.keycode(key)
		if err != nil {
			return err
		}
		defer d.screen.forget()
		return d.input(ctx, "input keyevent --longpress "+code)
	})
}

// press sends one key as the operation op.
func (d *Driver) press(ctx context.Context, op driver.Op, code int) error {
	return d.do(ctx, op, limitShort, func(ctx context.Context) error {
		return d.sendKey(ctx, strconv.Itoa(code))
	})
}
