package adbserver

import (
	"bytes"
	"fmt"
	"testing"
)

func FuzzReadRequest(f *testing.F) {
	for _, s := range []string{"000chost:version", "0000", "zzzz", "ffff", "00", "", "-001x", "+001x", "0x1a"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		request, err := readRequest(bytes.NewReader(data))
		if err != nil {
			return
		}
		if head := fmt.Sprintf("%04x", len(request)); !bytes.EqualFold([]byte(head), data[:4]) || !bytes.HasPrefix(data[4:], []byte(request)) {
			t.Errorf("%q was read as %q", data, request)
		}
	})
}

// FuzzHostRequest holds that no request to the server makes it panic, and that each leaves a well-formed selection.
func FuzzHostRequest(f *testing.F) {
	for _, s := range []string{"127.0.0.1:5555:get-state", "adb-1 (2)._tcp:forward:tcp:0;tcp:1", ":", "", "x:wait-for-any-device"} {
		f.Add(s)
	}
	s := &Server{phones: []*attached{{Phone: Phone{Serial: "127.0.0.1:5555"}, id: 1}}}
	f.Fuzz(func(t *testing.T, rest string) {
		serial, request := s.splitSerial(rest)
		if len(serial)+len(request) > len(rest) {
			t.Errorf("%q was parted into %q and %q", rest, serial, request)
		}
		s.matching(target{kind: bySerial, value: serial})
		tportTarget(rest)
		s.list(true)
	})
}
