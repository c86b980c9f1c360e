package adb_test

import (
	"context"
	"encoding/binary"
	"image"
	"image/color"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/android"
)

func TestFramesShareAShell(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d := f.openWith(t, adb.Options{Screens: "png"})
	before := f.count()
	seq, err := d.Frames(t.Context(), time.Millisecond)
	require.NoError(t, err)
	n := 0
	for s, err := range seq {
		require.NoError(t, err)
		require.Equal(t, f.phone.Size(), s.Size())
		if n++; n == 5 {
			break
		}
	}
	require.Equal(t, 5, n)
	require.Equal(t, []string{"shell,v2,raw:sh"}, f.services(t, before))
}

// TestFramesGoOn breaks the line between two frames.
func TestFramesGoOn(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d := f.openWith(t, adb.Options{Screens: "png"})
	seq, err := d.Frames(t.Context(), time.Millisecond)
	require.NoError(t, err)
	n := 0
	for _, err := range seq {
		require.NoError(t, err)
		if n++; n == 4 {
			break
		}
		f.server.SetState(f.device.Serial(), adbserver.Offline)
		f.server.SetState(f.device.Serial(), adbserver.Online)
	}
	require.Equal(t, 4, n)
}

func TestFramesEnd(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d := f.open(t)
	last := func(ctx context.Context, stop func()) error {
		seq, err := d.Frames(ctx, time.Millisecond)
		require.NoError(t, err)
		n := 0
		for _, err = range seq {
			if n++; n == 2 {
				stop()
			}
		}
		return err
	}
	ctx, cancel := context.WithCancel(t.Context())
	require.ErrorIs(t, last(ctx, cancel), context.Canceled)
	require.ErrorIs(t, last(t.Context(), func() { require.NoError(t, d.Close()) }), driver.ErrClosed)
}

// rawPictures are captures of two pixels, one red and one blue, in each format.
func TestRawPictures(t *testing.T) {
	head := func(words ...uint32) (b []byte) {
		for _, w := range words {
			b = binary.LittleEndian.AppendUint32(b, w)
		}
		return b
	}
	red, blue := color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 255, 255}
	tests := []struct {
		name string
		head []byte
		pix  []byte
	}{
		{"12 bytes", head(2, 1, 1), []byte{255, 0, 0, 0, 0, 0, 255, 255}},
		{"16 bytes", head(2, 1, 1, 1), []byte{255, 0, 0, 0, 0, 0, 255, 255}},
		{"RGBX", head(2, 1, 2, 0), []byte{255, 0, 0, 9, 0, 0, 255, 9}},
		{"RGB", head(2, 1, 3), []byte{255, 0, 0, 0, 0, 255}},
		{"RGB 565", head(2, 1, 4), []byte{0x00, 0xf8, 0x1f, 0x00}},
		{"BGRA", head(2, 1, 5, 2), []byte{0, 0, 255, 255, 255, 0, 0, 255}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := adb.RawImage(append(tt.head, tt.pix...))
			require.NoError(t, err)
			require.Equal(t, image.Rect(0, 0, 2, 1), m.Rect)
			require.Equal(t, []color.RGBA{red, blue}, []color.RGBA{m.RGBAAt(0, 0), m.RGBAAt(1, 0)})
		})
	}
	for name, data := range map[string][]byte{
		"nothing": nil, "half a head": head(2, 1), "no format": head(2, 1, 9, 0, 0, 0), "cut off": append(head(2, 1, 1), 1, 2, 3),
		"absurd": head(1<<20, 1<<20, 1, 1), "a PNG": []byte("\x89PNG\r\n\x1a\n        "), "words before": append([]byte("vendor: "), head(2, 1, 1, 1, 0, 0)...),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := adb.RawImage(data)
			require.Error(t, err)
		})
	}
}

func TestRawScreens(t *testing.T) {
	for _, profile := range []string{"a6", "a9", "a14", "a14-fold", "a14-folded"} {
		t.Run(profile, func(t *testing.T) {
			f := newFront(t, profile, sim.Options{})
			want, err := f.openWith(t, adb.Options{Screens: "png"}).Screenshot(t.Context())
			require.NoError(t, err)
			got, err := f.openWith(t, adb.Options{Screens: "raw"}).Screenshot(t.Context())
			require.NoError(t, err)
			require.Equal(t, f.phone.Size(), got.Size())
			a, err := want.Image()
			require.NoError(t, err)
			b, err := got.Image()
			require.NoError(t, err)
			for y := 0; y < got.Size().Y; y += 97 {
				for x := 0; x < got.Size().X; x += 31 {
					require.Equal(t, color.RGBAModel.Convert(a.At(x, y)), color.RGBAModel.Convert(b.At(x, y)))
				}
			}
		})
	}
}

func TestRawScreensOfFaults(t *testing.T) {
	tests := []struct {
		fault  string
		health driver.Health
	}{
		{android.FaultScreencapBlack, driver.HealthProtected},
		{android.FaultScreencapNoise, driver.HealthOK}, // by way of a PNG
		{android.FaultScreencapWarn, driver.HealthOK},
	}
	for _, tt := range tests {
		t.Run(tt.fault, func(t *testing.T) {
			f := newFront(t, "a14", sim.Options{})
			d := f.openWith(t, adb.Options{Screens: "raw"})
			f.fault(t, tt.fault)
			s, err := d.Screenshot(t.Context())
			require.NoError(t, err)
			require.Equal(t, tt.health, s.Health())
		})
	}
	t.Run("asleep", func(t *testing.T) {
		f := newFront(t, "a14", sim.Options{})
		d := f.openWith(t, adb.Options{Screens: "raw"})
		f.phone.Sleep()
		s, err := d.Screenshot(t.Context())
		require.NoError(t, err)
		require.Equal(t, driver.HealthAsleep, s.Health())
	})
}

// TestScreensAreMeasured holds that a way is settled after two pictures, and that each was a picture.
func TestScreensAreMeasured(t *testing.T) {
	f := newFront(t, "a14", sim.Options{})
	d := f.open(t)
	for range 3 {
		s, err := d.Screenshot(t.Context())
		require.NoError(t, err)
		require.Equal(t, f.phone.Size(), s.Size())
	}
	require.Contains(t, []string{"png", "raw"}, adb.ScreensWay(d))
	_, err := adb.New(t.Context(), f.device.Serial(), &adb.Options{Server: f.server.Addr(), NoStart: true, Screens: "jpeg"})
	require.ErrorContains(t, err, "jpeg")
}

// TestTheDisplayThatIsOn is a foldable whose first display is folded away, on releases that warn of it
// and on those that do not.
func TestTheDisplayThatIsOn(t *testing.T) {
	for _, warns := range []bool{true, false} {
		f := newFront(t, "a14-folded", sim.Options{})
		require.NoError(t, f.device.SetFault(android.FaultScreencapWarn, warns))
		s, err := f.open(t).Screenshot(t.Context())
		require.NoError(t, err)
		require.Equal(t, f.phone.Size(), s.Size(), "warns: %t", warns)
		require.Equal(t, driver.HealthOK, s.Health())
	}
}
