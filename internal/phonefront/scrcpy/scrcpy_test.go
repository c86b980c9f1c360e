package scrcpy_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/handset-go/handset/internal/phonefront/scrcpy"
)

func version(t testing.TB, name string) scrcpy.Version {
	t.Helper()
	v, err := scrcpy.ParseVersion(name)
	require.NoError(t, err)
	return v
}

// unhex reads bytes that are written with blanks between the fields.
func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	require.NoError(t, err)
	return b
}

func TestMessages(t *testing.T) {
	tests := []struct {
		name, version, wire string
		want                scrcpy.Message
	}{
		{"touch down", "3.3.4", "02 00 0000000000000000 0000021c 000004b0 0438 0960 ffff 00000000 00000000",
			scrcpy.Message{Kind: scrcpy.KindTouch, X: 540, Y: 1200, W: 1080, H: 2400, Pressure: 1}},
		{"touch of 1.25 has no action button", "1.25", "02 01 fffffffffffffffe 0000021c 000004b0 0438 0960 0000 00000001",
			scrcpy.Message{Kind: scrcpy.KindTouch, Action: scrcpy.ActionUp, Pointer: -2, X: 540, Y: 1200, W: 1080, H: 2400, Buttons: 1}},
		{"back down", "2.1", "00 00 00000004 00000000 00000000", scrcpy.Message{Kind: scrcpy.KindKey, Key: 4}},
		{"set and paste", "3.0.1", "09 0000000000000007 01 00000006 e4bda0e5a5bd",
			scrcpy.Message{Kind: scrcpy.KindSetClipboard, Sequence: 7, Paste: true, Text: "你好"}},
		{"a notch down of 3.3.1", "3.3.1", "03 0000021c 000004b0 0438 0960 0000 f800 00000000",
			scrcpy.Message{Kind: scrcpy.KindScroll, X: 540, Y: 1200, W: 1080, H: 2400, VScroll: -1}},
		{"the same bytes before", "3.3.0", "03 0000021c 000004b0 0438 0960 0000 8000 00000000",
			scrcpy.Message{Kind: scrcpy.KindScroll, X: 540, Y: 1200, W: 1080, H: 2400, VScroll: -1}},
		{"whole notches with buttons", "1.24", "03 0000021c 000004b0 0438 0960 00000000 ffffffff 00000000",
			scrcpy.Message{Kind: scrcpy.KindScroll, X: 540, Y: 1200, W: 1080, H: 2400, VScroll: -1}},
		{"whole notches", "1.21", "03 0000021c 000004b0 0438 0960 00000000 ffffffff",
			scrcpy.Message{Kind: scrcpy.KindScroll, X: 540, Y: 1200, W: 1080, H: 2400, VScroll: -1}},
		{"text", "2.4", "01 00000002 6869", scrcpy.Message{Kind: scrcpy.KindText, Text: "hi"}},
		{"power mode of old", "2.7", "0a 02", scrcpy.Message{Kind: scrcpy.KindDisplayPower, On: true}},
		{"power off", "3.3.4", "0a 00", scrcpy.Message{Kind: scrcpy.KindDisplayPower}},
		{"14 is the keyboard settings in 2.4", "2.4", "0e", scrcpy.Message{Kind: scrcpy.KindKeyboardSettings}},
		{"14 ends a device in 2.7", "2.7", "0e 0001", scrcpy.Message{Kind: scrcpy.KindUHIDDestroy, ID: 1}},
		{"uhid of 2.4", "2.4", "0c 0001 0002 0506", scrcpy.Message{Kind: scrcpy.KindUHIDCreate, ID: 1, Data: []byte{5, 6}}},
		{"uhid of 2.7", "2.7", "0c 0001 01 6b 0002 0506", scrcpy.Message{Kind: scrcpy.KindUHIDCreate, ID: 1, Text: "k", Data: []byte{5, 6}}},
		{"uhid of 3.1", "3.1", "0c 0001 1234 5678 01 6b 0002 0506",
			scrcpy.Message{Kind: scrcpy.KindUHIDCreate, ID: 1, Vendor: 0x1234, Product: 0x5678, Text: "k", Data: []byte{5, 6}}},
		{"start app", "3.0", "10 03 2b612e", scrcpy.Message{Kind: scrcpy.KindStartApp, Text: "+a."}},
		{"resize", "4.0", "15 0100 0200", scrcpy.Message{Kind: scrcpy.KindResizeDisplay, W: 256, H: 512}},
		{"scan file", "4.1", "16 00000001 2f", scrcpy.Message{Kind: scrcpy.KindScanFile, Text: "/"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := unhex(t, tt.wire)
			for _, r := range []io.Reader{bytes.NewReader(b), iotest.OneByteReader(bytes.NewReader(append(b, b...)))} {
				got, err := scrcpy.NewReader(r, version(t, tt.version)).Next()
				require.NoError(t, err)
				require.Equal(t, tt.want, got)
			}
			_, err := scrcpy.NewReader(bytes.NewReader(b[:len(b)-1]), version(t, tt.version)).Next()
			require.Error(t, err, "a byte less is waited for")
		})
	}
}

