package adbservice

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/handset-go/handset/internal/phonefront/android"
	"github.com/handset-go/handset/internal/phonefront/phoneshell"
)

// The bounds of the sync protocol.
const (
	maxPath = 1024
	maxData = 64 << 10
)

// syncer is one sync: stream. Many requests may share it.
type syncer struct {
	d *android.Device
	r *bufio.Reader
	w *bufio.Writer
}

// errEnd says that the stream can be read no further.
var errEnd = errors.New("end of the sync stream")

func syncService(d *android.Device) Service {
	return func(ctx context.Context, s Stream) error {
		y := &syncer{d: d, r: bufio.NewReaderSize(s, maxData), w: bufio.NewWriterSize(s, maxData)}
		for ctx.Err() == nil {
			err := y.request()
			if flushed := y.w.Flush(); err != nil || flushed != nil {
				break
			}
		}
		return nil
	}
}

// request answers one request.
func (y *syncer) request() error {
	id, arg, err := y.read()
	if err != nil {
		return err
	}
	if y.d.Faults().On(android.FaultHang) {
		_, _ = io.Copy(io.Discard, y.r) // until the client is gone
		return errEnd
	}
	switch id {
	case "STAT":
		y.statV1(arg)
	case "LSTA", "LST2", "STA2":
		y.statV2(id, arg, id == "STA2")
	case "LIST", "LIS2":
		y.list(arg, id == "LIS2")
	case "RECV":
		y.send(arg)
	case "RCV2":
		return y.receiveV2(arg)
	case "SEND":
		return y.sendV1(arg)
	case "SND2":
		return y.sendV2(arg)
	case "QUIT":
		return errEnd
	default:
		y.fail(fmt.Sprintf("unknown command %08x", getUint32([]byte(id))))
		return errEnd
	}
	return nil
}

// read reads an id and the text of the length that follows it.
func (y *syncer) read() (id, text string, err error) {
	var header [8]byte
	if _, err := io.ReadFull(y.r, header[:]); err != nil {
		return "", "", err
	}
	n := getUint32(header[4:])
	if n > maxPath {
		y.fail("path too long")
		return "", "", errEnd
	}
	buf := make([]byte, n)
	if _, err := io.ReadFull(y.r, buf); err != nil {
		return "", "", err
	}
	return string(header[:4]), string(buf), nil
}

func (y *syncer) fail(text string) {
	_, _ = y.w.Write(addUint32([]byte("FAIL"), uint32(len(text))))
	_, _ = y.w.WriteString(text)
}

func (y *syncer) statV1(name string) {
	reply := []byte("STAT")
	if info, err := y.d.FS().Stat(name, false); err == nil {
		reply = addUint32(reply, info.UnixMode(), uint32(info.Size()), uint32(info.ModTime().Unix()))
	} else {
		reply = addUint32(reply, 0, 0, 0)
	}
	_, _ = y.w.Write(reply)
}

func (y *syncer) statV2(id, name string, follow bool) {
	info, err := y.d.FS().Stat(name, follow)
	_, _ = y.w.Write(statFields([]byte(id), info, err))
}

// statFields adds the 68 bytes that follow the id of a stat of version 2.
func statFields(p []byte, info *phoneshell.Info, err error) []byte {
	if err != nil {
		var errno phoneshell.Errno
		errors.As(err, &errno)
		return append(addUint32(p, uint32(errno)), make([]byte, 64)...)
	}
	p = addUint32(p, 0)
	p = addUint64(p, 66305, info.Ino)
	p = addUint32(p, info.UnixMode(), 1, info.UID, info.GID)
	at := uint64(info.ModTime().Unix())
	return addUint64(p, uint64(info.Size()), at, at, at)
}

func (y *syncer) list(name string, v2 bool) {
	infos, _ := y.d.FS().ReadDir(name) // adbd ends the list of a folder that it cannot open at once
	for _, info := range infos {
		entry := addUint32([]byte("DENT"), info.UnixMode(), uint32(info.Size()), uint32(info.ModTime().Unix()))
		if v2 {
			entry = statFields([]byte("DNT2"), info, nil)
		}
		_, _ = y.w.Write(addUint32(entry, uint32(len(info.Name()))))
		_, _ = y.w.WriteString(info.Name())
	}
	zeros := 16
	if v2 {
		zeros = 72
	}
	_, _ = y.w.Write(append([]byte("DONE"), make([]byte, zeros)...))
}

