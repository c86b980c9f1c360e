package adb

import (
	"encoding/binary"
	"image"
)

// Types of scrcpy's control messages, all integers of which are big endian, and of its answers.
const (
	controlKey          = 0
	controlText         = 1
	controlTouch        = 2
	controlGetClipboard = 8
	controlSetClipboard = 9

	answerClipboard = 0
	answerAck       = 1
	answerUHID      = 2
)

// The actions of keys and fingers.
const (
	actionDown = 0
	actionUp   = 1
	actionMove = 2
)

const (
	// maxInjected is what scrcpy's own client cuts texts at, in bytes.
	maxInjected = 300
	// maxClip is the longest text of the clipboard, in bytes, by the server's buffer of 256 KiB.
	maxClip = 1<<18 - 14
)

func keyMessage(action byte, code int) []byte {
	b := []byte{controlKey, action}
	b = binary.BigEndian.AppendUint32(b, uint32(code))
	return append(b, 0, 0, 0, 0, 0, 0, 0, 0) // no repeat, no modifier
}

func textMessage(text string) []byte {
	b := binary.BigEndian.AppendUint32([]byte{controlText}, uint32(len(text)))
	return append(b, text...)
}

// touchMessage moves one finger, in the layout of 2.0 and newer. No button is pressed: a finger has none.
func touchMessage(action byte, finger int, at, size image.Point) []byte {
	b := []byte{controlTouch, action}
	b = binary.BigEndian.AppendUint64(b, uint64(finger))
	b = binary.BigEndian.AppendUint32(b, uint32(int32(at.X)))
	b = binary.BigEndian.AppendUint32(b, uint32(int32(at.Y)))
	b = binary.BigEndian.AppendUint16(b, uint16(size.X))
	b = binary.BigEndian.AppendUint16(b, uint16(size.Y))
	pressure := uint16(0xffff)
	if action == actionUp {
		pressure = 0
	}
	b = binary.BigEndian.AppendUint16(b, pressure)
	return append(b, 0, 0, 0, 0, 0, 0, 0, 0)
}

// setClipboardMessage sets the clipboard and, if asked, pastes it. The answer carries sequence, which
// is not 0.
func setClipboardMessage(sequence uint64, paste bool, text string) []byte {
	b := binary.BigEndian.AppendUint64([]byte{controlSetClipboard}, sequence)
	if paste {
		b = append(b, 1)
	} else {
		b = append(b, 0)
	}
	b = binary.BigEndian.AppendUint32(b, uint32(len(text)))
	return append(b, text...)
}

// getClipboardMessage asks for the clipboard as it is.
func getClipboardMessage() []byte { return []byte{controlGetClipboard, 0} }

// controlPoint returns a position and its size as the release takes them. Before 3.0.1 they are in
// the pixels that a video would have, whose sides are multiples of eight.
func (f *scrcpyFile) controlPoint(at, logical image.Point) (point, size image.Point) {
	size = image.Pt(logical.X&^7, logical.Y&^7)
	if f.rawPoints() {
		return at, size
	}
	return image.Pt(at.X*size.X/logical.X, at.Y*size.Y/logical.Y), size
}
