package main

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver"
	"github.com/handset-go/handset/internal/phonefront/android"
)

func TestScreenshot(t *testing.T) {
	device, _ := attach(t, nil)
	file := filepath.Join(t.TempDir(), "a b.png")
	require.Equal(t, file+" 1080x2400 ok\n", run(t, "screenshot", "-o", file).ok(t))
	saved, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(saved), run(t, "screenshot", "-o", "-").ok(t), "the same bytes, and nothing else")
	m, err := png.Decode(bytes.NewReader(saved))
	require.NoError(t, err)
	require.Equal(t, device.Phone().Frame().Image.At(500, 500), device.Phone().Frame().Image.ColorModel().Convert(m.At(500, 500)))

	got := object(t, run(t, "--json", "screenshot", "-o", file).ok(t))
	require.Equal(t, map[string]any{"file": file, "mime": "image/png", "size": []any{1080.0, 2400.0}, "health": "ok", "bytes": float64(len(saved))}, got)
}

func TestScreenshotGetsAName(t *testing.T) {
	t.Chdir(t.TempDir())
	out := run(t, "-d", "sim:", "screenshot").ok(t)
	names, err := filepath.Glob("screenshot-*.png")
	require.NoError(t, err)
	require.Len(t, names, 1)
	require.Contains(t, out, names[0])
}

func TestScreenshotThatFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "missing", "a.png")
	run(t, "-d", "sim:", "screenshot", "-o", file).fails(t, exitOther, file)
	for _, fault := range []string{android.FaultScreencapCut, android.FaultScreencapEmpty, android.FaultScreencapRefuse} {
		t.Run(fault, func(t *testing.T) {
			attach(t, nil, fault)
			whole := filepath.Join(t.TempDir(), "a.png")
			run(t, "screenshot", "-o", whole).fails(t, exitDevice, "screenshot adb:SIM0001")
			require.NoFileExists(t, whole)
		})
	}
}

func TestScreenshotOfAProtectedPage(t *testing.T) {
	out := run(t, "-d", "sim:?start=com.handset.wallet", "screenshot", "-o", filepath.Join(t.TempDir(), "a.png")).ok(t)
	require.Contains(t, out, "protected")
}

// The end of a file's name says what is in it, whatever the phone sends.
func TestScreenshotIsOfTheTypeThatTheNameSays(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 40, 60))
	for i := range m.Pix {
		m.Pix[i] = 0xff
	}
	m.Set(5, 5, color.Black)
	var asPNG, asJPEG bytes.Buffer
	require.NoError(t, png.Encode(&asPNG, m))
	require.NoError(t, jpeg.Encode(&asJPEG, m, nil))
	for sent, data := range map[string][]byte{mimePNG: asPNG.Bytes(), mimeJPEG: asJPEG.Bytes()} {
		for _, want := range []string{mimePNG, mimeJPEG, ""} {
			t.Run(sent+" as "+want, func(t *testing.T) {
				s, err := driver.NewScreen(data, driver.HealthOK)
				require.NoError(t, err)
				got, mime, err := pictureAs(s, want)
				require.NoError(t, err)
				if want == "" || want == sent {
					require.Equal(t, data, got, "untouched")
					require.Equal(t, sent, mime)
					return
				}
				require.Equal(t, want, mime)
				again, err := driver.NewScreen(got, driver.HealthOK)
				require.NoError(t, err)
				_, mime, err = again.Encoded()
				require.NoError(t, err)
				require.Equal(t, want, mime)
				require.Equal(t, image.Pt(40, 60), again.Size())
			})
		}
	}
	broken, err := driver.NewScreen(asPNG.Bytes()[:len(asPNG.Bytes())-20], driver.HealthOK)
	require.NoError(t, err)
	_, _, err = pictureAs(broken, mimeJPEG)
	require.ErrorContains(t, err, "picture of")
}

func TestScreenshotOfAnAndroidPhoneAsJPEG(t *testing.T) {
	attach(t, nil)
	for _, c := range []struct{ name, mime, note string }{
		{"a.PNG", mimePNG, ""}, {"a.jpg", mimeJPEG, ""}, {"a.JPEG", mimeJPEG, ""}, {"a.bmp", mimePNG, "a.bmp is image/png"}, {"a", mimePNG, "a is image/png"},
	} {
		file := filepath.Join(t.TempDir(), c.name)
		r := run(t, "screenshot", "-o", file)
		r.ok(t)
		require.Contains(t, r.err, c.note)
		require.Equal(t, c.note == "", r.err == "", r.err)
		require.Equal(t, c.mime, typeOf(t, file), c.name)
		j := run(t, "--json", "screenshot", "-o", file)
		require.Equal(t, c.mime, object(t, j.ok(t))["mime"])
		require.Empty(t, j.err)
	}
}

// A HarmonyOS phone sends JPEG.
func TestScreenshotOfAHarmonyPhoneAsPNG(t *testing.T) {
	dir := t.TempDir()
	served := start(t, nil, "sim", "--hdc", dir)
	var where map[string]string
	require.NoError(t, json.Unmarshal([]byte(served.line()), &where))
	address := "hdc:" + where["key"] + "?tool=" + where["hdc"]
	for name, mime := range map[string]string{"x.png": mimePNG, "x.jpg": mimeJPEG, "x.out": mimeJPEG} {
		file := filepath.Join(dir, name)
		got := object(t, run(t, "--json", "-d", address, "screenshot", "-o", file).ok(t))
		require.Equal(t, mime, got["mime"], name)
		require.Equal(t, mime, typeOf(t, file), name)
	}
	raw := run(t, "-d", address, "screenshot", "-o", "-").ok(t)
	require.True(t, strings.HasPrefix(raw, "\xff\xd8\xff"), "as the phone sent it")
	t.Chdir(dir)
	run(t, "-d", address, "screenshot").ok(t)
	named, err := filepath.Glob("screenshot-*.jpg")
	require.NoError(t, err)
	require.Len(t, named, 1)
}

// typeOf reads the type of a picture off its bytes.
func typeOf(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	s, err := driver.NewScreen(data, driver.HealthOK)
	require.NoError(t, err)
	_, mime, err := s.Encoded()
	require.NoError(t, err)
	return mime
}
