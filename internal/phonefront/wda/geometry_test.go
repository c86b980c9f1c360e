package wda

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
)

// pictureSize reads the size of a screenshot.
func pictureSize(t *testing.T, a answer) image.Point {
	cfg, err := png.DecodeConfig(base64.NewDecoder(base64.StdEncoding, strings.NewReader(a.value.(string))))
	require.NoError(t, err)
	return image.Pt(cfg.Width, cfg.Height)
}

// picture decodes the answer of a screenshot.
func picture(t *testing.T, a answer) image.Image {
	data, err := base64.StdEncoding.DecodeString(a.value.(string))
	require.NoError(t, err)
	m, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	return m
}

func TestProfiles(t *testing.T) {
	for _, p := range Profiles() {
		t.Run(p.Name, func(t *testing.T) {
			c := serve(t, &Options{Profile: p.Name}, nil)
			require.Equal(t, p, c.s.Profile())
			size := c.ok("GET", "/window/size", "")
			require.EqualValues(t, p.Points.X, size.field("width"))
			require.EqualValues(t, p.Points.Y, size.field("height"))
			require.Equal(t, p.Pixels, pictureSize(t, c.ok("GET", "/screenshot", "")))
			require.EqualValues(t, p.Scale, c.ok("GET", "/wda/screen", "").field("scale"))
		})
	}
	_, err := FindProfile("nokia")
	require.ErrorContains(t, err, "iphone-se")
	_, err = NewPhone("nokia", nil)
	require.Error(t, err)
}

func TestProfileOfAPhone(t *testing.T) {
	p, err := NewPhone("iphone-se", nil)
	require.NoError(t, err)
	d, err := New(p, nil)
	require.NoError(t, err)
	require.Equal(t, "iphone-se", d.Profile().Name, "found by the size of the frame")
	own, err := New(sim.New(&sim.Options{Platform: sim.PlatformIOS, Size: image.Pt(1000, 2000), Density: 320}), nil)
	require.NoError(t, err)
	require.Equal(t, image.Pt(500, 1000), own.Profile().Points)
	_, err = New(p, &Options{Profile: "ipad"})
	require.ErrorContains(t, err, "NewPhone")
	_, err = New(sim.New(nil), nil)
	require.ErrorContains(t, err, "android")
	_, err = New(p, &Options{Version: "99"})
	require.Error(t, err)
	_, err = Listen("not an address", p, nil)
	require.Error(t, err)
	_, err = Listen("127.0.0.1:0", p, &Options{MJPEG: "not an address"})
	require.Error(t, err)
}

func TestOrientation(t *testing.T) {
	c := open(t, nil, settingsApp)
	steps := []struct {
		path, body string
		shown      string
		z          float64
		wide       bool
	}{
		{"/orientation", `{"orientation":"LANDSCAPE"}`, "LANDSCAPE", 270, true},
		{"+/orientation", `{"orientation":"UIA_DEVICE_ORIENTATION_LANDSCAPERIGHT"}`, "LANDSCAPE", 90, true},
		{"+/rotation", `{"x":0,"y":0,"z":0}`, "PORTRAIT", 0, false},
		{"/rotation", `{"x":0,"y":0,"z":270}`, "LANDSCAPE", 270, true},
	}
	for _, k := range steps {
		require.Nil(t, c.ok("POST", k.path, k.body).value)
		require.Equal(t, k.shown, c.ok("GET", "+/orientation", "").value)
		require.Equal(t, k.z, c.ok("GET", "/rotation", "").field("z"))
		size := c.ok("GET", "+/window/size", "")
		require.Equal(t, k.wide, size.field("width").(float64) > size.field("height").(float64))
		m := pictureSize(t, c.ok("GET", "/screenshot", ""))
		require.Equal(t, k.wide, m.X > m.Y, "the picture is upright")
		home := c.ok("GET", "/wda/screen", "").field("screenSize").(map[string]any)
		require.Less(t, home["width"], home["height"], "the home screen of a phone does not turn")
	}
	c.refuse(errArgument, "POST", "/rotation", `{"x":1,"y":0,"z":0}`)
	for _, o := range []string{"SIDEWAYS", "UIA_DEVICE_ORIENTATION_PORTRAIT_UPSIDEDOWN"} {
		require.Contains(t, c.refuse(errUnknown, "POST", "/orientation", `{"orientation":"`+o+`"}`).message(), "Unable To Rotate Device")
	}
	c.fault(FaultNoRotation)
	c.refuse(errUnknown, "POST", "/orientation", `{"orientation":"PORTRAIT"}`)

	tablet := open(t, &Options{Profile: "ipad"}, settingsApp)
	tablet.ok("POST", "/orientation", `{"orientation":"UIA_DEVICE_ORIENTATION_PORTRAIT_UPSIDEDOWN"}`)
	require.Equal(t, "UIA_DEVICE_ORIENTATION_PORTRAIT_UPSIDEDOWN", tablet.ok("GET", "/wda/deviceOrientation", "").value)
	tablet.ok("POST", "/orientation", `{"orientation":"LANDSCAPE"}`)
	home := tablet.ok("GET", "/wda/screen", "").field("screenSize").(map[string]any)
	require.Greater(t, home["width"], home["height"], "that of a tablet does")
}

