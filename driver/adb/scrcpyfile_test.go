package adb

import (
	"image"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	wire "github.com/handset-go/handset/internal/phonefront/scrcpy"
)

func TestFindScrcpy(t *testing.T) {
	dir := t.TempDir()
	old, good := filepath.Join(dir, "old"), filepath.Join(dir, "good")
	require.NoError(t, os.WriteFile(old, wire.File("1.25"), 0o600))
	require.NoError(t, os.WriteFile(good, wire.File("3.3.4"), 0o600))
	installed := []string{filepath.Join(dir, "nowhere"), old, good}
	defer func(before func() []string) { installedScrcpy = before }(installedScrcpy)
	installedScrcpy = func() []string { return installed }
	tests := []struct{ option, env, want string }{
		{"", "", "3.3.4"},
		{"off", good, ""},
		{"auto", "", "3.3.4"},
		{good, old, "3.3.4"},
		{"", old, ""},
		{"auto", installed[0], ""},
	}
	for _, tt := range tests {
		f, err := (&Options{Scrcpy: tt.option, scrcpyServer: tt.env}).scrcpyFile()
		require.NoError(t, err)
		require.Equal(t, tt.want, f.version, tt)
	}
	_, err := (&Options{Scrcpy: old}).scrcpyFile()
	require.ErrorContains(t, err, "2.1 or newer")
}

func TestControlPoint(t *testing.T) {
	tests := []struct {
		version     string
		point, size image.Point
	}{
		{"2.4", image.Pt(1076, 2397), image.Pt(1080, 2400)},
		{"3.3.4", image.Pt(1080, 2399), image.Pt(1080, 2400)},
	}
	for _, tt := range tests {
		f, err := parseScrcpy(wire.File(tt.version))
		require.NoError(t, err)
		point, size := f.controlPoint(image.Pt(1080, 2399), image.Pt(1084, 2402))
		require.Equal(t, tt.point, point, tt.version)
		require.Equal(t, tt.size, size, tt.version)
	}
}

// The bytes are those of a server of 2.0 and newer (facts of the wire: all big endian, no framing).
func TestControlMessages(t *testing.T) {
	at, size := image.Pt(540, 1200), image.Pt(1080, 2400)
	require.Equal(t, []byte("\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x1c\x00\x00\x04\xb0\x04\x38\x09\x60\xff\xff\x00\x00\x00\x00\x00\x00\x00\x00"),
		touchMessage(actionDown, 0, at, size))
	require.Equal(t, []byte("\x00\x00\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00"), keyMessage(actionDown, 4))
	require.Equal(t, []byte("\x09\x00\x00\x00\x00\x00\x00\x00\x07\x01\x00\x00\x00\x06你好"), setClipboardMessage(7, true, "你好"))
}
