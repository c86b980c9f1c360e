package adb

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"
	"time"

	"github.com/handset-go/handset/driver"
)

// Operations that are no part of the driver contract.
const (
	opStat driver.Op = "stat"
	opList driver.Op = "list"
)

// File is what the phone tells of a file or folder.
type File struct {
	Name string
	Mode fs.FileMode
	// Size in bytes. Phones before Android 8 tell it modulo 4 GiB; what is pulled is whole all the same.
	Size  int64
	MTime time.Time
}

// maxName is the longest name that a file system of a phone has.
const maxName = 1024

// Stat asks for one file; a link is followed where the phone can (Android 8 and newer). The error
// matches fs.ErrNotExist where there is none.
func (d *Driver) Stat(ctx context.Context, remote string) (File, error) {
	return value(ctx, d, opStat, limitShort, func(ctx context.Context) (File, error) {
		if err := checkPath(remote); err != nil {
			return File{}, err
		}
		f, err := d.stat(ctx, remote)
		if err == nil && f.Mode == 0 && f.Size == 0 {
			err = fmt.Errorf("%s: %w", remote, fs.ErrNotExist)
		}
		return f, err
	})
}

// List lists a folder of the phone, without "." and "..", in the phone's order. adb lists a folder
// that may not be read, or is not there, as an empty one; the error matches fs.ErrNotExist for the
// latter.
func (d *Driver) List(ctx context.Context, remote string) ([]File, error) {
	return value(ctx, d, opList, limitShort, func(ctx context.Context) ([]File, error) {
		if err := checkPath(remote); err != nil {
			return nil, err
		}
		st, err := d.stat(ctx, remote)
		switch {
		case err != nil:
			return nil, err
		case st.Mode == 0 && st.Size == 0:
			return nil, fmt.Errorf("%s: %w", remote, fs.ErrNotExist)
		case st.Mode.IsRegular():
			return nil, fmt.Errorf("%s is a file, and no folder", remote)
		}
		return retried(ctx, func() ([]File, error) { return d.list(ctx, remote) })
	})
}

func checkPath(remote string) error {
	switch {
	case !strings.HasPrefix(remote, "/"):
		return fmt.Errorf("%q is no path on the phone: want one from the root", shorten(remote))
	case len(remote) > maxRemote-16 || strings.ContainsRune(remote, 0):
		return fmt.Errorf("a path of %d bytes is too long for adb", len(remote))
	}
	return nil
}

// list asks in the second protocol, which has sizes of 64 bits, where the phone speaks it.
func (d *Driver) list(ctx context.Context, remote string) ([]File, error) {
	s, err := d.sync(ctx)
	if err != nil {
		return nil, err
	}
	defer s.close()
	ask, entry, read := "LIST", "DENT", (*syncSocket).oldEntry
	if d.lsV2 {
		ask, entry, read = "LIS2", "DNT2", (*syncSocket).newEntry
	}
	remote = strings.TrimSuffix(remote, "/") + "/" // of a link to a folder, list the folder
	if err := s.message(ask, len(remote), []byte(remote)); err != nil {
		return nil, s.fault(err)
	}
	var files []File
	for {
		id, err := s.id()
		switch {
		case err != nil:
			return nil, s.fault(err)
		case id == "DONE":
			return files, nil
		case id == "FAIL":
			n, err := s.word()
			if err != nil {
				return nil, s.fault(err)
			}
			return nil, s.fault(s.refusal(remote, n))
		case id != entry:
			return nil, fmt.Errorf("adb protocol fault: %q in a list of files", id)
		}
		f, err := read(s)
		if err != nil {
			return nil, s.fault(err)
		}
		if f.Name != "." && f.Name != ".." {
			files = append(files, f)
		}
	}
}

// id reads the four letters of an answer.
func (s *syncSocket) id() (string, error) {
	if err := s.alive(); err != nil {
		return "", err
	}
	var b [4]byte
	_, err := io.ReadFull(s.r, b[:])
	return string(b[:]), err
}

