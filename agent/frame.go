package agent

import (
	"bytes"
	"image"
	"image/png"

	"golang.org/x/image/draw"

	"github.com/handset-go/handset/action"
	"github.com/handset-go/handset/driver"
)

// sent returns the frame as the model gets it, at most width pixels wide, and the view that leads back from
// it. A frame that is not too wide is passed through as the phone encoded it.
func sent(s *driver.Screen, width int) (*Image, action.View, error) {
	view := action.View{Frame: s.Size()}
	if width <= 0 || s.Size().X <= width {
		data, mime, err := s.Encoded()
		return &Image{Data: data, MIME: mime}, view, err
	}
	m, err := s.Image()
	if err != nil {
		return nil, view, err
	}
	view.Sent = image.Pt(width, max(s.Size().Y*width/s.Size().X, 1))
	small := image.NewRGBA(image.Rectangle{Max: view.Sent})
	draw.ApproxBiLinear.Scale(small, small.Bounds(), m, m.Bounds(), draw.Src, nil)
	var b bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, small)
	return &Image{Data: b.Bytes(), MIME: "image/png"}, view, err
}
