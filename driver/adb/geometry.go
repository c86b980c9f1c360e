package adb

import (
	"context"
	"errors"
	"fmt"
	"image"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/handset-go/handset/driver"
)

// freshFor is how long a size that was seen answers for the screen: a phone may be turned at any
// moment, but a gesture mostly follows a frame or a tree.
const freshFor = 5 * time.Second

// geometry knows the two sizes that a gesture needs: that of the frame, in which points come, and
// the logical one, in which `input` takes them. They differ where `wm size` is overridden and the
// ROM captures the panel's own pixels all the same.
type geometry struct {
	mu      sync.Mutex
	natural image.Point // logical, in the natural orientation
	panel   image.Point // of the frame, in the natural orientation; zero before the first frame
	frame   image.Point // as it was seen last
	seen    time.Time   // zero where it must be measured again
}

// turned returns size with its longer side as in like.
func turned(size, like image.Point) image.Point {
	if (size.X > size.Y) != (like.X > like.Y) && like.X != like.Y {
		return image.Pt(size.Y, size.X)
	}
	return size
}

// rotated returns a natural size as it is after quarter turns.
func rotated(natural image.Point, turns int) image.Point {
	if turns%2 != 0 {
		return image.Pt(natural.Y, natural.X)
	}
	return natural
}

// sawFrame notes the size of a frame, and says whether it is as expected.
func (g *geometry) sawFrame(size image.Point) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	known := turned(g.natural, size) == size || g.panel != image.Point{} && turned(g.panel, size) == size
	g.frame, g.seen = size, time.Now()
	g.panel = turned(size, g.natural)
	return known
}

// sawLogical notes the logical sizes: natural, and as the display is turned now.
func (g *geometry) sawLogical(natural, now image.Point) image.Point {
	g.mu.Lock()
	defer g.mu.Unlock()
	if natural != g.natural {
		g.panel = image.Point{} // another display, or another override
	}
	g.natural = natural
	return g.sawTurned(now)
}

// sawTurned notes how the display is turned, and returns the size of the frame.
func (g *geometry) sawTurned(now image.Point) image.Point {
	g.frame, g.seen = now, time.Now()
	if g.panel != (image.Point{}) {
		g.frame = turned(g.panel, now)
	}
	return g.frame
}

// sawRotation notes the rotation that a tree tells, and returns the logical size and that of the
// frame; zero where the natural size is not known.
func (g *geometry) sawRotation(turns int) (logical, frame image.Point) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.natural == (image.Point{}) {
		return image.Point{}, image.Point{}
	}
	logical = rotated(g.natural, turns)
	return logical, g.sawTurned(logical)
}

// forget has the size measured before the next gesture: the call may have turned the display.
func (g *geometry) forget() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen = time.Time{}
}

// now returns the size of the frame, or zero where it must be measured.
func (g *geometry) now() image.Point {
	g.mu.Lock()
	defer g.mu.Unlock()
	if time.Since(g.seen) > freshFor {
		return image.Point{}
	}
	return g.frame
}

// logical returns the logical size that belongs to a frame.
func (g *geometry) logical(frame image.Point) image.Point {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.natural == (image.Point{}) {
		return frame
	}
	return turned(g.natural, frame)
}

// last returns the size that was seen last, however long ago.
func (g *geometry) last() image.Point {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.frame
}

// frameSize returns the size of the frame, measured only where it is not known. A phone that does
// not tell it is taken to be as it was.
func (d *Driver) frameSize(ctx context.Context) (image.Point, error) {
	if size := d.screen.now(); size != (image.Point{}) {
		return size, nil
	}
	size, err := d.measure(ctx)
	if last := d.screen.last(); errors.Is(err, errNoSize) && last != (image.Point{}) {
		return last, nil
	}
	return size, err
}