func TestWindow(t *testing.T) {
	c := open(t, nil, settingsApp)
	rect := c.ok("GET", "+/window/rect", "").value
	require.Equal(t, map[string]any{"x": 0.0, "y": 0.0, "width": 393.0, "height": 852.0}, rect)
	c.fault(FaultWindowZero)
	require.Equal(t, map[string]any{"width": 0.0, "height": 0.0}, c.ok("GET", "+/window/size", "").value)
	bar := c.ok("GET", "+/wda/screen", "").field("statusBarSize").(map[string]any)
	require.Zero(t, bar["height"])
	se := open(t, &Options{Profile: "iphone-se", Version: "7"}, settingsApp)
	screen := se.ok("GET", "+/wda/screen", "")
	require.Equal(t, 20.0, screen.field("statusBarSize", "height"))
	require.NotContains(t, screen.value, "screenSize", "that came with 8.4.0")
	require.Equal(t, true, c.ok("GET", "/wda/screens", "").value.([]any)[0].(map[string]any)["isMain"])
}

func TestScreenshot(t *testing.T) {
	t.Run("as one line", func(t *testing.T) {
		require.NotContains(t, open(t, nil, "").ok("GET", "/screenshot", "").value, "\n")
	})
	t.Run("in lines of 64 before 4.10.1", func(t *testing.T) {
		lines := strings.Split(open(t, &Options{Version: "4.10.0"}, "").ok("GET", "+/screenshot", "").value.(string), "\r\n")
		require.Greater(t, len(lines), 10)
		for _, l := range lines[:len(lines)-1] {
			require.Len(t, l, 64)
		}
	})
	t.Run("of an element", func(t *testing.T) {
		c := open(t, nil, settingsApp)
		id := c.find("accessibility id", "row_bluetooth")
		rect := c.ok("GET", "+/element/"+id+"/rect", "")
		for _, path := range []string{"+/element/" + id + "/screenshot", "+/screenshot/" + id} {
			m := picture(t, c.ok("GET", path, ""))
			require.EqualValues(t, rect.field("width").(float64)*3, m.Bounds().Dx())
		}
	})
	t.Run("turned by a setting", func(t *testing.T) {
		c := open(t, nil, settingsApp)
		c.ok("POST", "/orientation", `{"orientation":"LANDSCAPE"}`)
		upright := picture(t, c.ok("GET", "+/screenshot", ""))
		c.ok("POST", "+/appium/settings", `{"settings":{"screenshotOrientation":"portrait"}}`)
		m := picture(t, c.ok("GET", "+/screenshot", ""))
		require.Equal(t, image.Pt(1179, 2556), m.Bounds().Size())
		size := upright.Bounds().Size()
		for _, p := range []image.Point{{X: 90, Y: 40}, {X: 2000, Y: 800}} {
			require.Equal(t, upright.At(p.X, p.Y), m.At(size.Y-1-p.Y, p.X))
		}
	})
	t.Run("fails", func(t *testing.T) {
		c := open(t, nil, "")
		c.fault(FaultShotFails)
		require.Contains(t, c.refuse(errCapture, "GET", "/screenshot", "").message(), "within 20000 ms timeout")
	})
}

func TestTurnImage(t *testing.T) {
	m := image.NewPaletted(image.Rect(0, 0, 3, 2), make(color.Palette, 8))
	for i := range m.Pix {
		m.Pix[i] = uint8(i + 1)
	}
	require.Equal(t, []uint8{4, 1, 5, 2, 6, 3}, turnImage(m, 1).Pix)
	for quarters := range 4 {
		out := turnImage(m, quarters)
		for range (4 - quarters) % 4 {
			out = turnImage(out, 1)
		}
		require.Equal(t, m.Pix, out.Pix, "%d quarters", quarters)
		require.Equal(t, m.Rect, out.Rect)
	}
}
