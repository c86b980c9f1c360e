package adb

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
)

const (
	// syncChunk is the most that one DATA message may carry.
	syncChunk = 64 << 10
	// maxRemote is the longest path that adbd takes.
	maxRemote = 1024
	// partSuffix ends the name of a file that is on its way.
	partSuffix = ".handset-part"
	// fileMode is a regular file, rw-rw-r--.
	fileMode = 0o100664
	// stallLimit is how long a transfer may stand still.
	stallLimit = 30 * time.Second
)

// Push writes everything that src yields to the file remote. It arrives whole or not at all: it is
// sent under another name in the same folder, and then renamed. There is no limit but that it must
// not stand still for 30 s.
func (d *Driver) Push(ctx context.Context, src io.Reader, remote string) error {
	return d.calls.Do(ctx, driver.OpPush, 0, func(ctx context.Context) error {
		if err := d.checkFile(ctx, driver.OpPush, remote); err != nil {
			return err
		}
		return d.pushVia(ctx, src, remote)
	})
}

// checkFile says that remote cannot be the name of a file, or is a folder.
func (d *Driver) checkFile(ctx context.Context, op driver.Op, remote string) error {
	if err := checkRemote(remote); err != nil {
		return err
	}
	st, err := value(ctx, d, op, limitShort, func(ctx context.Context) (File, error) { return d.stat(ctx, remote) })
	if err == nil && st.Mode.IsDir() {
		err = fmt.Errorf("%s is a folder on the phone: name a file, or use PushDir or PullDir", remote)
	}
	return err
}

// pushVia sends src to a temporary file and renames it.
func (d *Driver) pushVia(ctx context.Context, src io.Reader, remote string) (err error) {
	part := remote + partSuffix
	defer func() {
		if err != nil {
			d.removeLate(ctx, part)
		}
	}()
	if err := d.send(ctx, src, part); err != nil {
		return err
	}
	return d.do(ctx, driver.OpPush, limitShort, func(ctx context.Context) error {
		out, err := d.act(ctx, "mv -f "+quote(part)+" "+quote(remote))
		if err == nil && out.code > 0 {
			err = fmt.Errorf("write %s: %s", remote, complaint(out.stderr, out.stdout))
		}
		return err
	})
}

func checkRemote(remote string) error {
	switch {
	case !strings.HasPrefix(remote, "/") || strings.HasSuffix(remote, "/"):
		return fmt.Errorf("%q is not a file on the phone: want a path from the root", remote)
	case len(remote) > maxRemote-16 || strings.ContainsRune(remote, 0):
		return fmt.Errorf("a path of %d bytes is too long for adb", len(remote))
	}
	return nil
}

// Pull writes the file remote to dst. There is no limit but that it must not stand still for 30 s.
func (d *Driver) Pull(ctx context.Context, remote string, dst io.Writer) error {
	return d.calls.Do(ctx, driver.OpPull, 0, func(ctx context.Context) error {
		if err := d.checkFile(ctx, driver.OpPull, remote); err != nil {
			return err
		}
		return d.receive(ctx, remote, dst)
	})
}

// syncSocket is a connection to the phone's sync service that must not stand still.
type syncSocket struct {
	*socket
	ctx   context.Context
	stall time.Duration
}

func (d *Driver) sync(ctx context.Context) (*syncSocket, error) {
	sock, err := d.server.open(ctx, d.serial, "sync:", nil)
	if err != nil {
		return nil, err
	}
	return &syncSocket{socket: sock, ctx: ctx, stall: d.limit(stallLimit)}, nil
}

// alive gives the transfer another stretch of time.
func (s *syncSocket) alive() error { return s.conn.SetDeadline(time.Now().Add(s.stall)) }

// fault returns what a failure means. A transfer that stood still is ErrTimeout.
func (s *syncSocket) fault(err error) error {
	var t interface{ Timeout() bool }
	if err != nil && s.ctx.Err() == nil && errors.As(err, &t) && t.Timeout() {
		return fmt.Errorf("%w: no byte in %v", driver.ErrTimeout, s.stall)
	}
	return s.err(s.ctx, err)
}