func TestBadMessages(t *testing.T) {
	tests := []struct {
		name, version, wire string
		want                error
	}{
		{"unknown type", "3.3.4", "63", scrcpy.UnknownTypeError(0x63)},
		{"a type of later", "2.3", "0c 0001", scrcpy.UnknownTypeError(12)},
		{"between two", "3.3.4", "", io.EOF},
		{"inside one", "3.3.4", "00 00", io.ErrUnexpectedEOF},
		{"a text beyond the buffer", "3.3.4", "01 7fffffff 00", scrcpy.ErrTooLong},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := scrcpy.NewReader(bytes.NewReader(unhex(t, tt.wire)), version(t, tt.version)).Next()
			require.ErrorIs(t, err, tt.want)
		})
	}
}

func TestVersions(t *testing.T) {
	require.True(t, version(t, "3.0.1").AtLeast(3, 0, 1))
	require.False(t, version(t, "3.0").AtLeast(3, 0, 1))
	require.True(t, version(t, "4.0").AtLeast(3, 9, 9))
	require.True(t, version(t, "1.24-fork").AtLeast(1, 24, 0))
	for _, bad := range []string{"", "x", "3", "-1.2", "v3.1"} {
		_, err := scrcpy.ParseVersion(bad)
		require.Error(t, err, bad)
	}
}

func TestFileTellsItsVersion(t *testing.T) {
	file := scrcpy.File("3.3.4")
	v, err := scrcpy.VersionOf(file)
	require.NoError(t, err)
	require.Equal(t, version(t, "3.3.4"), v)
	require.NotContains(t, string(file), "does not match", "the code is deflated, as in the real file")
	for _, bad := range [][]byte{nil, []byte("PK"), []byte("no zip at all"), file[:len(file)-10]} {
		_, err := scrcpy.VersionOf(bad)
		require.ErrorIs(t, err, scrcpy.ErrNoVersion)
	}
}

func TestReplies(t *testing.T) {
	require.Equal(t, unhex(t, "01 0000000000000007"), scrcpy.AckMessage(7))
	require.Equal(t, unhex(t, "00 00000003 e4bda0"), scrcpy.ClipboardMessage("你"))
	long := scrcpy.ClipboardMessage(strings.Repeat("你", scrcpy.MaxMessage))
	require.LessOrEqual(t, len(long), scrcpy.MaxMessage)
	require.Equal(t, 0, (len(long)-5)%3, "no character is cut")
	require.Len(t, scrcpy.Meta(version(t, "2.0"), "Pixel 8", 1, 2), 64)
	require.Equal(t, unhex(t, "0438 0960"), scrcpy.Meta(version(t, "1.25"), strings.Repeat("x", 99), 1080, 2400)[64:])
}

// FuzzReader feeds any bytes to the readers of the releases whose layouts differ: they never panic, end, and
// read the same in pieces of one byte.
func FuzzReader(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x02hi"))
	f.Add(unhex(f, "02 00 0000000000000000 0000021c 000004b0 0438 0960 ffff 00000000 00000000"))
	f.Add(unhex(f, "09 0000000000000007 01 00000006 e4bda0e5a5bd 08 00 0a 01"))
	f.Add(unhex(f, "0c 0001 1234 5678 01 6b 0002 0506 10 01 61"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range []string{"1.21", "1.24", "2.4", "2.7", "3.1", "3.3.1", "4.1"} {
			v := version(t, name)
			whole, wholeErr := readAll(scrcpy.NewReader(bytes.NewReader(data), v))
			pieces, piecesErr := readAll(scrcpy.NewReader(iotest.OneByteReader(bytes.NewReader(data)), v))
			require.Equal(t, whole, pieces)
			require.Equal(t, wholeErr, piecesErr)
			require.LessOrEqual(t, len(whole), len(data))
		}
	})
}

func readAll(r *scrcpy.Reader) (list []scrcpy.Message, err error) {
	for {
		m, err := r.Next()
		if err != nil {
			return list, err
		}
		list = append(list, m)
	}
}

func FuzzVersionOf(f *testing.F) {
	f.Add(scrcpy.File("3.3.4"))
	f.Add([]byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if v, err := scrcpy.VersionOf(data); err == nil {
			require.NotEmpty(t, v.Name)
		} else {
			require.False(t, errors.Is(err, io.EOF))
		}
	})
}
