package wda

import (
	"context"
	"fmt"
	"image"
	"math"
	"net/http"
	"time"

	"github.com/handset-go/handset/driver"
)

// scaleLimit bounds the picture that is taken for its size only, or to see whether the display is on. The system can take 20 s to refuse one, of protected
// video for example, which is most of a gesture's limit.
const scaleLimit = 5 * time.Second

// frameFor returns the frame of a window: measured before, or as it was seen last where that fits, or as a picture has it, or
// else as the scale has it that WebDriverAgent tells.
func (d *Driver) frameFor(ctx context.Context, w size, anew bool) (image.Point, error) {
	if f, ok := d.screen.frameOf(w); ok {
		return f, nil
	}
	if f := d.screen.hint(); !anew && belong(w, f) {
		return f, nil
	}
	if f, ok := d.screen.roughOf(w); ok {
		return f, nil
	}
	f, err := d.pictureSize(ctx)
	if err == nil || ctx.Err() != nil {
		return f, err
	}
	return d.roughFrame(ctx, w, err)
}

// pictureSize takes a picture for its size.
func (d *Driver) pictureSize(ctx context.Context) (image.Point, error) {
	limit := min(scaleLimit, d.opts.limit(2*scaleLimit)/2)
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	r, err := d.request(within, http.MethodGet, here+"/screenshot", nil)
	if err != nil {
		if within.Err() != nil && ctx.Err() == nil {
			err = fmt.Errorf("%w: no picture within %v", driver.ErrTimeout, limit)
		}
		return image.Point{}, err
	}
	data, err := decodePicture(r.value)
	if err != nil {
		return image.Point{}, err
	}
	s, err := driver.NewScreen(data, driver.HealthOK)
	if err != nil {
		return image.Point{}, err
	}
	return s.Size(), nil
}

// roughFrame makes do without a picture: the frame is the window in the scale of the home screen, until there is a picture again.
func (d *Driver) roughFrame(ctx context.Context, w size, because error) (image.Point, error) {
	home, err := d.homeScreen(ctx)
	if err != nil || !(home.Scale >= 1 && home.Scale <= maxScale) {
		return image.Point{}, because
	}
	whole := home.like(w.wide())
	if !whole.ok() {
		whole = w
	}
	frame := image.Pt(int(math.Round(whole.w*home.Scale)), int(math.Round(whole.h*home.Scale)))
	d.log.WarnContext(ctx, "no picture can be taken to measure; taking the scale that WebDriverAgent tells", "scale", home.Scale,
		"frame", frame, "because", because)
	d.screen.setRough(w, frame)
	return frame, nil
}

// maxScale is more than any display has: 3 is the most so far.
const maxScale = 8

// homeScreen is what WebDriverAgent says of the home screen, which need not be turned as the app in front is.
type homeScreen struct {
	Scale float64 `json:"scale"`
	Size  struct {
		Width  float64 `json:"width"`
		Height float64 `json:"height"`
	} `json:"screenSize"` // from 8.4.0 on
}

// like returns the size of the screen, turned so that it is wide, or not.
func (h *homeScreen) like(wide bool) size {
	s := size{h.Size.Width, h.Size.Height}
	if s.wide() != wide {
		return size{s.h, s.w}
	}
	return s
}

func (d *Driver) homeScreen(ctx context.Context) (*homeScreen, error) {
	var h homeScreen
	if err := d.get(ctx, here+"/wda/screen", &h); err != nil {
		return nil, err
	}
	return &h, nil
}

// odd makes do with a window that is not the whole screen: an iPad that shows two apps, or an app for the iPhone. The scale is
// then that of the home screen. Points are those of the app's own window.
func (d *Driver) odd(ctx context.Context, w size, frame image.Point) (size, image.Point, error) {
	home, err := d.homeScreen(ctx)
	if hasCode(err, codeUnknownCommand) {
		home, err = &homeScreen{}, nil
	}
	if err != nil {
		return w, frame, err
	}
	whole := home.like(frame.X > frame.Y)
	if !belong(whole, frame) {
		return w, frame, fmt.Errorf("the sizes do not belong together: the window has %gx%g points and the frame %dx%d pixels; "+
			"is the phone turning, or does it show two apps side by side?", w.w, w.h, frame.X, frame.Y)
	}
	d.log.WarnContext(ctx, "the app does not fill the screen: touches may land beside", "window", w, "screen", whole)
	d.screen.set(whole, frame)
	return whole, frame, nil
}

// roughOf returns the frame of a window as it was set without a picture.
func (g *geometry) roughOf(w size) (image.Point, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f, ok := g.rough[w]
	return f, ok
}

// setRough notes the frame of a window that no picture has confirmed.
func (g *geometry) setRough(w size, frame image.Point) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.rough == nil {
		g.rough = map[size]image.Point{}
	}
	g.rough[w] = frame
}
