package adb

import (
	"encoding/binary"
	"io"
	"net"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNudge is a server that holds the last piece of an answer back until this side says something, as
// Nagle's rule has adb's do it.
func TestNudge(t *testing.T) {
	ours, theirs := net.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- func() error {
			script, err := stdinOf(theirs)
			if err != nil {
				return err
			}
			mark := regexp.MustCompile(`echo (\w{20,})\$\?`).FindStringSubmatch(script)[1]
			writePacket(theirs, packetStdout, "out"+mark+"3\n")
			if _, err = stdinOf(theirs); err == nil {
				writePacket(theirs, packetStderr, "err"+mark+"\n")
			}
			return err
		}()
	}()
	s := &shell{sock: newSocket(t.Context(), ours), dead: make(chan struct{})}
	go s.read()
	out, err := s.do(t.Context(), request{line: "true"})
	require.NoError(t, err)
	require.Equal(t, &output{stdout: []byte("out"), stderr: []byte("err"), code: 3}, out)
	require.NoError(t, <-served)
	s.end()
	require.NoError(t, theirs.Close())
}

// stdinOf reads one packet.
func stdinOf(r io.Reader) (string, error) {
	var head [packetHeader]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return "", err
	}
	data := make([]byte, binary.LittleEndian.Uint32(head[1:]))
	_, err := io.ReadFull(r, data)
	return string(data), err
}
