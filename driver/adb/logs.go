package adb

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/handset-go/handset/driver"
)

// logLine reads the log from now on, with time, process and tag. Releases before Android 5 know no
// -T and show everything.
const logLine = "logcat -v threadtime -T 1"

// maxLogLine is where a line without an end is cut.
const maxLogLine = 64 << 10

// Logs writes the phone's log (logcat, all buffers that it shows by default) to dst as it grows, from
// the last line that is there, until ctx ends. dst gets whole lines.
func (d *Driver) Logs(ctx context.Context, dst io.Writer) error {
	return d.calls.Do(ctx, driver.OpLogs, 0, func(ctx context.Context) error {
		service := shellOld
		if d.shellV2 {
			service = shellRaw
		}
		sock, err := d.server.open(ctx, d.serial, service+logLine, nil)
		if err != nil {
			return err
		}
		defer sock.close()
		lines := &lineWriter{dst: dst}
		if d.shellV2 {
			err = sock.streamShell(lines)
		} else {
			_, err = io.Copy(lines, sock.r)
		}
		switch {
		case lines.err != nil:
			return fmt.Errorf("write the log: %w", lines.err)
		case err == nil:
			err = errBroken // logcat does not end by itself
		}
		return sock.err(ctx, err)
	})
}

// streamShell copies what a command prints to w, until its exit status, which is an error here.
func (s *socket) streamShell(w io.Writer) error {
	var head [packetHeader]byte
	var complaints bytes.Buffer
	for {
		if _, err := io.ReadFull(s.r, head[:]); err != nil {
			return err
		}
		n := int64(binary.LittleEndian.Uint32(head[1:]))
		if n > maxPacket {
			return fmt.Errorf("adb protocol fault: shell packet of %d bytes", n)
		}
		data := io.LimitReader(s.r, n)
		switch head[0] {
		case packetStdout:
			if _, err := io.Copy(w, data); err != nil {
				return err
			}
		case packetExit:
			code, _ := s.r.ReadByte() // 0 where it is not told
			return fmt.Errorf("logcat ended with %d: %s", code, complaint(complaints.Bytes()))
		default:
			if complaints.Len() < maxStderr {
				data = io.TeeReader(data, &complaints)
			}
			if _, err := io.Copy(io.Discard, data); err != nil {
				return err
			}
		}
	}
}

// lineWriter hands whole lines on, without CR.
type lineWriter struct {
	dst  io.Writer
	rest []byte
	err  error
}

// Write never fails but by its destination.
func (w *lineWriter) Write(p []byte) (int, error) {
	w.rest = append(w.rest, bytes.ReplaceAll(p, []byte("\r"), nil)...)
	at := bytes.LastIndexByte(w.rest, '\n') + 1
	if at == 0 && len(w.rest) > maxLogLine {
		w.rest = append(w.rest, '\n')
		at = len(w.rest)
	}
	if at > 0 {
		if _, w.err = w.dst.Write(w.rest[:at]); w.err != nil {
			return 0, w.err
		}
		w.rest = append(w.rest[:0], w.rest[at:]...)
	}
	return len(p), nil
}
