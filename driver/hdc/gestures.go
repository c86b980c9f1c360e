package hdc

import (
	"context"
	"errors"
	"fmt"
	"image"
	"regexp"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
)

const (
	defaultSwipe = 300 * time.Millisecond
	defaultHold  = time.Second
	defaultDrag  = 800 * time.Millisecond
	defaultPinch = 800 * time.Millisecond
	// longestMove is the longest smooth move of uinput.
	longestMove = 15 * time.Second
	// leastRest is what uinput -g wants at least for each: the rest before a drag, and the move.
	leastRest = 500 * time.Millisecond
	// longestRest bounds one -i of uinput, of which a line may have several.
	longestRest = 10 * time.Second
	// maxGesture bounds how long a finger may stay on the screen.
	maxGesture = 10 * time.Minute
	// longClickHold is how long uiInput longClick holds.
	longClickHold = 1500 * time.Millisecond
)

// command is a command line of the phone that injects input.
type command struct {
	line string
	none error // set where there is no way to do it: why
}

// uiInput is a command of uitest, which takes no coordinate of 0 or less.
func uiInput(format string, args ...any) command {
	return command{line: "uitest uiInput " + fmt.Sprintf(format, args...)}
}

func uinput(format string, args ...any) command {
	return command{line: "uinput " + fmt.Sprintf(format, args...)}
}

func (c command) isUitest() bool { return strings.Contains(c.line, "uitest ") }

// positive says that uitest takes these points.
func positive(points ...image.Point) bool {
	for _, p := range points {
		if p.X <= 0 || p.Y <= 0 {
			return false
		}
	}
	return true
}

// byUinput says that uinput must tap: a point on the left or upper edge, which uitest refuses, or any while another tool
// keeps uitest from its work.
func (d *Driver) byUinput(at image.Point) bool {
	return (!positive(at) || d.lacks.service.Load()) && !d.lacks.uinput.Load()
}

// Tap touches a point: one process, one command. uitest does it, or where that cannot, uinput.
func (d *Driver) Tap(ctx context.Context, at image.Point) error {
	return d.gesture(ctx, driver.OpTap, 0, func(p []image.Point) command {
		if d.byUinput(p[0]) {
			return uinput("-T -c %d %d", p[0].X, p[0].Y)
		}
		return uiInput("click %d %d", edge(p[0].X), edge(p[0].Y))
	}, at)
}

// DoubleTap touches a point twice, 0.2 s apart.
func (d *Driver) DoubleTap(ctx context.Context, at image.Point) error {
	return d.gesture(ctx, driver.OpDoubleTap, 0, func(p []image.Point) command {
		if d.byUinput(p[0]) {
			return uinput("-T -c %[1]d %[2]d -i 100 -c %[1]d %[2]d", p[0].X, p[0].Y)
		}
		return uiInput("doubleClick %d %d", edge(p[0].X), edge(p[0].Y))
	}, at)
}

// Swipe moves a finger in the time over, up to 15 s; over <= 0 is 300 ms, which is a fling.
func (d *Driver) Swipe(ctx context.Context, from, to image.Point, over time.Duration) error {
	over = usual(over, defaultSwipe)
	return d.gesture(ctx, driver.OpSwipe, over, func(p []image.Point) command {
		if p[0] == p[1] {
			return d.hold(p[0], over)
		}
		return d.move(p[0], p[1], over)
	}, from, to)
}

// LongPress rests a finger on a point; hold <= 0 is one second.
func (d *Driver) LongPress(ctx context.Context, at image.Point, hold time.Duration) error {
	hold = usual(hold, defaultHold)
	return d.gesture(ctx, driver.OpLongPress, hold, func(p []image.Point) command { return d.hold(p[0], hold) }, at)
}

// hold rests a finger. uitest alone can only hold for 1.5 s, which also serves for shorter ones that are meant to be
// long presses.
func (d *Driver) hold(at image.Point, over time.Duration) command {
	if !d.lacks.uinput.Load() {
		rest := ""
		for left := over; left > 0; left -= longestRest {
			rest += fmt.Sprintf(" -i %d", millis(min(left, longestRest)))
		}
		return uinput("-T -d %[1]d %[2]d%[3]s -u %[1]d %[2]d", at.X, at.Y, rest)
	}
	if over > longClickHold {
		return command{none: driver.Unsupported("the phone has no uinput, and uitest holds for %v and no longer", longClickHold)}
	}
	return uiInput("longClick %d %d", edge(at.X), edge(at.Y))
}

// move moves a finger: by uinput, which takes a time, or by uitest, which takes a speed.
func (d *Driver) move(from, to image.Point, over time.Duration) command {
	if over > longestMove {
		return command{none: fmt.Errorf("a move of %v is too long; %v is the most", over, longestMove)}
	}
	if !d.lacks.uinput.Load() {
		return uinput("-T -m %d %d %d %d %d", from.X, from.Y, to.X, to.Y, millis(over))
	}
	kind := "swipe"
	if over <= defaultSwipe {
		kind = "fling"
	}
	return uiInput("%s %d %d %d %d %d", kind, edge(from.X), edge(from.Y), edge(to.X), edge(to.Y), speed(from, to, over))
}

// edge is the nearest coordinate that uitest takes.
func edge(v int) int { return max(v, 1) }

// speed returns the velocity, in pixels a second, of a move in the time over, as far as uitest takes it.
func speed(from, to image.Point, over time.Duration) int {
	return min(max(int(distance(from, to)/over.Seconds()), 200), 40_000)
}

