package wda

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"net/http"
	"sync"
	"time"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

const (
	// freshFor is how long a size that was seen answers for the screen: a phone may be turned at any moment, but a
	// gesture mostly follows a frame or a tree.
	freshFor = 5 * time.Second
	// sizeTries is how often the sizes are read anew while they do not belong together: a turning phone has a moment in
	// which the window is turned and the frame is not.
	sizeTries = 5
	sizeWait  = 300 * time.Millisecond
	// sameScale is how far the scales of the two axes may lie apart: window sizes are whole points.
	sameScale = 0.02
)

// size is of a window, in points.
type size struct{ w, h float64 }

func (s size) ok() bool { return s.w > 0 && s.h > 0 && s.w < 1<<14 && s.h < 1<<14 }

func (s size) wide() bool { return s.w > s.h }

// geometry knows the two sizes that a gesture needs: that of the frame, in which points come, and that of the window,
// in which WebDriverAgent takes them. Their ratio is measured for each axis: 1, 2, 3, or something odd on a phone
// that renders for another panel than it has.
type geometry struct {
	mu     sync.Mutex
	known  map[size]image.Point // frames of the windows that were measured
	rough  map[size]image.Point // frames of windows as the home screen's scale has them, where no picture could be had
	window size
	frame  image.Point
	seen   time.Time // when window and frame were last seen to hold; zero where they must be measured
}

// now returns the sizes, unless they must be measured.
func (g *geometry) now() (size, image.Point, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.window, g.frame, !g.seen.IsZero() && time.Since(g.seen) < freshFor
}

// forget has the sizes measured before the next gesture: the call may have turned the display.
func (g *geometry) forget() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen = time.Time{}
}

// sawFrame notes the size of a frame. One that fits the window that was seen last confirms it; one that fits another known window
// says that the phone was turned.
func (g *geometry) sawFrame(frame image.Point) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.frame == frame && !g.seen.IsZero() {
		g.seen = time.Now()
		return
	}
	g.frame, g.seen = frame, time.Time{}
	clear(g.rough) // there are pictures to measure again
}

// frameOf returns the frame that belongs to a window, as far as it was measured.
func (g *geometry) frameOf(w size) (image.Point, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f, ok := g.known[w]
	return f, ok
}

// hint returns the frame that was seen last.
func (g *geometry) hint() image.Point {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.frame
}

// set notes sizes that belong together.
func (g *geometry) set(w size, frame image.Point) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.known == nil {
		g.known = map[size]image.Point{}
	}
	if g.rough[w] != frame {
		g.known[w] = frame
	}
	g.window, g.frame, g.seen = w, frame, time.Now()
}

// belong says that a window and a frame are of one screen in one orientation.
func belong(w size, frame image.Point) bool {
	if !w.ok() || frame.X <= 0 || frame.Y <= 0 {
		return false
	}
	sx, sy := float64(frame.X)/w.w, float64(frame.Y)/w.h
	return math.Abs(sx-sy) <= sameScale*math.Max(sx, sy)
}

// sizes returns the window and the frame, measured only where they are not known.
func (d *Driver) sizes(ctx context.Context) (size, image.Point, error) {
	if w, frame, ok := d.screen.now(); ok {
		return w, frame, nil
	}
	return d.measure(ctx)
}

func (d *Driver) frameSize(ctx context.Context) (image.Point, error) {
	_, frame, err := d.sizes(ctx)
	return frame, err
}

// measure reads the size of the window, and that of the frame where this window has not been measured before: for that a picture
// is taken, or the scale asked for where there is none to be had.
func (d *Driver) measure(ctx context.Context) (size, image.Point, error) {
	var w size
	var frame image.Point
	for n := range sizeTries {
		if n > 0 {
			if err := nap.For(ctx, sizeWait); err != nil {
				return w, frame, err
			}
		}
		var err error
		if w, err = d.windowSize(ctx); err != nil {
			return w, frame, err
		}
		if frame, err = d.frameFor(ctx, w, n > 0); err != nil {
			return w, frame, err
		}
		if belong(w, frame) {
			d.screen.set(w, frame)
			return w, frame, nil
		}
	}
	return d.odd(ctx, w, frame)
}

// windowSize asks for the window of the app in front. Old servers answer 0x0 while an alert is open: then the newer route, or
// another try, tells.
func (d *Driver) windowSize(ctx context.Context) (size, error) {
	var err error
	for n := range sizeTries {
		if n > 0 {
			if err := nap.For(ctx, sizeWait); err != nil {
				return size{}, err
			}
		}
		for _, path := range []string{"/window/size", "/window/rect"} {
			var w struct {
				Width  float64 `json:"width"`
				Height float64 `json:"height"`
			}
			err = d.get(ctx, here+path, &w)
			if s := (size{w.Width, w.Height}); err == nil && s.ok() {
				return s, nil
			}
			if err != nil && !hasCode(err, codeUnknownCommand, codeUnknown) {
				return size{}, err
			}
		}
	}
	if err != nil && !hasCode(err, codeUnknownCommand) {
		return size{}, err
	}
	return size{}, errors.New("WebDriverAgent does not tell the size of the window: it says 0x0")
}

// point is a place in the window, in points.
type point struct{ x, y float64 }

// toPoints converts pixels of the frame to points: the middle of each pixel, so that the first and the last are in the
// window. One off the screen is ErrOffScreen; before that is said, the size is measured again, as the phone may have been
// turned.
func (d *Driver) toPoints(ctx context.Context, pixels ...image.Point) ([]point, error) {
	if _, _, fresh := d.screen.now(); d.desk.Load() || !fresh {
		if err := d.awake(ctx); err != nil {
			return nil, err
		}
	}
	w, frame, err := d.sizes(ctx)
	if err != nil {
		return nil, err
	}
	if outside(pixels, frame) >= 0 {
		if w, frame, err = d.measure(ctx); err != nil {
			return nil, err
		}
	}
	if i := outside(pixels, frame); i >= 0 {
		return nil, fmt.Errorf("%w: %d,%d is not in the frame of %dx%d", driver.ErrOffScreen, pixels[i].X, pixels[i].Y, frame.X, frame.Y)
	}
	points := make([]point, len(pixels))
	for i, p := range pixels {
		points[i] = point{scaled(p.X, frame.X, w.w), scaled(p.Y, frame.Y, w.h)}
	}
	return points, nil
}

// scaled returns the place of the middle of a pixel, rounded to what a request needs.
func scaled(pixel, pixels int, points float64) float64 {
	return math.Round((float64(pixel)+0.5)*points/float64(pixels)*1e4) / 1e4
}

func outside(points []image.Point, size image.Point) int {
	for i, p := range points {
		if !p.In(image.Rectangle{Max: size}) {
			return i
		}
	}
	return -1
}

// picture takes a screenshot as the phone sent it.
func (d *Driver) picture(ctx context.Context) ([]byte, error) {
	var err error
	for n := range pictureTries {
		if n > 0 {
			if err := nap.For(ctx, pictureWait); err != nil {
				return nil, err
			}
		}
		var r *reply
		if r, err = d.request(ctx, http.MethodGet, here+"/screenshot", nil); err == nil {
			return decodePicture(r.value)
		}
		if !hasCode(err, codeUnknown, codeNoCapture) && !errors.Is(err, errEmpty) {
			break
		}
	}
	return nil, err
}