// header writes the four letters of a message and a number.
func (s *syncSocket) header(id string, n int) error {
	return s.message(id, n, nil)
}

func (s *syncSocket) message(id string, n int, data []byte) error {
	b := binary.LittleEndian.AppendUint32([]byte(id), uint32(n))
	_, err := s.conn.Write(append(b, data...))
	return errors.Join(s.alive(), err)
}

// reply reads the four letters of an answer and its number.
func (s *syncSocket) reply() (id string, n int, err error) {
	if err := s.alive(); err != nil {
		return "", 0, err
	}
	var b [8]byte
	if _, err := io.ReadFull(s.r, b[:]); err != nil {
		return "", 0, err
	}
	return string(b[:4]), int(binary.LittleEndian.Uint32(b[4:])), nil
}

// refusal reads the text of a FAIL.
func (s *syncSocket) refusal(remote string, n int) error {
	text := make([]byte, min(n, maxStderr))
	if _, err := io.ReadFull(s.r, text); err != nil {
		return err
	}
	return &failure{service: remote, text: string(text)}
}

// send writes a file.
func (d *Driver) send(ctx context.Context, src io.Reader, remote string) error {
	s, err := d.sync(ctx)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.put(src, remote); err != nil {
		return err
	}
	return s.fault(s.header("QUIT", 0))
}

// put writes a file, after which the connection takes the next one.
func (s *syncSocket) put(src io.Reader, remote string) error {
	target := remote + "," + strconv.Itoa(fileMode)
	if err := s.message("SEND", len(target), []byte(target)); err != nil {
		return s.fault(err)
	}
	if err := s.sendData(src); err != nil {
		return err
	}
	return s.fault(s.sent(remote))
}

// sendData sends src in chunks. Where the phone has stopped listening, its reason is waiting to be
// read, so that is no error here.
func (s *syncSocket) sendData(src io.Reader) error {
	buf := make([]byte, 8+syncChunk)
	for {
		n, err := io.ReadFull(src, buf[8:])
		if n > 0 {
			copy(buf, "DATA")
			binary.LittleEndian.PutUint32(buf[4:], uint32(n))
			if _, writeErr := s.conn.Write(buf[:8+n]); writeErr != nil {
				return s.ctx.Err()
			}
			if err := s.alive(); err != nil {
				return s.fault(err)
			}
		}
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			if err := s.header("DONE", int(time.Now().Unix())); err != nil {
				return s.ctx.Err()
			}
			return nil
		case err != nil:
			return fmt.Errorf("read what is to be pushed: %w", err)
		}
	}
}

// sent reads whether the phone has the file.
func (s *syncSocket) sent(remote string) error {
	id, n, err := s.reply()
	switch {
	case err != nil:
		return err
	case id == "FAIL":
		return s.refusal(remote, n)
	case id != "OKAY":
		return fmt.Errorf("adb protocol fault: %q after a file", id)
	}
	return nil
}

// receive reads a file.
func (d *Driver) receive(ctx context.Context, remote string, dst io.Writer) error {
	s, err := d.sync(ctx)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.message("RECV", len(remote), []byte(remote)); err != nil {
		return s.fault(err)
	}
	for {
		id, n, err := s.reply()
		switch {
		case err != nil:
			return s.fault(err)
		case id == "DONE":
			return nil
		case id == "FAIL":
			return s.fault(s.refusal(remote, n))
		case id != "DATA" || n > 16*syncChunk:
			return fmt.Errorf("adb protocol fault: %q of %d bytes in a file", id, n)
		}
		if err := s.copyTo(dst, int64(n)); err != nil {
			return err
		}
	}
}

// copyTo tells an error of dst from one of the line.
func (s *syncSocket) copyTo(dst io.Writer, n int64) error {
	for n > 0 {
		part := io.LimitReader(s.r, min(n, syncChunk))
		buf := make([]byte, min(n, syncChunk))
		got, err := io.ReadFull(part, buf)
		if err != nil {
			return s.fault(err)
		}
		if _, err := dst.Write(buf[:got]); err != nil {
			return fmt.Errorf("write what was pulled: %w", err)
		}
		n -= int64(got)
	}
	return s.alive()
}
