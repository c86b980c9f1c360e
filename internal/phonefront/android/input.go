package android

import (
	"context"
	"image"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

const inputUsage = `Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]

The sources are: 
      touchnavigation
      touchscreen
      joystick
      stylus
      touchpad
      gamepad
      dpad
      mouse
      keyboard
      trackball

The commands and default sources are:
      text <string> (Default: touchscreen)
      keyevent [--longpress] <key code number or name> ... (Default: keyboard)
      tap <x> <y> (Default: touchscreen)
      swipe <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)
      draganddrop <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)
      press (Default: trackball)
      roll <dx> <dy> (Default: trackball)
      motionevent <DOWN|UP|MOVE|CANCEL> <x> <y> (Default: touchscreen)
`

// inputSources may stand before the command.
var inputSources = " touchnavigation touchscreen joystick stylus touchpad gamepad dpad mouse keyboard trackball rotaryencoder "

// inputSince are the commands that older releases have not, with the SDK that brought them.
var inputSince = map[string]int{"text": 1, "keyevent": 1, "tap": 1, "swipe": 1, "press": 1, "roll": 1, "draganddrop": 24,
	"motionevent": 28, "keycombination": 31, "scroll": 34}

func runInput(ctx context.Context, p *proc) int {
	d, args := p.d, p.Args[1:]
	if len(args) > 0 && strings.Contains(inputSources, " "+args[0]+" ") {
		args = args[1:]
	}
	if len(args) > 1 && args[0] == "-d" {
		args = args[2:]
	}
	if len(args) == 0 {
		return p.inputHelp("")
	}
	if since, known := inputSince[args[0]]; !known || since > d.profile.SDK {
		return p.inputHelp("Error: Unknown command: " + args[0])
	}
	if err := nap.For(ctx, d.latency.Input+d.faults.Duration(FaultInputSlow)); err != nil {
		return 137
	}
	if d.faults.On(FaultInjectEvents) {
		return p.injectDenied(args[0])
	}
	d.passTime()
	switch command, rest := args[0], args[1:]; command {
	case "text":
		return p.inputText(rest)
	case "keyevent":
		return p.inputKeys(rest)
	case "keycombination":
		return p.inputKeys(rest)
	case "press", "roll":
		return 0
	default:
		return p.inputMotion(command, rest)
	}
}

// inputHelp prints what is wrong and the usage, where and with the status that the release has.
func (p *proc) inputHelp(problem string) int {
	w, status := p.Err, 0
	if p.d.profile.SDK >= 30 {
		w, status = p.Out, 255
		problem = strings.TrimPrefix(problem, "Error: ")
	}
	if problem != "" {
		_, _ = w.Write([]byte(problem + "\n"))
	}
	_, _ = w.Write([]byte(inputUsage))
	if problem == "" {
		status = 0
	}
	return status
}

func (p *proc) badInput(command string) int {
	if p.d.profile.SDK >= 30 {
		return p.exception(command, "java.lang.IllegalArgumentException: Argument expected after \""+command+"\"",
			"android.os.BasicShellCommandHandler.getNextArgRequired(BasicShellCommandHandler.java:325)")
	}
	return p.inputHelp("Error: Invalid arguments for command: " + command)
}

// exception prints what a system service's command throws, and returns its status.
func (p *proc) exception(command, what string, at ...string) int {
	p.Fail(0, "\nException occurred while executing '%s':\n%s", command, what)
	for _, a := range at {
		p.Fail(0, "\tat %s", a)
	}
	p.Fail(0, "\tat android.os.Binder.shellCommand(Binder.java:1073)\n\tat android.os.Binder.execTransact(Binder.java:1273)")
	return 255
}

func (p *proc) injectDenied(command string) int {
	if p.d.profile.SDK >= 31 {
		return p.exception(command, "java.lang.SecurityException: Injecting input events requires the caller (or the source of the "+
			"instrumentation, if any) to have the INJECT_EVENTS permission.",
			"com.android.server.input.InputManagerService.injectInputEventToTarget(InputManagerService.java:874)")
	}
	return p.Fail(0, "java.lang.SecurityException: Injecting to another application requires INJECT_EVENTS permission\n"+
		"\tat android.os.Parcel.createExceptionOrNull(Parcel.java:2373)\n\tat com.android.commands.input.Input.main(Input.java:62)")
}

// passTime lets the phone's clock go on as long as the wall's clock did since the last input.
func (d *Device) passTime() {
	now := d.now()
	d.mu.Lock()
	since := now.Sub(d.lastInput)
	first := d.lastInput.IsZero()
	d.lastInput = now
	d.mu.Unlock()
	if !first {
		d.phone.Advance(since)
	}
}

// inputText types printable ASCII as keys. %s is a space, as Input.sendText has it.
func (p *proc) inputText(args []string) int {
	d := p.d
	if len(args) == 0 || len(args) > 1 && d.profile.SDK < 30 {
		return p.badInput("text")
	}
	text := spaced(args[0])
	for _, r := range text {
		if r < 0x20 || r > 0x7e {
			return p.inputNPE()
		}
	}
	if n := d.faults.Number(FaultTextLoss); n > 0 {
		text = without(text, n)
	}
	if text != "" {
		d.phone.InsertText(text)
	}
	return 0
}

// spaced replaces %s by a space, one after the other as the phone does: %%s is a percent sign and a space.
func spaced(text string) string {
	b := []byte(text)
	escape := false
	for i := 0; i < len(b); i++ {
		if escape {
			escape = false
			if b[i] == 's' {
				b[i] = ' '
				b = append(b[:i-1], b[i:]...)
				i--
			}
		}
		if b[i] == '%' {
			escape = true
		}
	}
	return string(b)
}

// without drops every n-th character.
func without(text string, n int) string {
	var kept []byte
	for i := range len(text) {
		if (i+1)%n != 0 {
			kept = append(kept, text[i])
		}
	}
	return string(kept)
}

// inputNPE is what comes of a character that the virtual keyboard has no key for.
func (p *proc) inputNPE() int {
	const npe = "java.lang.NullPointerException: Attempt to get length of null array"
	if p.d.profile.SDK >= 30 {
		return p.exception("text", npe, "com.android.server.input.InputShellCommand.sendText(InputShellCommand.java:304)",
			"com.android.server.input.InputShellCommand.runText(InputShellCommand.java:285)")
	}
	return p.Fail(0, npe+"\n\tat com.android.commands.input.Input.sendText(Input.java:182)\n\tat com.android.commands.input.Input.run(Input.java:107)")
}

// keycodes are Android's numbers of the keys that the phone has.
var keycodes = map[int]driver.Key{
	3: driver.KeyHome, 4: driver.KeyBack, 19: driver.KeyUp, 20: driver.KeyDown, 21: driver.KeyLeft, 22: driver.KeyRight,
	23: driver.KeyEnter, 24: driver.KeyVolumeUp, 25: driver.KeyVolumeDown, 26: driver.KeyPower, 27: driver.KeyCamera,
	61: driver.KeyTab, 62: driver.KeySpace, 66: driver.KeyEnter, 67: driver.KeyDelete, 82: driver.KeyMenu, 84: driver.KeySearch,
	85: driver.KeyPlayPause, 92: driver.KeyPageUp, 93: driver.KeyPageDown, 111: driver.KeyEscape, 112: driver.KeyForward,
	122: driver.KeyMoveHome, 123: driver.KeyMoveEnd, 160: driver.KeyEnter, 164: driver.KeyMute, 187: driver.KeyRecents, 279: driver.KeyPaste,
}

// The keys that are no portable ones.
const (
	keySleep  = 223
	keyWakeup = 224
	keyMenu   = 82
)

var keyNames = map[string]int{
	"HOME": 3, "BACK": 4, "DPAD_UP": 19, "DPAD_DOWN": 20, "DPAD_LEFT": 21, "DPAD_RIGHT": 22, "DPAD_CENTER": 23, "VOLUME_UP": 24,
	"VOLUME_DOWN": 25, "POWER": 26, "CAMERA": 27, "TAB": 61, "SPACE": 62, "ENTER": 66, "DEL": 67, "MENU": 82, "SEARCH": 84,
	"MEDIA_PLAY_PAUSE": 85, "PAGE_UP": 92, "PAGE_DOWN": 93, "ESCAPE": 111, "FORWARD_DEL": 112, "MOVE_HOME": 122, "MOVE_END": 123,
	"NUMPAD_ENTER": 160, "VOLUME_MUTE": 164, "APP_SWITCH": 187, "SLEEP": 223, "WAKEUP": 224, "PASTE": 279, "COMMA": 55, "PERIOD": 56,
}

func (p *proc) inputKeys(args []string) int {
	pressed := 0
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "-t" || arg == "--delay" || arg == "--duration":
			i++
		case strings.HasPrefix(arg, "-"):
		default:
			pressed++
			p.d.pressKey(keyCode(arg))
		}
	}
	if pressed == 0 {
		return p.badInput("keyevent")
	}
	return 0
}

