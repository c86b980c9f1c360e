package adb

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"time"
)

// What Options.Screens may say.
const (
	screensPNG = "png"
	screensRaw = "raw"
)

// The ways to take a picture, as frameStats.way has them.
const (
	wayFirst = iota // not yet known: the next picture is a PNG, and timed
	wayTrial        // the next one is raw, and timed
	wayPNG
	wayRaw
)

// errRaw is a raw capture that cannot be read: a vendor's words stand in it, or it is cut off.
var errRaw = errors.New("the raw picture cannot be read")

// rawWins is how much quicker raw pictures must be, in parts of the time of a PNG, as they have to be
// packed here when they are sent on.
const rawWins = 0.8

// pick takes a picture the quicker way. The first two pictures find out which that is: a phone needs
// 0.2 to 1 s to pack a PNG, and a slow line longer for the ten times as many bytes of a raw one.
func (d *Driver) pick(ctx context.Context) (*shot, error) {
	switch d.frames.way.Load() {
	case wayFirst:
		start := time.Now()
		p, err := d.pngPicture(ctx)
		if err == nil {
			d.frames.took.Store(int64(time.Since(start)))
			d.frames.way.CompareAndSwap(wayFirst, wayTrial)
		}
		return p, err
	case wayTrial:
		return d.tryRaw(ctx)
	case wayRaw:
		p, err := d.rawPicture(ctx)
		if !errors.Is(err, errRaw) {
			return p, err
		}
		if d.opts.Screens == "" {
			d.log.WarnContext(ctx, "raw pictures cannot be read: taking PNG from now on", "error", err)
			d.frames.way.Store(wayPNG)
		}
	}
	return d.pngPicture(ctx)
}

// tryRaw takes one raw picture, for no longer than a PNG took.
func (d *Driver) tryRaw(ctx context.Context) (*shot, error) {
	limit := time.Duration(rawWins * float64(d.frames.took.Load()))
	trial, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	p, err := d.rawPicture(trial)
	if err == nil && trial.Err() == nil {
		d.frames.way.Store(wayRaw)
		return p, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	d.frames.way.Store(wayPNG)
	return d.pngPicture(ctx)
}

func (d *Driver) rawPicture(ctx context.Context) (*shot, error) {
	out, err := d.screencap(ctx, "", int(d.frames.rawBytes.Load()))
	if err != nil {
		return nil, err
	}
	m, err := rawImage(out.stdout)
	if err != nil {
		return nil, err
	}
	d.frames.rawBytes.Store(int64(len(out.stdout)))
	return &shot{image: m}, nil
}

// rawPixel is how many bytes a pixel has, by android.graphics.PixelFormat.
var rawPixel = map[uint32]int{1: 4, 2: 4, 3: 3, 4: 2, 5: 4} // RGBA, RGBX, RGB, RGB 565, BGRA

// rawImage reads what `screencap` prints without -p: width, height and format, from Android 9 on a
// colour space too, and rows without padding. The image uses data.
func rawImage(data []byte) (*image.RGBA, error) {
	if len(data) < 12 {
		return nil, fmt.Errorf("%w: %d bytes", errRaw, len(data))
	}
	w, h, format := binary.LittleEndian.Uint32(data), binary.LittleEndian.Uint32(data[4:]), binary.LittleEndian.Uint32(data[8:])
	size := rawPixel[format]
	if size == 0 || w == 0 || h == 0 || w > 1<<14 || h > 1<<14 {
		return nil, fmt.Errorf("%w: %dx%d in format %d", errRaw, w, h, format)
	}
	n := int(w) * int(h) * size
	head := len(data) - n
	if head != 12 && head != 16 {
		return nil, fmt.Errorf("%w: %d bytes for %dx%d in format %d", errRaw, len(data), w, h, format)
	}
	m := &image.RGBA{Stride: 4 * int(w), Rect: image.Rect(0, 0, int(w), int(h))}
	m.Pix = rgba(data[head:], format)
	return m, nil
}

// rgba makes pixels of four bytes. They are opaque: some ROMs leave the alpha at 0.
func rgba(pix []byte, format uint32) []byte {
	switch format {
	case 3:
		out := make([]byte, 0, len(pix)/3*4)
		for i := 0; i+2 < len(pix); i += 3 {
			out = append(out, pix[i], pix[i+1], pix[i+2], 0xff)
		}
		return out
	case 4:
		out := make([]byte, 0, len(pix)*2)
		for i := 0; i+1 < len(pix); i += 2 {
			v := uint32(pix[i]) | uint32(pix[i+1])<<8
			r, g, b := v>>11, v>>5&0x3f, v&0x1f
			out = append(out, byte(r<<3|r>>2), byte(g<<2|g>>4), byte(b<<3|b>>2), 0xff)
		}
		return out
	case 5:
		for i := 0; i+3 < len(pix); i += 4 {
			pix[i], pix[i+2] = pix[i+2], pix[i]
		}
	}
	for i := 3; i < len(pix); i += 4 {
		pix[i] = 0xff
	}
	return pix
}
