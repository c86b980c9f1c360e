package hdc

import (
	"context"
	"errors"
	"fmt"
	"image"
	"sync"

	"github.com/handset-go/handset/driver"
)

// geometry knows the size of the frame, and that of the space in which uitest and uinput take points and give bounds:
// what the phone renders. They are the same on every phone seen so far; where a picture has other pixels, such as
// those of the panel, the driver converts.
type geometry struct {
	mu      sync.Mutex
	natural image.Point // rendered, in the natural orientation; zero if not known
	panel   image.Point // of the frame, in the natural orientation; zero before the first frame
	frame   image.Point // as it was seen last; zero where it must be measured again
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
	g.frame = size
	g.panel = turned(size, g.natural)
	return known
}

// sawRender notes what the phone renders, in the natural orientation, and how the display is turned. It returns the
// size of the frame.
func (g *geometry) sawRender(natural image.Point, turns int) image.Point {
	g.mu.Lock()
	defer g.mu.Unlock()
	if natural != g.natural {
		g.panel = image.Point{} // another display of a foldable, or another resolution
	}
	g.natural = natural
	g.frame = rotated(natural, turns)
	if g.panel != (image.Point{}) {
		g.frame = turned(g.panel, g.frame)
	}
	return g.frame
}

// sawRoot notes the size of a tree's root, which is rendered size as the display is turned, and returns the size of
// the frame.
func (g *geometry) sawRoot(root image.Point) image.Point {
	g.mu.Lock()
	defer g.mu.Unlock()
	if turned(g.natural, root) != root {
		g.natural, g.panel = root, image.Point{}
	}
	g.frame = root
	if g.panel != (image.Point{}) {
		g.frame = turned(g.panel, root)
	}
	return g.frame
}

// forget has the size measured before the next gesture.
func (g *geometry) forget() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.frame = image.Point{}
}

// last returns the size of the frame, and the rendered size that belongs to it.
func (g *geometry) last() (frame, input image.Point) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.natural == (image.Point{}) {
		return g.frame, g.frame
	}
	return g.frame, turned(g.natural, g.frame)
}

// frameSize returns the size of the frame and of the space of the phone's input, measured only where it is not known.
func (d *Driver) frameSize(ctx context.Context) (frame, input image.Point, err error) {
	if frame, input = d.screen.last(); frame != (image.Point{}) {
		return frame, input, nil
	}
	if err := d.measure(ctx); err != nil {
		return image.Point{}, image.Point{}, err
	}
	frame, input = d.screen.last()
	return frame, input, nil
}

// measure asks the phone for what it renders and how it is turned.
func (d *Driver) measure(ctx context.Context) error {
	parts, err := d.askAll(ctx, askRender, askDisplay)
	if err != nil {
		return err
	}
	return d.sawDisplay(parts[0], parts[1])
}

var errNoSize = errors.New("the phone does not tell the size of its screen: it may still be starting")

func (d *Driver) sawDisplay(render, display string) error {
	p := parsePanel(render)
	turns, _ := parseRotation(display)
	if p.size == (image.Point{}) {
		return errNoSize
	}
	d.screen.sawRender(p.size, turns)
	return nil
}

// toInput converts points of the frame to those that the phone's tools take. One off the screen is ErrOffScreen; before
// that is said, the size is measured again, as the phone may have been turned.
func (d *Driver) toInput(ctx context.Context, points ...image.Point) ([]image.Point, error) {
	frame, input, err := d.frameSize(ctx)
	if err != nil {
		return nil, err
	}
	if outside(points, frame) >= 0 {
		if err := d.measure(ctx); err != nil {
			return nil, err
		}
		frame, input = d.screen.last()
	}
	if i := outside(points, frame); i >= 0 {
		return nil, fmt.Errorf("%w: %d,%d is not in the frame of %dx%d", driver.ErrOffScreen, points[i].X, points[i].Y, frame.X, frame.Y)
	}
	if input == frame {
		return points, nil
	}
	scaled := make([]image.Point, len(points))
	for i, p := range points {
		scaled[i] = image.Pt(scale(p.X, frame.X, input.X), scale(p.Y, frame.Y, input.Y))
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
