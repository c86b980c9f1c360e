package hdc

import (
	"bytes"
	"context"
	"image"
	_ "image/jpeg" // the formats of the phone's pictures
	_ "image/png"

	"github.com/handset-go/handset/driver"
)

// A picture of one colour is small. A JPEG of one has 64 pixels to the byte or so, as each block of 16 by 16 costs
// about 4 bytes, and a page with some text on it half of that; a PNG of one has some 250.
const (
	blankJPEG = 32
	blankPNG  = 90
)

// health says whether the frame shows what a person would see. Only a suspiciously small picture costs more than its
// header.
func (d *Driver) health(ctx context.Context, data []byte) (driver.Health, error) {
	cfg, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return driver.HealthOK, nil // NewScreen says what is wrong
	}
	least := blankJPEG
	if format == "png" {
		least = blankPNG
	}
	if cfg.Width*cfg.Height < least*len(data) {
		return driver.HealthOK, nil
	}
	m, _, err := image.Decode(bytes.NewReader(data))
	if err != nil || !mostlyBlack(m, m.Bounds(), 90) {
		return driver.HealthOK, nil
	}
	p, err := d.power(ctx)
	if err != nil {
		return driver.HealthOK, ctx.Err()
	}
	if !p.On {
		return driver.HealthAsleep, nil
	}
	return d.healthOfBlack(ctx, m)
}

// healthOfBlack tells a page that is black from one that the system draws black: no tool says so, but the tree of a
// protected page has texts where the frame has nothing.
func (d *Driver) healthOfBlack(ctx context.Context, m image.Image) (driver.Health, error) {
	t, err := d.tree(ctx)
	if err != nil {
		return driver.HealthOK, ctx.Err()
	}
	for n := range t.Root.All() {
		if n.Text == "" || n.Window != driver.WindowApp || n.Not(driver.Visible) {
			continue
		}
		if r := n.Bounds.Intersect(m.Bounds()); !r.Empty() && mostlyBlack(m, r, 100) {
			return driver.HealthProtected, nil
		}
	}
	return driver.HealthOK, nil
}

const grid = 48

// mostlyBlack says that at least so many of a hundred pixels on a grid are black.
func mostlyBlack(m image.Image, r image.Rectangle, percent int) bool {
	black := 0
	for y := range grid {
		for x := range grid {
			p := r.Min.Add(image.Pt((2*x+1)*r.Dx()/(2*grid), (2*y+1)*r.Dy()/(2*grid)))
			red, green, blue, _ := m.At(p.X, p.Y).RGBA()
			if max(red, green, blue) < 0x1800 {
				black++
			}
		}
	}
	return black*100 >= percent*grid*grid
}