func (s *syncSocket) word() (int, error) {
	var b [4]byte
	_, err := io.ReadFull(s.r, b[:])
	return int(min(binary.LittleEndian.Uint32(b[:]), math.MaxInt32)), err
}

// oldEntry reads mode, size and time, of 32 bits each, and a name.
func (s *syncSocket) oldEntry() (File, error) {
	f, err := s.oldStat()
	if err != nil {
		return File{}, err
	}
	f.Name, err = s.name()
	return f, err
}

func (s *syncSocket) oldStat() (File, error) {
	var b [12]byte
	if _, err := io.ReadFull(s.r, b[:]); err != nil {
		return File{}, err
	}
	word := binary.LittleEndian.Uint32
	return File{Mode: modeOf(word(b[:])), Size: int64(word(b[4:])), MTime: time.Unix(int64(word(b[8:])), 0)}, nil
}

// newEntry reads what newStat does, and a name.
func (s *syncSocket) newEntry() (File, error) {
	f, _, err := s.newStat()
	if err != nil {
		return File{}, err
	}
	f.Name, err = s.name()
	return f, err
}

// newStat reads error u32, dev u64, ino u64, mode, nlink, uid, gid u32, size u64, and three times.
func (s *syncSocket) newStat() (f File, errno uint32, err error) {
	var b [68]byte
	if _, err := io.ReadFull(s.r, b[:]); err != nil {
		return File{}, 0, err
	}
	word, long := binary.LittleEndian.Uint32, binary.LittleEndian.Uint64
	size := min(long(b[36:]), math.MaxInt64)
	return File{Mode: modeOf(word(b[20:])), Size: int64(size), MTime: time.Unix(int64(long(b[52:])), 0)}, word(b[:]), nil
}

func (s *syncSocket) name() (string, error) {
	n, err := s.word()
	if err != nil {
		return "", err
	}
	if n > maxName {
		return "", fmt.Errorf("adb protocol fault: a file's name of %d bytes", n)
	}
	b := make([]byte, n)
	_, err = io.ReadFull(s.r, b)
	return string(b), err
}

// modeOf turns the mode of Linux into Go's; 0 stays 0, which is no file.
func modeOf(unix uint32) fs.FileMode {
	mode := fs.FileMode(unix & 0o777)
	switch unix & 0o170000 {
	case 0o040000:
		mode |= fs.ModeDir
	case 0o120000:
		mode |= fs.ModeSymlink
	case 0o010000:
		mode |= fs.ModeNamedPipe
	case 0o140000:
		mode |= fs.ModeSocket
	case 0o060000:
		mode |= fs.ModeDevice
	case 0o020000:
		mode |= fs.ModeDevice | fs.ModeCharDevice
	}
	return mode
}

// errno values of Linux that mean that there is no such file.
const (
	errnoNoEntry = 2
	errnoNotDir  = 20
)

func (d *Driver) stat(ctx context.Context, remote string) (File, error) {
	return retried(ctx, func() (File, error) {
		s, err := d.sync(ctx)
		if err != nil {
			return File{}, err
		}
		defer s.close()
		f, err := s.stat(remote, d.statV2)
		f.Name = remote[strings.LastIndexByte(remote, '/')+1:]
		return f, s.fault(err)
	})
}

// stat asks for one file; the zero Mode is none.
func (s *syncSocket) stat(remote string, v2 bool) (File, error) {
	ask := "STAT"
	if v2 {
		ask = "STA2"
	}
	if err := s.message(ask, len(remote), []byte(remote)); err != nil {
		return File{}, err
	}
	id, err := s.id()
	switch {
	case err != nil:
		return File{}, err
	case id != ask:
		return File{}, fmt.Errorf("adb protocol fault: %q instead of %s", id, ask)
	case !v2:
		return s.oldStat()
	}
	f, errno, err := s.newStat()
	switch {
	case err != nil || errno == 0:
		return f, err
	case errno == errnoNoEntry || errno == errnoNotDir:
		return File{}, nil
	}
	return File{}, fmt.Errorf("%s: the phone may not look at it (errno %d)", remote, errno)
}
