package adb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"strings"
	"sync/atomic"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

// frameStats remembers what makes the next frame cheaper.
type frameStats struct {
	way      atomic.Int32           // of taking pictures
	took     atomic.Int64           // the first PNG, in nanoseconds
	bytes    atomic.Int64           // of the last PNG: the size of the buffer
	rawBytes atomic.Int64           // of the last raw picture
	display  atomic.Pointer[string] // for screencap -d, on a phone with several displays
}

// Screenshot returns the frame that `screencap` draws, as a PNG or raw, whichever is quicker on this
// phone (Options.Screens). Health is looked into only where the picture can be of one colour.
func (d *Driver) Screenshot(ctx context.Context) (*driver.Screen, error) {
	return value(ctx, d, driver.OpScreenshot, limitShort, d.capture)
}

func (d *Driver) capture(ctx context.Context) (*driver.Screen, error) {
	p, err := d.takePicture(ctx)
	if err != nil {
		return nil, err
	}
	known := d.screen.sawFrame(p.size())
	if !known {
		// Another display or another override, which is measured once where the phone tells it.
		if _, err := d.measure(ctx); err != nil && !errors.Is(err, errNoSize) {
			return nil, err
		}
		d.screen.sawFrame(p.size())
	}
	health := driver.HealthOK
	strange := !known && d.screen.logical(p.size()) != p.size()
	if strange || p.uniform() {
		var other bool
		if health, other, err = d.health(ctx); err != nil {
			return nil, err
		}
		if other {
			return d.captureOther(ctx)
		}
		if !p.uniform() {
			health = driver.HealthOK
		}
	}
	return p.screen(health)
}

// captureOther takes the picture of a display that was chosen a moment ago, with no further doubt.
func (d *Driver) captureOther(ctx context.Context) (*driver.Screen, error) {
	p, err := d.takePicture(ctx)
	if err != nil {
		return nil, err
	}
	d.screen.sawFrame(p.size())
	health := driver.HealthOK
	if p.uniform() {
		if health, _, err = d.health(ctx); err != nil {
			return nil, err
		}
	}
	return p.screen(health)
}

func (d *Driver) takePicture(ctx context.Context) (*shot, error) {
	return retried(ctx, func() (*shot, error) { return d.pick(ctx) })
}

// shot is what screencap gave, in one of its two forms.
type shot struct {
	png   []byte
	image *image.RGBA
}

func (p *shot) size() image.Point {
	if p.image != nil {
		return p.image.Rect.Size()
	}
	return pngSize(p.png)
}

// uniform says that the picture is mostly of one colour. A PNG that is too large for that is not even
// decoded.
func (p *shot) uniform() bool {
	if p.image != nil {
		return mostlyOneColour(p.image)
	}
	if len(p.png) > smallPNG && pngRaw(p.png) < uniformRatio*len(p.png) {
		return false
	}
	m, err := png.Decode(bytes.NewReader(p.png))
	return err == nil && mostlyOneColour(m)
}

func (p *shot) screen(h driver.Health) (*driver.Screen, error) {
	if p.image != nil {
		return driver.NewScreenImage(p.image, h)
	}
	return driver.NewScreen(p.png, h)
}

// emptyWait is the pause before the one retry of a capture that printed nothing, which happens while
// SurfaceFlinger is busy.
const emptyWait = retryWait

// pngPicture takes one picture. No bytes at all are tried again once.
func (d *Driver) pngPicture(ctx context.Context) (*shot, error) {
	last := int(d.frames.bytes.Load())
	out, err := d.screencap(ctx, " -p", last+last/4)
	if err == nil && len(out.stdout) == 0 {
		if err := nap.For(ctx, emptyWait); err != nil {
			return nil, err
		}
		out, err = d.screencap(ctx, " -p", 0)
	}
	if err != nil {
		return nil, err
	}
	png, err := cutPNG(out.stdout)
	if err == nil {
		d.frames.bytes.Store(int64(len(png)))
		return &shot{png: png}, nil
	}
	return nil, d.captureFailure(ctx, out, err)
}

// screencap runs the tool: through the shell protocol, which keeps the warnings of Android 14 out
// of the picture, or else raw. A stream of frames has a shell of its own for it.
func (d *Driver) screencap(ctx context.Context, option string, hint int) (*output, error) {
	line := "screencap" + option
	chosen := d.frames.display.Load()
	if chosen != nil {
		line += " -d " + *chosen
	}
	if !d.shellV2 {
		data, err := d.exec(ctx, line)
		return &output{stdout: data, code: -1}, err
	}
	out, err := runner(ctx, d)(ctx, request{line: line, hint: hint})
	if err == nil && chosen == nil && strings.Contains(string(out.stderr), "Multiple displays") && d.chooseDisplay(ctx) {
		return d.screencap(ctx, option, hint)
	}
	return out, err
}

// captureFailure says why there is no picture.
func (d *Driver) captureFailure(ctx context.Context, out *output, err error) error {
	d.frames.display.Store(nil)
	if p, powerErr := d.power(ctx); powerErr == nil && !p.On {
		return fmt.Errorf("%w: wake the phone first: %w", driver.ErrAsleep, err)
	}
	if len(out.stdout) > len(pngMagic) && len(out.stderr) == 0 && strings.Contains(string(out.stdout[:min(len(out.stdout), 64)]), "PNG") {
		return err
	}
	return fmt.Errorf("%w: screencap ended with %d: %s", err, out.code, complaint(out.stderr, printable(out.stdout)))
}

// printable returns text that may be shown, and nothing of binary data.
func printable(b []byte) []byte {
	for _, c := range b {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' {
			return nil
		}
	}
	return b
}