// gesture injects what line makes of points of the frame. over is how long the gesture itself takes.
func (d *Driver) gesture(ctx context.Context, op driver.Op, over time.Duration, line func([]image.Point) command, points ...image.Point) error {
	return d.calls.Do(ctx, op, d.limit(limitGesture)+min(max(over, 0), maxGesture), func(ctx context.Context) error {
		if over > maxGesture {
			return fmt.Errorf("a gesture of %v is too long; %v is the most", over, maxGesture)
		}
		return d.touch(ctx, line, points)
	})
}

// touch injects a gesture, and does so anew with the next best means where the phone turned out to have no such program
// or another screen than before: then nothing has been done.
func (d *Driver) touch(ctx context.Context, line func([]image.Point) command, points []image.Point) error {
	for try := 0; ; try++ {
		at, err := d.toInput(ctx, points...)
		if err != nil {
			return err
		}
		err = d.inject(ctx, d.touchGuard(), line(at))
		switch {
		case errors.Is(err, errMoved) && try < 3:
			err = d.remeasure(ctx)
		case errors.Is(err, errNoUinput) && try < 3:
			d.log.InfoContext(ctx, "the phone has no uinput; gestures go through uitest")
			err = nil
		case errors.Is(err, errHeld) && !d.lacks.uinput.Load() && try < 3:
			d.log.InfoContext(ctx, "another tool keeps uitest from its work; taps go through uinput")
			err = nil
		default:
			return err
		}
		if err != nil {
			return err
		}
	}
}

// touchGuard is what must hold for a touch.
func (d *Driver) touchGuard() guard {
	g := guard{awake: true, unlocked: true}
	if !d.lacks.seal.Load() {
		_, g.frame = d.screen.last()
	}
	return g
}

// remeasure asks for the size anew. Where it is the same, the windows do not tell it on this phone, and are not
// looked at for it again.
func (d *Driver) remeasure(ctx context.Context) error {
	before, _ := d.screen.last()
	if err := d.measure(ctx); err != nil {
		return err
	}
	if after, _ := d.screen.last(); after == before {
		d.lacks.seal.Store(true)
		d.log.DebugContext(ctx, "no window has the size of the frame; turning the phone is noticed with the next frame or tree only")
	}
	return nil
}

// inject runs one command that injects input.
func (d *Driver) inject(ctx context.Context, g guard, c command) error {
	if c.none != nil {
		return c.none
	}
	out, err := d.run(ctx, g, c.line)
	if err != nil {
		return err
	}
	return d.injected(ctx, c, out)
}

// run runs a guarded line, alone where a uitest is in it.
func (d *Driver) run(ctx context.Context, g guard, line string) (*output, error) {
	if !strings.Contains(line, "uitest ") {
		return d.guarded(ctx, g, line)
	}
	return d.alone(ctx, func(ctx context.Context) (*output, error) { return d.guarded(ctx, g, line) })
}

var (
	errNoUinput = errors.New("the phone has no uinput")
	// errHeld says that uitest could not get the accessibility service, of which it has waited for 20 s, and did nothing.
	errHeld = errors.New("another tool holds the phone's accessibility service (hypium, DevEco Studio, a second uitest): end it")
	// uinputErrors are what uinput prints when it did not do it.
	uinputErrors = regexp.MustCompile(`must be greater or equal|invalid coordinate|wrong number of parameters|parameter error|invalid total times|` +
		`out of range|not release`)
	notFound = regexp.MustCompile(`\b(uinput|uitest|snapshot_display|base64|power-shell): (inaccessible or )?not found`)
)

// injected judges what an injecting command printed. uitest prints "No Error" when it has done it, and uinput nothing that
// can be relied on.
func (d *Driver) injected(ctx context.Context, c command, out *output) error {
	switch {
	case missing(out.text, "uinput"):
		driver.MarkRefused(ctx)
		d.lacks.uinput.Store(true)
		return errNoUinput
	case missing(out.text, "uitest"):
		driver.MarkRefused(ctx)
		return driver.Unsupported("the phone has no uitest: %s", complaint(out.text))
	case c.isUitest() && out.code != 0 && strings.Contains(out.text, serviceHeld):
		driver.MarkRefused(ctx)
		d.lacks.service.Store(true)
		return errHeld
	case c.isUitest() && out.code == 0 && strings.Contains(out.text, "No Error"):
		return nil
	case !c.isUitest() && out.code == 0 && !uinputErrors.MatchString(out.text):
		return nil
	}
	if out.code != 0 && (strings.Contains(out.text, "USAGE") || uinputErrors.MatchString(out.text) || inputErrors.MatchString(out.text)) {
		driver.MarkRefused(ctx) // it read its arguments and stopped
	}
	tool, _, _ := strings.Cut(c.line, " ")
	return unexpected(tool, out)
}

// serviceHeld is what a uitest says that finds another at work.
const serviceHeld = "RET_ERR_CONNECTION_EXIST"

// inputErrors are what uitest uiInput prints when it did not do it.
var inputErrors = regexp.MustCompile(`Missing parameter|Invalid parameters|number of parameters|Too many parameters|confirm that the coordinate|` +
	`Illegal argument|Invalid display id|Can not connect to AAMS|RET_ERR`)

// missing says that the phone's shell did not find a program.
func missing(text, program string) bool {
	for _, m := range notFound.FindAllStringSubmatch(text, -1) {
		if m[1] == program {
			return true
		}
	}
	return false
}

func usual(d, otherwise time.Duration) time.Duration {
	if d <= 0 {
		return otherwise
	}
	return d
}

// millis returns whole milliseconds, at least one.
func millis(d time.Duration) int64 { return max(d.Milliseconds(), 1) }
