package scrcpy

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// MaxMessage is the server's buffer: no message may be longer, in bytes.
const MaxMessage = 1 << 18

// ErrTooLong is returned for a message that does not fit into MaxMessage.
var ErrTooLong = errors.New("control message is too long")

// UnknownTypeError is a type byte that the release does not know. What follows cannot be read.
type UnknownTypeError byte

func (e UnknownTypeError) Error() string { return fmt.Sprintf("Unknown event type: %d", int8(e)) }

// Reader reads control messages as one release's server does. A message that is cut short is waited for.
type Reader struct {
	r       *bufio.Reader
	version Version
	err     error // the first one, inside a message
}

// NewReader reads the control messages of a release, 1.21 or newer, from r.
func NewReader(r io.Reader, v Version) *Reader {
	return &Reader{r: bufio.NewReader(r), version: v}
}

// Rest returns what follows the last message, after Next gave an error.
func (r *Reader) Rest() io.Reader { return r.r }

// Next returns the next message. io.EOF says that the client closed between two messages,
// io.ErrUnexpectedEOF that it did so inside one.
func (r *Reader) Next() (Message, error) {
	number, err := r.r.ReadByte()
	if err != nil {
		return Message{}, err
	}
	kind, known := r.version.kind(number)
	if !known {
		return Message{}, UnknownTypeError(number)
	}
	m := Message{Kind: kind}
	r.err = nil
	r.body(&m)
	if errors.Is(r.err, io.EOF) {
		r.err = io.ErrUnexpectedEOF
	}
	if r.err != nil {
		return Message{}, r.err
	}
	return m, nil
}

// numbers are the kinds by their number, as from 1.21 on with the exceptions of Version.kind.
var numbers = []struct {
	kind                Kind
	major, minor, patch int // the first release
}{
	{KindKey, 1, 21, 0}, {KindText, 1, 21, 0}, {KindTouch, 1, 21, 0}, {KindScroll, 1, 21, 0}, {KindBackOrScreenOn, 1, 21, 0},
	{KindNotifications, 1, 21, 0}, {KindQuickSettings, 1, 21, 0}, {KindCollapse, 1, 21, 0}, {KindGetClipboard, 1, 21, 0},
	{KindSetClipboard, 1, 21, 0}, {KindDisplayPower, 1, 21, 0}, {KindRotate, 1, 21, 0}, {KindUHIDCreate, 2, 4, 0},
	{KindUHIDInput, 2, 4, 0}, {KindUHIDDestroy, 2, 4, 0}, {KindKeyboardSettings, 2, 7, 0}, {KindStartApp, 3, 0, 0},
	{KindResetVideo, 3, 0, 0}, {KindTorch, 4, 0, 0}, {KindZoomIn, 4, 0, 0}, {KindZoomOut, 4, 0, 0}, {KindResizeDisplay, 4, 0, 0},
	{KindScanFile, 4, 1, 0},
}

// kind is what a number means to the release.
func (v Version) kind(number byte) (Kind, bool) {
	if int(number) >= len(numbers) {
		return "", false
	}
	n := numbers[number]
	if n.kind == KindUHIDDestroy && !v.AtLeast(2, 7, 0) {
		n.kind = KindKeyboardSettings // 14 had another meaning from 2.4 to 2.6
	}
	return n.kind, v.AtLeast(n.major, n.minor, n.patch)
}

// body reads what follows the type.
func (r *Reader) body(m *Message) {
	switch m.Kind {
	case KindKey:
		m.Action, m.Key, m.Repeat, m.Meta = r.u8(), r.u32(), r.u32(), r.u32()
	case KindText, KindScanFile:
		m.Text = string(r.bytes(int64(r.u32())))
	case KindTouch:
		r.touch(m)
	case KindScroll:
		r.scroll(m)
	case KindBackOrScreenOn:
		m.Action = r.u8()
	case KindGetClipboard:
		m.Copy = r.u8()
	case KindSetClipboard:
		m.Sequence, m.Paste = r.u64(), r.u8() != 0
		m.Text = string(r.bytes(int64(r.u32())))
	case KindDisplayPower, KindTorch:
		m.On = r.u8() != 0
	case KindUHIDCreate:
		r.uhidCreate(m)
	case KindUHIDInput:
		m.ID = r.u16()
		m.Data = r.bytes(int64(r.u16()))
	case KindUHIDDestroy:
		m.ID = r.u16()
	case KindStartApp:
		m.Text = string(r.bytes(int64(r.u8())))
	case KindResizeDisplay:
		m.W, m.H = r.u16(), r.u16()
	}
}

func (r *Reader) touch(m *Message) {
	m.Action, m.Pointer = r.u8(), int64(r.u64())
	r.position(m)
	m.Pressure = unit(r.u16())
	if r.version.AtLeast(2, 0, 0) {
		m.ActionButton = r.u32()
	}
	m.Buttons = r.u32()
}

func (r *Reader) position(m *Message) {
	m.X, m.Y, m.W, m.H = int32(r.u32()), int32(r.u32()), r.u16(), r.u16()
}

// scroll reads the three layouts that there were: whole notches, whole notches with buttons, fixed point.
func (r *Reader) scroll(m *Message) {
	r.position(m)
	v := r.version
	if !v.AtLeast(1, 25, 0) {
		m.HScroll, m.VScroll = float64(int32(r.u32())), float64(int32(r.u32()))
	} else {
		scale := 1.0
		if v.AtLeast(3, 3, 1) {
			scale = 16
		}
		m.HScroll, m.VScroll = float64(int16(r.u16()))/32768*scale, float64(int16(r.u16()))/32768*scale
	}
	if v.AtLeast(1, 22, 0) {
		m.Buttons = r.u32()
	}
}

func (r *Reader) uhidCreate(m *Message) {
	v := r.version
	m.ID = r.u16()
	if v.AtLeast(3, 1, 0) {
		m.Vendor, m.Product = r.u16(), r.u16()
	}
	if v.AtLeast(2, 7, 0) {
		m.Text = string(r.bytes(int64(r.u8())))
	}
	m.Data = r.bytes(int64(r.u16()))
}

// unit is a fixed-point number from 0 to 1: 0xffff is 1.
func unit(n uint16) float64 {
	if n == math.MaxUint16 {
		return 1
	}
	return float64(n) / 65536
}

// bytes reads n bytes.
func (r *Reader) bytes(n int64) []byte {
	if n > MaxMessage && r.err == nil {
		r.err = ErrTooLong
	}
	if r.err != nil {
		return nil
	}
	b := make([]byte, n)
	_, r.err = io.ReadFull(r.r, b)
	return b
}

// fixed reads up to eight bytes; zeros after an error.
func (r *Reader) fixed(n int) []byte {
	if b := r.bytes(int64(n)); b != nil && r.err == nil {
		return b
	}
	return make([]byte, n)
}

func (r *Reader) u8() byte    { return r.fixed(1)[0] }
func (r *Reader) u16() uint16 { return binary.BigEndian.Uint16(r.fixed(2)) }
func (r *Reader) u32() uint32 { return binary.BigEndian.Uint32(r.fixed(4)) }
func (r *Reader) u64() uint64 { return binary.BigEndian.Uint64(r.fixed(8)) }
