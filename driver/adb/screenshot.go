package adb

import (
	"context"
	"fmt"
	"image"
	"strings"
	"sync/atomic"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/nap"
)

// frameStats remembers what makes the next frame cheaper.
type frameStats struct {
	bytes   atomic.Int64           // of the last one: the size of the buffer
	display atomic.Pointer[string] // for screencap -d, on a phone with several displays
}

// Screenshot returns the frame that `screencap -p` draws. Health is looked into only where the
// picture is so small that it can be of one colour.
func (d *Driver) Screenshot(ctx context.Context) (*driver.Screen, error) {
	return value(ctx, d, driver.OpScreenshot, limitShort, d.capture)
}

func (d *Driver) capture(ctx context.Context) (*driver.Screen, error) {
	data, err := retried(ctx, func() ([]byte, error) { return d.capturePNG(ctx) })
	if err != nil {
		return nil, err
	}
	health, err := d.health(ctx, data)
	if err != nil {
		return nil, err
	}
	s, err := driver.NewScreen(data, health)
	if err != nil {
		return nil, err
	}
	return s, d.sawScreen(ctx, s.Size())
}

// sawScreen learns from the frame's size. One that fits nothing known means another display or another
// override, which is measured once.
func (d *Driver) sawScreen(ctx context.Context, size image.Point) error {
	if d.screen.sawFrame(size) {
		return nil
	}
	if _, err := d.measure(ctx); err != nil {
		return err
	}
	d.screen.sawFrame(size)
	return nil
}

// emptyWait is the pause before the one retry of a capture that printed nothing, which happens while
// SurfaceFlinger is busy.
const emptyWait = retryWait

// capturePNG takes one picture. No bytes at all are tried again once.
func (d *Driver) capturePNG(ctx context.Context) ([]byte, error) {
	out, err := d.screencap(ctx)
	if err == nil && len(out.stdout) == 0 {
		if err := nap.For(ctx, emptyWait); err != nil {
			return nil, err
		}
		out, err = d.screencap(ctx)
	}
	if err != nil {
		return nil, err
	}
	png, err := cutPNG(out.stdout)
	if err == nil {
		d.frames.bytes.Store(int64(len(png)))
		return png, nil
	}
	return nil, d.captureFailure(ctx, out, err)
}

// screencap runs the tool: through the shell protocol, which keeps the warnings of Android 14 out
// of the picture, or else raw.
func (d *Driver) screencap(ctx context.Context) (*output, error) {
	line := "screencap -p"
	if id := d.frames.display.Load(); id != nil {
		line += " -d " + *id
	}
	if !d.shellV2 {
		data, err := d.exec(ctx, line)
		return &output{stdout: data, code: -1}, err
	}
	last := int(d.frames.bytes.Load())
	out, err := d.run(ctx, request{line: line, hint: last + last/4})
	if err == nil && d.frames.display.Load() == nil && strings.Contains(string(out.stderr), "Multiple displays") {
		return d.chooseDisplay(ctx, out)
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
