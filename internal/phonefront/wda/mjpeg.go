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
	limit, film := s.faults.Number(FaultMJPEGDies), film{d: s.Device}
	for n := 1; limit == 0 || n <= limit; n++ {
		data, err := film.next()
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

// look is how a frame is encoded.
type look struct {
	frame          *image.Paletted
	quality, scale float64
	turn           int // quarters that the frame is turned back to portrait
}

// film encodes the frames of one client, each once.
type film struct {
	d    *Device
	last look
	data []byte
}

// next returns the frame that is shown now: in portrait with a note of how to turn it, unless
// mjpegFixOrientation is set.
func (f *film) next() ([]byte, error) {
	frame := f.d.phone.Frame()
	l := look{
		frame: frame.Image, turn: frame.Rotation, scale: f.d.sharedNumber("mjpegScalingFactor") / 100,
		quality: f.d.sharedNumber("mjpegServerScreenshotQuality"),
	}
	if f.d.framesUpright() {
		l.turn = 0
	}
	if l == f.last {
		return f.data, nil
	}
	data, err := l.jpeg()
	if err != nil {
		return nil, err
	}
	f.last, f.data = l, data
	return data, nil
}

func (d *Device) framesUpright() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return truth(d.shared["mjpegFixOrientation"])
}

func (l look) jpeg() ([]byte, error) {
	var m image.Image = l.frame
	if l.turn != 0 {
		m = turnImage(l.frame, l.turn)
	}
	if l.scale > 0 && l.scale < 1 {
		m = shrink(m, l.scale)
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: int(min(max(l.quality, 1), 100))}); err != nil {
		return nil, err
	}
	if l.turn == 0 {
		return b.Bytes(), nil
	}
	return withEXIF(b.Bytes(), exifTurns[l.turn]), nil
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
