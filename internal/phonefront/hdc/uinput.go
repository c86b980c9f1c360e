package hdc

import (
	"context"
	"image"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

const uinputUsage = `Usage: uinput <option> <command> <arg>...
The option are:
-M  --mouse    -K  --keyboard    -T  --touch    -D  --display
commands for touch:
-d <dx1> <dy1>                    press down
-u <dx1> <dy1>                    release
-m <dx1> <dy1> <dx2> <dy2> [-k keep time] [smooth time]
                                  smooth movement, of up to three fingers
-c <dx1> <dy1> [click interval]   click
-g <dx1> <dy1> <dx2> <dy2> [press time] [total time]
                                  drag
-i <time>                         wait for that many milliseconds
commands for the keyboard:
-d <key>  -u <key>  -l <key> [long press time]  -r <key> [repeat time]  -i <time>  -t <text>
commands for the mouse:
-m <dx1> <dy1>  -c <key>  -s <key>  -i <time>
`

// The figures of uinput, in milliseconds.
const (
	leastPress    = 500
	defaultTotal  = 1000
	defaultSmooth = 1000
	mostSmooth    = 15000
	mostKeep      = 60000
	mostInterval  = 450
	mostFingers   = 3
)

// uinput is one run of the program: what is left of its arguments, and what it has to do.
type uinput struct {
	*proc
	args []string
	do   []func()
	down []int // keys held
	at   image.Point
}

// runUinput injects events below the window manager: it needs no accessibility service, takes
// coordinates of 0, and tells times and not velocities.
func runUinput(ctx context.Context, p *proc) int {
	u := &uinput{proc: p, args: p.Args[1:]}
	if len(u.args) > 1 && u.args[0] == "-D" {
		u.args = u.args[2:]
	}
	if len(u.args) < 2 {
		p.Print("wrong number of parameters:%d\n%s", len(p.Args), uinputUsage)
		return 1
	}
	device := u.args[0]
	u.args = u.args[1:]
	for len(u.args) > 0 {
		if problem := u.command(device); problem != "" {
			p.Print("%s\n", problem)
			return 1
		}
	}
	if len(u.down) > 0 {
		p.Print("you have a key %d not release\n", u.down[0])
	}
	if nap.For(ctx, p.d.takes().Input+p.d.faults.Duration(FaultInputSlow)) != nil {
		return killed
	}
	p.d.inject(func() {
		for _, f := range u.do {
			f()
		}
	})
	return 0
}

// command reads one command and its numbers.
func (u *uinput) command(device string) string {
	name := u.args[0]
	u.args = u.args[1:]
	if name == "-i" {
		n := u.numbers(1)
		if len(n) != 1 {
			return "wrong number of parameters:" + strconv.Itoa(len(n))
		}
		u.add(func() { u.d.phone.Advance(millis(n[0])) })
		return ""
	}
	switch device {
	case "-T":
		return u.touch(name)
	case "-K":
		return u.key(name)
	case "-M":
		return u.mouse(name)
	}
	return "parameter error, unable to run"
}

func (u *uinput) add(f func()) { u.do = append(u.do, f) }

func millis(n int) time.Duration { return time.Duration(n) * time.Millisecond }

// numbers takes the numbers that come next, at most so many.
func (u *uinput) numbers(most int) []int {
	var list []int
	for len(u.args) > 0 && len(list) < most {
		n, err := strconv.Atoi(u.args[0])
		if err != nil {
			break
		}
		list = append(list, min(max(n, -farthest), farthest))
		u.args = u.args[1:]
	}
	return list
}

// touch reads a command of the touch screen.
func (u *uinput) touch(name string) string {
	most := map[string]int{"-d": 2, "-u": 2, "-c": 3, "-g": 6, "-m": 4*mostFingers + 1}[name]
	if most == 0 {
		return "parameter error, unable to run"
	}
	n := u.numbers(most)
	if len(n) < min(most, 4)&^1 {
		return "wrong number of parameters:" + strconv.Itoa(len(n))
	}
	coordinates := len(n) &^ 1
	if name == "-c" || name == "-g" {
		coordinates = min(coordinates, 2*(most/3))
	}
	if slices.ContainsFunc(n[:coordinates], func(v int) bool { return v < 0 }) {
		return "Coordinate value must be greater or equal than 0"
	}
	at := image.Pt(n[0], n[1])
	switch name {
	case "-d":
		u.Print("touch down %d %d\n", n[0], n[1])
		u.add(func() { u.d.selectAll(false); u.d.phone.Down(0, at) })
	case "-u":
		u.Print("touch up %d %d\n", n[0], n[1])
		u.add(func() { u.d.phone.Move(0, at); u.d.phone.Up(0) })
	case "-c":
		return u.click(at, n[2:])
	case "-g":
		return u.drag(at, image.Pt(n[2], n[3]), n[4:])
	case "-m":
		return u.swipe(n)
	}
	return ""
}

func (u *uinput) click(at image.Point, rest []int) string {
	interval := 100
	if len(rest) > 0 {
		interval = rest[0]
	}
	if interval < 1 || interval > mostInterval {
		return "click interval is out of range"
	}
	u.Print("   click coordinate: (%d, %d)\nclick interval time: %dms\n", at.X, at.Y, interval)
	u.add(func() { u.d.selectAll(false); u.d.phone.LongPress(at, millis(interval)) })
	return ""
}

func (u *uinput) drag(from, to image.Point, rest []int) string {
	press, total := leastPress, defaultTotal
	if len(rest) > 0 {
		press = rest[0]
	}
	if len(rest) > 1 {
		total = rest[1]
	}
	if press < leastPress || total-press < leastPress {
		return "invalid total times"
	}
	u.add(func() { u.d.phone.Drag(from, to, millis(press), millis(total-press)) })
	return ""
}

// swipe moves one finger for each four numbers. A number more is the time.
func (u *uinput) swipe(n []int) string {
	keep := 0
	if len(u.args) > 1 && u.args[0] == "-k" {
		keep = atoi(u.args[1])
		u.args = u.args[2:]
		n = append(n, u.numbers(1)...)
	}
	over := defaultSmooth
	if len(n)%4 == 1 {
		over, n = n[len(n)-1], n[:len(n)-1]
	}
	switch {
	case len(n)%4 != 0 || len(n) > 4*mostFingers:
		return "wrong number of parameters:" + strconv.Itoa(len(n))
	case over < 1 || over > mostSmooth || keep < 0 || keep > mostKeep:
		return "invalid total times"
	}
	var strokes []driver.Stroke
	for f := range slices.Chunk(n, 4) {
		from, to := image.Pt(f[0], f[1]), image.Pt(f[2], f[3])
		strokes = append(strokes, driver.Stroke{{At: from}, {At: to, After: millis(over)}, {At: to, After: millis(over + keep)}})
	}
	if keep == 0 {
		for i := range strokes {
			strokes[i] = strokes[i][:2]
		}
	}
	u.add(func() { u.d.phone.Gesture(strokes) })
	return ""
}

// key reads a command of the keyboard.
func (u *uinput) key(name string) string {
	if name == "-t" {
		if len(u.args) == 0 {
			return "parameter error, unable to run"
		}
		text := strings.Map(func(r rune) rune {
			if r < ' ' || r > '~' {
				return -1
			}
			return r
		}, u.args[0])
		u.args = u.args[1:]
		u.add(func() { u.d.typeText(text) })
		return ""
	}
	most := map[string]int{"-d": 1, "-u": 1, "-l": 2, "-r": 2}[name]
	n := u.numbers(most)
	switch {
	case most == 0:
		return "parameter error, unable to run"
	case len(n) == 0:
		return "wrong number of parameters:0"
	case n[0] < 0 || n[0] > mostCode:
		return "key code is out of range:" + strconv.Itoa(n[0])
	}
	code := n[0]
	switch name {
	case "-d":
		u.down = append(u.down, code)
		held := slices.Clone(u.down)
		u.add(func() { u.d.pressLast(held) })
	case "-u":
		u.down = slices.DeleteFunc(u.down, func(c int) bool { return c == code })
	default:
		u.add(func() { u.d.pressKeys(code) })
	}
	return ""
}

// pressLast presses the last key while the others are held.
func (d *Device) pressLast(held []int) {
	var codes []int
	for _, c := range held[:len(held)-1] {
		if c == codeShiftLeft || c == codeShiftRight || c == codeCtrlLeft || c == codeCtrlRight {
			codes = append(codes, c)
		}
	}
	d.pressKeys(append(codes, held[len(held)-1])...)
}

// mouse reads a command of the pointer, which clicks and scrolls where it is.
func (u *uinput) mouse(name string) string {
	n := u.numbers(2)
	switch {
	case name == "-m" && len(n) == 2:
		u.at = image.Pt(n[0], n[1])
	case name == "-c" && len(n) == 1:
		at := u.at
		u.add(func() { u.d.phone.Tap(at) })
	case name == "-s" && len(n) == 1:
		at := u.at
		u.add(func() { u.d.phone.Swipe(at, at.Sub(image.Pt(0, n[0])), 300*time.Millisecond) })
	case len(n) == 0:
		return "parameter error, unable to run"
	}
	return ""
}
