package adbd

import (
	"bytes"
	"testing"
)

func FuzzReadPacket(f *testing.F) {
	f.Add(packet{cmd: cmdCnxn, arg0: 0x01000001, arg1: 1 << 20, data: []byte("host::features=shell_v2")}.encode(true))
	f.Add(packet{cmd: cmdOkay, arg0: 1, arg1: 2}.encode(false))
	f.Add(packet{cmd: cmdWrte, arg0: 1, arg1: 2, data: []byte("x")}.encode(false)[:20])
	f.Add(bytes.Repeat([]byte{0xff}, headerSize))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := readPacket(bytes.NewReader(data))
		if err != nil {
			return
		}
		again, err := readPacket(bytes.NewReader(p.encode(true)))
		if err != nil || again.cmd != p.cmd || again.arg0 != p.arg0 || again.arg1 != p.arg1 || !bytes.Equal(again.data, p.data) {
			t.Errorf("%v came back as %v, %v", p, again, err)
		}
	})
}
