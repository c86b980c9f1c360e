package wda_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/driver/wda"
)

// BenchmarkTap measures a tap beside the least that a request can cost: the same one, sent by a bare client.
func BenchmarkTap(b *testing.B) {
	r := newRig(b, "16", "iphone-se", sim.Options{})
	d := r.open(nil)
	body := []byte(`{"x":50,"y":50}`)
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			bare(b, http.MethodPost, r.server.URL()+"/session/"+r.server.SessionID()+"/wda/tap", body)
		}
	})
	r.phone.ClearLog()
	b.Run("driver", func(b *testing.B) {
		for b.Loop() {
			if err := d.Tap(b.Context(), image.Pt(100, 100)); err != nil {
				b.Fatal(err)
			}
		}
	})
	r.phone.ClearLog()
	b.Run("double_tap_by_gwda", func(b *testing.B) {
		for b.Loop() {
			if err := d.DoubleTap(b.Context(), image.Pt(100, 100)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// bare makes a request as a program without a driver would, and returns how many bytes it answered.
func bare(b *testing.B, method, url string, body []byte) int {
	req, err := http.NewRequest(method, url, bytes.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	all, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		b.Fatal(resp.Status, err)
	}
	return len(all)
}

// BenchmarkScreenshot measures a frame of 1179x2556 in about 2 MB.
func BenchmarkScreenshot(b *testing.B) {
	f := newFake(b)
	shot := photo(b, 1179, 2556)
	answer, err := json.Marshal(map[string]any{"value": shot, "sessionId": "S1"})
	require.NoError(b, err)
	f.on("GET /screenshot", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(answer)))
		_, _ = w.Write(answer)
	})
	d := f.open(nil)
	b.Run("bare", func(b *testing.B) {
		b.SetBytes(int64(len(answer)))
		for b.Loop() {
			bare(b, http.MethodGet, f.server.URL+"/screenshot", nil)
		}
	})
	b.Run("driver", func(b *testing.B) {
		b.SetBytes(int64(len(answer)))
		for b.Loop() {
			s, err := d.Screenshot(b.Context())
			if err != nil || s.Size() != image.Pt(1179, 2556) {
				b.Fatal(s, err)
			}
		}
	})
}

// photo returns a PNG in base64: noise in a fifth of it, one colour below.
func photo(b *testing.B, w, h int) string {
	random := rand.New(rand.NewPCG(1, 2))
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{20, 30, 40, 255}
			if y < h/5 {
				c = color.RGBA{uint8(random.Uint32()), uint8(random.Uint32()), uint8(random.Uint32()), 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	var out bytes.Buffer
	require.NoError(b, png.Encode(&out, m))
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

// BenchmarkTree measures a tree of a page of the simulated phone, with what it costs there to make one.
func BenchmarkTree(b *testing.B) {
	r := newRig(b, "16", "iphone-se", sim.Options{Start: "com.apple.Preferences"})
	d := r.open(nil)
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			bare(b, http.MethodGet, r.server.URL()+"/source?format=xml&excluded_attributes=accessible", nil)
		}
	})
	b.Run("driver", func(b *testing.B) {
		for b.Loop() {
			if _, err := d.Tree(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkParse200KB reads a source of 200 KB, which is some 600 elements.
func BenchmarkParse200KB(b *testing.B) {
	var xml strings.Builder
	xml.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<XCUIElementTypeApplication type="XCUIElementTypeApplication" name="A" label="A" enabled="true" visible="true" x="0" y="0" width="375" height="667" index="0">`)
	for i := 0; xml.Len() < 200<<10; i++ {
		fmt.Fprintf(&xml, `<XCUIElementTypeCell type="XCUIElementTypeCell" name="row_%d" label="Row %d &amp; more" enabled="true" visible="true" x="0" y="%d" width="375" height="44" index="%d" traits="Button">`+"\n", i, i, 44*i, i)
		fmt.Fprintf(&xml, `<XCUIElementTypeStaticText type="XCUIElementTypeStaticText" value="设置 %d" name="设置 %d" label="设置 %d" enabled="true" visible="false" x="16" y="%d" width="200" height="20" index="0" traits="StaticText"/></XCUIElementTypeCell>`+"\n", i, i, i, 44*i+12)
	}
	xml.WriteString("</XCUIElementTypeApplication>")
	data := []byte(xml.String())
	envelope, err := json.Marshal(map[string]any{"value": xml.String()})
	require.NoError(b, err)
	for name, data := range map[string][]byte{"xml": data, "envelope": envelope} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := wda.ParseSource(data, 3); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkOpen measures New and Close: the status, a session and its settings.
func BenchmarkOpen(b *testing.B) {
	r := newRig(b, "16", "iphone-se", sim.Options{})
	begin := time.Now()
	for b.Loop() {
		d, err := wda.New(b.Context(), r.server.Addr(), nil)
		if err != nil {
			b.Fatal(err, time.Since(begin))
		}
		if err := d.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
