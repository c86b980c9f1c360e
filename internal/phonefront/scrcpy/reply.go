package scrcpy

import (
	"encoding/binary"
	"unicode/utf8"
)

// maxClipboard is the longest text of a clipboard message, in bytes.
const maxClipboard = MaxMessage - 5

// ClipboardMessage tells the client what is on the clipboard. A text that is too long is cut between two
// characters.
func ClipboardMessage(text string) []byte {
	if len(text) > maxClipboard {
		n := maxClipboard
		for n > 0 && !utf8.RuneStart(text[n]) {
			n--
		}
		text = text[:n]
	}
	return append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(text))), text...)
}

// AckMessage tells the client that its clipboard was set.
func AckMessage(sequence uint64) []byte { return binary.BigEndian.AppendUint64([]byte{1}, sequence) }

// maxModel is the longest model name of the device meta, in bytes.
const maxModel = 63

// Meta is what the first socket carries after its dummy byte: the model in 64 bytes, and before 2.0 the size
// of the video.
func Meta(v Version, model string, width, height int) []byte {
	n := min(len(model), maxModel)
	for n > 0 && n < len(model) && !utf8.RuneStart(model[n]) {
		n--
	}
	b := make([]byte, 64)
	copy(b, model[:n])
	if !v.AtLeast(2, 0, 0) {
		b = binary.BigEndian.AppendUint16(b, uint16(width))
		b = binary.BigEndian.AppendUint16(b, uint16(height))
	}
	return b
}