// send sends a file to the client.
func (y *syncer) send(name string) {
	f, err := y.d.FS().Open(name)
	if err != nil {
		var errno phoneshell.Errno
		errors.As(err, &errno)
		text := "open failed: " + errno.Error()
		if errno == phoneshell.EISDIR {
			text = "read failed: " + errno.Error()
		}
		y.fail(text)
		return
	}
	buf := make([]byte, maxData)
	for {
		n, err := f.Read(buf)
		if n > 0 {
			_, _ = y.w.Write(addUint32([]byte("DATA"), uint32(n)))
			if _, err := y.w.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			break
		}
	}
	_, _ = y.w.Write(addUint32([]byte("DONE"), 0))
}

// receiveV2 answers RCV2: the path was read, its flags follow in a packet of their own.
func (y *syncer) receiveV2(name string) error {
	var setup [8]byte
	if _, err := io.ReadFull(y.r, setup[:]); err != nil {
		return err
	}
	if flags := getUint32(setup[4:]); flags != 0 {
		y.fail(fmt.Sprintf("unsupported flags %#x", flags))
		return nil
	}
	y.send(name)
	return nil
}

// sendV1 answers SEND, whose argument is "path,mode" with a decimal mode.
func (y *syncer) sendV1(arg string) error {
	i := strings.LastIndexByte(arg, ',')
	if i < 0 {
		y.fail("missing , in ID_SEND_V1")
		return errEnd
	}
	mode, err := strconv.ParseUint(arg[i+1:], 0, 32)
	if err != nil {
		y.fail("bad mode")
		return errEnd
	}
	return y.receive(arg[:i], uint32(mode), false)
}

func (y *syncer) sendV2(name string) error {
	var setup [12]byte
	if _, err := io.ReadFull(y.r, setup[:]); err != nil {
		return err
	}
	const dryRun = 0x80000000
	mode, flags := getUint32(setup[4:]), getUint32(setup[8:])
	if flags&^dryRun != 0 {
		y.fail(fmt.Sprintf("unsupported flags %#x", flags))
		return errEnd
	}
	return y.receive(name, mode, flags&dryRun != 0)
}

// receive stores what the client sends until DONE. After a failure the rest is read and dropped, as
// adbd does, so that the client can read the reason.
func (y *syncer) receive(name string, mode uint32, dry bool) error {
	var file io.Writer = io.Discard
	var failed string
	if !dry {
		file, failed = y.create(name, mode)
	}
	if failed != "" {
		y.fail(failed)
		if err := y.w.Flush(); err != nil {
			return err
		}
	}
	for {
		var header [8]byte
		if _, err := io.ReadFull(y.r, header[:]); err != nil {
			return err
		}
		n := getUint32(header[4:])
		switch string(header[:4]) {
		case "DATA":
			if n > maxData {
				y.fail("oversize data message")
				return errEnd
			}
			if text, err := y.store(file, int64(n), failed != ""); err != nil {
				return err
			} else if text != "" {
				failed = text
				y.fail(text)
			}
		case "DONE":
			if failed == "" {
				_ = y.d.FS().Touch(name, time.Unix(int64(n), 0))
				_, _ = y.w.Write(addUint32([]byte("OKAY"), 0))
			}
			return nil
		default:
			y.fail("invalid data message")
			return errEnd
		}
	}
}

// store copies one DATA to the file. text is what the client is told where the phone refuses it.
func (y *syncer) store(file io.Writer, n int64, skip bool) (text string, err error) {
	if skip {
		_, err := io.CopyN(io.Discard, y.r, n)
		return "", err
	}
	buf := make([]byte, n)
	if _, err := io.ReadFull(y.r, buf); err != nil {
		return "", err
	}
	if _, err := file.Write(buf); err != nil {
		return "write failed: " + err.Error(), nil
	}
	return "", nil
}

// create makes the file and the folders above it.
func (y *syncer) create(name string, mode uint32) (w io.Writer, failed string) {
	fsys := y.d.FS()
	if info, err := fsys.Stat(name, true); err == nil && info.IsDir() {
		return nil, "couldn't create file: " + phoneshell.EISDIR.Error()
	}
	if err := fsys.MkdirAll(path.Dir(name)); err != nil {
		return nil, "secure_mkdirs() failed: " + err.Error()
	}
	f, err := fsys.Create(name, fs.FileMode(mode&0o777), false)
	if err != nil {
		return nil, "couldn't create file: " + err.Error()
	}
	return f, ""
}
