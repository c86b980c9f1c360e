package adb

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
)

const pngMagic = "\x89PNG\r\n\x1a\n"

var (
	errNoPicture  = errors.New("the phone sent no picture")
	errTruncated  = errors.New("the picture is cut off")
	errNotAChunk  = errors.New("the picture is damaged")
	iend          = []byte("IEND")
	pngHeaderSize = len(pngMagic) + 25 // with IHDR: length, type, 13 bytes, CRC
)

// cutPNG returns the PNG in what screencap printed: warnings may stand before it, and vendors'
// words behind it. It walks the chunks and reads none, so that a picture that was cut off, or
// translated by a terminal, is told from a whole one at no cost.
func cutPNG(data []byte) ([]byte, error) {
	at := bytes.Index(data, []byte(pngMagic))
	if at < 0 {
		return nil, errNoPicture
	}
	data = data[at:]
	for pos := len(pngMagic); ; {
		if pos+12 > len(data) {
			return nil, fmt.Errorf("%w after %d bytes", errTruncated, len(data))
		}
		n, kind := binary.BigEndian.Uint32(data[pos:]), data[pos+4:pos+8]
		if n > 1<<31-1 || !letters(kind) {
			return nil, fmt.Errorf("%w at byte %d", errNotAChunk, pos)
		}
		end := pos + 12 + int(n)
		if end > len(data) {
			return nil, fmt.Errorf("%w after %d bytes", errTruncated, len(data))
		}
		if bytes.Equal(kind, iend) {
			return data[:end:end], nil
		}
		pos = end
	}
}

func letters(kind []byte) bool {
	for _, b := range kind {
		if b|0x20 < 'a' || b|0x20 > 'z' {
			return false
		}
	}
	return true
}

// pngChannels are the samples of a pixel by colour type.
var pngChannels = map[byte]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}

// pngSize returns width and height of a PNG that cutPNG returned, or zero.
func pngSize(data []byte) image.Point {
	if len(data) < pngHeaderSize {
		return image.Point{}
	}
	return image.Pt(int(binary.BigEndian.Uint32(data[16:])), int(binary.BigEndian.Uint32(data[20:])))
}

// pngRaw returns how many bytes the picture of a PNG that cutPNG returned has before they are
// packed, or 0 for one of an absurd size.
func pngRaw(data []byte) int {
	if len(data) < pngHeaderSize {
		return 0
	}
	w, h := binary.BigEndian.Uint32(data[16:]), binary.BigEndian.Uint32(data[20:])
	if w > 1<<14 || h > 1<<14 {
		return 0
	}
	bits := int(data[24]) * pngChannels[data[25]]
	return int(h) * (1 + (int(w)*bits+7)/8)
}
