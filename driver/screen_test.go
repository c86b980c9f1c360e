package driver_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

func picture(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	m.Set(1, 1, color.RGBA{200, 100, 50, 255})
	return m
}

func pngOf(t *testing.T, m image.Image) []byte {
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, m))
	return b.Bytes()
}

func TestScreenOfAPNG(t *testing.T) {
	data := pngOf(t, picture(30, 40))
	before := time.Now()
	s, err := driver.NewScreen(data, driver.HealthProtected)
	require.NoError(t, err)
	require.Equal(t, image.Pt(30, 40), s.Size())
	require.Equal(t, image.Rect(0, 0, 30, 40), s.Bounds())
	require.Equal(t, driver.HealthProtected, s.Health())
	require.False(t, s.At().Before(before))

	sent, mime, err := s.Encoded()
	require.NoError(t, err)
	require.Equal(t, "image/png", mime)
	require.Same(t, &data[0], &sent[0], "the bytes of the device, without a copy")
	m, err := s.Image()
	require.NoError(t, err)
	require.Equal(t, color.RGBA{200, 100, 50, 255}, color.RGBAModel.Convert(m.At(1, 1)))
}

func TestScreenOfAJPEG(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, picture(30, 40), nil))
	s, err := driver.NewScreen(b.Bytes(), driver.HealthOK)
	require.NoError(t, err)
	_, mime, err := s.Encoded()
	require.NoError(t, err)
	require.Equal(t, "image/jpeg", mime)
	m, err := s.Image()
	require.NoError(t, err)
	require.Equal(t, s.Size(), m.Bounds().Size())
}

func TestScreenOfARawCapture(t *testing.T) {
	m := picture(30, 40)
	s, err := driver.NewScreenImage(m, driver.HealthOK)
	require.NoError(t, err)
	got, err := s.Image()
	require.NoError(t, err)
	require.Same(t, m, got)

	var wg sync.WaitGroup
	encoded := make([][]byte, 8)
	for i := range encoded {
		wg.Go(func() { encoded[i], _, _ = s.Encoded() })
	}
	wg.Wait()
	for _, data := range encoded {
		require.Same(t, &encoded[0][0], &data[0], "encoded once")
	}
	back, err := png.Decode(bytes.NewReader(encoded[0]))
	require.NoError(t, err)
	require.Equal(t, m.At(1, 1), color.RGBAModel.Convert(back.At(1, 1)))
}

func TestScreenRefuses(t *testing.T) {
	whole := pngOf(t, picture(30, 40))
	for _, tt := range []struct {
		name string
		data []byte
		want string
	}{
		{"nothing", nil, "empty picture"},
		{"text", []byte("error: closed"), `neither a PNG nor a JPEG: starts with "error: closed"`},
		{"a warning before the picture", append([]byte("[Warning] Multiple displays\n"), whole...), `starts with "[Warning] Multip"`},
		{"a cut header", whole[:12], "picture of 12 bytes"},
		{"an absurd size", pngOf(t, image.NewGray(image.Rect(0, 0, 20000, 1))), "absurd size, 20000x1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := driver.NewScreen(tt.data, driver.HealthOK)
			require.ErrorContains(t, err, tt.want)
			require.Nil(t, s)
		})
	}
	for name, m := range map[string]image.Image{
		"nil": nil, "empty": image.NewGray(image.Rectangle{}), "huge": image.NewUniform(color.Black),
	} {
		_, err := driver.NewScreenImage(m, driver.HealthOK)
		require.Error(t, err, name)
	}
}

func TestCutPictureIsAnErrorOfImage(t *testing.T) {
	whole := pngOf(t, picture(30, 40))
	s, err := driver.NewScreen(whole[:len(whole)-20], driver.HealthOK)
	require.NoError(t, err, "only the header is read")
	for range 2 {
		m, err := s.Image()
		require.Error(t, err)
		require.Nil(t, m)
	}
}
