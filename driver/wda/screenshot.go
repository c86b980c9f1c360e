package wda

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/png"
	"time"

	"github.com/handset-go/handset/driver"
)

const (
	// pictureTries is how often a picture is asked for that the system could not take just then.
	pictureTries = 3
	pictureWait  = 500 * time.Millisecond
)

// Screenshot returns the frame. Health is looked into only where the picture is so small that it can be of one
// colour.
func (d *Driver) Screenshot(ctx context.Context) (*driver.Screen, error) {
	return value(ctx, d, driver.OpScreenshot, limitPicture, d.capture)
}

func (d *Driver) capture(ctx context.Context) (*driver.Screen, error) {
	data, err := d.picture(ctx)
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
	d.screen.sawFrame(s.Size())
	if health == driver.HealthAsleep {
		d.desk.Store(true)
	}
	return s, nil
}

// decodePicture reads a JSON string of base64, with slashes escaped as Apple's writer does, and with the line ends of servers before
// 4.10.1.
func decodePicture(value []byte) ([]byte, error) {
	if len(value) < 2 || value[0] != '"' {
		return nil, fmt.Errorf("the picture is no text: %s", shorten(string(value)))
	}
	text := value[1 : len(value)-1]
	if bytes.IndexByte(text, '\\') >= 0 {
		text = unescapeBase64(text)
	}
	data := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(data, text)
	if err != nil {
		return nil, fmt.Errorf("the picture of %d characters: %w", len(text), err)
	}
	if n == 0 {
		return nil, errors.New("the picture is empty")
	}
	return data[:n], nil
}

// unescapeBase64 keeps the slash of \/ and drops \r and \n.
func unescapeBase64(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 || i+1 >= len(text) {
			return append(out, text...)
		}
		out = append(out, text[:i]...)
		if text[i+1] == '/' {
			out = append(out, '/')
		}
		text = text[i+2:]
	}
}

// uniformRatio is how well a picture packs that can be of one colour: zlib packs a uniform one about 1000 to 1,
// and a page with some text less than 300 to 1.
const uniformRatio = 360

// health says whether the frame shows what a person would see. A uniform, dark one is the display that is off where the phone is
// locked, and otherwise a page that the system keeps from being captured (protected video).
func (d *Driver) health(ctx context.Context, data []byte) (driver.Health, error) {
	if !dark(data) {
		return driver.HealthOK, nil
	}
	locked, err := d.locked(ctx)
	switch {
	case err != nil:
		return "", err
	case locked:
		return driver.HealthAsleep, nil
	}
	return driver.HealthProtected, nil
}

// dark says that a picture is black but for a trifle. It decodes only what packs suspiciously well.
func dark(data []byte) bool {
	cfg, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil || 3*cfg.Width*cfg.Height < uniformRatio*len(data) {
		return false
	}
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return false
	}
	const grid = 48
	black, b := 0, m.Bounds()
	for y := range grid {
		for x := range grid {
			p := b.Min.Add(image.Pt((2*x+1)*b.Dx()/(2*grid), (2*y+1)*b.Dy()/(2*grid)))
			if r, g, bl, _ := m.At(p.X, p.Y).RGBA(); max(r, g, bl) < 0x0800 {
				black++
			}
		}
	}
	return 100*black >= 95*grid*grid
}
