package driver

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"sync"
	"time"
)

// Health says of a frame whether it shows what a person would see.
type Health string

// The healths of a frame.
const (
	HealthOK        Health = "ok"
	HealthProtected Health = "protected" // the system refused to show the page: DRM, a secure window
	HealthAsleep    Health = "asleep"    // the display is off
)

// maxSide bounds the width and height of a frame: no phone's screen is larger.
const maxSide = 1 << 14

// Screen is one frame. It is immutable and may be used from several goroutines.
type Screen struct {
	size   image.Point
	health Health
	at     time.Time
	data   []byte // as the device sent it, nil for a raw capture
	mime   string

	decode sync.Once
	image  image.Image
	encode sync.Once
	err    error // of decode
	encErr error
}

// NewScreen makes a Screen of a PNG or JPEG as a device sent it. It reads the header only, keeps data
// without a copy, and refuses a picture that is empty, of another format or of an absurd size.
func NewScreen(data []byte, h Health) (*Screen, error) {
	mime, cfg, err := header(data)
	if err != nil {
		return nil, err
	}
	if err := sane(cfg.Width, cfg.Height); err != nil {
		return nil, err
	}
	return &Screen{size: image.Pt(cfg.Width, cfg.Height), health: h, at: time.Now(), data: data, mime: mime}, nil
}

// NewScreenImage makes a Screen of a raw capture. The image must not change afterwards.
func NewScreenImage(m image.Image, h Health) (*Screen, error) {
	if m == nil {
		return nil, errors.New("no picture")
	}
	if err := sane(m.Bounds().Dx(), m.Bounds().Dy()); err != nil {
		return nil, err
	}
	return &Screen{size: m.Bounds().Size(), health: h, at: time.Now(), image: m}, nil
}

func header(data []byte) (mime string, cfg image.Config, err error) {
	switch {
	case len(data) == 0:
		return "", cfg, errors.New("empty picture")
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		cfg, err = png.DecodeConfig(bytes.NewReader(data))
		mime = "image/png"
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		cfg, err = jpeg.DecodeConfig(bytes.NewReader(data))
		mime = "image/jpeg"
	default:
		return "", cfg, fmt.Errorf("neither a PNG nor a JPEG: starts with %q", data[:min(len(data), 16)])
	}
	if err != nil {
		err = fmt.Errorf("picture of %d bytes: %w", len(data), err)
	}
	return mime, cfg, err
}

func sane(w, h int) error {
	if w <= 0 || h <= 0 || w > maxSide || h > maxSide {
		return fmt.Errorf("picture of an absurd size, %dx%d", w, h)
	}
	return nil
}

// Size returns width and height in pixels.
func (s *Screen) Size() image.Point { return s.size }

// Bounds returns the rectangle of all legal points: (0,0) up to, and without, Size.
func (s *Screen) Bounds() image.Rectangle { return image.Rectangle{Max: s.size} }

// Health says whether the frame shows what a person would see.
func (s *Screen) Health() Health { return s.health }

// At returns when the frame reached this program.
func (s *Screen) At() time.Time { return s.at }

// Encoded returns the picture as the device sent it, PNG or JPEG, or a PNG made of a raw capture (once).
// The bytes are shared: do not change them.
func (s *Screen) Encoded() (data []byte, mime string, err error) {
	s.encode.Do(func() {
		if s.data != nil {
			return
		}
		var b bytes.Buffer
		enc := png.Encoder{CompressionLevel: png.BestSpeed}
		if s.encErr = enc.Encode(&b, s.image); s.encErr == nil {
			s.data, s.mime = b.Bytes(), "image/png"
		}
	})
	return s.data, s.mime, s.encErr
}

// Image returns the picture decoded, which happens once. It must not be changed.
func (s *Screen) Image() (image.Image, error) {
	s.decode.Do(func() {
		if s.image != nil {
			return
		}
		s.image, s.err = decode(s.data, s.mime)
	})
	return s.image, s.err
}

func decode(data []byte, mime string) (image.Image, error) {
	var m image.Image
	var err error
	if mime == "image/jpeg" {
		m, err = jpeg.Decode(bytes.NewReader(data))
	} else {
		m, err = png.Decode(bytes.NewReader(data))
	}
	if err != nil {
		return nil, fmt.Errorf("picture of %d bytes: %w", len(data), err)
	}
	return m, nil
}
