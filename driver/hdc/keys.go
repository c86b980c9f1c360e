package hdc

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/handset-go/handset/driver"
)

// keyCodes are OpenHarmony's codes of the portable keys; several are pressed together.
var keyCodes = map[driver.Key][]int{
	driver.KeyBack: {codeBack}, driver.KeyHome: {codeHome}, driver.KeyRecents: {codeRecents}, driver.KeyMenu: {2067},
	driver.KeySearch: {9}, driver.KeyPower: {codePower}, driver.KeyVolumeUp: {16}, driver.KeyVolumeDown: {17},
	driver.KeyMute: {22}, driver.KeyCamera: {19}, driver.KeyPlayPause: {10}, driver.KeyEnter: {codeEnter},
	driver.KeyDelete: {codeDelete}, driver.KeyForward: {codeFwdDel}, driver.KeyTab: {2049}, driver.KeyEscape: {2070},
	driver.KeySpace: {2050}, driver.KeyUp: {2012}, driver.KeyDown: {2013}, driver.KeyLeft: {2014}, driver.KeyRight: {2015},
	driver.KeyPageUp: {2068}, driver.KeyPageDown: {2069}, driver.KeyMoveHome: {2081}, driver.KeyMoveEnd: {codeMoveEnd},
	driver.KeyPaste: {codeCtrl, codeV},
}

// keyNames are the keys that uitest knows by name. It says "No Error" to any other name, and does nothing.
var keyNames = map[int]string{codeBack: "Back", codeHome: "Home", codePower: "Power"}

// errLockedKeys is ErrLocked for a key.
var errLockedKeys = fmt.Errorf("%w; on a lock screen only the keys of power, volume and media do anything, and those of a PIN", errLocked)

// Key presses and releases a key: a portable one, one of OpenHarmony by its name (KEYCODE_F5) or its number (2094). On a dark
// display and on a lock screen a key that does nothing there is ErrAsleep or ErrLocked; uitest would say No Error.
func (d *Driver) Key(ctx context.Context, key driver.Key) error {
	return d.do(ctx, driver.OpKey, limitGesture, func(ctx context.Context) error {
		codes, err := keyCode(key)
		if err != nil {
			return err
		}
		if err = d.press(ctx, codes); errors.Is(err, errLocked) {
			return errLockedKeys
		}
		return err
	})
}

// press presses keys together, with uitest, or with uinput where another tool keeps that from its work.
func (d *Driver) press(ctx context.Context, codes []int) error {
	g := keyGuard(codes[0])
	other := func() bool { return !d.lacks.uinput.Load() && codes[0] <= mostKeyCode }
	if d.lacks.service.Load() && other() {
		if err := d.inject(ctx, g, uinputKeys(codes)); !errors.Is(err, errNoUinput) {
			return err
		}
	}
	err := d.inject(ctx, g, pressing(codes...))
	if errors.Is(err, errHeld) && other() {
		d.log.InfoContext(ctx, "another tool keeps uitest from its work; keys go through uinput")
		if by := d.inject(ctx, g, uinputKeys(codes)); !errors.Is(by, errNoUinput) {
			return by
		}
	}
	return err
}

// keyGuard is what must hold for a key to do anything.
func keyGuard(code int) guard {
	return guard{awake: !darkKeys[code], unlocked: !darkKeys[code] && !isPINKey(code)}
}

// uinputKeys presses keys together, without uitest.
func uinputKeys(codes []int) command {
	down, up := "", ""
	for _, c := range codes {
		down, up = down+" -d "+strconv.Itoa(c), " -u "+strconv.Itoa(c)+up
	}
	return uinput("-K%s%s", down, up)
}

// pressing presses keys together. uitest takes three at most; a fourth would have it do nothing.
func pressing(codes ...int) command {
	if name, ok := keyNames[codes[0]]; ok && len(codes) == 1 {
		return uiInput("keyEvent %s", name)
	}
	words := make([]string, len(codes))
	for i, c := range codes {
		words[i] = strconv.Itoa(c)
	}
	return uiInput("keyEvent %s", strings.Join(words, " "))
}

// keyCode returns the codes of a key.
func keyCode(key driver.Key) ([]int, error) {
	if codes, ok := keyCodes[driver.ParseKey(string(key))]; ok {
		return codes, nil
	}
	name := strings.ToUpper(strings.TrimSpace(string(key)))
	if n, err := strconv.Atoi(name); err == nil && name[0] != '+' && (n >= 0 && n <= mostKeyCode || n == codeRecents) {
		return []int{n}, nil
	}
	if code, ok := namedCode(strings.TrimPrefix(name, "KEYCODE_")); ok {
		return []int{code}, nil
	}
	var names []string
	for _, k := range driver.Keys() {
		names = append(names, string(k))
	}
	return nil, driver.Unsupported("the phone has no key %q; it has %s, and OpenHarmony's by name (KEYCODE_F5) or number",
		key, strings.Join(names, ", "))
}

// namedCode knows the names of the header: those of the table, letters, digits, F1 to F24 and NUMPAD_0 to 9.
func namedCode(name string) (int, bool) {
	if code, ok := ohosCodes[name]; ok {
		return code, true
	}
	if len(name) == 1 && name[0] >= 'A' && name[0] < 'A'+letters {
		return codeA + int(name[0]-'A'), true
	}
	for _, run := range []struct {
		prefix            string
		first, last, code int
	}{
		{"", 0, digits - 1, codeDigit0}, {"NUMPAD_", 0, digits - 1, codeNumpad0},
		{"F", 1, functionKeys, 2090}, {"F", functionKeys + 1, 2 * functionKeys, 2816},
	} {
		rest, ok := strings.CutPrefix(name, run.prefix)
		n, err := strconv.Atoi(rest)
		if ok && err == nil && n >= run.first && n <= run.last && strconv.Itoa(n) == rest {
			return run.code + n - run.first, true
		}
	}
	return 0, false
}
