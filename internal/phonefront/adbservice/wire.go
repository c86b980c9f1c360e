package adbservice

import "encoding/binary"

func putUint32(p []byte, v uint32) { binary.LittleEndian.PutUint32(p, v) }

func getUint32(p []byte) uint32 { return binary.LittleEndian.Uint32(p) }

func addUint32(p []byte, v ...uint32) []byte {
	for _, x := range v {
		p = binary.LittleEndian.AppendUint32(p, x)
	}
	return p
}

func addUint64(p []byte, v ...uint64) []byte {
	for _, x := range v {
		p = binary.LittleEndian.AppendUint64(p, x)
	}
	return p
}
