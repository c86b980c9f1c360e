package wda

import (
	"bufio"
	"bytes"
	"image"
	"image/jpeg"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/driver/sim"
)

// watch connects to the frames and sends a byte.
func watch(t *testing.T, c *client) (*http.Response, *multipart.Reader) {
	conn, err := net.Dial("tcp", c.s.MJPEGAddr())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	_, err = io.WriteString(conn, "\n")
	require.NoError(t, err)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp, multipart.NewReader(resp.Body, "BoundaryString")
}

func nextFrame(t *testing.T, r *multipart.Reader) []byte {
	part, err := r.NextPart()
	require.NoError(t, err)
	require.Equal(t, "image/jpeg", part.Header.Get("Content-type"))
	data, err := io.ReadAll(part)
	require.NoError(t, err)
	return data
}

func sizeOf(t *testing.T, data []byte) image.Point {
	cfg, err := jpeg.DecodeConfig(bytes.NewReader(data))
	require.NoError(t, err)
	return image.Pt(cfg.Width, cfg.Height)
}

func TestFrames(t *testing.T) {
	c := open(t, &Options{Profile: "iphone-se"}, settingsApp)
	resp, r := watch(t, c)
	require.Equal(t, "WDA MJPEG Server", resp.Header.Get("Server"))
	require.Equal(t, "multipart/x-mixed-replace; boundary=--BoundaryString", resp.Header.Get("Content-Type"))
	first := nextFrame(t, r)
	require.Equal(t, image.Pt(750, 1334), sizeOf(t, first))
	c.ok("POST", "+/wda/apps/launch", bundle(shop))
	require.Eventually(t, func() bool { return !bytes.Equal(first, nextFrame(t, r)) }, time.Minute, time.Millisecond)
	c.ok("POST", "+/appium/settings", `{"settings":{"mjpegScalingFactor":50,"mjpegServerFramerate":60}}`)
	require.Eventually(t, func() bool { return sizeOf(t, nextFrame(t, r)) == image.Pt(375, 667) }, time.Minute, time.Millisecond)
}

func TestNoFramesBeforeAByte(t *testing.T) {
	c := serve(t, nil, nil)
	conn, err := net.Dial("tcp", c.s.MJPEGAddr())
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(30*time.Millisecond)))
	_, err = conn.Read(make([]byte, 1))
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
}

func TestFramesInLandscape(t *testing.T) {
	for rotation, orientation := range map[int]byte{1: 8, 3: 6} {
		c := serve(t, &Options{Profile: "iphone-se"}, &sim.Options{Rotation: rotation, Start: settingsApp})
		c.newSession(`{"capabilities":{}}`)
		_, r := watch(t, c)
		data := nextFrame(t, r)
		require.Equal(t, image.Pt(750, 1334), sizeOf(t, data), "frames are in portrait")
		i := bytes.Index(data, []byte("Exif\x00\x00MM\x00\x2a"))
		require.Equal(t, 6, i)
		require.Equal(t, orientation, data[i+6+19], "the orientation of EXIF says how to turn them")
		c.ok("POST", "+/appium/settings", `{"settings":{"mjpegFixOrientation":true}}`)
		require.Eventually(t, func() bool { return sizeOf(t, nextFrame(t, r)) == image.Pt(1334, 750) }, time.Minute, time.Millisecond)
	}
}

func TestFramesEnd(t *testing.T) {
	c := serve(t, &Options{Profile: "scale-1"}, nil)
	require.NoError(t, c.s.SetFault(FaultMJPEGDies+"=2", true))
	_, r := watch(t, c)
	nextFrame(t, r)
	last, err := r.NextPart()
	require.NoError(t, err)
	_, err = io.ReadAll(last)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF, "nothing comes after the second")
}

func TestNoFramesAtAll(t *testing.T) {
	require.Empty(t, serve(t, &Options{MJPEG: "none"}, nil).s.MJPEGAddr())
	require.True(t, strings.HasPrefix(serve(t, nil, nil).s.MJPEGAddr(), "127.0.0.1:"))
}
