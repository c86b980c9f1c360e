package adbd

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// The commands of the transport protocol.
const (
	cmdSync uint32 = 0x434e5953
	cmdCnxn uint32 = 0x4e584e43
	cmdAuth uint32 = 0x48545541
	cmdOpen uint32 = 0x4e45504f
	cmdOkay uint32 = 0x59414b4f
	cmdClse uint32 = 0x45534c43
	cmdWrte uint32 = 0x45545257
)

// headerSize is the length of a packet's header.
const headerSize = 24

// maxPayload bounds what a packet may carry, whatever was agreed on.
const maxPayload = 1 << 20

var errBadMagic = errors.New("magic does not match the command")

// packet is one packet of the transport.
type packet struct {
	cmd, arg0, arg1 uint32
	data            []byte
}

// readPacket reads one packet. The checksum is not looked at: newer versions send none, and adb sends none
// when it connects again.
func readPacket(r io.Reader) (packet, error) {
	var h [headerSize]byte
	if _, err := io.ReadFull(r, h[:]); err != nil {
		return packet{}, err
	}
	field := func(i int) uint32 { return binary.LittleEndian.Uint32(h[4*i:]) }
	p := packet{cmd: field(0), arg0: field(1), arg1: field(2)}
	switch n := field(3); {
	case field(5) != p.cmd^0xffffffff:
		return packet{}, errBadMagic
	case n > maxPayload:
		return packet{}, fmt.Errorf("packet of %d bytes", n)
	case n > 0:
		p.data = make([]byte, n)
		if _, err := io.ReadFull(r, p.data); err != nil {
			return packet{}, err
		}
	}
	return p, nil
}

// encode returns the packet as it goes over the wire. Version 0x01000000 wants a checksum.
func (p packet) encode(checksum bool) []byte {
	b := make([]byte, headerSize, headerSize+len(p.data))
	put := func(i int, v uint32) { binary.LittleEndian.PutUint32(b[4*i:], v) }
	put(0, p.cmd)
	put(1, p.arg0)
	put(2, p.arg1)
	put(3, uint32(len(p.data)))
	if checksum {
		put(4, sum(p.data))
	}
	put(5, p.cmd^0xffffffff)
	return append(b, p.data...)
}

// sum is the checksum: the sum of the bytes.
func sum(data []byte) uint32 {
	var n uint32
	for _, c := range data {
		n += uint32(c)
	}
	return n
}
