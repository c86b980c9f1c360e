package adb_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"iter"
	"math/rand/v2"
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/adb"
	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/adbd"
	"github.com/handset-go/handset/internal/phonefront/adbserver"
	"github.com/handset-go/handset/internal/phonefront/android"
)

// ways are how the benchmarks reach the phone: both of them, as the stock server is what people have.
func ways(b *testing.B, run func(b *testing.B, w way)) {
	b.Run("socket", func(b *testing.B) { run(b, &overSocket{servers: map[string]*adbserver.Server{}}) })
	b.Run("stock", func(b *testing.B) { run(b, &overAdb{addr: stockServer(b), of: map[string]*adbd.Daemon{}}) })
}

// BenchmarkTap measures a tap beside the least that a command can cost: true over the same socket.
func BenchmarkTap(b *testing.B) {
	ways(b, func(b *testing.B, w way) {
		d := newDevice(b)
		serial, server := w.attach(b, d)
		b.Run("bare_true", func(b *testing.B) {
			d.Phone().ClearLog() // which the front reads at each command
			for b.Loop() {
				bare(b, server, serial, "shell,v2,raw:true")
			}
		})
		b.Run("bare_input", func(b *testing.B) {
			d.Phone().ClearLog()
			for b.Loop() {
				bare(b, server, serial, "shell,v2,raw:input tap 500 500")
			}
		})
		for _, mode := range modes(b) {
			b.Run("driver_"+mode.name, func(b *testing.B) {
				phone := openPhone(b, serial, server, mode.opts)
				require.NoError(b, phone.Tap(b.Context(), image.Pt(500, 500))) // starts scrcpy's server
				d.Phone().ClearLog()
				for b.Loop() {
					if err := phone.Tap(b.Context(), image.Pt(500, 500)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	})
}

// BenchmarkScreenshot measures a frame of 1080x2400 in 0.85 MB beside a bare exec of the same
// bytes. A frame of the simulated phone is far smaller, so a file stands in for the capture.
func BenchmarkScreenshot(b *testing.B) {
	data := photo(b, 850_000)
	ways(b, func(b *testing.B, w way) {
		d := newDevice(b)
		require.NoError(b, d.FS().WriteFile("/sdcard/p", data, 0o644))
		serial, server := w.attach(b, d)
		h := newHolder(b, server)
		h.replace("screencap -p", "cat sdcard/p")
		server = h.listener.Addr().String()
		for _, service := range []string{"exec:", "shell,v2,raw:"} {
			b.Run("bare_"+strings.SplitN(service, ":", 2)[0], func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				for b.Loop() {
					if n := bare(b, server, serial, service+"cat sdcard/p"); n < len(data) {
						b.Fatalf("%d bytes of %d", n, len(data))
					}
				}
			})
		}
		b.Run("driver", func(b *testing.B) {
			phone := openPhone(b, serial, server, adb.Options{Screens: "png"})
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				s, err := phone.Screenshot(b.Context())
				if err != nil || s.Size() != image.Pt(1080, 2400) {
					b.Fatal(s, err)
				}
			}
		})
	})
}

// modes are the ways to send small commands and gestures.
func modes(b *testing.B) []struct {
	name string
	opts adb.Options
} {
	return []struct {
		name string
		opts adb.Options
	}{
		{"plain", adb.Options{PlainShell: true}},
		{"resident", adb.Options{}},
		{"scrcpy", adb.Options{Scrcpy: scrcpyFile(b, "3.3.4")}},
	}
}

// BenchmarkQuestion measures a small question to the phone.
func BenchmarkQuestion(b *testing.B) {
	ways(b, func(b *testing.B, w way) {
		serial, server := w.attach(b, newDevice(b))
		for _, mode := range modes(b)[:2] {
			b.Run(mode.name, func(b *testing.B) {
				phone := openPhone(b, serial, server, mode.opts)
				for b.Loop() {
					if _, err := phone.PowerState(b.Context()); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	})
}

// BenchmarkTree measures a tree of the phone's own tool beside one of a server that runs on it.
func BenchmarkTree(b *testing.B) {
	ways(b, func(b *testing.B, w way) {
		d := newDevice(b)
		serial, server := w.attach(b, d)
		for _, fault := range []string{"", android.FaultU2Server} {
			b.Run("from_"+fault, func(b *testing.B) {
				if fault != "" {
					require.NoError(b, d.SetFault(fault, true))
				}
				phone := openPhone(b, serial, server, adb.Options{})
				for b.Loop() {
					if _, err := phone.Tree(b.Context()); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	})
}

// BenchmarkFrames measures a frame of a stream beside a single one, PNG and raw.
func BenchmarkFrames(b *testing.B) {
	ways(b, func(b *testing.B, w way) {
		serial, server := w.attach(b, newDevice(b))
		for _, form := range []string{"png", "raw"} {
			phone := openPhone(b, serial, server, adb.Options{Screens: form})
			b.Run("single_"+form, func(b *testing.B) {
				for b.Loop() {
					if _, err := phone.Screenshot(b.Context()); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run("stream_"+form, func(b *testing.B) {
				frames, err := phone.Frames(b.Context(), 0)
				require.NoError(b, err)
				next, stop := iter.Pull2(frames)
				defer stop()
				for b.Loop() {
					if _, err, _ := next(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	})
}

func newDevice(b *testing.B) *android.Device {
	p := sim.New(nil)
	d, err := android.New(p, &android.Options{Serial: "BENCH-" + p.Name()})
	require.NoError(b, err)
	return d
}

func openPhone(b *testing.B, serial, server string, o adb.Options) *adb.Driver {
	o.Server, o.NoStart = server, true
	d, err := adb.New(b.Context(), serial, &o)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, d.Close()) })
	return d
}

// bare runs a service as a program without a driver would, and returns how many bytes it answered.
func bare(b *testing.B, server, serial, service string) int {
	c, err := net.Dial("tcp", server)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	var okay [4]byte
	for _, request := range []string{"host:transport:" + serial, service} {
		if _, err := fmt.Fprintf(c, "%04x%s", len(request), request); err != nil {
			b.Fatal(err)
		}
		if _, err := io.ReadFull(c, okay[:]); err != nil || string(okay[:]) != "OKAY" {
			b.Fatal(err, string(okay[:]))
		}
	}
	all, err := io.ReadAll(c)
	if err != nil {
		b.Fatal(err)
	}
	return len(all)
}

// photo returns a PNG of 1080x2400 of about size bytes: noise above, one colour below.
func photo(b *testing.B, size int) []byte {
	const w, h = 1080, 2400
	random := rand.New(rand.NewPCG(1, 2))
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{20, 30, 40, 255}
			if y*w*3 < size {
				c = color.RGBA{uint8(random.Uint32()), uint8(random.Uint32()), uint8(random.Uint32()), 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	var out bytes.Buffer
	require.NoError(b, png.Encode(&out, m))
	require.InDelta(b, size, out.Len(), 0.1*float64(size))
	return out.Bytes()
}