// toInput converts points of the frame to those that `input` takes. One off the screen is
// ErrOffScreen; before that is said, the size is measured again, as the phone may have been turned.
func (d *Driver) toInput(ctx context.Context, points ...image.Point) ([]image.Point, error) {
	frame, err := d.frameSize(ctx)
	if err != nil {
		return nil, err
	}
	if outside(points, frame) >= 0 {
		d.screen.forget()
		if frame, err = d.frameSize(ctx); err != nil {
			return nil, err
		}
	}
	if i := outside(points, frame); i >= 0 {
		return nil, fmt.Errorf("%w: %d,%d is not in the frame of %dx%d", driver.ErrOffScreen, points[i].X, points[i].Y, frame.X, frame.Y)
	}
	logical := d.screen.logical(frame)
	if logical == frame {
		return points, nil
	}
	scaled := make([]image.Point, len(points))
	for i, p := range points {
		scaled[i] = image.Pt(scale(p.X, frame.X, logical.X), scale(p.Y, frame.Y, logical.Y))
	}
	return scaled, nil
}

// scale returns the pixel of a side of length to under the middle of pixel v of a side of length from.
func scale(v, from, to int) int { return (2*v + 1) * to / (2 * from) }

func outside(points []image.Point, size image.Point) int {
	for i, p := range points {
		if !p.In(image.Rectangle{Max: size}) {
			return i
		}
	}
	return -1
}

// displayLines reads the size and the rotation of each display, the first of which is the default one.
const displayLines = `dumpsys window displays | grep -E 'mDisplayId=|cur=|mCurrentRotation=|mRotation='`

// measure asks the phone for its logical size and returns the size of the frame.
func (d *Driver) measure(ctx context.Context) (image.Point, error) {
	parts, err := d.askAll(ctx, "wm size", displayLines)
	if err != nil {
		return image.Point{}, err
	}
	return d.sawSizes(parts[0], parts[1])
}

func (d *Driver) sawSizes(wmSize, displays string) (image.Point, error) {
	natural, ok := parseWmSize(wmSize)
	disp := parseDisplay(displays)
	if !ok && disp.size == (image.Point{}) {
		return image.Point{}, fmt.Errorf("%w: wm size printed %q", errNoSize, complaint([]byte(wmSize)))
	}
	if !ok {
		natural = rotated(disp.size, disp.rotation)
	}
	if disp.size == (image.Point{}) {
		disp.size = rotated(natural, disp.rotation)
	}
	return d.screen.sawLogical(natural, disp.size), nil
}

var errNoSize = errors.New("the phone does not tell the size of its screen")

var (
	physicalSize = regexp.MustCompile(`(?m)^\s*Physical size:\s*(\d+)x(\d+)`)
	overrideSize = regexp.MustCompile(`(?m)^\s*Override size:\s*(\d+)x(\d+)`)
	currentSize  = regexp.MustCompile(`\bcur=(\d+)x(\d+)`)
	rotationLine = regexp.MustCompile(`\bm(?:Current)?Rotation=(?:ROTATION_)?(\d+)`)
)

// parseWmSize reads `wm size`, which never turns with the display. An override counts.
func parseWmSize(text string) (image.Point, bool) {
	for _, re := range []*regexp.Regexp{overrideSize, physicalSize} {
		if m := re.FindStringSubmatch(text); m != nil {
			return size(m[1], m[2])
		}
	}
	return image.Point{}, false
}

func size(w, h string) (image.Point, bool) {
	x, errX := strconv.Atoi(w)
	y, errY := strconv.Atoi(h)
	return image.Pt(x, y), errX == nil && errY == nil && x > 0 && y > 0 && x <= 1<<14 && y <= 1<<14
}

// display is what the window manager says of the default display.
type display struct {
	size     image.Point // as it is turned now
	rotation int         // 0 to 3
	turned   bool        // rotation was told
}

// parseDisplay reads the lines of displayLines. Of several displays mDisplayId=0 counts.
func parseDisplay(text string) display {
	if _, rest, ok := strings.Cut(text, "mDisplayId=0"); ok {
		text, _, _ = strings.Cut(rest, "mDisplayId=")
	}
	var d display
	if m := currentSize.FindStringSubmatch(text); m != nil {
		d.size, _ = size(m[1], m[2])
	}
	if m := rotationLine.FindStringSubmatch(text); m != nil {
		n, err := strconv.Atoi(m[1])
		if n >= 90 {
			n /= 90
		}
		if err == nil && n >= 0 && n <= 3 {
			d.rotation, d.turned = n, true
		}
	}
	return d
}
