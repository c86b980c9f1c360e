package adbservice

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/handset-go/handset/driver/sim"
	"github.com/handset-go/handset/internal/phonefront/android"
)

func FuzzReadPacket(f *testing.F) {
	f.Add([]byte("\x00\x03\x00\x00\x00abc"))
	f.Add([]byte("\x04\x00\x00\x00\x00"))
	f.Add([]byte("\x00\xff\xff\xff\xff"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		id, payload, err := readPacket(bytes.NewReader(data))
		if err != nil {
			return
		}
		if id != data[0] || !bytes.Equal(payload, data[5:5+len(payload)]) || int(getUint32(data[1:])) != len(payload) {
			t.Errorf("%q was read as %d %q", data, id, payload)
		}
	})
}

// pipe is a stream with a fixed input.
type pipe struct {
	io.Reader
	bytes.Buffer
}

func (p *pipe) Read(b []byte) (int, error) { return p.Reader.Read(b) }
func (p *pipe) Close() error               { return nil }

// FuzzSync holds that no bytes make the sync service panic or hang.
func FuzzSync(f *testing.F) {
	for _, s := range []string{"STAT\x07\x00\x00\x00/sdcard", "SEND\x11\x00\x00\x00/sdcard/f,0o100644DATA\x01\x00\x00\x00xDONE\x00\x00\x00\x00",
		"LIS2\x01\x00\x00\x00/QUIT\x00\x00\x00\x00", "SND2\x01\x00\x00\x00/SND2\x00\x00\x00\x00\x00\x00\x00\x00", "RCV2\x01\x00\x00\x00/", "STA2\xff\xff\xff\xff", "NOPE"} {
		f.Add([]byte(s))
	}
	d, err := android.New(sim.New(nil), nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := syncService(d)(context.Background(), &pipe{Reader: bytes.NewReader(data)}); err != nil {
			t.Error(err)
		}
	})
}