// keyCode reads a key's number or name; 0 is unknown.
func keyCode(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	name := strings.TrimPrefix(s, "KEYCODE_")
	switch {
	case len(name) == 1 && name[0] >= '0' && name[0] <= '9':
		return 7 + int(name[0]-'0')
	case len(name) == 1 && name[0] >= 'A' && name[0] <= 'Z':
		return 29 + int(name[0]-'A')
	}
	return keyNames[name]
}

func (d *Device) pressKey(code int) {
	switch {
	case code == keySleep:
		d.phone.Sleep()
	case code == keyWakeup:
		d.phone.Wake()
	case code == keyMenu && d.profile.SDK < 28 && d.phone.Power().On && d.phone.Power().Locked:
		d.phone.Unlock()
	case code >= 7 && code <= 16:
		d.phone.InsertText(string(rune('0' + code - 7)))
	case code >= 29 && code <= 54:
		d.phone.InsertText(string(rune('a' + code - 29)))
	case code == 55 || code == 56:
		d.phone.InsertText(string(",."[code-55]))
	case keycodes[code] == driver.KeyPaste && d.profile.SDK < 24: // a number without a key
	case keycodes[code] != "":
		d.phone.Key(keycodes[code])
	}
}

// inputMotion is every command of points.
func (p *proc) inputMotion(command string, args []string) int {
	d := p.d
	var verb string
	if command == "motionevent" && len(args) > 0 {
		verb, args = strings.ToUpper(args[0]), args[1:]
	}
	n, ok := numbers(args)
	want := map[string]int{"tap": 2, "swipe": 4, "draganddrop": 4, "motionevent": 2, "scroll": 2}[command]
	if verb == "CANCEL" {
		want = 0
	}
	if !ok || len(n) < want || len(n) > want+1 {
		return p.badInput(command)
	}
	over := 300 * time.Millisecond
	if command != "tap" && len(n) == want+1 && n[want] >= 0 {
		over = time.Duration(n[want]) * time.Millisecond
	}
	switch command {
	case "tap":
		d.phone.Tap(d.point(n[0], n[1]))
	case "swipe":
		d.phone.Swipe(d.point(n[0], n[1]), d.point(n[2], n[3]), over)
	case "draganddrop":
		d.phone.Drag(d.point(n[0], n[1]), d.point(n[2], n[3]), 500*time.Millisecond, over)
	case "motionevent":
		return p.motionEvent(verb, n)
	}
	return 0
}

func (p *proc) motionEvent(verb string, n []float64) int {
	phone := p.d.phone
	switch verb {
	case "DOWN":
		phone.Down(0, p.d.point(n[0], n[1]))
	case "MOVE":
		phone.Move(0, p.d.point(n[0], n[1]))
	case "UP":
		phone.Move(0, p.d.point(n[0], n[1]))
		phone.Up(0)
	case "CANCEL":
		phone.Cancel()
	default:
		return p.badInput("motionevent")
	}
	return 0
}

func numbers(args []string) ([]float64, bool) {
	list := make([]float64, len(args))
	for i, a := range args {
		v, err := strconv.ParseFloat(a, 64)
		if err != nil {
			return nil, false
		}
		list[i] = v
	}
	return list, true
}

// point turns a point of the logical display into one of the panel.
func (d *Device) point(x, y float64) image.Point {
	logical, panel := d.logicalSize(), d.phone.Size()
	return image.Pt(int(math.Floor(x*float64(panel.X)/float64(logical.X))), int(math.Floor(y*float64(panel.Y)/float64(logical.Y))))
}
