package wda

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"net"
	"time"

	"golang.org/x/image/draw"

	"github.com/handset-go/handset/internal/nap"
)

const mjpegHead = "HTTP/1.0 200 OK\r\nServer: WDA MJPEG Server\r\nConnection: close\r\nMax-Age: 0\r\nExpires: 0\r\n" +
	"Cache-Control: no-cache, private\r\nPragma: no-cache\r\nContent-Type: multipart/x-mixed-replace; boundary=--BoundaryString\r\n\r\n"

// stream sends frames to one client, after the client has sent anything.
func (s *Server) stream(c net.Conn) {
	if _, err := c.Read(make([]byte, 1)); err != nil {
		return
	}
	if _, err := c.Write([]byte(mjpegHead)); err != nil {
		return
	}
	limit := s.faults.number(FaultMJPEGDies)
	for n := 1; limit == 0 || n <= limit; n++ {
		data, err := s.jpeg()
		if err != nil {
			return
		}
		part := fmt.Sprintf("--BoundaryString\r\nContent-type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(data), data)
		if _, err := c.Write([]byte(part)); err != nil {
			return
		}
		rate := min(max(s.sharedNumber("mjpegServerFramerate"), 1), 60)
		if nap.For(s.ctx, time.Duration(float64(time.Second)/rate)) != nil {
			return
		}
	}
}

func (d *Device) sharedNumber(name string) float64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, _ := d.shared[name].(float64)
	return n
}

// exifTurns are the EXIF orientations of a frame in portrait, by quarter turns of the display.
var exifTurns = [4]byte{1, 8, 3, 6}

// jpeg encodes a frame: in portrait with a note of how to turn it, unless mjpegFixOrientation is set.
func (d *Device) jpeg() ([]byte, error) {
	f := d.phone.Frame()
	var m image.Image = f.Image
	d.mu.Lock()
	fixed, _ := d.shared["mjpegFixOrientation"].(bool)
	d.mu.Unlock()
	fixed = fixed || f.Rotation == 0
	if !fixed {
		m = turnImage(f.Image, f.Rotation)
	}
	if part := d.sharedNumber("mjpegScalingFactor"); part > 0 && part < 100 {
		m = shrink(m, part/100)
	}
	quality := min(max(int(d.sharedNumber("mjpegServerScreenshotQuality")), 1), 100)
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: quality}); err != nil {
		return nil, err
	}
	if fixed {
		return b.Bytes(), nil
	}
	return withEXIF(b.Bytes(), exifTurns[f.Rotation]), nil
}

func shrink(m image.Image, by float64) image.Image {
	size := m.Bounds().Size()
	out := image.NewRGBA(image.Rect(0, 0, max(int(float64(size.X)*by), 1), max(int(float64(size.Y)*by), 1)))
	draw.ApproxBiLinear.Scale(out, out.Bounds(), m, m.Bounds(), draw.Src, nil)
	return out
}

// withEXIF puts an APP1 segment with the orientation behind the start of a JPEG.
func withEXIF(data []byte, orientation byte) []byte {
	tiff := []byte{
		'M', 'M', 0, 42, 0, 0, 0, 8, // big endian, the first directory at 8
		0, 1, // one entry:
		0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, // Orientation, SHORT, once
		0, 0, 0, 0, // no next directory
	}
	body := append([]byte("Exif\x00\x00"), tiff...)
	out := append([]byte{}, data[:2]...)
	out = append(out, 0xFF, 0xE1, 0, byte(len(body)+2))
	out = append(out, body...)
	return append(out, data[2:]...)
}
