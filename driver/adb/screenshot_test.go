package adb

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
)

// picture returns a PNG with some content, or of one colour.
func picture(t testing.TB, w, h int, plain bool) []byte {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{A: 255}
			if !plain {
				c = color.RGBA{uint8(x * y), uint8(x ^ y), uint8(x*7 + y*13), 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, m))
	return b.Bytes()
}

// TestUniform tells the pictures that can be of one colour, of every size and depth: the frame around the
// pixels of a small one is most of it.
func TestUniform(t *testing.T) {
	for _, size := range []image.Point{{1, 1}, {20, 20}, {96, 96}, {240, 240}, {320, 320}, {270, 585}} {
		m := image.NewPaletted(image.Rectangle{Max: size}, color.Palette{color.Black})
		var b bytes.Buffer
		require.NoError(t, png.Encode(&b, m))
		require.True(t, (&shot{png: b.Bytes()}).uniform(), "one bit, %v", size)
		require.True(t, (&shot{png: picture(t, size.X, size.Y, true)}).uniform(), "%v", size)
		if size.X > 1 {
			require.False(t, (&shot{png: picture(t, size.X, size.Y, false)}).uniform(), "%v", size)
		}
	}
}

func TestScreenshot(t *testing.T) {
	whole := string(picture(t, 300, 600, false))
	black := string(picture(t, 1080, 2400, true))
	awake := sectionLabel(0) + "\n  mWakefulness=Awake\n" + sectionLabel(1) + "\n"
	secure := awake + "  Window #3 Window{aa u0 Other}:\n mAttrs={fl=NOT_FOCUSABLE}\n  Window #4 Window{bb u0 com.bank/.Main}:\n" +
		"    fl=LAYOUT_IN_SCREEN SECURE HARDWARE_ACCELERATED\n  mCurrentFocus=Window{bb u0 com.bank/.Main}\n"
	size := sectionLabel(0) + "\nPhysical size: 300x600\n" + sectionLabel(1) + "\n"
	tests := []struct {
		name   string
		say    []any
		health driver.Health
		err    error
		text   string
	}{
		{"whole", []any{"screencap", whole}, driver.HealthOK, nil, ""},
		{"a vendor's words before and behind", []any{"screencap", "warn\n" + whole + "bye"}, driver.HealthOK, nil, ""},
		{"one colour", []any{"screencap", black, "mWakefulness", awake}, driver.HealthOK, nil, ""},
		{"secure", []any{"screencap", black, "mWakefulness", secure}, driver.HealthProtected, nil, ""},
		{"asleep", []any{"screencap", black, "mWakefulness", strings.Replace(awake, "Awake", "Dozing", 1)}, driver.HealthAsleep, nil, ""},
		{"cut off", []any{"screencap", whole[:len(whole)/2]}, "", errTruncated, "cut off"},
		{"a terminal's line ends", []any{"screencap", strings.ReplaceAll(whole, "\n", "\r\n")}, "", errNoPicture, ""},
		{"refused", []any{"screencap", answer{err: "Failed to take screenshot. Status: -1", code: 1}, "mWakefulness", awake}, "", errNoPicture, "Status: -1"},
		{"nothing, asleep", []any{"screencap", "", "mWakefulness", strings.Replace(awake, "Awake", "Asleep", 1)}, "", driver.ErrAsleep, "wake"},
		{"the device went away", []any{"screencap", answer{out: whole, drop: true}}, "", driver.ErrOffline, "connection"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.on(append(tt.say, "wm size", size)...)
			s, err := f.open().Screenshot(t.Context())
			if tt.health == "" {
				require.Nil(t, s)
				require.ErrorIs(t, err, tt.err)
				require.ErrorContains(t, err, tt.text)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.health, s.Health())
			_, err = s.Image()
			require.NoError(t, err)
		})
	}
}

func TestEmptyScreenshotIsTriedOnceMore(t *testing.T) {
	f, whole := newFake(t), string(picture(t, 1080, 2400, false))
	n := 0
	f.setShell(func(line string) answer {
		if strings.HasPrefix(line, "screencap") {
			if n++; n > 1 {
				return answer{out: whole}
			}
		}
		return answer{}
	})
	_, err := f.open().Screenshot(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, n)
}

func TestDisplayOfAFoldable(t *testing.T) {
	const displays = `Displays:
Display id 0: DisplayInfo{"Built-in", displayId 0, state OFF, type INTERNAL, uniqueId "local:4619827259835644672", app 2076 x 2152}
Display id 3: DisplayInfo{"Second", displayId 3, state ON, type INTERNAL, uniqueId "local:4619827551948147201", app 1080 x 2400}`
	f := newFake(t)
	warning := answer{out: string(picture(t, 1080, 2400, false)), err: "[Warning] Multiple displays were found, but no display id was specified!"}
	f.on("screencap", warning, "get-displays", sectionLabel(0)+"\n"+displays+"\n"+sectionLabel(1)+"\n")
	d := f.open()
	for range 2 {
		_, err := d.Screenshot(t.Context())
		require.NoError(t, err)
	}
	require.Equal(t, []string{"screencap -p", "screencap -p -d 4619827551948147201", "screencap -p -d 4619827551948147201"}, f.ran("screencap"))
}
