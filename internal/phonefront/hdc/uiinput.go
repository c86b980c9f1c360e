package hdc

import (
	"context"
	"image"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

const uiInputUsage = `USAGE:
uiInput <command> [options]
   help                                            print uiInput usage
   dircFling [direction] [velocity] [stepLength]   direction: 0 left, 1 right, 2 up, 3 down
   click/doubleClick/longClick <x> <y>             click on the target coordinates
   swipe/drag <from_x> <from_y> <to_x> <to_y> [velocity]
                                                   velocity: 200 to 40000 px/s, default 600
   fling <from_x> <from_y> <to_x> <to_y> [velocity] [stepLength]
   keyEvent <keyID/Back/Home/Power>                inject a key event
   keyEvent <keyID_0> <keyID_1> [keyID_2]          inject a combination of keys
   inputText <x> <y> <text>                        input text at the target coordinates
`

const uiInputTextUsage = "   text <text>                                     input text at the cursor\n"

// What uiInput says of arguments that it refuses. The blanks are its own.
const (
	errMissing    = "Missing parameter. "
	errInvalid    = "Invalid parameters. "
	errNumber     = "The number of parameters is incorrect. "
	errTooMany    = " Too many parameters. "
	errCoordinate = "Please confirm that the coordinate values are correct. "
	errStep       = "The stepLen is out of range"
	errPaste      = "Set pasteBoard data failed."
	warnVelocity  = "The swipe velocity out of range, the default value will be used. "
)

// The figures of the tool's own gestures.
const (
	defaultVelocity = 600
	leastVelocity   = 200
	mostVelocity    = 40000
	longClick       = 1500 * time.Millisecond
	dragHold        = 1500 * time.Millisecond
	longestKeys     = 200 // characters of a text that are still typed
)

// uiInput injects input. "No Error" says that the arguments could be read, and nothing of what came of it.
func (p *proc) uiInput(ctx context.Context, args []string) int {
	if len(args) == 0 {
		return p.refuse(errMissing)
	}
	if args[0] == "help" {
		p.Print("%s", p.inputUsage())
		return 0
	}
	do, problem := p.inputAction(args[0], args[1:])
	if problem != "" {
		return p.refuse(problem)
	}
	release, ok := p.connect(ctx)
	if !ok {
		p.Print("%s\n", errBusy)
		return 1
	}
	defer release()
	if nap.For(ctx, p.d.takes().Input+p.d.faults.Duration(FaultInputSlow)) != nil {
		return killed
	}
	if !p.d.faults.On(FaultInputLost) {
		p.d.inject(do)
	}
	p.Print("No Error\n")
	return 0
}

// refuse prints what is wrong and the usage.
func (p *proc) refuse(problem string) int {
	p.Print("%s\n%s", problem, p.inputUsage())
	return 1
}

func (p *proc) inputUsage() string {
	if p.d.profile.API >= apiInputText {
		return uiInputUsage + uiInputTextUsage
	}
	return uiInputUsage
}

// inject does an input, unless the panel takes none.
func (d *Device) inject(do func()) {
	d.passTime()
	if !d.faults.On(FaultDoze) {
		do()
	}
}

// passTime lets the phone's clock go on as long as the wall's clock did since the last input.
func (d *Device) passTime() {
	now := d.now()
	d.mu.Lock()
	since, first := now.Sub(d.lastInput), d.lastInput.IsZero()
	d.lastInput = now
	d.mu.Unlock()
	if !first {
		d.phone.Advance(since)
	}
}

// inputAction returns what a command does, or what is wrong with it.
func (p *proc) inputAction(command string, args []string) (do func(), problem string) {
	switch command {
	case "click", "doubleClick", "longClick":
		return p.click(command, args)
	case "swipe", "drag", "fling":
		return p.move(command, args)
	case "dircFling":
		return p.directedFling(args)
	case "keyEvent":
		return p.keyEvent(args)
	case "inputText":
		return p.inputText(args)
	case "text":
		if p.d.profile.API < apiInputText {
			return nil, "Illegal argument: text"
		}
		if len(args) != 1 {
			return nil, errNumber
		}
		return p.text(args[0])
	}
	return nil, "Illegal argument: " + command
}

// points reads n numbers as coordinates, two for each point. None may be 0 or less.
func points(args []string, n int) (pts []image.Point, problem string) {
	if len(args) < n {
		return nil, errMissing
	}
	for i := 0; i < n; i += 2 {
		at := image.Pt(atoi(args[i]), atoi(args[i+1]))
		if at.X <= 0 || at.Y <= 0 {
			return nil, errCoordinate
		}
		pts = append(pts, at)
	}
	return pts, ""
}

func (p *proc) click(command string, args []string) (func(), string) {
	pts, problem := points(args, 2)
	switch {
	case problem != "":
		return nil, problem
	case len(args) > 2:
		return nil, errTooMany
	}
	return func() {
		p.d.selectAll(false)
		switch phone := p.d.phone; command {
		case "click":
			phone.Tap(pts[0])
		case "doubleClick":
			phone.DoubleTap(pts[0])
		default:
			phone.LongPress(pts[0], longClick)
		}
	}, ""
}

// move is swipe, drag and fling: the fifth number is a velocity, and not a time.
func (p *proc) move(command string, args []string) (func(), string) {
	pts, problem := points(args, 4)
	if problem != "" {
		return nil, problem
	}
	most := 5
	if command == "fling" {
		most = 6
	}
	if len(args) > most {
		return nil, errTooMany
	}
	far := distance(pts[0], pts[1])
	if len(args) == 6 {
		if step := atoi(args[5]); step <= 0 || float64(step) > far {
			return nil, errStep
		}
	}
	v := defaultVelocity
	if len(args) > 4 {
		v = p.velocity(args[4])
	}
	over := time.Duration(far / float64(v) * float64(time.Second))
	return func() {
		if command == "drag" {
			p.d.phone.Drag(pts[0], pts[1], dragHold, over)
			return
		}
		p.d.phone.Swipe(pts[0], pts[1], over)
	}, ""
}

// velocity reads pixels a second; one out of range is the default, and not refused.
func (p *proc) velocity(arg string) int {
	v := atoi(arg)
	if v < leastVelocity || v > mostVelocity {
		p.Print("%s\n", warnVelocity)
		return defaultVelocity
	}
	return v
}

func distance(a, b image.Point) float64 {
	return math.Hypot(float64(a.X-b.X), float64(a.Y-b.Y))
}

// directedFling ends at the centre of the screen: "left" moves the finger to the right.
func (p *proc) directedFling(args []string) (func(), string) {
	dir := 0
	if len(args) > 0 {
		dir = atoi(args[0])
	}
	if dir < 0 || dir > 3 || len(args) > 3 {
		return nil, errInvalid
	}
	v := defaultVelocity
	if len(args) > 1 {
		v = p.velocity(args[1])
	}
	size := p.d.phone.Size()
	from, to := size.Div(2), size.Div(2)
	switch dir {
	case 0:
		from.X -= size.X / 4
	case 1:
		from.X += size.X / 4
	case 2:
		from.Y -= size.Y / 4
	case 3:
		from.Y += size.Y / 4
	}
	over := time.Duration(distance(from, to) / float64(v) * float64(time.Second))
	return func() { p.d.phone.Swipe(from, to, over) }, ""
}

// keyEvent is one key by number or name, or two or three by number.
func (p *proc) keyEvent(args []string) (func(), string) {
	named := map[string]int{"Back": codeBack, "Home": codeHome, "Power": codePower}
	switch len(args) {
	case 0:
		return nil, errMissing
	case 1:
		code, ok := named[args[0]]
		if !ok {
			code = atoi(args[0])
		}
		return func() { p.d.pressKeys(code) }, ""
	case 2, 3:
		var codes []int
		for _, a := range args {
			if _, err := strconv.Atoi(a); err != nil {
				return nil, errInvalid
			}
			codes = append(codes, atoi(a))
		}
		return func() { p.d.pressKeys(codes...) }, ""
	}
	return func() {}, "" // more keys than three are a silent nothing
}

// inputText touches a field and appends to what it holds.
func (p *proc) inputText(args []string) (func(), string) {
	if len(args) != 3 {
		return nil, errNumber
	}
	pts, problem := points(args, 2)
	if problem != "" {
		return nil, problem
	}
	do, problem := p.text(args[2])
	if problem != "" {
		return nil, problem
	}
	return func() {
		p.d.selectAll(false)
		p.d.phone.Tap(pts[0])
		p.d.phone.Advance(500 * time.Millisecond)
		do()
	}, ""
}

// text types what the keys have, and pastes everything else, which costs the owner's clipboard.
func (p *proc) text(text string) (func(), string) {
	if utf8.RuneCountInString(text) < longestKeys && p.d.typeable(text) {
		return func() { p.d.typeText(text) }, ""
	}
	return func() { p.d.paste(text) }, ""
}

// typeable says that a text goes by key codes: letters and digits, and from 6.0 on every printable of ASCII.
func (d *Device) typeable(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool {
		alnum := r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		return !alnum && (d.profile.API < apiRender || r < ' ' || r > '~')
	}) < 0
}

// paste puts a text on the clipboard and presses Ctrl+V.
func (d *Device) paste(text string) {
	d.phone.SetClipboard(text)
	d.replaceSelected()
	if !d.faults.On(FaultNoPaste) {
		d.phone.Key(driver.KeyPaste)
	}
}
