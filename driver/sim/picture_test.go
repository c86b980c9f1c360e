package sim_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/driver/sim"
)

// area returns the pixels of a part of a frame.
func area(p *sim.Phone, r image.Rectangle) []byte {
	m := p.Frame().Image
	var out []byte
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c, g, b, _ := m.At(x, y).RGBA()
			out = append(out, byte(c>>8), byte(g>>8), byte(b>>8))
		}
	}
	return out
}

func TestOnlyWhatChangedLooksDifferent(t *testing.T) {
	p := in(settings)
	sw := node(t, p, driver.ByID("row_airplane")).Bounds
	others := node(t, p, driver.ByID("row_display")).Bounds
	swBefore, othersBefore := area(p, sw), area(p, others)
	p.SetValue("airplane", "true")
	require.NotEqual(t, swBefore, area(p, sw))
	require.Equal(t, othersBefore, area(p, others))
	p.SetValue("airplane", "false")
	require.Equal(t, swBefore, area(p, sw))
}

func TestTextIsDrawnWhereItsNodeIs(t *testing.T) {
	for _, lang := range []string{sim.LangEn, sim.LangZh} {
		p := sim.New(&sim.Options{Lang: lang, Start: settings})
		for n := range p.Tree().Root.All() {
			if n.Role == driver.RoleText && n.Text != "" && n.Bounds.Dy() > 40 {
				require.Greater(t, distinct(area(p, n.Bounds)), 1, "%q is blank", n.Text)
			}
		}
	}
}

func distinct(pixels []byte) int {
	seen := map[[3]byte]bool{}
	for i := 0; i+2 < len(pixels); i += 3 {
		seen[[3]byte(pixels[i:])] = true
	}
	return len(seen)
}

func TestEveryPageOfEverySizeIsDrawn(t *testing.T) {
	for _, o := range []sim.Options{
		{}, {Size: image.Pt(320, 480), Density: 160}, {Size: image.Pt(720, 1280), Density: 320, Lang: sim.LangZh},
		{Size: image.Pt(1440, 3200), Density: 560}, {Size: image.Pt(2560, 1600), Density: 240, Rotation: 1},
	} {
		for _, a := range sim.New(&o).Apps() {
			o.Start = a.ID
			p := sim.New(&o)
			f := p.Frame()
			require.Equal(t, p.Size(), f.Image.Bounds().Size())
			if a.ID == wallet {
				require.Equal(t, 1, colours(f.Image))
				continue
			}
			require.Greater(t, colours(f.Image), 4, a.ID)
			require.LessOrEqual(t, len(f.Image.Palette), 256)
		}
	}
}

func TestProtectedPage(t *testing.T) {
	p := in(wallet)
	require.True(t, p.Protected())
	data, health := p.PNG()
	require.Equal(t, driver.HealthProtected, health)
	m, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	require.Equal(t, 1, colours(m.(*image.Paletted)))
	require.True(t, shows(p, "Balance"), "its tree is not protected")
	p.ShowShade(true)
	require.False(t, p.Protected())
}

func TestDialogDimsThePage(t *testing.T) {
	p := in(camera)
	corner := image.Rect(0, 600, 50, 650)
	dimmed := area(p, corner)
	tap(t, p, "Don't allow")
	require.Greater(t, area(p, corner)[0], dimmed[0])
}

func TestDarkTheme(t *testing.T) {
	p := in(settings)
	at := image.Rect(5, 1500, 6, 1501)
	light := area(p, at)
	p.SetValue("dark_theme", "true")
	require.Less(t, area(p, at)[0], light[0])
}

func TestFramesAreKeptUntilSomethingChanges(t *testing.T) {
	p := in(settings)
	require.Same(t, p.Frame().Image, p.Frame().Image)
	a, _ := p.PNG()
	b, _ := p.PNG()
	require.Same(t, &a[0], &b[0])
	m, err := png.Decode(bytes.NewReader(a))
	require.NoError(t, err)
	require.Equal(t, p.Frame().Image.Pix, m.(*image.Paletted).Pix)
	p.SetValue("airplane", "true")
	require.NotSame(t, &a[0], func() *byte { c, _ := p.PNG(); return &c[0] }())
}

// TestPhonesShareEncodings goes through more pages than are kept, on several phones at a time: each PNG
// is of its own frame, and of a page that was shown lately it is the same.
func TestPhonesShareEncodings(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			p := sim.New(&sim.Options{Size: image.Pt(180, 320), Density: 100, Start: settings})
			for i := range 40 {
				p.SetValue("settings.query", strconv.Itoa(i))
				data, _ := p.PNG()
				m, err := png.Decode(bytes.NewReader(data))
				if !assert.NoError(t, err) || !assert.True(t, samePixels(p.Frame().Image, m), i) {
					return
				}
			}
		})
	}
	wg.Wait()
	a, _ := in(settings).PNG()
	b, _ := in(settings).PNG()
	require.Same(t, &a[0], &b[0])
}

func samePixels(a, b image.Image) bool {
	size := a.Bounds().Size()
	for y := 0; y < size.Y; y += 7 {
		for x := range size.X {
			if color.RGBAModel.Convert(a.At(x, y)) != color.RGBAModel.Convert(b.At(x, y)) {
				return false
			}
		}
	}
	return size == b.Bounds().Size()
}

func TestKeyboardIsDrawn(t *testing.T) {
	p := inChat(t)
	kb := window(t, p, driver.WindowKeyboard)
	with := area(p, kb.Bounds)
	require.Greater(t, distinct(with), 3)
	p.Key(driver.KeyBack)
	require.NotEqual(t, with, area(p, kb.Bounds))
}
