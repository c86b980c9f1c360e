package adbservice

import (
	"context"

	"github.com/handset-go/handset/internal/phonefront/android"
)

// framebufferService sends 14 numbers that describe the picture, then its pixels, RGBA.
func framebufferService(d *android.Device) Service {
	return func(_ context.Context, s Stream) error {
		frame := d.Capture()
		w, h := uint32(frame.Rect.Dx()), uint32(frame.Rect.Dy())
		header := addUint32(nil, 2, 32, 0, w*h*4, w, h, 0, 8, 16, 8, 8, 8, 24, 8)
		if _, err := s.Write(header); err == nil {
			_, _ = s.Write(frame.Pix)
		}
		return nil
	}
}
